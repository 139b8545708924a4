"""The reference chosen for each sentence, as ERRANT and CLEME choose it.

It gives the counts so far the best F, rounded to four digits; of equals it has the most true positives, then the fewest
false positives, then the fewest false negatives, then the most true negatives, and then it is the first.
"""

import numpy as np

from ranking.metrics.base import ABSENT
from ranking.metrics.errant.counting import f_score, rounded
from ranking.metrics.errant.metric import shares
from ranking.numbers.kernels import kernel

COLUMNS = 4
TRUE, FALSE, MISSED, KEPT = range(COLUMNS)


def shares_of(sums: np.ndarray, beta: float) -> tuple[np.ndarray, ...]:
    """Compute F, precision, recall and accuracy; 0 / 0 is 1."""
    precision, recall, f = shares(sums, beta)
    whole = sums.sum(axis=-1)
    right = (sums[..., TRUE] + sums[..., KEPT]).astype(float)
    return f, precision, recall, np.divide(right, whole, out=np.ones_like(right), where=whole > 0)


@kernel
def sums_by_output(counts, chosen, subset, weight):
    """Sum the counts by output, a row of `chosen`, with the references chosen for each of its sentences."""
    sums = np.zeros((len(chosen), COLUMNS))
    for row in range(len(chosen)):
        for place in range(chosen.shape[1]):
            here = counts[chosen[row, place]]
            best = chosen_for(sums[row], here, subset, weight)
            if best >= 0:
                sums[row] += here[best]
    return sums


@kernel
def chosen_for(so_far, counts, subset, weight):
    """Return the reference chosen for a sentence, -1 if it has none."""
    best, chosen = np.int64(-1), -1
    for reference in subset:
        here = counts[reference]
        if here[KEPT] == ABSENT:
            continue
        true, false, missed = so_far[TRUE] + here[TRUE], so_far[FALSE] + here[FALSE], so_far[MISSED] + here[MISSED]
        score = rounded(f_score(true, false, missed, weight))
        if chosen < 0 or score > best or (score == best and _is_better(here, counts[chosen])):
            best, chosen = score, reference
    return chosen


@kernel
def _is_better(here, last):
    for column in range(COLUMNS):
        if here[column] != last[column]:
            return (here[column] > last[column]) == (column in (TRUE, KEPT))
    return False
