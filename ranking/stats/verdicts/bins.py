"""Systems by how far the crowd agreed: a bin holds the instances whose agreement lies in a range (Figures 1 and 2).

Within a bin precision and recall are against the majority, unweighted, as the agreement is in the bin already; kappa is
Cohen's, of the system with the majority. So two systems can be compared on clear and on contentious cases apart, also
where they were tried on different data.

A range holds its lower end and not its upper one, but for the last, which holds both: 0.5 to 0.75, 0.75 to 0.9,
0.9 to 1.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ranking.stats.ballots import StatisticsError
from ranking.stats.verdicts.crowd import Crowd
from ranking.stats.verdicts.measures import Measures, measured

CUTS = (0.5, 0.75, 0.9, 1.0)
BARS = 10
LEAST_AGREEMENT = 0.5


class Bin(NamedTuple):
    """A system on the instances of a range of agreement."""

    low: float
    high: float
    instances: int
    measures: Measures
    kappa: float | None


def by_agreement(classes: np.ndarray, crowd: Crowd, cuts: Sequence[float] = CUTS) -> Iterator[Bin]:
    """Each bin in which there is anything."""
    check_cuts(cuts)
    majority, agreement = crowd.majority, crowd.agreement
    usable = np.isfinite(majority) & np.isfinite(classes)
    for low, high in pairwise(cuts):
        here = usable & within(agreement, low, high, high == cuts[-1])
        if here.any():
            yield Bin(
                low,
                high,
                int(here.sum()),
                measured(classes[here], majority[here]),
                kappa(classes[here], majority[here]),
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


def kappa(classes: np.ndarray, right: np.ndarray) -> float | None:
    """Cohen's kappa of classes (an error from one half on) with what is right; None where chance explains all."""
    said = classes >= 0.5
    observed = float((said == (right > 0.5)).mean())
    ours, theirs = float(said.mean()), float((right > 0.5).mean())
    expected = ours * theirs + (1 - ours) * (1 - theirs)
    return (observed - expected) / (1 - expected) if expected < 1 else None


def check_cuts(cuts: Sequence[float]) -> None:
    """Refuse ranges that do not rise from one half to 1."""
    if len(cuts) < 2 or list(cuts) != sorted(set(cuts)) or cuts[0] < LEAST_AGREEMENT or cuts[-1] > 1:
        raise StatisticsError("The ends of the bins must rise, from 0.5 to 1 at most, such as 0.5, 0.75, 0.9, 1.")
