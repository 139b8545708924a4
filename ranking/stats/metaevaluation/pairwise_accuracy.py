"""Pairwise accuracy: the share of pairs of systems that a metric orders as people do (Kocmi et al. 2021).

    accuracy = share of pairs (i, j) with sign(metric_i - metric_j) = sign(human_i - human_j).

A tie is right only if both tie. Pairs that people could not tell apart can be left out (`resolved_pairs`), as Kocmi et
al. do; then a wrong order is an error of the metric, not chance.

Soft pairwise accuracy (Thompson et al. 2024) compares the certainty of the metric with that of people:

    soft accuracy = mean over pairs of 1 - |p_metric(i, j) - p_human(i, j)|,

where p(i, j) is the one-sided p of "i is better than j", from a permutation of sentences as published (`permutation_p`)
or from the replicates of any ranking (`replicate_p`). A permuted difference equal to the observed one counts half, so
that p(i, j) + p(j, i) = 1 whatever the order of the systems; the published program counts it in full, for i before j
only.

Toy: people score 3 systems 3 2 1 and a metric 2 3 1; two pairs of three are right. With p_human = 0 0 0 and p_metric =
.9 0 .1 for the pairs the soft accuracy is 1 - 1 / 3 = 2/3.
"""

from collections.abc import Iterable

import numpy as np

from ranking.numbers.intervals import LEVEL, Interval, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.rankings.ranges import p_beats
from ranking.stats.resampling import generator

AT_ONCE = 256


def pairwise_accuracy(human: np.ndarray, metric: np.ndarray, chosen: np.ndarray | None = None) -> float:
    """Return the share of all pairs, or of those chosen in a matrix, that the metric orders as people do."""
    human, metric = np.asarray(human, dtype=float), np.asarray(metric, dtype=float)
    if human.shape != metric.shape or not (np.isfinite(human).all() and np.isfinite(metric).all()):
        raise StatisticsError("A system has no score by people or by the metric; leave it out, or have it scored.")
    above = _pairs(len(human), chosen)
    right = np.sign(_differences(human))[above] == np.sign(_differences(metric))[above]
    return float(right.mean())


def pairwise_interval(
    human: Iterable[np.ndarray], metric: Iterable[np.ndarray], level: float, chosen: np.ndarray | None = None
) -> Interval:
    """Return the interval of pairwise accuracy from replicates of both, without those that lack a score."""
    values = [
        pairwise_accuracy(one, other, chosen)
        for one, other in zip(human, metric, strict=True)
        if np.isfinite(one).all() and np.isfinite(other).all()
    ]
    return interval_of(np.array(values), level)


def soft_pairwise_accuracy(p_human: np.ndarray, p_metric: np.ndarray) -> float:
    """Return the similarity of a metric's p-values to people's; matrices hold p of "row better than column"."""
    above = _pairs(len(p_human))
    return float((1 - np.abs(p_human[above] - p_metric[above])).mean())


def replicate_p(scores: np.ndarray) -> np.ndarray:
    """One-sided p of "row better than column" from replicates of all systems' scores, one row per replicate."""
    return 1 - p_beats(scores)


def permutation_p(scores: np.ndarray, permutations: int, seed: int) -> np.ndarray:
    """One-sided p of "row better than column" from scores of sentences (rows) by system (columns)."""
    if not np.isfinite(scores).all():
        raise StatisticsError("A sentence lacks a score of some system; use only sentences with a score of each.")
    observed = _differences(scores.sum(axis=0))
    # Differences that are equal up to rounding count as equal.
    near = 1e-9 * max(float(np.abs(scores).sum(axis=0).max()), 1e-300)
    # On each sentence a coin decides whether two systems swap scores; the coins are the same for all pairs.
    reached = np.zeros(observed.shape)
    for at in range(0, permutations, AT_ONCE):
        numbers = range(at, min(at + AT_ONCE, permutations))
        coins = np.array([generator(seed, number).integers(0, 2, len(scores)) * 2.0 - 1 for number in numbers])
        beyond = _differences(coins @ scores) - observed
        reached += (beyond > near).sum(axis=0) + (np.abs(beyond) <= near).sum(axis=0) / 2
    return reached / permutations


def resolved_pairs(p_human: np.ndarray, level: float = LEVEL) -> np.ndarray:
    """Return the pairs that people resolve, by a two-sided test."""
    return np.minimum(p_human, 1 - p_human) * 2 <= 1 - level + 1e-12


def _pairs(systems: int, chosen: np.ndarray | None = None) -> tuple[np.ndarray, ...]:
    above = np.triu(np.ones((systems, systems), dtype=bool), 1)
    found = np.nonzero(above if chosen is None else above & chosen)
    if not len(found[0]):
        raise StatisticsError("There is no pair of systems to order: people resolve none, or there is only one system.")
    return found


def _differences(scores: np.ndarray) -> np.ndarray:
    return scores[..., :, None] - scores[..., None, :]
