"""Weighted accuracy, the improvement over the source, and the best reference for an output, computed from counts.

    WAcc = (w TP + TN) / (w (TP + FP) + TN + FN - (w + 1) FPN / 2)
    I = (WAcc - b) / (1 - b) if better than the baseline b, WAcc / b - 1 if worse, else 0, or 1 if both are 1

The baseline is the WAcc of the unchanged source against the same reference (Felice and Briscoe 2015). In detection a
change where the reference has a different change is right: a column of FPN counts as TP, not as FP and FN.

Toy, w = 2: TP 1, TN 2, FP 1, FN 1, FPN 1 make (2 + 2) / (4 + 2 + 1 - 1.5) = 8/11; the source with TN 2 and FN 2 has
b = 1/2; I = (8/11 - 1/2) / (1/2) = 5/11.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ranking.metrics.base import ABSENT, Scores
from ranking.metrics.imeasure.alignment import COLUMNS, FN, FP, FPN, TN, TP

# The columns of the unchanged source, which has no other kinds, follow those of correction.
SOURCE_TN, SOURCE_FN = COLUMNS, COLUMNS + 1
ALL_COLUMNS = COLUMNS + 2
COUNTED = {"TP": TP, "TN": TN, "FP": FP, "FN": FN, "FPN": FPN}
_SHARES = ("P", "R", "Acc", "Acc_b", "WAcc_b")
FEATURES = (
    "I-measure", "I-measure WAcc", "I-measure detection", "I-measure detection WAcc",
    *(f"I-measure {level} {share}" for level in ("correction", "detection") for share in _SHARES),
    *(f"I-measure correction {name} a sentence" for name in COUNTED),
)  # fmt: skip


class Level(NamedTuple):
    precision: np.ndarray
    recall: np.ndarray
    accuracy: np.ndarray
    weighted: np.ndarray
    baseline: np.ndarray
    improvement: np.ndarray


def correction(counts: np.ndarray, weight: int) -> Level:
    """A change is right if the reference has the same; the last axis of counts holds the columns."""
    return _level(np.moveaxis(counts[..., :COLUMNS], -1, 0), counts, weight)


def detection(counts: np.ndarray, weight: int) -> Level:
    """A change is right if the reference has any change there."""
    tp, tn, fp, fn, fpn = np.moveaxis(counts[..., :COLUMNS], -1, 0)
    return _level((tp + fpn, tn, fp - fpn, fn - fpn, np.zeros_like(fpn)), counts, weight)


def first_best(counts: np.ndarray, weight: int) -> np.ndarray:
    """Find the best reference; references are the second-last axis.

    It has the highest WAcc of correction, then I, then accuracy, then the same of detection; remaining ties go to the
    first.
    """
    among = counts[..., 0] != ABSENT
    for level in (correction(counts, weight), detection(counts, weight)):
        for value in (level.weighted, level.improvement, level.accuracy):
            highest = np.where(among, value, -np.inf).max(axis=-1, keepdims=True)
            among &= value == highest
    return among.argmax(axis=-1)


def best(counts: np.ndarray, weight: int) -> np.ndarray:
    """Return the counts against the best reference; zeros if a sentence has none, so that it does not count."""
    if not counts.shape[-2]:
        return np.zeros((*counts.shape[:-2], counts.shape[-1]), dtype=counts.dtype)
    chosen = first_best(counts, weight)[..., None, None]
    return np.maximum(np.take_along_axis(counts, chosen, axis=-2)[..., 0, :], 0)


def named(counts: np.ndarray, weight: int, sentences: int) -> Scores:
    """Compute every score by name, from counts over this many sentences, without an axis of references."""
    levels = {"correction": correction(counts, weight), "detection": detection(counts, weight)}
    scores: Scores = {}
    for name, level in zip(("I-measure", "I-measure detection"), levels.values(), strict=True):
        scores |= {name: level.improvement, f"{name} WAcc": level.weighted}
    for name, level in levels.items():
        values = level.precision, level.recall, level.accuracy, level.baseline, level.baseline
        scores |= {f"I-measure {name} {share}": value for share, value in zip(_SHARES, values, strict=True)}
    for name, column in COUNTED.items():
        scores[f"I-measure correction {name}"] = counts[..., column]
        scores[f"I-measure correction {name} a sentence"] = counts[..., column] / max(sentences, 1)
    return scores


def _level(columns: Iterable[np.ndarray], counts: np.ndarray, weight: int) -> Level:
    tp, tn, fp, fn, fpn = columns
    baseline = _ratio(counts[..., SOURCE_TN], counts[..., SOURCE_TN] + counts[..., SOURCE_FN])
    weighted = _ratio(2 * (weight * tp + tn), 2 * (weight * (tp + fp) + tn + fn) - (weight + 1) * fpn)
    # The masks prevent division by zero.
    better = np.divide(weighted - baseline, 1 - baseline, out=np.zeros(weighted.shape), where=weighted > baseline)
    worse = np.divide(weighted - baseline, baseline, out=np.zeros(weighted.shape), where=weighted < baseline)
    return Level(
        precision=_ratio(tp, tp + fp),
        recall=_ratio(tp, tp + fn),
        accuracy=_ratio(tp + tn, tp + tn + fp + fn - fpn),
        weighted=weighted,
        baseline=baseline,
        improvement=np.where(weighted == baseline, np.floor(weighted), better + worse),
    )


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """0 / 0 is 1."""
    return np.divide(part, whole, out=np.ones(np.shape(whole)), where=whole != 0)
