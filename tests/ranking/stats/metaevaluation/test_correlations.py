"""Correlations: by hand, by scipy, as published, and what holds for any scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, median_abs_deviation, pearsonr, spearmanr

from ranking.numbers.tables import StatisticsError
from ranking.stats.metaevaluation.correlations import (
    PUBLISHED,
    RECOMMENDED,
    Coefficient,
    by_systems,
    correlate,
    correlation,
    drawn_sentences,
    outliers,
)
from ranking.stats.metaevaluation.scores import mean_scores
from ranking.stats.resampling import Unit, resample
from ranking.stats.tally import weighted_tallies
from tests import published
from tests.ranking.stats.ballots import ballot, columns
from tests.ranking.stats.metaevaluation.scores import any_scores, published_human, published_metric

PEARSON, SPEARMAN, KENDALL = Coefficient.PEARSON, Coefficient.SPEARMAN, Coefficient.KENDALL


def test_correlations_by_hand_and_as_the_paper_computed_them():
    human, metric = np.array([1.0, 2, 3]), np.array([1.0, 3, 2])
    found = [correlation(human, metric, coefficient) for coefficient in (PEARSON, SPEARMAN, KENDALL)]
    assert found == pytest.approx([1 / 2, 1 / 2, 1 / 3])
    human, metric = np.array([3.0, 2, 1]), np.array([5.0, 1, 1])
    assert correlation(human, metric, SPEARMAN) == pytest.approx(np.sqrt(3) / 2)
    assert correlation(human, metric, SPEARMAN, PUBLISHED) == 1 - 6 * 2 / 24
    human, metric = np.array([0.1004, 0.1, 0.2]), np.array([2.0, 1, 3])
    assert correlation(human, metric, PEARSON, PUBLISHED) == correlation(np.round(human, 3), metric, PEARSON)


@pytest.mark.wide
@given(any_scores())
def test_they_are_those_of_another_program(scores):
    human, metric = scores
    assert correlation(human, metric, PEARSON) == pytest.approx(pearsonr(human, metric).statistic, abs=1e-9)
    assert correlation(human, metric, SPEARMAN) == pytest.approx(spearmanr(human, metric).statistic, abs=1e-9)
    assert correlation(human, metric, KENDALL) == pytest.approx(kendalltau(human, metric).statistic, abs=1e-9)


@pytest.mark.wide
@given(any_scores(), st.sampled_from(Coefficient), st.sampled_from([RECOMMENDED, PUBLISHED]))
def test_replicates_have_the_correlation_that_each_has_alone(scores, coefficient, choices):
    human, metric = scores
    rows = np.stack([human, human[::-1], np.zeros(len(human)), np.full(len(human), np.nan)])
    found = correlate(rows, metric, coefficient, choices)
    assert found[0] == pytest.approx(correlation(human, metric, coefficient, choices))
    assert found[1] == pytest.approx(correlation(human[::-1], metric, coefficient, choices))
    assert np.isnan(found[2:]).all()


@pytest.mark.parametrize(
    ("human", "metric", "why"),
    [
        ([1, 2, 3], [1, 2], "there are 3 and 2 scores"),
        ([1, 2], [1, 2], "needs scores of 3 systems or more, not 2"),
        ([1, np.nan, 3], [1, 2, 3], "score by people is missing"),
        ([1, 2, 3], [1, np.inf, 3], "score by the metric is missing"),
        ([1, 2, 3], [4, 4, 4], "All scores by the metric are equal"),
        ([1, 1, 1], [4, 5, 6], "All scores by people are equal"),
        ([1, 2, 3], [1e-300, 2e-300, 4e-300], "equal up to rounding"),
    ],
)
def test_data_without_a_correlation_are_refused(human, metric, why):
    with pytest.raises(StatisticsError, match=why):
        correlation(np.array(human, dtype=float), np.array(metric, dtype=float), PEARSON)


@pytest.mark.parametrize("metric", ["iwacc", "bleu", "meteor"])
def test_the_published_correlations_of_table_5(metric):
    golden = published.golden()
    found = [
        correlation(published_human(), published_metric(f"scores.{metric}"), coefficient, PUBLISHED)
        for coefficient in (SPEARMAN, PEARSON)
    ]
    assert found == pytest.approx(golden["table5_from_3_decimal_scores"][metric], abs=1e-12)
    assert [round(value, 3) for value in found] == golden["paper"]["table5"][metric]


def test_drawing_systems_gives_an_interval_as_wide_as_theory_says():
    human, metric = published_human(), published_metric("scores.bleu")
    found = by_systems(human, metric, PEARSON, 300, seed=1)
    assert found.value == correlation(human, metric, PEARSON)
    assert -1 <= found.interval.low < found.value < found.interval.high <= 1
    assert by_systems(human, metric, PEARSON, 300, seed=1) == found
    assert by_systems(human, metric, PEARSON, 300, seed=2) != found
    few = by_systems(human[:4], metric[:4], PEARSON, 300, seed=1)
    assert few == (correlation(human[:4], metric[:4], PEARSON), (None, None))
    # Of five systems some draws have only two, which correlate perfectly whatever they are.
    apart = by_systems(np.array([1.0, 2, 3, 4, 5]), np.array([2.0, 1, 3, 1.5, 2.5]), PEARSON, 2000, 1, level=0.99)
    assert apart.interval.high < 1
    # For normal scores Fisher's z has a standard error of 1 / sqrt(n - 3).
    random = np.random.default_rng(5)
    human = random.normal(size=400)
    metric = human + random.normal(size=400)
    found = by_systems(human, metric, PEARSON, 1000, seed=3)
    width = np.arctanh(found.interval.high) - np.arctanh(found.interval.low)
    assert width == pytest.approx(2 * 1.96 / np.sqrt(397), rel=0.15)


def test_a_metric_is_averaged_over_the_sentences_that_were_drawn():
    ballots = columns([ballot(("A", 1), ("B", 2), segment=n) for n in (0, 0, 3)], 2, 1)
    drawn = drawn_sentences(ballots, 50, seed=9)
    assert set(drawn.sum(axis=0)) == {2}
    redone = weighted_tallies(ballots, ballots.segment, drawn)
    assert np.array_equal(redone.wins, resample(ballots, Unit.SENTENCE, 50, seed=9).wins)
    scores = np.array([[1.0, np.nan], [3.0, 5.0]])
    assert np.array_equal(
        mean_scores(scores, np.array([[1, 2, 3], [1, 0, 1]])), [[2, 5], [1, np.nan], [1.5, 5]], equal_nan=True
    )
    ballots = columns([ballot(("A", 1), ("B", 2), segment=n) for n in range(3)], 2, 1).choose(np.array([0, 2]))
    assert not drawn_sentences(ballots, 20, seed=1)[1].any()


spread = st.lists(st.floats(-100, 100), min_size=3, max_size=12, unique=True)


def test_far_below_is_as_far_as_above():
    assert outliers(np.array([1, 2, 3, 4, 5, 20])).tolist() == [False] * 5 + [True]
    assert outliers(np.array([-20, 1, 2, 3, 4, 5])).tolist() == [True] + [False] * 5


@given(spread)
def test_the_deviation_is_that_of_another_program(human):
    scores = np.array(human)
    deviation = median_abs_deviation(scores) * 1.4826
    if deviation > 1e-9:
        far = np.abs(scores - np.median(scores)) / deviation
        clear = np.abs(far - 2.5) > 1e-9
        assert np.array_equal(outliers(scores)[clear], (far > 2.5)[clear])


@pytest.mark.parametrize(
    ("human", "why"), [([], "lacks a human score"), ([1, np.nan], "lacks a human score"), ([1, 1, 1, 5], "Half")]
)
def test_undefined_outliers_are_refused(human, why):
    with pytest.raises(StatisticsError, match=why):
        outliers(np.array(human, dtype=float))
