"""Intervals of any number from its replicates, by the rule of rank ranges.

Of B replicates the lowest and the highest ones are left out, ceil((B - level B) / 2) at each end (the percentile
bootstrap, Efron and Tibshirani 1993); the interval is from the first to the last of what is left. A replicate in which
the number cannot be computed is not counted.

Toy: with level 0.5 the replicates 0.1 0.2 0.3 0.9 make the interval 0.2 to 0.3.
"""

from typing import NamedTuple

import numpy as np

from ranking.stats.ballots import StatisticsError
from ranking.stats.rankings.ranges import left_out

LEVEL = 0.95


class Interval(NamedTuple):
    """Where a number might have come to lie if chance had brought other judgments."""

    low: float
    high: float


class Estimate(NamedTuple):
    """A number and its interval."""

    value: float
    interval: Interval


def interval_of(replicates: np.ndarray, level: float = LEVEL) -> Interval:
    """The interval of one number; NaN stands for a replicate without it."""
    known = np.sort(replicates[~np.isnan(replicates)])
    if not len(known):
        raise StatisticsError("No replicate has the number, so it has no interval; collect more judgments.")
    dropped = left_out(len(known), level)
    return Interval(float(known[dropped]), float(known[len(known) - 1 - dropped]))
