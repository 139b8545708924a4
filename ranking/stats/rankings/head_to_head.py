"""Head to head: how often one system beat another, and whether chance explains it.

`sign_tests` is the published test (Grundkiewicz et al. 2015, Table 3d): a two-sided exact binomial test of p = 1/2 on
the decisive expanded comparisons, as if they were independent, with a count of 0 taken as 1. `sentence_tests` allows
for the dependence of comparisons on one sentence: only the sign of wins minus losses counts for each sentence. `holm`
corrects for multiple tests.

Toy: 3 wins and 1 loss have a share of 3/4 and p = 2 (C(4,3) + C(4,4)) / 16 = 0.625.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import scipy as sp

from ranking.stats.ballots import Ballots
from ranking.stats.tally import Tally, tallies_of_parts

MARKS = ((0.01, "‡"), (0.05, "†"), (0.1, "*"))


@dataclass(frozen=True)
class HeadToHead:
    system: int
    opponent: int
    wins: int
    losses: int
    ties: int
    p_value: float

    @property
    def share(self) -> float:
        """Share of decisive comparisons that the system won; 1/2 if there are none."""
        decisive = self.wins + self.losses
        return self.wins / decisive if decisive else 0.5


def mark_of(p_value: float) -> str:
    """Return the significance mark that papers print for a p-value, or an empty string."""
    return next((mark for level, mark in MARKS if p_value <= level), "")


def sign_tests(counted: Tally) -> list[HeadToHead]:
    """Test every ordered pair as published; a system without a win counts as having one."""
    wins = np.maximum(counted.wins, 1)
    return _all_pairs(counted, lambda system, other: _binomial(int(wins[system, other]), int(wins[other, system])))


def sentence_tests(ballots: Ballots, counted: Tally) -> list[HeadToHead]:
    """Test every ordered pair by the signs of its sentences."""
    ahead = np.zeros((ballots.systems, ballots.systems), dtype=np.int64)
    for _, block in tallies_of_parts(ballots, ballots.segment, ballots.segments):
        ahead += (block.wins > block.wins.swapaxes(1, 2)).sum(axis=0)
    return _all_pairs(counted, lambda system, other: _binomial(int(ahead[system, other]), int(ahead[other, system])))


def holm(p_values: Sequence[float]) -> np.ndarray:
    """Correct p-values by Holm (1979): the k-th smallest of m times m - k + 1, never decreasing, at most 1."""
    given = np.asarray(p_values, dtype=float)
    order = np.argsort(given, kind="stable")
    steps = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(steps, 1.0)
    return corrected


def _all_pairs(counted: Tally, p_value: Callable[[int, int], float]) -> list[HeadToHead]:
    wins, ties = counted.wins.tolist(), (counted.ties + counted.shared).tolist()
    return [
        HeadToHead(one, other, wins[one][other], wins[other][one], ties[one][other], p_value(*sorted((one, other))))
        for one, other in permutations(range(counted.systems), 2)
    ]


def _binomial(wins: int, losses: int) -> float:
    """Return the probability of a split at least as uneven if both were equally good; `betainc` is exact and fast."""
    fewer, more = sorted((wins, losses))
    return min(1.0, 2 * float(sp.special.betainc(more, fewer + 1, 0.5)))
