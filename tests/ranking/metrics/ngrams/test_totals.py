"""Counts added up, by a kernel and by a product of matrices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.metrics.ngrams import bleu, counting

both = pytest.mark.parametrize("totals", [counting.totals, bleu.totals])


@pytest.mark.wide
@both
@given(st.lists(st.lists(st.integers(0, 4), min_size=3, max_size=3), max_size=4))
def test_totals_sum_the_chosen_candidates(totals, chosen):
    counts = np.arange(15, dtype=np.int32).reshape(5, 3)
    rows = np.array(chosen, dtype=np.int32).reshape(-1, 3)
    assert np.array_equal(totals(counts, rows), counts[rows].sum(axis=1))


def test_many_outputs_are_added_up_in_parts(monkeypatch):
    counts, rows = np.arange(15).reshape(5, 3), np.arange(20).reshape(10, 2) % 5
    monkeypatch.setattr(bleu, "MOST_CELLS", 10)
    assert np.array_equal(bleu.totals(counts, rows), counts[rows].sum(axis=1))
