"""Williams' test: the published example, its null distribution by simulation, and what holds for any metrics."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.comparisons.sections.metrics import f_score
from ranking.stats.metaevaluation.tables import williams_test, williams_tests
from tests.ranking.stats.metaevaluation.scores import published_human, published_m2, published_metric

correlated = st.floats(-0.99, 0.99)


def are_possible(r12: float, r13: float, r23: float) -> bool:
    """Whether three correlations can be those of three lists."""
    return 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23 > 1e-6


def test_the_toy_of_the_definition():
    t, p = williams_test(0.5, 0.4, 0.1, 103)
    assert (round(t, 2), round(2 * p, 2)) == (0.89, 0.37)


def test_by_hand():
    """n = 4, r12 = .6 and all others 0: K = .64, t = .6 sqrt(3 / (2 .64 3 + .09)), and one degree of freedom."""
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


@given(st.floats(0, 0.8), st.floats(0.01, 0.15), st.floats(0, 0.9), st.integers(5, 100))
def test_more_systems_make_a_difference_surer(r13, more, r23, number):
    if are_possible(r13 + more, r13, r23):
        assert williams_test(r13 + more, r13, r23, number + 1)[1] < williams_test(r13 + more, r13, r23, number)[1]


def test_metrics_that_are_alike_are_easier_to_tell_apart():
    p_values = [williams_test(0.7, 0.6, alike, 20)[1] for alike in (0.2, 0.5, 0.8, 0.95)]
    assert p_values == sorted(p_values, reverse=True)


@pytest.mark.wide
@pytest.mark.parametrize(("number", "together"), [(8, 0.3), (13, 0.8), (30, 0.6)])
def test_equally_good_metrics_seldom_look_different(number, together):
    """Of 4000 samples with equal correlations a share of about .05 has p < .05, and of .5 has p < .5."""
    random = np.random.default_rng(number)
    covariance = [[1, 0.5, 0.5], [0.5, 1, together], [0.5, together, 1]]
    p_values = []
    for _ in range(4000):
        human, one, other = random.multivariate_normal(np.zeros(3), covariance, number).T
        r = np.corrcoef([human, one, other])
        p_values.append(williams_test(r[0, 1], r[0, 2], r[1, 2], number)[1])
    assert np.mean(np.array(p_values) < 0.05) == pytest.approx(0.05, abs=0.015)
    assert np.mean(np.array(p_values) < 0.5) == pytest.approx(0.5, abs=0.04)


def test_a_better_metric_is_found():
    random = np.random.default_rng(1)
    human = random.normal(size=60)
    good, poor = human + random.normal(size=60) / 3, human + 3 * random.normal(size=60)
    tests = {test[:2]: test for test in williams_tests(human, np.stack([good, poor]))}
    assert tests[0, 1].p_value < 0.001
    assert tests[1, 0].p_value > 0.999


@given(st.lists(st.integers(-9, 9), min_size=5, max_size=5, unique=True))
def test_a_metric_is_as_good_as_itself_in_other_units(metric):
    human = np.arange(5.0)
    for test in williams_tests(human, np.array([metric, np.array(metric) * 3 + 1])):
        assert test.p_value == pytest.approx(0.5, abs=1e-3)


def test_untestable_pairs_are_left_out_and_the_rest_is_tested():
    human = np.array([1.0, 2, 3, 5, 4])
    metrics = np.array([[1.0, 2, 3, 4, 5], [-1.0, -2, -3, -4, -5], [1.0, 3, 2, 4, 5]])
    assert [test[:2] for test in williams_tests(human, metrics)] == [(0, 2), (1, 2), (2, 0), (2, 1)]
    assert williams_tests(human, metrics[:1]) == []


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


def test_too_few_systems_are_refused_for_all_metrics():
    with pytest.raises(StatisticsError, match="needs 4 systems or more, not 3"):
        williams_tests(np.array([1.0, 2, 3]), np.array([[1.0, 2, 3], [1.0, 3, 2]]))


def test_thirteen_systems_are_too_few_to_tell_the_published_metrics_apart():
    """Though their correlations in Table 5 go from -.24 to .63: the smallest p-value is above .05."""
    scores = published_m2()
    files = ("scores.iwacc", "scores.bleu", "scores.meteor")
    metrics = np.stack([f_score(scores.precision, scores.recall, 0.5), *map(published_metric, files)])
    tests = williams_tests(published_human(), metrics)
    assert len(tests) == 12
    assert 0.05 < min(test.p_value for test in tests) < 0.06
