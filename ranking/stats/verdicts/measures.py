"""Precision and recall of a system that detects errors, weighted by the crowd and by its majority.

With c the system's class of an instance (1 error, 0 fine; or its probability of an error) and p the crowd's proportion,

    hits = sum c p    misses = sum (1 - c) p    false positives = sum c (1 - p)
    precision = hits / (hits + false positives)    recall = hits / (hits + misses)

The weighted measures take p as it is, so that a contentious case counts less than a clear one; the unweighted ones take
1 where most found an error and 0 where most found none (Madnani et al. 2011, equations 1 to 3). Instances of which
nobody told anything are left out, and for the unweighted measures those without a majority.

Toy: p = .9 .56 .2 and classes 1 1 0: hits 1.46, misses .2, false positives .54; precision .73, recall .8795.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.verdicts.crowd import Crowd

Sums = Any  # a number, or an array of them


class Measures(NamedTuple):
    """What a system got right, left out and invented, and what that makes; 0 / 0 is 1, as nothing was wrong."""

    hits: float
    misses: float
    false_positives: float
    precision: float
    recall: float
    f: float


@dataclass(frozen=True)
class Both:
    """The same by the proportions of the crowd and by its majority."""

    weighted: Measures
    unweighted: Measures


def measured(classes: np.ndarray, errors: np.ndarray, beta: float = 1.0) -> Measures:
    """By classes and what is right, both from 0 to 1; what is NaN in either is left out."""
    known = np.isfinite(classes) & np.isfinite(errors)
    if not known.any():
        raise StatisticsError(
            "No instance has both a verdict of the crowd and a class of the system; nothing to compare."
        )
    c, p = classes[known], errors[known]
    hits, misses, inventions = float((c * p).sum()), float(((1 - c) * p).sum()), float((c * (1 - p)).sum())
    return Measures(hits, misses, inventions, *(float(one) for one in ratios(hits, misses, inventions, beta)))


def ratios(hits: Sums, misses: Sums, inventions: Sums, beta: float = 1.0) -> tuple[Sums, Sums, Sums]:
    """Precision, recall and F of sums, one or many at a time."""
    precision, recall = _share(hits, hits + inventions), _share(hits, hits + misses)
    below = beta**2 * precision + recall
    above = (1 + beta**2) * precision * recall
    return precision, recall, np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def both(classes: np.ndarray, crowd: Crowd) -> Both:
    """Weighted and unweighted."""
    return Both(measured(classes, crowd.proportion), measured(classes, crowd.majority))


def _share(part: Sums, whole: Sums) -> Sums:
    part, whole = np.asarray(part, dtype=float), np.asarray(whole, dtype=float)
    return np.divide(part, whole, out=np.ones_like(whole), where=whole > 0)
