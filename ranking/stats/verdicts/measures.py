"""Precision and recall of a system that detects errors, weighted by the crowd and by its majority.

With c the system's class of an instance (1 error, 0 fine; or its probability of an error) and p the crowd's proportion,

    hits = sum c p    misses = sum (1 - c) p    false positives = sum c (1 - p)
    precision = hits / (hits + false positives)    recall = hits / (hits + misses)

The weighted measures use p itself, so that a contentious case counts less than a clear one; the unweighted ones use 1
where most found an error and 0 where most found none (Madnani et al. 2011, equations 1 to 3). Instances with only
unknown verdicts are left out; the unweighted measures also leave out those without a majority.

Toy: p = .9 .56 .2 and classes 1 1 0: hits 1.46, misses .2, false positives .54; precision .73, recall .8795.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.verdicts.crowd import Crowd

Sums = Any  # a number, or an array of them


class Measures(NamedTuple):
    """Hits, misses and false positives of a system, and their ratios; 0 / 0 is 1, as nothing was wrong."""

    hits: float
    misses: float
    false_positives: float
    precision: float
    recall: float
    f: float


@dataclass(frozen=True)
class Both:
    """Measures by the proportions of the crowd and by its majority."""

    weighted: Measures
    unweighted: Measures


def measured(classes: np.ndarray, errors: np.ndarray, beta: float = 1.0) -> Measures:
    """Measures from classes and the truth, both from 0 to 1; NaN in either is left out."""
    known = np.isfinite(classes) & np.isfinite(errors)
    if not known.any():
        raise StatisticsError(
            "No instance has both a verdict of the crowd and a class by the system, so there is nothing to compare."
        )
    c, p = classes[known], errors[known]
    hits, misses, inventions = float((c * p).sum()), float(((1 - c) * p).sum()), float((c * (1 - p)).sum())
    return Measures(hits, misses, inventions, *(float(one) for one in ratios(hits, misses, inventions, beta)))


def ratios(hits: Sums, misses: Sums, inventions: Sums, beta: float = 1.0) -> tuple[Sums, Sums, Sums]:
    """Precision, recall and F from sums, scalars or arrays."""
    precision, recall = _share(hits, hits + inventions), _share(hits, hits + misses)
    below = beta**2 * precision + recall
    above = (1 + beta**2) * precision * recall
    return precision, recall, np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def both(classes: np.ndarray, crowd: Crowd) -> Both:
    return Both(measured(classes, crowd.proportion), measured(classes, crowd.majority))


def _share(part: Sums, whole: Sums) -> Sums:
    part, whole = np.asarray(part, dtype=float), np.asarray(whole, dtype=float)
    return np.divide(part, whole, out=np.ones_like(whole), where=whole > 0)
