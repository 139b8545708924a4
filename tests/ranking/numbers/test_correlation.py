"""Correlations: by hand, against scipy, and with scores that are missing."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy
from scipy import stats

from ranking.numbers.correlation import kendall, pearson, spearman

any_rows = st_numpy.arrays(float, st.tuples(st.just(2), st.integers(2, 9)), elements=st.integers(-5, 5))


def test_the_toy_of_the_definition():
    assert pearson([1, 2, 3], [1, 3, 2]) == spearman([1, 2, 3], [1, 3, 2]) == pytest.approx(0.5)


@pytest.mark.wide
@given(any_rows)
def test_both_are_those_of_scipy(rows):
    assume(np.ptp(rows, axis=1).all())
    assert pearson(*rows) == pytest.approx(stats.pearsonr(*rows).statistic, abs=1e-12)
    assert spearman(*rows) == pytest.approx(stats.spearmanr(*rows).statistic, abs=1e-12)
    assert kendall(*rows) == pytest.approx(stats.kendalltau(*rows).statistic, abs=1e-12)


@pytest.mark.wide
@given(any_rows, st.data())
def test_pairs_without_a_score_on_one_side_are_left_out(rows, pick):
    missing = pick.draw(st.lists(st.booleans(), min_size=rows.shape[1], max_size=rows.shape[1]))
    gapped = rows.copy()
    gapped[0, missing] = np.nan
    left = rows[:, ~np.array(missing)]
    for of in (pearson, spearman):
        assert of(*gapped) == pytest.approx(of(*left), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("of", [pearson, spearman])
def test_equal_scores_have_no_correlation(of):
    assert np.isnan(of([0.1, 0.1, 0.1], [1, 2, 3]))
    assert np.isnan(of([1.0], [2.0]))
    assert np.isnan(of([], []))


@pytest.mark.wide
@given(any_rows)
def test_many_rows_are_correlated_at_once(rows):
    one, other = np.stack([rows[0], rows[1]]), np.stack([rows[1], rows[0]])
    for of in (pearson, spearman):
        assert of(one, other) == pytest.approx(np.repeat(of(*rows), 2), abs=1e-12, nan_ok=True)
