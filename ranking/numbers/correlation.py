"""Correlations along the last axis, many rows at once; pairs with a missing score (NaN) on either side are left out.

Pearson's r is the covariance over both standard deviations. Spearman's rho is Pearson's r of the ranks, equal scores
having their mean rank. Both are NaN where fewer than two scores are left or one side is all equal.

Toy: scores 1 2 3 and 1 3 2 have r = rho = 1/2.
"""

import numpy as np


def pearson(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    one, other, known = _common(one, other)
    one, other = _centred(one, known), _centred(other, known)
    spread = np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
    together = (one * other).sum(axis=-1)
    return np.clip(np.divide(together, spread, out=np.full(spread.shape, np.nan), where=spread > 0), -1, 1)


def spearman(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    one, other, known = _common(one, other)
    return pearson(_ranks(one, known), _ranks(other, known))


def _common(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    one, other = np.broadcast_arrays(np.asarray(one, dtype=float), np.asarray(other, dtype=float))
    return one, other, ~np.isnan(one) & ~np.isnan(other)


def _centred(scores: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Subtract the mean; unknown scores become 0, and equal scores exactly 0, however their mean is rounded."""
    number = np.maximum(known.sum(axis=-1, keepdims=True), 1)
    mean = np.where(known, scores, 0).sum(axis=-1, keepdims=True) / number
    highest = np.where(known, scores, -np.inf).max(axis=-1, keepdims=True, initial=-np.inf)
    lowest = np.where(known, scores, np.inf).min(axis=-1, keepdims=True, initial=np.inf)
    return np.where(known & (highest > lowest), scores - mean, 0)


def _ranks(scores: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Rank the known scores of a row from 1, with mean ranks for equal scores; NaN for the others.

    Equal scores keep their order counted from below and from above, so both places of each average to the mean.
    """
    values = np.where(known, scores, np.inf)
    from_below, from_above = np.empty((2, *values.shape))
    for places, way in ((from_below, values), (from_above, -values)):
        np.put_along_axis(places, np.argsort(way, axis=-1, kind="stable"), np.arange(values.shape[-1]), axis=-1)
    return np.where(known, (from_below - from_above + values.shape[-1] + 1) / 2, np.nan)
