"""Windows of neighbouring systems: by hand, and what holds for any scores."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.metaevaluation.correlations import PUBLISHED, Coefficient, correlation
from ranking.stats.metaevaluation.tables import Window, sliding, tops
from tests.ranking.stats.metaevaluation.scores import any_scores, published_human, published_metric


def test_the_toy_of_the_definition():
    human, metric = np.array([2.0, 4, 1, 3]), np.array([9.0, 8, 7, 6])
    assert sliding(human, metric, 3, Coefficient.KENDALL) == [
        Window(1, 3, (1, 3, 0), pytest.approx(-1 / 3)),
        Window(2, 4, (3, 0, 2), pytest.approx(-1 / 3)),
    ]
    assert [window.systems for window in tops(human, metric, Coefficient.KENDALL)] == [(1, 3, 0), (1, 3, 0, 2)]


def test_a_window_of_equal_scores_has_no_correlation():
    human, metric = np.array([4.0, 3, 2, 1]), np.array([5.0, 5, 5, 1])
    assert [window.value for window in sliding(human, metric, 3, Coefficient.PEARSON)] == [
        None,
        pytest.approx(np.sqrt(3) / 2),
    ]


@pytest.mark.parametrize("size", [0, 2, 5])
def test_a_window_holds_some_systems_and_not_more_than_there_are(size):
    with pytest.raises(StatisticsError, match=f"A window holds 3 to 4 of these systems, not {size}"):
        sliding(np.arange(4.0), np.arange(4.0), size, Coefficient.PEARSON)


@pytest.mark.wide
@given(any_scores(), st.sampled_from(Coefficient))
def test_the_window_of_all_systems_has_the_correlation_of_all(scores, coefficient):
    human, metric = scores
    (whole,) = sliding(human, metric, len(human), coefficient)
    assert whole.value == pytest.approx(correlation(human, metric, coefficient))
    assert tops(human, metric, coefficient)[-1] == whole


@pytest.mark.wide
@given(any_scores(), st.integers(3, 5))
def test_windows_slide_by_one_from_the_best_to_the_worst(scores, size):
    human, metric = scores
    if size > len(human):
        return
    windows = sliding(human, metric, size, Coefficient.SPEARMAN)
    assert [(window.first, window.last) for window in windows] == [
        (first, first + size - 1) for first in range(1, len(human) - size + 2)
    ]
    for one, following in pairwise(windows):
        assert one.systems[1:] == following.systems[:-1]
    for window in windows:
        ours = human[list(window.systems)]
        assert (np.diff(ours) <= 0).all()


def test_the_published_metrics_among_neighbours():
    """Among all 13 systems the correlation is that of Table 5; among neighbours it may be anything."""
    human, metric = published_human(), published_metric("scores.bleu")
    whole = tops(human, metric, Coefficient.SPEARMAN, PUBLISHED)[-1]
    assert whole.value == correlation(human, metric, Coefficient.SPEARMAN, PUBLISHED)
    assert len(sliding(human, metric, 5, Coefficient.SPEARMAN, PUBLISHED)) == 9
