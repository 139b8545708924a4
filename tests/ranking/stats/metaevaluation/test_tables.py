"""Windows of neighbours, one system left out, and Williams' test: by hand, as published, and for any scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from ranking.numbers.tables import StatisticsError
from ranking.stats.metaevaluation.correlations import (
    Coefficient,
    correlation,
    williams_test,
    williams_tests,
    windows,
    without_each,
)
from tests.ranking.stats.metaevaluation.scores import any_scores, published_human, published_metric


def test_windows_by_hand_with_none_of_equal_scores():
    """By people the order is the second system, the fourth, the first, the third."""
    human, metric = np.array([2.0, 4, 1, 3]), np.array([9.0, 8, 7, 6])
    third = pytest.approx(-1 / 3)
    assert windows(human, metric, 3, Coefficient.KENDALL) == [
        ("top", 1, 3, third), ("top", 1, 4, pytest.approx(0)), ("window", 1, 3, third), ("window", 2, 4, third),
    ]  # fmt: skip
    human, metric = np.array([4.0, 3, 2, 1]), np.array([5.0, 5, 5, 1])
    found = [value for kind, _, _, value in windows(human, metric, 3, Coefficient.PEARSON) if kind == "window"]
    assert found == [None, pytest.approx(np.sqrt(3) / 2)]
    kinds = {kind for kind, *_ in windows(human, metric, 5, Coefficient.PEARSON)}
    assert kinds == {"top"}, "five systems are more than there are"


@pytest.mark.wide
@given(any_scores(), st.sampled_from(Coefficient), st.integers(3, 9))
def test_windows_slide_by_one_from_the_best_to_the_worst_and_tops_grow_to_all(scores, coefficient, size):
    human, metric = scores
    number = len(human)
    found = windows(human, metric, size, coefficient)
    assert [row[:3] for row in found] == [
        *(("top", 1, last) for last in range(3, number + 1)),
        *(("window", first, first + size - 1) for first in range(1, number - size + 2)),
    ]
    order = np.argsort(-human, kind="stable")
    for _, first, last, value in found:
        ours, theirs = human[order][first - 1 : last], metric[order][first - 1 : last]
        expected = correlation(ours, theirs, coefficient) if np.ptp(ours) and np.ptp(theirs) else None
        assert value == (None if expected is None else pytest.approx(expected))


def test_without_a_system_it_is_the_correlation_of_what_is_left():
    human, metric = np.array([1.0, 2, 3, 10]), np.array([3.0, 2, 1, 10])
    assert np.corrcoef(human, metric)[0, 1] == pytest.approx(0.92)
    assert without_each(human, metric, Coefficient.PEARSON)[3] == pytest.approx(-1)
    human, metric = published_human(), published_metric("official.gleu.tsv")
    found = without_each(human, metric, Coefficient.PEARSON)
    expected = [pearsonr(np.delete(human, one), np.delete(metric, one))[0] for one in range(len(human))]
    assert found == pytest.approx(expected)
    assert without_each(np.array([1.0, 1, 1, 2]), np.arange(4.0), Coefficient.KENDALL)[3] is None
    with pytest.raises(StatisticsError, match="more than 3 systems, not 3"):
        without_each(np.arange(3.0), np.arange(3.0), Coefficient.PEARSON)


correlated = st.floats(-0.99, 0.99)


def are_possible(r12: float, r13: float, r23: float) -> bool:
    return 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23 > 1e-6


def test_williams_test_by_hand():
    t, p = williams_test(0.5, 0.4, 0.1, 103)
    assert (round(t, 2), round(2 * p, 2)) == (0.89, 0.37)
    # n = 4, r12 = .6 and all others 0: K = .64, t = .6 sqrt(3 / (2 .64 3 + .09)), and one degree of freedom.
    t, p = williams_test(0.6, 0.0, 0.0, 4)
    assert t == pytest.approx(0.6 * np.sqrt(3 / (2 * 0.64 * 3 + 0.09)))
    assert p == pytest.approx(0.5 - np.arctan(t) / np.pi)


@given(correlated, correlated, correlated, st.integers(4, 50))
def test_the_other_way_round_p_is_the_rest(r12, r13, r23, number):
    if not are_possible(r12, r13, r23):
        return
    t, p = williams_test(r12, r13, r23, number)
    opposite, rest = williams_test(r13, r12, r23, number)
    assert (opposite, rest) == (pytest.approx(-t), pytest.approx(1 - p))
    if abs(r12 - r13) > 1e-6:  # nearer to each other p is 1/2 but for rounding
        assert (p < 0.5) == (r12 > r13)


@given(st.lists(st.integers(-9, 9), min_size=5, max_size=5, unique=True))
def test_a_metric_is_as_good_as_itself_in_other_units(metric):
    human = np.arange(5.0)
    for *_, p_value in williams_tests(human, np.array([metric, np.array(metric) * 3 + 1])):
        assert p_value == pytest.approx(0.5, abs=1e-3)


def test_untestable_pairs_are_left_out_and_the_rest_is_tested():
    human = np.array([1.0, 2, 3, 5, 4])
    metrics = np.array([[1.0, 2, 3, 4, 5], [-1.0, -2, -3, -4, -5], [1.0, 3, 2, 4, 5]])
    assert [test[:2] for test in williams_tests(human, metrics)] == [(0, 2), (1, 2), (2, 0), (2, 1)]
    assert williams_tests(human, metrics[:1]) == []
    with pytest.raises(StatisticsError, match="needs 4 systems or more, not 3"):
        williams_tests(np.array([1.0, 2, 3]), np.array([[1.0, 2, 3], [1.0, 3, 2]]))


@pytest.mark.parametrize(
    ("numbers", "why"),
    [
        ((0.5, 0.4, 0.1, 3), "needs 4 systems or more, not 3"),
        ((0.5, -0.5, -1.0, 9), "is the negative of the other"),
        ((0.6, -0.6, 0.28, 9), "depend on each other"),
    ],
)
def test_data_that_cannot_be_tested_are_refused(numbers, why):
    with pytest.raises(StatisticsError, match=why):
        williams_test(*numbers)
