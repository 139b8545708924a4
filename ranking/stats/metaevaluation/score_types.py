"""Scores of metrics, as they are compared with people."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np


class Level(StrEnum):
    """Of what the scores are."""

    SYSTEM = "system"
    SENTENCE = "sentence"


@dataclass(frozen=True)
class MetricScores:
    """One metric's scores: one a system, or a row a sentence and a column a system, in the order of the systems."""

    metric: str
    level: Level
    scores: np.ndarray


@dataclass(frozen=True)
class PrecisionRecall:
    """Precision and recall of every system, as the M2 scorer prints them."""

    precision: np.ndarray
    recall: np.ndarray
