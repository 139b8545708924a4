"""Presets: what published studies chose, in settings that assigning understands."""

import random

import pytest

from judgments.assignment.rules.assigning import (
    COMPLETE,
    Choice,
    PlanSettings,
    ScreenSubject,
    choose_screens,
    plan_batches,
    plan_subjects,
)
from judgments.campaigns.presets import PRESETS

COMPARING = [name for name, preset in PRESETS.items() if preset.get("protocol") not in ("verdict", "correction")]


def assigning_settings(name: str, **others) -> PlanSettings:
    preset = PRESETS[name]
    chosen = {field: preset[field] for field in PlanSettings.__dataclass_fields__ if field in preset}
    return PlanSettings(**{"design": COMPLETE, **others, **chosen, "allows_single": preset.get("protocol") == "rating"})


@pytest.mark.parametrize(
    ("name", "published"),
    [
        (
            "grundkiewicz2015",  # screens of five for one judge, without controls
            {"protocol": "ranking", "design": "sampled", "screen_size": 5, "redundancy": 1, "control_share": 0}
            | {"automatic_ties": True},
        ),
        (
            "napoles2019",  # everything rated by eight judges in twenties, always with a control
            {"protocol": "rating", "design": "complete", "redundancy": 8, "batch_size": 20, "control_share": 1}
            | {"control_pass_share": 0.7},
        ),
        # Twenty judges, who are looked at by what is known.
        ("madnani2011", {"protocol": "verdict", "design": "complete", "redundancy": 20, "control_pass_share": 0.7}),
        # Everything corrected by ten in the categories of its data.
        (
            "bryant2015",
            {"protocol": "correction", "design": "complete", "redundancy": 10, "category_list": "conll2014"},
        ),
        ("recommended", {"redundancy": 2}),
    ],
)
def test_a_preset_is_what_was_published(name, published):
    assert {setting: PRESETS[name][setting] for setting in published} == published


def test_known_screens_are_judged_where_their_share_is_not_published():
    assert PRESETS["madnani2011"]["control_share"] > 0
    assert PRESETS["recommended"]["control_share"] > 0
    assert PRESETS["recommended"]["repeat_share"] > 0


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_known_settings_and_possible_shares_and_sizes(name):
    known = {*PlanSettings.__dataclass_fields__, "protocol", "one_domain_a_day", "control_pass_share"}
    known |= {"least_controls", "least_seconds", "category_list", "asks_for_ranks"}
    assert PRESETS[name].keys() <= known
    preset = PRESETS[name]
    assert 0 <= preset["repeat_share"] < 0.5
    assert 0 <= preset["control_share"] <= 1
    assert preset.get("screen_size", 2) >= 1
    assert preset["redundancy"] >= 1
    assert preset["batch_size"] >= 2


@pytest.mark.parametrize("name", ["madnani2011", "bryant2015"])
def test_a_preset_without_candidates_can_be_assigned(name):
    settings = assigning_settings(name, screen_size=5)
    subjects = [ScreenSubject(n, "", n, is_control=name == "madnani2011" and n % 10 == 0) for n in range(100)]
    batches = list(plan_subjects(subjects, settings, random.Random(1)))
    assignments = [batch.screens[assignment.screen] for batch in batches for assignment in batch.assignments]
    plain = [screen.segment for screen in assignments if not screen.has_control]
    assert all(plain.count(subject.segment) == settings.redundancy for subject in subjects if not subject.is_control)


@pytest.mark.parametrize("name", COMPARING)
def test_a_preset_can_be_assigned(name):
    settings = assigning_settings(name, screens=30)
    choices = [Choice(n, "", tuple(range(7)), (1,) * 7, source=0, control=99) for n in range(40)]
    screens = choose_screens(choices, settings, random.Random(1))
    batches = plan_batches(screens, settings, random.Random(2))
    fresh = [assignment for batch in batches for assignment in batch.assignments if assignment.repeats is None]
    assert len(screens) >= 30
    assert len(fresh) == len(screens) * settings.redundancy
    controlled = {screen.segment for screen in screens if screen.has_control}
    assert len(controlled) == pytest.approx(settings.control_share * len({screen.segment for screen in screens}), abs=1)
