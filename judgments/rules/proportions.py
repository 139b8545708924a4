"""Shares of few observations, and how far to trust them."""

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

LEVEL = 0.95


class Between(NamedTuple):
    """The two ends of an interval."""

    low: float
    high: float


def wilson(passed: float, seen: float, level: float = LEVEL) -> Between | None:
    """The score interval of a share (Wilson 1927); nothing where nothing was seen.

    With z the normal quantile of the level and p = passed / seen,

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
    # At the ends exactly, whatever rounding does.
    low = (middle - reach) / scale if passed else 0.0
    return Between(low, (middle + reach) / scale if passed < seen else 1.0)
