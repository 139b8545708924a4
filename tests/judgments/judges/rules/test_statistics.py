"""Figures of one judge, counted by hand, and the exclusion rule: what it says and whom it is about."""

import pytest

from judgments.judges.rules.statistics import NO_RULE, ExclusionRule, figures

RULE = ExclusionRule(pass_share=0.7, least_controls=3, least_seconds=5)
FINE = {"controls": 10, "controls_passed": 7, "timed": 10, "median_seconds": 6.0}


def test_the_toy():
    found = figures([4.0], [[3, 3, 1]], None, 0, 0)
    assert (found["pairs"], found["ties"], found["scores"], found["extremes"]) == (3, 1, 0, 0)
    found = figures([4.0], [[0, 50, 100]], (0.0, 100.0), 0, 0)
    assert (found["pairs"], found["ties"], found["scores"], found["extremes"]) == (3, 0, 3, 2)
    # Times that are not known are left out.
    found = figures([2.0, None, 10.0, 3.0], [], None, 5, 4)
    assert (found["screens"], found["timed"], found["total_seconds"], found["median_seconds"]) == (4, 3, 15.0, 3.0)
    assert (found["controls"], found["controls_passed"]) == (5, 4)
    assert figures([], [], None, 0, 0)["median_seconds"] is None


def test_the_rule_is_a_sentence_and_without_criteria_excludes_nobody():
    assert RULE.sentence() == (
        "Judges who pass fewer than 70% of their controls (by ranking the control below its source; checked from 3 "
        "controls on) or who take less than 5 seconds per screen in the median (checked from 10 screens on) are "
        "excluded."
    )
    assert ExclusionRule(None, 3, None).sentence() == NO_RULE
    worst = FINE | {"controls_passed": 0, "median_seconds": 0.1}
    assert ExclusionRule(None, 3, None).broken_by(**worst) is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({}, None),
        ({"controls_passed": 6}, "rule: 6 of 10 controls below the source, fewer than 70%"),
        ({"median_seconds": 4.94}, "rule: 4.9 seconds per screen in the median, less than 5"),
        ({"controls": 2, "controls_passed": 0}, None),
        ({"controls": 3, "controls_passed": 2}, "rule: 2 of 3 controls below the source, fewer than 70%"),
        ({"median_seconds": 1.0, "timed": 9}, None),
        ({"median_seconds": None, "timed": 0}, None),
    ],
)
def test_the_reason_names_the_missed_criterion(change, reason):
    assert RULE.broken_by(**FINE | change) == reason
