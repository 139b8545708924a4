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
above 4 in 1 of 99 replicates, p of A-C is (1 + 1) / 100. A scores higher than B in three of four replicates and equal
in one: it beats B in a share of 0.875.

Tests and intervals that hold however often one looks while judging goes on: asymptotic confidence sequences.

An organiser who looks every day and stops at the first p below .05 finds a difference between equal systems in far more
than 5 % of campaigns. A confidence sequence covers the truth at all times together, whether, when and why one looks or
stops; alpha spending would need the number of looks in advance, which a live board cannot know. With n sentences and
standard error se, Robbins' normal mixture (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024) has the interval

    score -+ se sqrt((1 + 1/k) (log(1 + k) - 2 log(alpha))),   k = n rho^2

and the same inverted, for T = |difference| / se, gives p = min(1, sqrt(1 + k) exp(-T^2 k / (2 (1 + k)))). rho is such
that intervals are narrowest, 1.5 times those of a single look, at 300 sentences. Holm's method corrects for all pairs:
maxima over replicates belong to one look.

Toy: n = 300 and alpha = .05 make k = 7.93, and the interval is the score -+ 3.04 standard errors instead of 1.96.

Head to head: how often one system beat another, and whether chance explains it.

`sign_tests` is the published test (Grundkiewicz et al. 2015, Table 3d): a two-sided exact binomial test of p = 1/2 on
the decisive expanded comparisons, as if they were independent, with a count of 0 taken as 1. `sentence_tests` allows
for the dependence of comparisons on one sentence: only the sign of wins minus losses counts for each sentence. `holm`
corrects for multiple tests.

Toy: 3 wins and 1 loss have a share of 3/4 and p = 2 (C(4,3) + C(4,4)) / 16 = 0.625. Eight judges prefer A on one
sentence and one judge prefers B on another: `sign_tests` see 8 to 1, p = 0.039; `sentence_tests` see 1 to 1, p = 1.
Holm turns 0.01, 0.04 and 0.03 into 0.03, 0.06 and 0.06.

Of the 78 published pairs 54 have p <= 0.05 by `sign_tests`, 41 after Holm; 45 by sentences, 18 after Holm; the tests of
all pairs at once resolve 24 by sentence, 15 by sentence and judge.

What another comparison of two systems is worth while judging goes on.

With T the difference of two scores in standard errors, and c what T must reach to be resolved among all pairs
(Bonferroni), a little more evidence moves the probability of resolving the pair by about

    g = T phi(T - c),

phi the normal density: nothing for pairs long decided (T far above c) or hopeless (T near 0), most just below c. Where
the first ranks matter most, g is multiplied by the larger of the two systems' chances to be the best, and at least a
tenth of the largest chance of all.

Toy: c = 3: T = 2.5 gives 2.5 phi(-.5) = .880, T = .5 gives .009, T = 6 gives .027.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
import scipy as sp

from ranking.stats.ballots import Ballots
from ranking.stats.rankings.uncertainty import RankRange
from ranking.stats.tally import Tally, pairs_of_parts

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
    apart, drawn = np.abs(scores[one] - scores[other]), np.abs(deviations[:, one] - deviations[:, other])
    error = np.sqrt((drawn**2).mean(axis=0))
    varies = error > ROUNDING * max(float(np.abs(scores).max()), ROUNDING)
    unit = np.where(varies, error, 1)
    drawn = np.where(varies, drawn / unit, 0)
    reached = np.where(varies, apart / unit, 0)
    within = np.where(varies, (delta - apart) / unit, np.where(delta >= apart, np.inf, 0))
    difference, reach = scores[:, None] - scores, np.full((systems, systems), np.inf)
    reach[one, other] = reach[other, one] = _critical(drawn, level) * error
    p_value, equivalent = np.ones((2, systems, systems))
    p_value[one, other] = p_value[other, one] = _step_down(reached, drawn)
    equivalent[one, other] = equivalent[other, one] = _step_down(within, drawn)
    return PairTests(difference, *_ends(difference, reach, p_value <= 1 - level + ROUNDING), p_value, equivalent)


def _ends(difference: np.ndarray, reach: np.ndarray, resolved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The ends of intervals; that of a pair that is resolved, which may be by a later step, does not reach beyond 0."""
    low, high = difference - reach, difference + reach
    low = np.where(resolved & (difference > 0), np.maximum(low, 0), low)
    return low, np.where(resolved & (difference < 0), np.minimum(high, 0), high)


def simultaneous_intervals(scores: np.ndarray, replicates: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
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


NARROWEST_AT = 300


def _information(sentences: np.ndarray, level: float) -> np.ndarray:
    """k = n rho^2."""
    twice = -2 * log(1 - level)
    return np.maximum(sentences, 1) * (twice + log(twice + 1)) / NARROWEST_AT


def radius(sentences: np.ndarray, level: float, tests: int = 1) -> np.ndarray:
    """Half the width of intervals, in standard errors; so many tests share the error."""
    k = _information(sentences, level)
    return np.sqrt((1 + 1 / k) * (np.log1p(k) - 2 * log((1 - level) / tests)))


def p_values(reached: np.ndarray, sentences: np.ndarray, level: float) -> np.ndarray:
    k = _information(sentences, level)
    return np.minimum(1.0, np.sqrt(1 + k) * np.exp(-(reached**2) * k / (2 * (1 + k))))


def pair_tests_at_any_time(
    scores: np.ndarray,
    replicates: np.ndarray,
    sentences: np.ndarray,
    level: float,
    placed: np.ndarray,
    delta: float = 0.0,
) -> PairTests:
    """Test all pairs of the systems that can be placed, for a difference and for equivalence within delta.

    The other pairs have p = 1.
    """
    difference, error = scores[:, None] - scores, errors_of_differences(replicates)
    fewer = np.minimum(sentences[:, None], sentences)
    tested = placed[:, None] & placed & (error > 0) & ~np.eye(len(scores), dtype=bool)
    one, other = np.nonzero(np.triu(tested))

    def together(distance: np.ndarray) -> np.ndarray:
        """The p-values of all pairs that lie so far from what is tested."""
        reached = np.divide(np.maximum(distance, 0), error, out=np.zeros_like(error), where=tested)
        found = np.ones_like(error)
        found[one, other] = found[other, one] = holm(p_values(reached, fewer, level)[one, other].tolist())
        return found

    reach = np.where(tested, radius(fewer, level, max(len(one), 1)) * error, np.inf)
    apart = np.abs(difference)
    p_value = together(apart)
    ends = _ends(difference, reach, p_value <= 1 - level + ROUNDING)
    return PairTests(difference, *ends, p_value, together(delta - apart))


def errors_of_differences(replicates: np.ndarray) -> np.ndarray:
    covariance = np.cov(replicates.T)
    variance = np.diagonal(covariance)
    return np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariance, 0))


def intervals_at_any_time(
    scores: np.ndarray, replicates: np.ndarray, sentences: np.ndarray, level: float
) -> tuple[np.ndarray, np.ndarray]:
    """The ends of intervals of scores that hold at all times."""
    reach = radius(sentences, level) * replicates.std(axis=0)
    return scores - reach, scores + reach


def sign_tests(counted: Tally) -> np.ndarray:
    """P-values of all pairs as published; a system without a win counts as having one."""
    return _binomial_tests(np.maximum(counted.wins, 1))


def sentence_tests(ballots: Ballots) -> np.ndarray:
    """P-values of all pairs by the signs of their sentences."""
    ahead = np.zeros((ballots.systems, ballots.systems), dtype=np.int64)
    for one, other, _, wins, losses, _ in pairs_of_parts(ballots, ballots.segment):
        np.add.at(ahead, (one, other), wins > losses)
        np.add.at(ahead, (other, one), losses > wins)
    return _binomial_tests(ahead)


def _binomial_tests(ahead: np.ndarray) -> np.ndarray:
    """The probability of a split at least as uneven if both were equally good; `betainc` is exact and fast."""
    fewer, more = np.minimum(ahead, ahead.T), np.maximum(ahead, ahead.T)
    return np.minimum(1.0, 2 * sp.special.betainc(np.maximum(more, 1), fewer + 1, 0.5))


def holm(p_values: Sequence[float]) -> np.ndarray:
    """Correct p-values by Holm (1979): the k-th smallest of m times m - k + 1, never decreasing, at most 1."""
    given = np.asarray(p_values, dtype=float)
    order = np.argsort(given, kind="stable")
    steps = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    corrected = np.empty_like(given)
    corrected[order] = np.minimum(steps, 1.0)
    return corrected


LEAST_CHANCE = 0.1


def worth_of_pairs(scores: np.ndarray, replicates: np.ndarray, level: float, first_ranks: bool = False) -> np.ndarray:
    systems = len(scores)
    error = errors_of_differences(replicates)
    apart = np.abs(scores[:, None] - scores).astype(float)
    reached = np.divide(apart, error, out=np.zeros_like(apart), where=error > 0)
    needed = sp.special.ndtri(1 - (1 - level) / (systems * (systems - 1)))
    worth = reached * np.exp(-((reached - needed) ** 2) / 2) / np.sqrt(2 * np.pi)
    if first_ranks:
        chance = np.bincount(replicates.argmax(axis=1), minlength=systems) / len(replicates)
        worth *= np.maximum(np.maximum(chance[:, None], chance), LEAST_CHANCE * chance.max())
    return np.asarray(worth)
