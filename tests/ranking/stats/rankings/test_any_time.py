"""Confidence sequences: the toy, that p-values and intervals say the same, and errors over many looks."""

import numpy as np
import pytest

from ranking.stats.rankings.pair_tests import (
    NARROWEST_AT,
    intervals_at_any_time,
    p_values,
    pair_tests_at_any_time,
    radius,
)

LEVEL = 0.95


def test_the_toy_of_the_definition_and_where_intervals_are_narrowest():
    assert radius(np.array(300), LEVEL) == pytest.approx(3.04, abs=0.005)
    sizes = np.arange(50, 2000)
    relative = radius(sizes, LEVEL)
    assert (np.diff(relative / np.sqrt(sizes)) < 0).all()
    assert abs(int(sizes[relative.argmin()]) - NARROWEST_AT) < NARROWEST_AT / 5


@pytest.mark.parametrize("sentences", [10, 300, 5000])
def test_an_interval_leaves_zero_out_just_where_p_reaches_the_level(sentences):
    reach = radius(np.array(sentences), LEVEL)
    assert p_values(reach, np.array(sentences), LEVEL) == pytest.approx(1 - LEVEL)
    assert p_values(np.array(0.0), np.array(sentences), LEVEL) == 1


def test_systems_may_be_equivalent_and_those_that_cannot_be_placed_have_no_tests():
    scores = np.array([0.0, 5, 9])
    replicates = scores + 0.1 * np.random.default_rng(1).standard_normal((200, 3))
    placed = np.array([True, True, False])
    found = pair_tests_at_any_time(scores, replicates, np.array([300, 300, 3]), LEVEL, placed)
    assert found.better(LEVEL).tolist() == [[False] * 3, [True, False, False], [False] * 3]
    assert np.isinf(found.high[0, 2])
    assert found.ranges(LEVEL)[2] == (1, 3)
    _, high = intervals_at_any_time(scores, replicates, np.array([300, 300, 3]), LEVEL)
    assert high[0] - scores[0] == pytest.approx(0.303, rel=0.15)
    scores = np.array([0.50, 0.51, 0.60])
    replicates = scores + 0.004 * np.random.default_rng(1).standard_normal((200, 3))
    found = pair_tests_at_any_time(scores, replicates, np.array([300] * 3), LEVEL, np.ones(3, dtype=bool), delta=0.05)
    assert (found.p_equivalent <= 1 - LEVEL).tolist() == [[False, True, False], [True, False, False], [False] * 3]
    assert found.better(LEVEL)[2].tolist() == [True, True, False]
