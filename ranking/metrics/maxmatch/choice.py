"""Which reference each sentence of an output is held against.

Sentence by sentence, the one is taken with which the counts so far have the best

    F_beta = (1 + beta^2) correct / (beta^2 gold + proposed), and 0 / 0 = 1

and of equals the one with most correct, then with least beta^2 gold + proposed, then the first. So it matters in which
order sentences come, and by another beta a sentence can be held against another reference.
"""

import numpy as np
from numba import njit

from ranking.metrics.base import ABSENT
from ranking.metrics.maxmatch.programme import COLUMNS, CORRECT, GOLD, PROPOSED


@njit(cache=True, nogil=True)
def totals(counts, chosen, references, firsts, beta):
    """Counts of whole outputs, a row for each subset of the references: references[firsts[n]:firsts[n + 1]]."""
    whole = np.zeros(chosen.shape[1], np.int64)
    return totals_of_parts(counts, chosen, references, firsts, beta, whole, 1)[:, :, 0]


@njit(cache=True, nogil=True)
def totals_of_parts(counts, chosen, references, firsts, beta, part_of, parts):
    """The same by the part that each sentence belongs to; references are chosen as for the whole."""
    sums = np.zeros((len(firsts) - 1, len(chosen), parts, COLUMNS), np.int64)
    for number in range(len(firsts) - 1):
        subset = references[firsts[number] : firsts[number + 1]]
        for row in range(len(chosen)):
            _add_best(counts, chosen[row], subset, beta**2, part_of, sums[number, row])
    return sums


@njit(cache=True, nogil=True)
def _add_best(counts, chosen, subset, weight, part_of, sums):
    """Walk through the sentences of an output; one without a reference counts nothing."""
    correct, proposed, gold = 0, 0, 0
    for place in range(len(chosen)):
        candidate = chosen[place]
        best, most, least = -1.0, 0, 0.0
        taken = -1
        for reference in subset:
            row = counts[candidate, reference]
            if row[GOLD] == ABSENT:
                continue
            agreed = correct + row[CORRECT]
            size = weight * (gold + row[GOLD]) + (proposed + row[PROPOSED])
            score = (1 + weight) * agreed / size if size > 0 else 1.0
            if score > best or (score == best and (agreed > most or (agreed == most and size < least))):
                best, most, least, taken = score, agreed, size, reference
        if taken >= 0:
            correct += counts[candidate, taken, CORRECT]
            proposed += counts[candidate, taken, PROPOSED]
            gold += counts[candidate, taken, GOLD]
            for column in range(COLUMNS):
                sums[part_of[place], column] += counts[candidate, taken, column]
