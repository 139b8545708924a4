"""Correlations of scores along the last axis, many rows at once; what has no score (NaN) on either side is left out.

Pearson's r is the covariance over both standard deviations. Spearman's rho is Pearson's r of the ranks, equal scores
having their mean rank. Both are NaN where fewer than two scores are left or one side is all equal.

Toy: scores 1 2 3 and 1 3 2 have r = rho = 1/2.
"""

import numpy as np
from scipy.stats import rankdata


def pearson(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The linear correlation of each row."""
    one, other, known = _common(one, other)
    one, other = _centred(one, known), _centred(other, known)
    spread = np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
    together = (one * other).sum(axis=-1)
    return np.clip(np.divide(together, spread, out=np.full(spread.shape, np.nan), where=spread > 0), -1, 1)


def spearman(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The correlation of the ranks of each row."""
    one, other, known = _common(one, other)
    return pearson(_ranks(one, known), _ranks(other, known))


def _common(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    one, other = np.broadcast_arrays(np.asarray(one, dtype=float), np.asarray(other, dtype=float))
    return one, other, ~np.isnan(one) & ~np.isnan(other)


def _centred(scores: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Less their mean, unknown ones being 0; equal ones exactly 0, whatever their mean is rounded to."""
    number = np.maximum(known.sum(axis=-1, keepdims=True), 1)
    mean = np.where(known, scores, 0).sum(axis=-1, keepdims=True) / number
    highest = np.where(known, scores, -np.inf).max(axis=-1, keepdims=True, initial=-np.inf)
    lowest = np.where(known, scores, np.inf).min(axis=-1, keepdims=True, initial=np.inf)
    return np.where(known & (highest > lowest), scores - mean, 0)


def _ranks(scores: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Mean ranks among the known scores of a row; NaN for the others."""
    ranks = rankdata(np.where(known, scores, np.inf), axis=-1) if scores.shape[-1] else scores
    return np.where(known, ranks, np.nan)
