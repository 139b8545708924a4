"""Self-consistency: how a judge answers when the same comes again.

The kappa of a judge with the own repeats is that of Table 2 (`kappa`). For ratings, the repeat difference is the mean
absolute difference of two merits that the judge gave one candidate, over all pairs of repeats.

Toy: a judge rates a candidate 50, 60 and 80: differences 10, 20 and 30, mean 20.
"""

from dataclasses import dataclass

import numpy as np

from ranking.stats.agreement.kappa import self_kappas
from ranking.stats.ballots import Ballots


@dataclass(frozen=True)
class Consistency:
    """What a judge's repeats say; None where there are none to say it."""

    judge: int
    kappa: float | None
    compared: int
    repeat_difference: float | None
    repeats: int


def consistencies(ballots: Ballots) -> list[Consistency]:
    """Of every judge who judged anything twice."""
    by_judge = {cell.judge: cell for cell in self_kappas(ballots)}
    differences, pairs = _repeats(ballots)
    found = []
    for judge in sorted({*by_judge, *np.flatnonzero(pairs).tolist()}):
        cell, number = by_judge.get(judge), int(pairs[judge])
        kappa = None if cell is None or np.isnan(cell.kappa) else float(cell.kappa)
        difference = float(differences[judge] / number) if number else None
        found.append(Consistency(judge, kappa, cell.compared if cell else 0, difference, number))
    return found


def _repeats(ballots: Ballots) -> tuple[np.ndarray, np.ndarray]:
    """By judge: the differences of all pairs of merits of one candidate, summed up, and how many pairs."""
    judge = ballots.judge[ballots.ballot_of].astype(np.int64)
    order = np.lexsort((ballots.merit, judge, ballots.candidate))
    both = (ballots.candidate * np.int64(ballots.judges) + judge)[order]
    _, first, where, times = np.unique(both, return_index=True, return_inverse=True, return_counts=True)
    where = where.reshape(-1)
    below = np.arange(len(both)) - first[where]
    above = times[where] - 1 - below
    sums = np.bincount(judge[order], weights=ballots.merit[order] * (below - above), minlength=ballots.judges)
    return sums, np.bincount(judge[order], weights=below, minlength=ballots.judges)
