"""Counts added up."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ranking.metrics.candidates import totals


def test_the_toy():
    assert totals(np.array([[1, 2], [3, 4], [5, 6]]), np.array([[0, 2], [1, 1]])).tolist() == [[6, 8], [6, 8]]


@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), max_size=4))
def test_totals_sum_the_chosen_candidates(chosen):
    counts = np.arange(15, dtype=np.int32).reshape(5, 3)
    rows = np.array(chosen, dtype=np.int32).reshape(-1, 3)
    assert np.array_equal(totals(counts, rows), counts[rows].sum(axis=1))
