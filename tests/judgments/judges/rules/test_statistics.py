"""Figures of one judge, counted by hand."""

from judgments.judges.rules.statistics import figures


def test_the_toy():
    found = figures([4.0], [[3, 3, 1]], None, 0, 0)
    assert (found.pairs, found.ties, found.scores, found.extremes) == (3, 1, 0, 0)
    found = figures([4.0], [[0, 50, 100]], (0.0, 100.0), 0, 0)
    assert (found.pairs, found.ties, found.scores, found.extremes) == (3, 0, 3, 2)


def test_times_that_are_not_known_are_left_out():
    found = figures([2.0, None, 10.0, 3.0], [], None, 5, 4)
    assert (found.screens, found.timed, found.total_seconds, found.median_seconds) == (4, 3, 15.0, 3.0)
    assert (found.controls, found.controls_passed) == (5, 4)


def test_a_judge_without_judgments_has_no_median():
    assert figures([], [], None, 0, 0).median_seconds is None
