"""Head to head: how often one system beat another, and whether that can be chance.

`sign_tests` is the published test (Grundkiewicz et al. 2015, Table 3d): a two-sided exact binomial test of p = 1/2 on
the decisive expanded comparisons, as if they were independent, with a count of 0 taken as 1. `sentence_tests` respects
that comparisons on a sentence are not independent: of each sentence only the sign of wins minus losses counts. `holm`
corrects for making many tests.

Toy: 3 wins and 1 loss have a share of 3/4 and p = 2 (C(4,3) + C(4,4)) / 16 = 0.625.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betainc

from ranking.stats.ballots import Ballots
from ranking.stats.tally import Tally, tallies_of_parts

MARKS = ((0.01, "‡"), (0.05, "†"), (0.1, "*"))


@dataclass(frozen=True)
class HeadToHead:
    """A system against an opponent."""

    system: int
    opponent: int
    wins: int
    losses: int
    ties: int
    p_value: float

    @property
    def share(self) -> float:
        """Of the decisive comparisons, those that the system won; 1/2 where there are none."""
        decisive = self.wins + self.losses
        return self.wins / decisive if decisive else 0.5

    @property
    def mark(self) -> str:
        """The sign that papers put behind a share."""
        return mark_of(self.p_value)


def mark_of(p_value: float) -> str:
    """The sign for a p-value, or none."""
    return next((mark for level, mark in MARKS if p_value <= level), "")


def sign_tests(counted: Tally) -> list[HeadToHead]:
    """Every ordered pair, by the published test; a system that won nothing is given one win."""
    return _all_pairs(counted, lambda system, other: _binomial(*_at_least_one(counted.wins, system, other)))


def sentence_tests(ballots: Ballots, counted: Tally) -> list[HeadToHead]:
    """Every ordered pair, by the signs of its sentences."""
    ahead = _sentences_ahead(ballots)
    return _all_pairs(counted, lambda system, other: _binomial(int(ahead[system, other]), int(ahead[other, system])))


def holm(p_values: Sequence[float]) -> np.ndarray:
    """P-values corrected by Holm (1979): the k-th smallest of m times m - k + 1, never falling, at most 1."""
    given = np.asarray(p_values, dtype=float)
    order = np.argsort(given, kind="stable")
    steps = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(steps, 1.0)
    return corrected


def _at_least_one(wins: np.ndarray, system: int, other: int) -> tuple[int, int]:
    return max(int(wins[system, other]), 1), max(int(wins[other, system]), 1)


def _all_pairs(counted: Tally, p_value: Callable[[int, int], float]) -> list[HeadToHead]:
    ties = counted.ties + counted.shared
    return [
        HeadToHead(
            system, other, int(counted.wins[system, other]), int(counted.wins[other, system]), int(ties[system, other]),
            p_value(min(system, other), max(system, other)),
        )
        for system in range(counted.systems)
        for other in range(counted.systems)
        if system != other
    ]  # fmt: skip


def _binomial(wins: int, losses: int) -> float:
    """The chance of a split at least as uneven if both were as good: of so few successes, by the beta function."""
    fewer, more = sorted((wins, losses))
    return min(1.0, 2 * float(betainc(more, fewer + 1, 0.5)))


def _sentences_ahead(ballots: Ballots) -> np.ndarray:
    """On how many sentences each system won more often against each other one than it lost."""
    ahead = np.zeros((ballots.systems, ballots.systems), dtype=np.int64)
    for _, counted in tallies_of_parts(ballots, ballots.segment, ballots.segments):
        ahead += (counted.wins > counted.wins.swapaxes(1, 2)).sum(axis=0)
    return ahead
