"""Outlier systems: so much better or worse than the others that they alone make a correlation high.

A system is one if its human score h is further than 2.5 from the median, in units of the median absolute deviation,

    |h - median| / (1.4826 median |h - median|) > 2.5

(Leys et al. 2013; for metrics Mathur et al. 2020 and the WMT metrics tasks since 2020). Only people's scores are asked,
so that the same systems are left out for every metric.

Toy: of 1 2 3 4 5 20 the median is 3.5 and the deviation 1.5 * 1.4826; only 20 is further away than 2.5 of them.
"""

import numpy as np

from ranking.stats.ballots import StatisticsError

CONSISTENT = 1.4826  # makes the deviation that of a normal distribution
FARTHEST = 2.5


def outliers(human: np.ndarray, farthest: float = FARTHEST) -> np.ndarray:
    """Which systems are outliers."""
    human = np.asarray(human, dtype=float)
    if not len(human) or not np.isfinite(human).all():
        raise StatisticsError("A system without a human score cannot be told from an outlier; leave it out.")
    away = np.abs(human - np.median(human))
    deviation = CONSISTENT * float(np.median(away))
    if not deviation:
        raise StatisticsError("Half of the systems have one human score, so there is no measure of being far from it.")
    return away / deviation > farthest
