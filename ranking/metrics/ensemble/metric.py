"""The trained ensemble as a metric: what its parts count, and what the model makes of their scores."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from judgments.rules.progress import Progress, no_progress
from ranking.metrics.base import Metric, Scores
from ranking.metrics.candidates import Candidates
from ranking.metrics.ensemble.model import Model
from ranking.metrics.material import Material


@dataclass(frozen=True)
class Ensemble(Metric):
    """A model, and its parts by the names they are asked for; counts are a list with those of each part."""

    model: Model
    parts: Mapping[str, Metric]

    name = "ensemble"
    by_reference = False

    @property
    def kept(self) -> tuple[str, ...]:
        """The one."""
        return ("Ensemble",)

    def signature(self, material: Material) -> str:
        """The model, and the parts it is made of."""
        parts = " ".join(metric.signature(material) for metric in self.parts.values())
        return f"{self.model.signature}|parts:{parts}"

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> Any:
        """What each part counts."""
        counts = []
        for number, metric in enumerate(self.parts.values(), 1):
            counts.append(metric.count(material, candidates))
            progress(number, len(self.parts))
        return counts

    def of_systems(self, counts: Any, chosen: np.ndarray) -> Scores:
        """What people would say of whole outputs."""
        return self._foretold(
            metric.of_systems(part, chosen) for metric, part in zip(self.parts.values(), counts, strict=True)
        )

    def of_candidates(self, counts: Any) -> Scores:
        """The same of each candidate by itself; the model has learned from whole outputs, so this is rough."""
        return self._foretold(
            metric.of_systems(part, np.arange(len(part))[:, None])
            for metric, part in zip(self.parts.values(), counts, strict=True)
        )

    def _foretold(self, scores: Any) -> Scores:
        return {self.kept[0]: self.model.foretell({name: values for one in scores for name, values in one.items()})}
