"""Tests of all pairs: by hand, the familywise error and power by simulation, and how they change with their input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.stats.rankings.pair_tests import holm, pair_tests, simultaneous_intervals
from ranking.stats.rankings.uncertainty import RankRange

LEVEL = 0.95


def replicates_of(scores: np.ndarray, error: float = 1.0, number: int = 400, seed: int = 0) -> np.ndarray:
    return scores + error * np.random.default_rng(seed).standard_normal((number, len(scores)))


def test_the_largest_of_all_later_pairs_decides():
    """Three replicates of two pairs that share no system: by hand.

    Deviations of A - B are -1, 0 and 1 and of C - D -2, 0 and 2, so their standard deviations are .816 and 1.633, and
    T* is 1.22, 0 and 1.22 for each. A and B are apart by 1 (T = 1.22), C and D by 0.
    """
    replicates = np.array([[-1.0, 0, -2, 0], [0, 0, 0, 0], [1, 0, 2, 0]])
    found = pair_tests(np.array([1.0, 0, 0, 0]), replicates, LEVEL)
    assert found.p_value[2, 3] == 1
    assert pair_tests(np.array([1.0, 0]), replicates[:, :2], LEVEL).p_value[0, 1] == (1 + 2) / 4
    assert pair_tests(np.zeros(2), replicates[:, [1, 1]], LEVEL).p_value[0, 1] == 1  # nothing says that they differ
    assert found.difference[1, 0] == -1
    assert found.low[0, 1] == -found.high[1, 0]


def test_clear_and_small_differences_are_resolved_but_none_of_too_few_sentences():
    scores = np.array([0.0, 10, 10.2])
    found = pair_tests(scores, replicates_of(scores), LEVEL)
    assert found.better(LEVEL).tolist() == [[False] * 3, [True, False, False], [True, False, False]]
    assert found.ranges(LEVEL) == [RankRange(3, 3), RankRange(1, 2), RankRange(1, 2)]
    scores = np.array([0.0, 3.4, 99])
    placed = np.array([True, True, False])
    with_all, without = (pair_tests(scores, replicates_of(scores), LEVEL, placed=these) for these in (None, placed))
    assert (without.p_value[2] == 1).all()
    assert np.isinf(without.high[0, 2])
    assert without.p_value[0, 1] <= with_all.p_value[0, 1]
    assert without.ranges(LEVEL)[2] == RankRange(1, 3)
    scores = np.array([0.0, 0.01, 5])
    near, far, unsure = (
        pair_tests(scores, replicates_of(scores, error), LEVEL, delta).p_equivalent[0]
        for error, delta in ((0.1, 1.0), (0.1, 0.05), (1.0, 1.0))
    )
    assert near[1] <= 0.05 < min(near[2], far[1], unsure[1])
    same = pair_tests(np.zeros(2), np.zeros((99, 2)), LEVEL, 0.1)
    assert same.p_equivalent[0, 1] == 0.01


@pytest.mark.long
@pytest.mark.parametrize("spread", [0.0, 0.7])
def test_false_finds_are_rare_and_more_is_found_than_by_holm(spread):
    """Twelve systems in groups of three equals, 300 times; differences of groups are `spread` standard errors."""
    rng = np.random.default_rng(3)
    truth = np.repeat(np.arange(4.0), 3) * spread * 3
    one, other = np.triu_indices(12, 1)
    unequal = truth[one] != truth[other]
    false, found, by_holm = [], 0, 0
    for _ in range(300):
        scores = truth + rng.standard_normal(12)
        replicates = scores + rng.standard_normal((400, 12))
        tests = pair_tests(scores, replicates, LEVEL)
        better = tests.better(LEVEL)
        false.append(bool((better & (truth[:, None] <= truth)).any()))
        found += int(better[truth[:, None] > truth].sum())
        alone = [pair_tests(scores[[a, b]], replicates[:, [a, b]], LEVEL).p_value[0, 1] for a, b in np.c_[one, other]]
        by_holm += int((holm(alone) <= 0.05)[unequal].sum())
    assert np.mean(false) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 300)
    assert found >= 2 * by_holm


def test_simultaneous_intervals_cover_all_scores_together():
    rng = np.random.default_rng(4)
    covered = []
    for _ in range(300):
        scores = rng.standard_normal(8)
        low, high = simultaneous_intervals(scores, scores + rng.standard_normal((400, 8)), LEVEL)
        covered.append(bool(((low <= 0) & (high >= 0)).all()))
    assert np.mean(covered) == pytest.approx(LEVEL, abs=2.5 * np.sqrt(0.05 * 0.95 / 300))


@given(st.permutations(range(5)), st.floats(0.1, 10))
def test_neither_the_order_of_systems_nor_the_unit_of_scores_matters(order, unit):
    scores = np.array([0.0, 1, 2, 4, 4.5])
    replicates = replicates_of(scores, number=50)
    found = pair_tests(scores, replicates, LEVEL, 0.5)
    again = pair_tests(scores[order] * unit, replicates[:, order] * unit, LEVEL, 0.5 * unit)
    for name in ("p_value", "p_equivalent"):
        assert np.allclose(getattr(again, name), getattr(found, name)[np.ix_(order, order)])
    pair = pair_tests(scores[:2], replicates[:, :2], LEVEL)
    assert found.p_value[0, 1] >= pair.p_value[0, 1] - 1e-12
