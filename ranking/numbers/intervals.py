"""Intervals of any number from its replicates, by the rule of rank ranges, and of a share (Wilson).

Of B replicates the lowest and the highest ones are left out, ceil((B - level B) / 2) at each end (the percentile
bootstrap, Efron and Tibshirani 1993); the interval spans the rest. A replicate in which the number cannot be computed
is not counted.

Toy: with level 0.5 the replicates 0.1 0.2 0.3 0.9 make the interval 0.2 to 0.3.
"""

from math import ceil, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from ranking.numbers.tables import StatisticsError

LEVEL = 0.95
# The ends of an interval that cannot be computed.
NOT_KNOWN = (None, None)


class Interval(NamedTuple):
    """A bootstrap confidence interval."""

    low: float
    high: float


class Estimate(NamedTuple):
    value: float
    interval: Interval | tuple[None, None]


def interval_of(replicates: np.ndarray, level: float = LEVEL) -> Interval:
    """Compute the interval of one number; NaN marks a replicate without it."""
    known = np.sort(replicates[~np.isnan(replicates)])
    if not len(known):
        raise StatisticsError("No replicate has the number, so it has no interval; collect more judgments.")
    dropped = left_out(len(known), level)
    return Interval(float(known[dropped]), float(known[len(known) - 1 - dropped]))


def left_out(replicates: int, level: float) -> int:
    """Return how many replicates to leave out at each end; at least one always remains."""
    return min(ceil(round((replicates - level * replicates) / 2, 6)), (replicates - 1) // 2)


def wilson(passed: float, seen: float, level: float = LEVEL) -> Interval | None:
    """Compute the score interval of a share (Wilson 1927); None if nothing was seen.

    With z the normal quantile of the level, n = seen and p = passed / n,

        (p + z^2 / 2n  -+  z sqrt(p (1 - p) / n + z^2 / 4n^2)) / (1 + z^2 / n)

    Toy: 8 of 10 at 95 %: z = 1.96, (0.8 + 0.192 -+ 0.277) / 1.384, from 0.490 to 0.943.
    """
    if not seen:
        return None
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = passed / seen
    middle = share + z**2 / (2 * seen)
    reach = z * sqrt(share * (1 - share) / seen + z**2 / (4 * seen**2))
    scale = 1 + z**2 / seen
    # Exactly 0 and 1 at the ends, despite rounding.
    low = (middle - reach) / scale if passed else 0.0
    return Interval(low, (middle + reach) / scale if passed < seen else 1.0)


def share_cells(passed: float, seen: float, level: float) -> tuple[float | None, float | None, float | None]:
    """A share and the ends of its interval; None each if nothing was seen."""
    return passed / seen if seen else None, *(wilson(passed, seen, level) or NOT_KNOWN)
