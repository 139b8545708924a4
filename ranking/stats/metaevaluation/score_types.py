"""Scores of metrics for comparison with people."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np


class Level(StrEnum):
    """What is scored."""

    SYSTEM = "system"
    SENTENCE = "sentence"


@dataclass(frozen=True)
class MetricScores:
    """One metric's scores: one for each system, or a row a sentence and a column a system."""

    metric: str
    level: Level
    scores: np.ndarray
