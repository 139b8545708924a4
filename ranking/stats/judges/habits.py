"""Habits of judges: how long they take, how often they tie, and how often they go to the ends of the scale.

Seconds are those of the ballots whose time is known: their median, and the share of them below a floor under which
nobody can have read what was shown. Ties are of the unexpanded comparisons (`comparisons`). The ends are the lowest and
the highest merit that the scale has; their shares are of all judgments of candidates.

Toy: ballots of 4, 20 and 60 seconds have the median 20, and a third of them is below a floor of 5.
"""

from dataclasses import dataclass

import numpy as np

from ranking.stats.ballots import Ballots
from ranking.stats.comparisons import count_by_judge

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
