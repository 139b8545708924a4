"""Presets: what published studies chose, in settings that assigning understands."""

import random

import pytest

from judgments.assignment.rules.assigning import Choice, Design, Settings, choose_screens, plan_batches
from judgments.assignment.rules.assigning_subjects import Subject, plan_subjects
from judgments.campaigns.presets import PRESETS

COMPARING = [name for name, preset in PRESETS.items() if preset.get("protocol") not in ("verdict", "correction")]


def assigning_settings(name: str) -> Settings:
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
    known |= {"least_controls", "least_seconds", "category_list", "asks_for_ranks"}
    assert PRESETS[name].keys() <= known


@pytest.mark.parametrize("name", PRESETS)
def test_the_shares_and_sizes_of_a_preset_are_possible(name):
    preset = PRESETS[name]
    assert 0 <= preset["repeat_share"] < 0.5
    assert 0 <= preset["control_share"] <= 1
    assert preset.get("screen_size", 2) >= 1
    assert preset["redundancy"] >= 1
    assert preset["batch_size"] >= 2


def test_madnani_2011_asks_twenty_judges_and_looks_at_them_by_what_is_known():
    preset = PRESETS["madnani2011"]
    assert (preset["protocol"], preset["design"], preset["redundancy"]) == ("verdict", "complete", 20)
    assert preset["control_share"] > 0
    assert preset["control_pass_share"] == 0.7


def test_bryant_2015_has_everything_corrected_by_ten_in_the_categories_of_its_data():
    preset = PRESETS["bryant2015"]
    assert (preset["protocol"], preset["design"], preset["redundancy"]) == ("correction", "complete", 10)
    assert preset["category_list"] == "conll2014"


@pytest.mark.parametrize("name", ["madnani2011", "bryant2015"])
def test_a_preset_without_candidates_can_be_assigned(name):
    preset = PRESETS[name]
    chosen = {field: preset[field] for field in Settings.__dataclass_fields__ if field in preset}
    subjects = [Subject(n, "", n, is_control=name == "madnani2011" and n % 10 == 0) for n in range(100)]
    batches = list(plan_subjects(subjects, Settings(screen_size=5, **chosen), random.Random(1)))
    assignments = [batch.screens[assignment.screen] for batch in batches for assignment in batch.assignments]
    plain = [screen.segment for screen in assignments if not screen.has_control]
    assert all(plain.count(subject.segment) == preset["redundancy"] for subject in subjects if not subject.is_control)


@pytest.mark.parametrize("name", COMPARING)
def test_a_preset_can_be_assigned(name):
    settings = assigning_settings(name)
    choices = [Choice(n, "", tuple(range(7)), (1,) * 7, source=0, control=99) for n in range(40)]
    screens = choose_screens(choices, settings, random.Random(1))
    assignments = [
        assignment for batch in plan_batches(screens, settings, random.Random(2)) for assignment in batch.assignments
    ]
    assert len(screens) >= 30
    assert (
        len([assignment for assignment in assignments if assignment.repeats is None])
        == len(screens) * settings.redundancy
    )
    controlled = {screen.segment for screen in screens if screen.has_control}
    assert len(controlled) == pytest.approx(settings.control_share * len({screen.segment for screen in screens}), abs=1)
