"""Correlations without each system: by hand, by another program, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from scipy.stats import pearsonr

from ranking.numbers.tables import StatisticsError
from ranking.stats.metaevaluation.correlations import Coefficient
from ranking.stats.metaevaluation.tables import without_each
from tests.ranking.stats.metaevaluation.scores import any_scores, published_human, published_metric


def test_the_toy_of_the_definition():
    human, metric = np.array([1.0, 2, 3, 10]), np.array([3.0, 2, 1, 10])
    assert np.corrcoef(human, metric)[0, 1] == pytest.approx(0.92)
    assert without_each(human, metric, Coefficient.PEARSON)[3] == pytest.approx(-1)


def test_it_is_the_correlation_of_what_is_left():
    human, metric = published_human(), published_metric("official.gleu.tsv")
    found = without_each(human, metric, Coefficient.PEARSON)
    expected = [pearsonr(np.delete(human, one), np.delete(metric, one))[0] for one in range(len(human))]
    assert found == pytest.approx(expected)


@pytest.mark.wide
@given(any_scores())
def test_other_numbers_for_the_systems_only_move_the_lines(scores):
    human, metric = scores
    if len(human) < 4:
        return
    found = without_each(human, metric, Coefficient.SPEARMAN)
    assert without_each(human[::-1], metric[::-1], Coefficient.SPEARMAN) == pytest.approx(found[::-1])


def test_with_only_equal_scores_there_is_no_correlation():
    assert without_each(np.array([1.0, 1, 1, 2]), np.arange(4.0), Coefficient.KENDALL)[3] is None


def test_leaving_out_one_of_three_systems_is_refused():
    with pytest.raises(StatisticsError, match="more than 3 systems, not 3"):
        without_each(np.arange(3.0), np.arange(3.0), Coefficient.PEARSON)
