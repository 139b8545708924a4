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
