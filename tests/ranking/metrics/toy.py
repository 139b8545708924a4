"""A metric small enough to see through: the share of words that the first reference has at the same place."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from judgments.rules.progress import Progress, no_progress
from ranking.metrics.base import Metric, Scores
from ranking.metrics.material import Candidates, Material, MetricError
from ranking.numbers.tables import Table


@dataclass(frozen=True)
class Toy(Metric):
    """Right words of all words, times a weight."""

    weight: float = 1.0
    strict: bool = False
    by_reference = False
    name = "Toy"

    def __post_init__(self) -> None:
        if self.weight <= 0:
            raise MetricError(f"Toy: weight must be above 0, not {self.weight}.")

    @property
    def main_scores(self) -> tuple[str, ...]:
        return ("Toy", "Toy words")

    def signature(self, material: Material) -> str:
        return f"toy|weight:{self.weight}|edits:{material.edits_from}"

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        rows = []
        for text, sentence in zip(candidates.texts, candidates.sentence, strict=True):
            words, right = text.split(), (material.texts[0][sentence] or "").split()
            rows.append((sum(map(str.__eq__, words, right)), max(len(words), 1)))
            progress(len(rows), len(candidates))
        return np.array(rows)

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        right, words = counts[chosen].sum(axis=1).T
        return {"Toy": self.weight * right / words, "Toy words": words.astype(float)}

    def of_candidates(self, counts: np.ndarray) -> Scores:
        right, words = counts.T
        return {"Toy": self.weight * right / words, "Toy words": words.astype(float)}

    def tables(self, counts: np.ndarray, chosen: np.ndarray, names: Sequence[str]) -> list[Table]:
        return [Table.of("error_types", ("metric", "system", "type"), [("Toy", name, "any") for name in names])]
