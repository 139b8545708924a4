"""Correlation over systems and mixtures of two of them, with an interval that knows what they are made of.

Mixtures take some sentences from one system and the rest from another. Six systems give 675, but these are no 681
independent systems: whatever sets one system apart sets all its mixtures apart. So the systems are drawn with
replacement first, and a system drawn twice counts twice; a pair of them brings its mixtures as often as both numbers
multiply, and these are drawn with replacement within the pair. A replicate with fewer than three systems is not
counted. The interval is about other systems of this kind, not about other sentences.

Toy: systems A B C, of which A A B were drawn: A is there twice, B once, the mixtures of A and B twice, those with C
never; that are two systems, so the replicate is not counted.
"""

from itertools import permutations
from typing import NamedTuple

import numpy as np

from ranking.stats.ballots import StatisticsError
from ranking.stats.intervals import LEVEL, Estimate, interval_of
from ranking.stats.metaevaluation.correlations import FEWEST_SYSTEMS, Coefficient, correlation, correlations
from ranking.stats.resampling import generator


class Difference(NamedTuple):
    """How much better one metric correlates than another, and in what share of replicates it did not."""

    metric: int
    other: int
    value: float
    low: float
    high: float
    share_below: float


def drawn_mixtures(systems: int, pairs: np.ndarray, replicates: int, seed: int) -> list[np.ndarray]:
    """The rows of each replicate, none in one that is not counted.

    Rows are systems, then mixtures; `pairs` has the two systems of each mixture.
    """
    if systems < FEWEST_SYSTEMS:
        raise StatisticsError(f"Mixtures need {FEWEST_SYSTEMS} systems or more, not {systems}.")
    return [_draw(systems, pairs, generator(seed, number)) for number in range(replicates)]


def over_mixtures(
    human: np.ndarray, metric: np.ndarray, coefficient: Coefficient, drawn: list[np.ndarray], level: float = LEVEL
) -> Estimate:
    """The correlation over all of them, and its interval if other systems had been mixed."""
    value = correlation(human, metric, coefficient)
    return Estimate(value, interval_of(_replicates(human, metric, coefficient, drawn), level))


def differences(
    human: np.ndarray, metrics: np.ndarray, drawn: list[np.ndarray], level: float = LEVEL
) -> list[Difference]:
    """Pearson's r of each metric (row of scores) less that of each other one."""
    values = [correlation(human, metric, Coefficient.PEARSON) for metric in metrics]
    replicates = [_replicates(human, metric, Coefficient.PEARSON, drawn) for metric in metrics]
    found = []
    for metric, other in permutations(range(len(metrics)), 2):
        apart = replicates[metric] - replicates[other]
        apart = apart[~np.isnan(apart)]
        bounds = interval_of(apart, level)
        below = float((apart < 0).mean() + (apart == 0).mean() / 2)
        found.append(Difference(metric, other, values[metric] - values[other], *bounds, below))
    return found


def _replicates(human: np.ndarray, metric: np.ndarray, coefficient: Coefficient, drawn: list[np.ndarray]) -> np.ndarray:
    """The correlation of each replicate; NaN in one that is not counted."""
    return np.array(
        [float(correlations(human[rows], metric[rows], coefficient)) if len(rows) else np.nan for rows in drawn]
    )


def _draw(systems: int, pairs: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The rows of one replicate; none where it has too few systems."""
    times = np.bincount(random.integers(0, systems, systems), minlength=systems)
    if np.count_nonzero(times) < FEWEST_SYSTEMS:
        return np.empty(0, dtype=np.int64)
    rows = [np.repeat(np.arange(systems), times)]
    weights = times[pairs[:, 0]] * times[pairs[:, 1]]
    number = pairs[:, 0] * systems + pairs[:, 1]
    for pair in np.unique(number[weights > 0]):
        here = np.flatnonzero(number == pair)
        rows.append(systems + random.choice(here, len(here) * int(weights[here[0]])))
    return np.concatenate(rows)
