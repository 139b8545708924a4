"""F-beta: by hand, as published, and what holds for any precision and recall."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.comparisons.sections.metrics import BETAS, curves, f_score
from ranking.stats.metaevaluation.correlations import PUBLISHED, Coefficient, correlation
from tests import published
from tests.ranking.stats.metaevaluation.scores import published_human, published_m2, published_metric

shares = st.floats(0, 1, allow_subnormal=False)


def peak(curve: np.ndarray) -> tuple[float, float]:
    """The beta with the highest correlation, the first of equal ones, and this correlation."""
    place = int(np.argmax(curve))
    return float(BETAS[place]), float(curve[place])


def test_the_toy_of_the_definition():
    half, quarter = np.array(1 / 2), np.array(1 / 4)
    assert [float(f_score(half, quarter, beta)) for beta in (1, 0.5, 0)] == pytest.approx([1 / 3, 5 / 12, 1 / 2])


def test_without_precision_or_recall_f_is_0():
    assert f_score(np.array([1.0, 0, 0]), np.array([0, 1.0, 0]), 0.5).tolist() == [0, 0, 0]


@given(shares, shares, st.floats(0, 10))
def test_f_lies_between_precision_and_recall(precision, recall, beta):
    found = float(f_score(np.array(precision), np.array(recall), beta))
    assert found == 0 or min(precision, recall) - 1e-12 <= found <= max(precision, recall) + 1e-12


@given(shares.filter(lambda share: share > 1e-9), shares.filter(lambda share: share > 1e-9), st.floats(0.01, 10))
def test_f_is_a_weighted_harmonic_mean(precision, recall, beta):
    weight = 1 / (1 + beta**2)
    expected = 1 / (weight / precision + (1 - weight) / recall)
    assert float(f_score(np.array(precision), np.array(recall), beta)) == pytest.approx(expected, rel=1e-9)


def test_the_sweep_goes_down_by_hundredths():
    assert (len(BETAS), BETAS[0], BETAS[1], BETAS[-1]) == (100, 1.0, 0.99, 0.01)


def test_equally_high_the_first_beta_is_the_peak():
    human = np.array([3.0, 2, 1])
    assert peak(curves(human, human / 4, human / 4)[Coefficient.KENDALL]) == (1.0, pytest.approx(1))


def test_without_recall_of_any_system_there_is_no_curve():
    with pytest.raises(StatisticsError, match="All scores by the metric are equal"):
        curves(np.array([1.0, 2, 3]), np.ones(3), np.zeros(3))


@pytest.mark.parametrize("gold", ["m2", "m2.0", "m2.1"])
def test_the_published_correlations_of_f_for_each_beta(gold):
    scores = published_m2(f"scores.{gold}")
    for beta, values in published.golden()["table5_from_3_decimal_scores"][gold].items():
        metric = f_score(scores.precision, scores.recall, float(beta))
        found = [
            correlation(published_human(), metric, coefficient, PUBLISHED)
            for coefficient in (Coefficient.SPEARMAN, Coefficient.PEARSON)
        ]
        assert found == pytest.approx(values, abs=1e-12)


def test_table_5_gives_each_coefficient_its_own_best_beta_in_the_row_of_018():
    """The paper's row "F 0.18" holds the maximum of rho, at .18, and the maximum of r, which is at .17."""
    scores = published_m2()
    found = curves(published_human(), scores.precision, scores.recall, choices=PUBLISHED)
    by_coefficient = [found[coefficient] for coefficient in (Coefficient.SPEARMAN, Coefficient.PEARSON)]
    (beta_of_rho, rho), (beta_of_r, r) = map(peak, by_coefficient)
    assert (beta_of_rho, beta_of_r) == (0.18, 0.17)
    printed = published.golden()["paper"]["table5"]
    assert [round(rho, 3), round(r, 3)] == printed["0.18"]
    for beta in ("1", "0.5", "0.25", "0.1"):
        place = int(np.flatnonzero(float(beta) == BETAS)[0])
        assert [round(float(curve[place]), 3) for curve in by_coefficient] == printed[beta]


def test_the_best_beta_is_better_than_any_other_published_metric():
    scores = published_m2()
    _, best = peak(curves(published_human(), scores.precision, scores.recall)[Coefficient.SPEARMAN])
    for file in ("scores.iwacc", "scores.bleu", "scores.meteor"):
        assert correlation(published_human(), published_metric(file), Coefficient.SPEARMAN) < best
