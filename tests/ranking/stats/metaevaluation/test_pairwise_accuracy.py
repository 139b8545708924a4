"""Pairwise accuracy: by hand, by another formula and by scipy, and what holds for any scores."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import permutation_test

from ranking.numbers.tables import StatisticsError
from ranking.stats.metaevaluation.correlations import (
    pairwise_accuracy,
    permutation_p,
    resolved_pairs,
    soft_pairwise_accuracy,
)
from ranking.stats.metaevaluation.scores import HumanScores
from tests.ranking.stats.metaevaluation.scores import any_scores


@st.composite
def any_p_values(draw) -> tuple[np.ndarray, np.ndarray]:
    """Two matrices of one-sided p-values of the same systems."""
    systems = draw(st.integers(2, 5))
    halves = [np.array(draw(st.lists(st.floats(0, 1), min_size=systems**2, max_size=systems**2))) for _ in range(2)]
    upper = [np.triu(half.reshape(systems, systems), 1) for half in halves]
    one, other = (half + np.tril(1 - half.T, -1) + np.eye(systems) / 2 for half in upper)
    return one, other


def test_the_toy_of_the_definition_and_certainty_everywhere():
    assert pairwise_accuracy(np.array([3, 2, 1]), np.array([2, 3, 1])) == 2 / 3
    p_human, p_metric = np.zeros((3, 3)), np.array([[0, 0.9, 0], [0, 0, 0.1], [0, 0, 0]])
    assert soft_pairwise_accuracy(p_human, p_metric) == pytest.approx(2 / 3)
    human, metric = np.array([4.0, 3, 2, 1]), np.array([4.0, 1, 3, 2])
    sure = [(scores[:, None] < scores[None, :]) * 1.0 for scores in (human, metric)]
    assert soft_pairwise_accuracy(*sure) == pairwise_accuracy(human, metric)


@pytest.mark.wide
@given(any_scores())
def test_it_is_the_share_of_pairs_counted_one_by_one(scores):
    human, metric = scores
    right = [
        np.sign(human[i] - human[j]) == np.sign(metric[i] - metric[j]) for i, j in combinations(range(len(human)), 2)
    ]
    assert pairwise_accuracy(human, metric) == pytest.approx(np.mean(right))


@pytest.mark.wide
@given(any_p_values(), st.randoms(use_true_random=False))
def test_soft_accuracy_is_symmetric_and_blind_to_the_order_of_systems(p_values, random):
    one, other = p_values
    value = soft_pairwise_accuracy(one, other)
    order = random.sample(range(len(one)), len(one))
    assert 0 <= value <= 1
    assert soft_pairwise_accuracy(other, one) == pytest.approx(value)
    assert soft_pairwise_accuracy(one[np.ix_(order, order)], other[np.ix_(order, order)]) == pytest.approx(value)
    assert soft_pairwise_accuracy(one, one) == 1


def test_only_resolved_pairs_can_be_chosen_and_no_score_may_be_missing():
    p_human = np.array([[0.5, 0.02, 0.001], [0.98, 0.5, 0.3], [0.999, 0.7, 0.5]])
    resolved = resolved_pairs(p_human)
    assert resolved.tolist() == [[False, True, True], [True, False, False], [True, False, False]]
    assert pairwise_accuracy(np.array([3, 2, 1]), np.array([3, 1, 2]), resolved) == 1
    with pytest.raises(StatisticsError, match="people resolve none"):
        pairwise_accuracy(np.array([3, 2, 1]), np.array([3, 1, 2]), np.zeros((3, 3), dtype=bool))
    with pytest.raises(StatisticsError, match="has no score"):
        pairwise_accuracy(np.array([1, 2, np.nan]), np.array([1, 2, 3]))
    with pytest.raises(StatisticsError, match="A sentence lacks a score"):
        permutation_p(np.array([[1, np.nan]]), 10, seed=1)


def test_p_by_hand_from_replicates_and_of_equal_scores():
    scores = np.array([[3.0, 1], [2, 1], [1, 1], [0, 1]])
    p_human = HumanScores("EW", scores.mean(axis=0), scores).p_better(np.full(4, True))
    assert (p_human[0, 1], p_human[1, 0]) == (1 - (2 + 1 / 2) / 4, (2 + 1 / 2) / 4)
    with pytest.raises(StatisticsError, match="certainty is unknown"):
        HumanScores("EW", np.array([1.0, 2])).p_better(np.full(4, True))
    scores = np.tile(np.array([[0.1], [0.7], [0.2]]), (1, 2))
    assert permutation_p(scores, 25, seed=2)[0, 1] == 0.5


@pytest.mark.wide
@given(st.integers(2, 4), st.integers(1, 6), st.integers(0, 99))
def test_p_of_both_directions_add_up_to_1(systems, sentences, seed):
    scores = np.random.default_rng(seed).integers(0, 4, (sentences, systems)) / 7
    found = permutation_p(scores, 40, seed)
    assert found + found.T == pytest.approx(np.ones((systems, systems)))
    order = np.arange(systems)[::-1]
    assert permutation_p(scores[:, order], 40, seed) == pytest.approx(found[np.ix_(order, order)])


@pytest.mark.wide
def test_p_from_permutations_is_that_of_another_program():
    """Scipy counts a tie whole; the scores are such that only the observed difference is ever met again."""
    scores = np.random.default_rng(8).normal(0.2, 1, (9, 2)) @ np.array([[1.0, 0], [0, 1]])
    exact = permutation_test(
        scores.T, lambda one, other: one.sum() - other.sum(), permutation_type="samples", alternative="greater",
        n_resamples=np.inf,
    ).pvalue  # fmt: skip
    assert permutation_p(scores, 20_000, seed=1)[0, 1] == pytest.approx(exact, abs=0.015)


@pytest.mark.wide
def test_p_from_permutations_is_the_published_one_where_nothing_ties():
    """Thompson et al.: the share of permuted differences that reach the observed one, the same coins for all pairs."""
    random = np.random.default_rng(3)
    scores = random.normal(0, 1, (50, 4)) + np.array([0.3, 0.2, 0.1, 0])
    coins = random.integers(0, 2, (20_000, 50)) * 2 - 1
    permuted, observed = coins @ scores, scores.sum(axis=0)
    found = permutation_p(scores, 20_000, seed=1)
    for i, j in combinations(range(4), 2):
        p = np.mean(permuted[:, i] - permuted[:, j] >= observed[i] - observed[j])
        assert found[i, j] == pytest.approx(p, abs=0.015)
