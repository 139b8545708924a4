"""Systems by how far the crowd agreed: a bin holds the instances whose agreement lies in a range (Figures 1 and 2).

Within a bin precision and recall are against the majority, unweighted, as the agreement is in the bin already; kappa is
Cohen's, of the system with the majority. So two systems can be compared on clear and on contentious cases apart, also
where they were tried on different data. All of them are of classes, as in the paper: of a system that tells the
probability of an error, from one half on it says error.

Chance: precision and recall are shares of instances and have the interval of one (Wilson 1927), kappa one by instances
drawn again. Both take the instances of the bin as drawn from many like them, and the majority as it is.

Toy: probabilities .9 .6 .4 where the majority says error, OK, error: hits 1, false positives 1, misses 1.

A range holds its lower end and not its upper one, but for the last, which holds both: 0.5 to 0.75, 0.75 to 0.9,
0.9 to 1.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ranking.numbers.intervals import LEVEL, Interval, interval_of, wilson
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.kappa import beyond_chance, kappa
from ranking.stats.resampling import resample_sums
from ranking.stats.verdicts.crowd import Crowd
from ranking.stats.verdicts.measures import Measures, measured

CUTS = (0.5, 0.75, 0.9, 1.0)
BARS = 10
LEAST_AGREEMENT = 0.5
# From this probability on a system says that there is an error.
ERROR_FROM = 0.5


class Chance(NamedTuple):
    """How intervals are made: how often instances are drawn again, by which seed, at which level."""

    replicates: int = 1000
    seed: int = 0
    level: float = LEVEL


class Stratum(NamedTuple):
    """A system on some instances: how many, how many of them are errors, what it got right, and how sure that is."""

    instances: int
    errors: int
    measures: Measures
    precision_interval: Interval | None
    recall_interval: Interval | None
    kappa: float | None
    kappa_interval: Interval | None


class Bin(NamedTuple):
    """A system on the instances of a range of agreement."""

    low: float
    high: float
    stratum: Stratum


def by_agreement(classes: np.ndarray, crowd: Crowd, chance: Chance, cuts: Sequence[float] = CUTS) -> Iterator[Bin]:
    """Each bin in which there is anything."""
    check_cuts(cuts)
    majority, agreement = crowd.majority, crowd.agreement
    usable = np.isfinite(majority) & np.isfinite(classes)
    for low, high in pairwise(cuts):
        here = usable & within(agreement, low, high, high == cuts[-1])
        if here.any():
            yield Bin(low, high, stratum(classes[here], majority[here], chance))


def stratum(classes: np.ndarray, right: np.ndarray, chance: Chance) -> Stratum:
    """Of instances that all have a class or a probability, and a majority."""
    said = (classes >= ERROR_FROM).astype(float)
    found = measured(said, right)
    told, agreed = kappa(said, right), None
    if told is not None and len(right) > 1:
        drawn = _kappas(resample_sums(_cells(said, right), chance.replicates, chance.seed))
        agreed = interval_of(drawn, chance.level) if np.isfinite(drawn).any() else None
    return Stratum(
        len(right),
        int(right.sum()),
        found,
        wilson(found.hits, found.hits + found.false_positives, chance.level),
        wilson(found.hits, found.hits + found.misses, chance.level),
        told,
        agreed,
    )


def histogram(crowd: Crowd, bars: int = BARS) -> list[tuple[float, float, int]]:
    """How many instances have an agreement in each of so many equal ranges from one half to 1."""
    ends = np.linspace(LEAST_AGREEMENT, 1.0, bars + 1)
    agreement = crowd.agreement[crowd.known]
    return [
        (float(low), float(high), int(within(agreement, low, high, high == ends[-1]).sum()))
        for low, high in pairwise(ends)
    ]


def within(agreement: np.ndarray, low: float, high: float, is_last: bool) -> np.ndarray:
    """Which lie in a range; what is a hair's breadth below an end for rounding is taken to lie on it."""
    near = np.round(agreement, 12)
    return (near >= round(low, 12)) & ((near <= high) if is_last else (near < round(high, 12)))


def _cells(said: np.ndarray, right: np.ndarray) -> np.ndarray:
    """A row an instance: whether the two say the same, whether the system says error, whether the crowd does, 1."""
    return np.stack([said == right, said, right, np.ones_like(said)], axis=1).astype(float)


def _kappas(sums: np.ndarray) -> np.ndarray:
    """Kappa of each row of sums of cells; NaN where chance explains all."""
    agreed, ours, theirs = sums.T[:3] / sums.T[3]
    return beyond_chance(agreed, ours, theirs)


def check_cuts(cuts: Sequence[float]) -> None:
    """Refuse ranges that do not rise from one half to 1."""
    rise = all(low < high for low, high in pairwise(cuts))
    if len(cuts) < 2 or not rise or cuts[0] < LEAST_AGREEMENT or cuts[-1] > 1:
        raise StatisticsError("The ends of the bins must rise, from 0.5 to 1 at most, such as 0.5, 0.75, 0.9, 1.")
