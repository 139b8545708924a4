"""Precision and recall of a system that detects errors, weighted by the crowd and by its majority.

With c the system's class of a usage (1 error, 0 fine; or its probability of an error) and p the crowd's proportion,

    hits = sum c p    misses = sum (1 - c) p    false positives = sum c (1 - p)
    precision = hits / (hits + false positives)    recall = hits / (hits + misses)

The weighted measures use p itself, so that a contentious case counts less than a clear one; the unweighted ones use 1
where most found an error and 0 where most found none (Madnani et al. 2011, equations 1 to 3). Usages with only
unknown verdicts are left out; the unweighted measures also leave out those without a majority.

Toy: p = .9 .56 .2 and classes 1 1 0: hits 1.46, misses .2, false positives .54; precision .73, recall .8795.

The stability of these measures is their spread when judges are drawn with replacement, all verdicts of a judge
together. The crowd of a replicate consists of the judges drawn, each as often as drawn; a replicate in which a system
has no usage with a verdict has no measures. An unweighted measure jumps when a majority changes; a weighted one
changes by the one verdict alone (Madnani et al. 2011, section 4.1).

Toy: 8 of 15 judges find an error that a system found. If one of them had not, the majority would make it a false
positive, 1 instead of 0; weighted, it would be 8/15 of one instead of 7/15.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy as sp

from ranking.numbers.intervals import LEVEL, Interval, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.resampling import draw
from ranking.stats.verdicts.crowd import ERROR, UNKNOWN, Crowd, Verdicts, crowd_of

Sums = Any  # a number, or an array of them
NAMES = ("precision", "recall", "f")
# The largest number of usages times replicates held in memory.
CELLS_AT_ONCE = 4_000_000


class Measures(NamedTuple):
    """Hits, misses and false positives of a system, and their ratios; 0 / 0 is 1, as nothing was wrong."""

    hits: float
    misses: float
    false_positives: float
    precision: float
    recall: float
    f: float


class Both(NamedTuple):
    weighted: Measures
    unweighted: Measures


def measured(classes: np.ndarray, errors: np.ndarray, beta: float = 1.0) -> Measures:
    """Measures from classes and the truth, both from 0 to 1; NaN in either is left out."""
    known = np.isfinite(classes) & np.isfinite(errors)
    if not known.any():
        raise StatisticsError(
            "No usage has both a verdict of the crowd and a class by the system, so there is nothing to compare."
        )
    c, p = classes[known], errors[known]
    hits, misses, inventions = float((c * p).sum()), float(((1 - c) * p).sum()), float((c * (1 - p)).sum())
    return Measures(hits, misses, inventions, *(float(one) for one in ratios(hits, misses, inventions, beta)))


def ratios(hits: Sums, misses: Sums, inventions: Sums, beta: float = 1.0) -> tuple[Sums, Sums, Sums]:
    precision, recall = _share(hits, hits + inventions), _share(hits, hits + misses)
    below, above = beta**2 * precision + recall, (1 + beta**2) * precision * recall
    return precision, recall, np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def both(classes: np.ndarray, crowd: Crowd) -> Both:
    return Both(measured(classes, crowd.proportion), measured(classes, crowd.majority))


def _share(part: Sums, whole: Sums) -> Sums:
    part, whole = np.asarray(part, dtype=float), np.asarray(whole, dtype=float)
    return np.divide(part, whole, out=np.ones_like(whole), where=whole > 0)


class Stability(NamedTuple):
    """A measure, its spread (standard deviation over the replicates), and its interval."""

    measure: str
    weighted: bool
    value: float
    spread: float
    interval: Interval


def stability(
    classes: np.ndarray, verdicts: Verdicts, replicates: int, seed: int, level: float = LEVEL
) -> list[list[Stability]]:
    """Precision, recall and F, weighted and unweighted, of each system (a row of classes)."""
    drawn = drawn_measures(classes, verdicts, replicates, seed)
    crowd = crowd_of(verdicts)
    found = []
    for row, of_system in zip(classes, drawn, strict=True):
        measures = both(row, crowd)
        lines = ((place, name, by) for place, name in enumerate(NAMES) for by in range(2))
        found.append([
            Stability(name, not by, getattr(measures[by], name), float(np.nanstd(values)), interval_of(values, level))
            for place, name, by in lines for values in [of_system[place, by]]
        ])  # fmt: skip
    return found


def drawn_measures(classes: np.ndarray, verdicts: Verdicts, replicates: int, seed: int) -> np.ndarray:
    """Systems by measures by (weighted, unweighted) by replicates."""
    decided = verdicts.choose(verdicts.finding != UNKNOWN)
    present, judge = np.unique(decided.judge, return_inverse=True)
    if len(present) < 2:
        raise StatisticsError("Only one judge has decided verdicts, so drawing judges says nothing about chance.")
    shape = (decided.usages, len(present))
    everything, errors = (
        sp.sparse.csr_array(sp.sparse.coo_array((values.astype(float), (decided.usage, judge)), shape=shape))
        for values in (np.ones(len(decided)), decided.finding == ERROR)
    )
    step = max(1, CELLS_AT_ONCE // decided.usages)
    parts = [
        _measured(classes, errors, everything, draw(len(present), min(step, replicates - at), seed, at))
        for at in range(0, replicates, step)
    ]
    return np.concatenate(parts, axis=-1)


def _measured(
    classes: np.ndarray, errors: sp.sparse.csr_array, everything: sp.sparse.csr_array, weights: np.ndarray
) -> np.ndarray:
    many, found = everything @ weights, errors @ weights
    known = many > 0
    share = np.divide(found, many, out=np.zeros_like(found), where=known)
    decided = known & (2 * found != many)
    majority = (2 * found > many).astype(float)
    covers = np.isfinite(classes).astype(float)
    known_classes = np.where(np.isfinite(classes), classes, 0.0)
    found = []
    for right, is_usable in ((share, known), (np.where(decided, majority, 0.0), decided)):
        usable, hits = is_usable.astype(float), known_classes @ right
        measures = ratios(hits, (covers - known_classes) @ right, known_classes @ usable - hits)
        met = covers @ usable > 0
        found.append(np.where(met[:, None, :], np.stack(measures, axis=1), np.nan))
    return np.stack(found, axis=2)
