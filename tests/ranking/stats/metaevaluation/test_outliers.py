"""Outlier systems: by hand, by another program, and what holds for any scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import median_abs_deviation

from ranking.numbers.tables import StatisticsError
from ranking.stats.metaevaluation.correlations import outliers
from tests import published
from tests.ranking.stats.metaevaluation.scores import published_human

spread = st.lists(st.floats(-100, 100), min_size=3, max_size=12, unique=True)


def test_the_toy_of_the_definition():
    assert outliers(np.array([1, 2, 3, 4, 5, 20])).tolist() == [False] * 5 + [True]


def test_far_below_is_as_far_as_above():
    assert outliers(np.array([-20, 1, 2, 3, 4, 5])).tolist() == [True] + [False] * 5


@given(spread)
def test_the_deviation_is_that_of_another_program(human):
    scores = np.array(human)
    deviation = median_abs_deviation(scores) * 1.4826
    if deviation > 1e-9:
        far = np.abs(scores - np.median(scores)) / deviation
        clear = np.abs(far - 2.5) > 1e-9
        assert np.array_equal(outliers(scores)[clear], (far > 2.5)[clear])


@given(st.lists(st.integers(-50, 50), min_size=3, max_size=12, unique=True), st.integers(1, 9), st.integers(-9, 9))
def test_units_do_not_matter_and_most_systems_are_no_outliers(human, scale, shift):
    scores = np.array(human, dtype=float)
    found = outliers(scores)
    assert 2 * found.sum() < len(scores)
    assert np.array_equal(outliers(scores * 2.0**scale + shift), found)


@pytest.mark.parametrize(
    ("human", "why"), [([], "lacks a human score"), ([1, np.nan], "lacks a human score"), ([1, 1, 1, 5], "Half")]
)
def test_undefined_outliers_are_refused(human, why):
    with pytest.raises(StatisticsError, match=why):
        outliers(np.array(human, dtype=float))


def test_the_worst_published_system_is_the_only_outlier():
    (found,) = np.flatnonzero(outliers(published_human()))
    assert published.golden()["systems"][found] == "IPN"
