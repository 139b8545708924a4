"""Tests of all pairs of systems at once: which differ, and which differ by at most so much.

With d the difference of two scores, d* that of a replicate less the mean over replicates, and se its standard
deviation, each pair has T = |d| / se, and each replicate has T* = |d*| / se of every pair.

    p alone   share of replicates with T* >= T
    p         step-down maxima (Romano and Wolf 2005): pairs in the order of T, the largest first; the share of
              replicates in which the largest T* of this and all later pairs reaches T; at least the p of earlier pairs

A pair is resolved if p <= 1 - level; the probability that any resolved pair is in fact equal, or the other way round,
is at most 1 - level, over all pairs together. The maxima keep the correlations of pairs, which Holm's method ignores.
Both shares count one replicate more that reaches everything, so that no p is 0.

The ranks of a system that these tests allow together with those of all others run from 1 + the number of systems that
are better than it to the number of systems less those that are worse (Mogstad, Romano, Shaikh and Wilhelm 2024).

Two systems are equivalent within delta if the test with T = (delta - |d|) / se resolves them: two one-sided tests
(Schuirmann 1987), by the same maxima.

Toy: of three systems A, B and C with T = 4 for A-C, 2.5 for A-B and 1 for B-C, and the largest T* of all three pairs
above 4 in 1 of 99 replicates, p of A-C is (1 + 1) / 100.
"""

from dataclasses import dataclass

import numpy as np

from ranking.stats.rankings.ranges import RankRange

ROUNDING = 1e-9


@dataclass(frozen=True)
class PairTests:
    """For each system (row) against each other one (column): the difference, its simultaneous interval, p-values."""

    difference: np.ndarray
    low: np.ndarray
    high: np.ndarray
    p_value: np.ndarray
    p_equivalent: np.ndarray

    def better(self, level: float) -> np.ndarray:
        """Whether the row is resolved to be better than the column."""
        return (self.difference > 0) & (self.p_value <= 1 - level + ROUNDING)

    def ranges(self, level: float) -> list[RankRange]:
        """Ranks that hold for all systems together."""
        better = self.better(level)
        best, worst = 1 + better.sum(axis=0), len(better) - better.sum(axis=1)
        return [RankRange(int(a), int(b)) for a, b in zip(best, worst, strict=True)]


def pair_tests(
    scores: np.ndarray, replicates: np.ndarray, level: float, delta: float = 0.0, placed: np.ndarray | None = None
) -> PairTests:
    """Test all pairs of the systems that have enough sentences to be placed; the other pairs have p = 1."""
    systems = len(scores)
    one, other = np.triu_indices(systems, 1)
    if placed is not None:
        kept = placed[one] & placed[other]
        one, other = one[kept], other[kept]
    deviations = replicates - replicates.mean(axis=0)
    apart, drawn = scores[one] - scores[other], np.abs(deviations[:, one] - deviations[:, other])
    error = np.sqrt((drawn**2).mean(axis=0))
    varies = error > ROUNDING * max(float(np.abs(scores).max()), ROUNDING)
    unit = np.where(varies, error, 1)
    drawn = np.where(varies, drawn / unit, 0)
    reached = np.where(varies, np.abs(apart) / unit, 0)
    within = np.where(varies, (delta - np.abs(apart)) / unit, np.where(delta >= np.abs(apart), np.inf, 0))
    reach = _critical(drawn, level) * error
    tested = (apart - reach, apart + reach, _step_down(reached, drawn), _step_down(within, drawn))
    difference = scores[:, None] - scores
    low, high = np.full((systems, systems), -np.inf), np.full((systems, systems), np.inf)
    p_value, equivalent = np.ones((systems, systems)), np.ones((systems, systems))
    low[one, other], high[one, other] = tested[:2]
    low[other, one], high[other, one] = -tested[1], -tested[0]
    for matrix, found in zip((p_value, equivalent), tested[2:], strict=True):
        matrix[one, other] = matrix[other, one] = found
    return PairTests(difference, low, high, p_value, equivalent)


def simultaneous(scores: np.ndarray, replicates: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """The ends of intervals that cover all scores together."""
    deviations = np.abs(replicates - replicates.mean(axis=0))
    error = np.sqrt((deviations**2).mean(axis=0))
    ratios = np.divide(deviations, error, out=np.zeros_like(deviations), where=error > 0)
    reach = _critical(ratios, level) * error
    return scores - reach, scores + reach


def _critical(drawn: np.ndarray, level: float) -> float:
    """What the largest of all reaches in a share of 1 - level of the replicates."""
    if not drawn.shape[1]:
        return np.inf
    largest = np.sort(drawn.max(axis=1))
    return float(largest[min(int(np.ceil(level * (len(largest) + 1))), len(largest)) - 1])


def _step_down(reached: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    order = np.argsort(reached, kind="stable")
    largest = np.maximum.accumulate(drawn[:, order], axis=1)
    p = (1 + (largest >= reached[order] - ROUNDING).sum(axis=0)) / (1 + len(drawn))
    found = np.empty(len(order))
    found[order] = np.maximum.accumulate(p[::-1])[::-1]
    return found
