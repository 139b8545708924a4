"""Precision, recall and F of counts, and counts by coarser kinds."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ranking.metrics.errant.counting import FALSE, MISSED, TRUE
from ranking.metrics.errant.kinds import CATEGORIES, KINDS, OPERATIONS, category_of, operation_of


class Shares(NamedTuple):
    """What remains where the axis of columns was."""

    precision: np.ndarray
    recall: np.ndarray
    f: np.ndarray


def shares(sums: np.ndarray, beta: float) -> Shares:
    """Without a false positive precision is 1, without a false negative recall; so too where there is no edit."""
    true, false, missed = (sums[..., column].astype(float) for column in (TRUE, FALSE, MISSED))
    precision = np.divide(true, true + false, out=np.ones_like(true), where=false > 0)
    recall = np.divide(true, true + missed, out=np.ones_like(true), where=missed > 0)
    whole = beta**2 * precision + recall
    f = np.divide((1 + beta**2) * precision * recall, whole, out=np.zeros_like(whole), where=whole > 0)
    return Shares(precision, recall, f)


def by_category(sums: np.ndarray) -> np.ndarray:
    """Sums by kind, which is the last axis but one, as those of categories."""
    return _gathered(sums, CATEGORIES, category_of)


def rows_of(sums: np.ndarray, beta: float) -> Iterator[tuple[object, ...]]:
    """Kind, counts and shares of one output: for each category, each operation, and each kind that there is."""
    for names, counted in (
        (CATEGORIES, by_category(sums)),
        (OPERATIONS, _gathered(sums, OPERATIONS, operation_of)),
        (KINDS, sums),
    ):
        told = np.stack(shares(counted, beta), axis=-1).tolist()
        for name, counts, figures in zip(names, counted.tolist(), told, strict=True):
            if names is not KINDS or any(counts):
                yield name, *counts, *figures


def _gathered(sums: np.ndarray, names: Sequence[str], name_of: Callable[[str], str]) -> np.ndarray:
    belongs = np.array([[name_of(kind) == name for kind in KINDS] for name in names], dtype=sums.dtype)
    return belongs @ sums
