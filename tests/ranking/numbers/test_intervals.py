"""Intervals from replicates: by hand, by the rule of rank ranges, and where there is none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.intervals import interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.rankings.uncertainty import uncertainty

any_numbers = st.lists(st.floats(-5, 5), min_size=1, max_size=40).map(np.array)


def test_the_toy_of_the_definition_and_replicates_without_the_number():
    assert interval_of(np.array([0.9, 0.1, 0.3, 0.2]), 0.5) == (0.2, 0.3)
    assert interval_of(np.array([0.9, np.nan, 0.1, 0.3, 0.2, np.nan]), 0.5) == (0.2, 0.3)
    with pytest.raises(StatisticsError, match="No replicate has the number"):
        interval_of(np.array([np.nan]))


@given(any_numbers, st.floats(0.01, 0.99))
def test_the_rule_is_that_of_scores_of_systems(numbers, level):
    found = uncertainty(numbers[:, None], level)
    assert interval_of(numbers, level) == (found.low[0], found.high[0])


@pytest.mark.parametrize("replicates", [100, 1000])
@pytest.mark.parametrize("level", [0.9, 0.8])
def test_it_goes_from_replicate_to_replicate_within_the_percentiles_of_numpy(replicates, level):
    numbers = np.random.default_rng(3).normal(size=replicates)
    tail = (1 - level) / 2
    low, high = np.quantile(numbers, tail, method="higher"), np.quantile(numbers, 1 - tail, method="lower")
    assert interval_of(numbers, level) == (low, high)
