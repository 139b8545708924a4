"""Habits of judges: how long they take, how often they tie, and how often they go to the ends of the scale.

Seconds are those of the ballots whose time is known: their median, and the share of them below a floor under which
nobody can have read what was shown. Ties are of the unexpanded comparisons (`comparisons`). The ends are the lowest and
the highest merit that the scale has; their shares are of all judgments of candidates.

Toy: ballots of 4, 20 and 60 seconds have the median 20, and a third of them is below a floor of 5.

Self-consistency: how a judge answers when the same comes again.

The kappa of a judge with the own repeats is that of Table 2 (`kappa`). For ratings, the repeat difference is the mean
absolute difference of two merits that the judge gave one candidate, over all pairs of repeats.

Toy: a judge rates a candidate 50, 60 and 80: differences 10, 20 and 30, mean 20.
"""

from dataclasses import dataclass

import numpy as np

from ranking.stats.agreement.kappa import self_kappas
from ranking.stats.ballots import Ballots
from ranking.stats.comparison_counts import count_by_judge

FLOOR = 5.0


@dataclass(frozen=True)
class Habits:
    """What a judge tends to do; None where there is nothing to take a share of."""

    judge: int
    ballots: int
    skipped: int
    median_seconds: float | None
    hasty: float | None
    ties: float | None
    lowest: float | None
    highest: float | None


def habits(ballots: Ballots, scale: tuple[float, float] | None = None, floor: float = FLOOR) -> list[Habits]:
    """Of every judge with a ballot; the ends of the scale are the lowest and the highest merit, if it has ends."""
    row_judge = ballots.judge[ballots.ballot_of]
    found = []
    for judge, counts in enumerate(count_by_judge(ballots)):
        if not counts.ballots:
            continue
        seconds = ballots.seconds[ballots.judge == judge]
        seconds = seconds[~np.isnan(seconds)]
        merit = ballots.merit[row_judge == judge]
        found.append(
            Habits(
                judge,
                counts.ballots,
                counts.skipped,
                float(np.median(seconds)) if len(seconds) else None,
                _share(seconds < floor),
                counts.unexpanded_ties / counts.unexpanded if counts.unexpanded else None,
                *((_share(merit <= scale[0]), _share(merit >= scale[1])) if scale else (None, None)),
            )
        )
    return found


def _share(which: np.ndarray) -> float | None:
    return float(which.mean()) if len(which) else None


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
