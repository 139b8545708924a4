"""Presets: what published studies chose, in words that the deal understands."""

import random

import pytest

from judgments.rules.dealing import Choice, Design, Settings, choose_screens, deal_batches
from judgments.rules.presets import PRESETS


def dealing_settings(name: str) -> Settings:
    preset = PRESETS[name]
    chosen = {field: preset[field] for field in Settings.__dataclass_fields__ if field in preset}
    return Settings(**{"design": Design.COMPLETE, "screens": 30, **chosen, "alone": preset.get("protocol") == "rating"})


def test_grundkiewicz_2015_samples_screens_of_five_for_one_judge_without_controls():
    preset = PRESETS["grundkiewicz2015"]
    assert (preset["protocol"], preset["design"]) == ("ranking", "sampled")
    assert (preset["screen_size"], preset["redundancy"]) == (5, 1)
    assert preset["control_share"] == 0
    assert preset["automatic_ties"]


def test_napoles_2019_has_everything_rated_by_eight_judges_in_twenties_always_with_a_control():
    preset = PRESETS["napoles2019"]
    assert (preset["protocol"], preset["design"]) == ("rating", "complete")
    assert (preset["redundancy"], preset["batch_size"]) == (8, 20)
    assert (preset["control_share"], preset["control_pass_share"]) == (1, 0.7)


def test_ours_asks_two_judges_and_has_repeats_and_controls():
    preset = PRESETS["recommended"]
    assert preset["redundancy"] == 2
    assert preset["repeat_share"] > 0
    assert preset["control_share"] > 0


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_uses_only_settings_that_others_use_too_or_that_are_named_here(name):
    known = {*Settings.__dataclass_fields__, "protocol", "one_domain_a_day", "control_pass_share"}
    assert PRESETS[name].keys() <= known


@pytest.mark.parametrize("name", PRESETS)
def test_the_shares_and_sizes_of_a_preset_are_possible(name):
    preset = PRESETS[name]
    assert 0 <= preset["repeat_share"] < 0.5
    assert 0 <= preset["control_share"] <= 1
    assert preset["screen_size"] >= 2
    assert preset["redundancy"] >= 1
    assert preset["batch_size"] >= 2


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_can_be_dealt(name):
    settings = dealing_settings(name)
    choices = [Choice(n, "", tuple(range(7)), (1,) * 7, source=0, control=99) for n in range(40)]
    screens = choose_screens(choices, settings, random.Random(1))
    seats = [seat for batch in deal_batches(screens, settings, random.Random(2)) for seat in batch.seats]
    assert len(screens) >= 30
    assert len([seat for seat in seats if seat.repeats is None]) == len(screens) * settings.redundancy
    controlled = {screen.segment for screen in screens if screen.has_control}
    assert len(controlled) == pytest.approx(settings.control_share * len({screen.segment for screen in screens}), abs=1)
