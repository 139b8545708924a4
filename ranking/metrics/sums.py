"""Counts of candidates added up to those of outputs, in whole numbers."""

import numpy as np
from numba import njit


def totals(counts: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """The sum of each column over the candidates of each output.

    Toy: of the counts (1 2), (3 4), (5 6) an output of the candidates 0 and 2 has 6 and 8.
    """
    sums = np.zeros((len(chosen), counts.shape[1]), dtype=np.int64)
    _add(np.ascontiguousarray(counts), np.ascontiguousarray(chosen), sums)
    return sums


@njit(cache=True, nogil=True)
def _add(counts, chosen, sums):
    for row in range(chosen.shape[0]):
        for place in range(chosen.shape[1]):
            for column in range(counts.shape[1]):
                sums[row, column] += counts[chosen[row, place], column]
