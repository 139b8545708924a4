"""Whether one metric is better than another: by hand, and by what holds for any scores."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.intervals import Estimate
from ranking.numbers.tables import StatisticsError
from ranking.stats.metaevaluation.metric_tests import (
    BY_SENTENCES,
    COMPARISONS,
    OTHER_SENTENCES,
    OTHER_SYSTEMS,
    comparisons_of_metrics,
    williams_test,
    williams_tests,
)
from ranking.stats.metaevaluation.scores import SYSTEM, HumanScores, ScoredSystems, mean_scores
from ranking.stats.metaevaluation.sentences import OnDecidedPairs
from ranking.stats.resampling import draw

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


def compared(human, metrics, decided=None, drawn=None):
    """Rows of the table, by test and names; metrics are arrays of sentences by systems."""
    drawn = draw(len(next(iter(metrics.values()))), 400, 3) if drawn is None else drawn
    scored = [
        ScoredSystems(name, SYSTEM, scores.mean(axis=0), mean_scores(scores, drawn), scores)
        for name, scores in metrics.items()
    ]
    rows = comparisons_of_metrics(HumanScores("people", np.asarray(human, dtype=float)), scored, decided or {}, 0.95)
    found = [dict(zip(COMPARISONS, row, strict=True)) for row in rows]
    return {(row["test"], row["metric"], row["other"]): row for row in found}


def test_a_metric_in_other_units_is_no_better_and_pairs_share_the_error():
    random, human = np.random.default_rng(5), np.arange(8.0)
    good = human + random.normal(0, 1, (300, 8))
    poor = human * [1, -1, 1, 1, -1, 1, -1, 1] / 3 + random.normal(0, 1, (300, 8))
    found = compared(human, {"good": good, "poor": poor, "other units": 5 * good + 2})
    for test in (OTHER_SYSTEMS, OTHER_SENTENCES):
        (same,) = (row for (one, *two), row in found.items() if one == test and "poor" not in two)
        assert (same["difference"], same["p_value"]) == (pytest.approx(0), pytest.approx(1))
    assert found[OTHER_SENTENCES, "good", "poor"]["p_value"] == pytest.approx(1 / 401)
    one = found[OTHER_SYSTEMS, "good", "poor"]
    _, p_value = williams_test(one["value"], one["other_value"], np.corrcoef(good.mean(0), poor.mean(0))[0, 1], 8)
    assert one["p_value"] == pytest.approx(3 * 2 * p_value)


def test_tau_of_draws_decides_on_sentences():
    """The difference is 2 with a standard error of 1/2, and no draw of 99 is as far from its mean."""
    draws = np.random.default_rng(2).choice([-0.5, 0.5], 99)
    right, wrong = (
        OnDecidedPairs(8, 6, {"sentence_tau": Estimate(tau, (tau, tau))}, np.full(99, tau)) for tau in (1.0, -1.0)
    )
    scores = np.random.default_rng(1).normal(size=(2, 4, 4))
    metrics = {"wrong": scores[0], "right": scores[1]}
    found = compared([1, 2, 3, 4], metrics, {0: wrong._replace(tau=draws - 1), 1: right})
    row = found[BY_SENTENCES, "right", "wrong"]
    assert (row["value"], row["other_value"], row["difference"], row["p_value"]) == (1, -1, 2, 1 / 100)
    too_few = compared([1, 2, 3, 4], metrics, {0: wrong._replace(tau=draws - 1), 1: right._replace(sentences=5)})
    assert too_few.keys() == found.keys() - {(BY_SENTENCES, "right", "wrong")}


def test_a_metric_and_its_negative_have_no_p_and_a_copy_of_both_is_tested():
    random, human = np.random.default_rng(5), np.arange(8.0)
    good = human + random.normal(0, 1, (30, 8))
    found = compared(human, {"good": good, "bad": -good, "other": human + random.normal(0, 1, (30, 8))})
    assert found[OTHER_SYSTEMS, "good", "bad"]["p_value"] is None
    assert 0 < found[OTHER_SYSTEMS, "other", "bad"]["p_value"] < 1


def test_few_systems_and_metrics_without_draws_have_no_test():
    scores = np.random.default_rng(1).normal(size=(2, 9, 3))
    assert compared([1, 2, 3], {"A": scores[0], "B": scores[1]}) == {}
    people = HumanScores("people", np.arange(5.0))
    metrics = [ScoredSystems(name, SYSTEM, np.arange(5.0) ** power) for name, power in (("A", 2), ("B", 3))]
    ((_, test, *_),) = comparisons_of_metrics(people, metrics, {}, 0.95)
    assert test == OTHER_SYSTEMS
    drawn = [replace(one, replicates=one.scores + np.random.default_rng(1).normal(size=(99, 5))) for one in metrics]
    for sentences, tests in ((5, {OTHER_SYSTEMS}), (6, {OTHER_SYSTEMS, OTHER_SENTENCES})):
        judged = replace(people, judged=np.full(sentences, True))
        assert {row[1] for row in comparisons_of_metrics(judged, drawn, {}, 0.95)} == tests
