"""Systems by the agreement of the crowd: a bin holds the usages with agreement in one range (Figures 1 and 2).

Within a bin precision and recall are against the majority, unweighted, because the bin already fixes the agreement;
kappa is Cohen's, of the system with the majority. So systems can be compared on clear and on contentious cases
separately, even if they were tested on different data. All measures are of classes, as in the paper: a probability of
at least one half counts as an error.

Precision and recall are shares of usages, with Wilson's interval (1927); the interval of kappa comes from resampling
usages. Both treat the usages of the bin as a sample and the majority as fixed.

Toy: probabilities .9 .6 .4 where the majority finds error, OK, error: hits 1, false positives 1, misses 1.

A range includes its lower end but not its upper one; the last range includes both: 0.5 to 0.75, 0.75 to 0.9, 0.9 to 1.
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
# A system finds an error from this probability on.
ERROR_FROM = 0.5


class Chance(NamedTuple):
    """How intervals are computed: number of replicates, seed, level."""

    replicates: int = 1000
    seed: int = 0
    level: float = LEVEL


class Stratum(NamedTuple):
    """A system on some usages: their number, how many are errors, measures of the system with intervals."""

    usages: int
    errors: int
    measures: Measures
    precision_interval: Interval | None
    recall_interval: Interval | None
    kappa: float | None
    kappa_interval: Interval | None


class Bin(NamedTuple):
    """A system on the usages in a range of agreement."""

    low: float
    high: float
    stratum: Stratum


def by_agreement(classes: np.ndarray, crowd: Crowd, chance: Chance, cuts: Sequence[float] = CUTS) -> Iterator[Bin]:
    check_cuts(cuts)
    majority, agreement = crowd.majority, crowd.agreement
    usable = np.isfinite(majority) & np.isfinite(classes)
    for low, high in pairwise(cuts):
        here = usable & within(agreement, low, high, high == cuts[-1])
        if here.any():
            yield Bin(low, high, stratum(classes[here], majority[here], chance))


def stratum(classes: np.ndarray, right: np.ndarray, chance: Chance) -> Stratum:
    """Measure the system on usages that all have a class or a probability, and a majority."""
    findings = (classes >= ERROR_FROM).astype(float)
    found = measured(findings, right)
    agreement, interval = kappa(findings, right), None
    if agreement is not None and len(right) > 1:
        drawn = _kappas(resample_sums(_cells(findings, right), chance.replicates, chance.seed))
        interval = interval_of(drawn, chance.level) if np.isfinite(drawn).any() else None
    precision, recall = (
        wilson(found.hits, found.hits + wrong, chance.level) for wrong in (found.false_positives, found.misses)
    )
    return Stratum(len(right), int(right.sum()), found, precision, recall, agreement, interval)


def histogram(crowd: Crowd, bars: int = BARS) -> list[tuple[float, float, int]]:
    """Return the number of usages in each of `bars` equal ranges of agreement from one half to 1."""
    ends = np.linspace(LEAST_AGREEMENT, 1.0, bars + 1)
    agreement = crowd.agreement[crowd.known]
    return [
        (float(low), float(high), int(within(agreement, low, high, high == ends[-1]).sum()))
        for low, high in pairwise(ends)
    ]


def within(agreement: np.ndarray, low: float, high: float, is_last: bool) -> np.ndarray:
    """Which values lie in a range; values closer to an end than rounding errors count as on it."""
    near = np.round(agreement, 12)
    return (near >= round(low, 12)) & ((near <= high) if is_last else (near < round(high, 12)))


def _cells(findings: np.ndarray, right: np.ndarray) -> np.ndarray:
    """One row per usage: whether both agree, whether the system and the crowd find an error, 1."""
    return np.stack([findings == right, findings, right, np.ones_like(findings)], axis=1).astype(float)


def _kappas(sums: np.ndarray) -> np.ndarray:
    """Kappa of each row of sums of cells; NaN where chance explains everything."""
    agreed, ours, theirs = sums.T[:3] / sums.T[3]
    return beyond_chance(agreed, ours, theirs)


def check_cuts(cuts: Sequence[float]) -> None:
    rise = all(low < high for low, high in pairwise(cuts))
    if len(cuts) < 2 or not rise or cuts[0] < LEAST_AGREEMENT or cuts[-1] > 1:
        raise StatisticsError("The ends of the bins must rise, from 0.5 to 1 at most, such as 0.5, 0.75, 0.9, 1.")
