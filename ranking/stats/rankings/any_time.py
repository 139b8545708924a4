"""Tests and intervals that hold however often one looks while judging goes on: asymptotic confidence sequences.

An organiser who looks every day and stops at the first p below .05 finds a difference between equal systems in far more
than 5 % of campaigns. A confidence sequence covers the truth at all times together, whether, when and why one looks or
stops; alpha spending would need the number of looks in advance, which a live board cannot know. With n sentences and
standard error se, Robbins' normal mixture (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024) has the interval

    score -+ se sqrt((1 + 1/k) (log(1 + k) - 2 log(alpha))),   k = n rho^2

and the same inverted, for T = |difference| / se, gives p = min(1, sqrt(1 + k) exp(-T^2 k / (2 (1 + k)))). rho is such
that intervals are narrowest, 1.5 times those of a single look, at 300 sentences. Holm's method corrects for all pairs:
maxima over replicates belong to one look.

Toy: n = 300 and alpha = .05 make k = 7.93, and the interval is the score -+ 3.04 standard errors instead of 1.96.
"""

from math import log

import numpy as np

from ranking.stats.rankings.head_to_head import holm
from ranking.stats.rankings.pair_tests import PairTests

NARROWEST_AT = 300


def radius(sentences: np.ndarray, level: float, tests: int = 1) -> np.ndarray:
    """Half the width of intervals, in standard errors; so many tests share the error."""
    k = _information(sentences, level)
    return np.sqrt((1 + 1 / k) * (np.log1p(k) - 2 * log((1 - level) / tests)))


def p_values(reached: np.ndarray, sentences: np.ndarray, level: float) -> np.ndarray:
    k = _information(sentences, level)
    return np.minimum(1.0, np.sqrt(1 + k) * np.exp(-(reached**2) * k / (2 * (1 + k))))


def _information(sentences: np.ndarray, level: float) -> np.ndarray:
    twice = -2 * log(1 - level)
    return np.maximum(sentences, 1) * (twice + log(twice + 1)) / NARROWEST_AT


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
    systems = len(scores)
    difference = scores[:, None] - scores
    error = np.sqrt(np.maximum(_variances_of_differences(replicates), 0))
    fewer = np.minimum(sentences[:, None], sentences)
    tested = placed[:, None] & placed & (error > 0) & ~np.eye(systems, dtype=bool)
    one, other = np.nonzero(np.triu(tested))

    def together(distance: np.ndarray) -> np.ndarray:
        """The p-values of all pairs that lie so far from what is tested."""
        reached = np.divide(np.maximum(distance, 0), error, out=np.zeros_like(error), where=tested)
        found = np.ones((systems, systems))
        found[one, other] = found[other, one] = holm(p_values(reached, fewer, level)[one, other].tolist())
        return found

    reach = np.where(tested, radius(fewer, level, max(len(one), 1)) * error, np.inf)
    apart = np.abs(difference)
    return PairTests(difference, difference - reach, difference + reach, together(apart), together(delta - apart))


def _variances_of_differences(replicates: np.ndarray) -> np.ndarray:
    covariance = np.cov(replicates.T)
    variance = np.diagonal(covariance)
    return np.asarray(variance[:, None] + variance - 2 * covariance)


def intervals_at_any_time(
    scores: np.ndarray, replicates: np.ndarray, sentences: np.ndarray, level: float
) -> tuple[np.ndarray, np.ndarray]:
    """The ends of intervals of scores that hold at all times."""
    reach = radius(sentences, level) * replicates.std(axis=0)
    return scores - reach, scores + reach
