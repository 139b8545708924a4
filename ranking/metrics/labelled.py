"""A metric with its own settings under its own names, so that its scores stand beside the usual ones.

Toy: with the label `unchanged=3` the score `M2 F0.5` becomes `M2 (unchanged=3) F0.5`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ranking.metrics.base import Metric, Progress, Scores, no_progress
from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material
from ranking.numbers.tables import Cell, Table

METRIC = "metric"


@dataclass(frozen=True)
class Labelled(Metric):
    """The metric, with the label after the first word of every name."""

    metric: Metric
    label: str

    def __post_init__(self) -> None:
        for name in ("name", "by_reference", "reads_edits"):
            object.__setattr__(self, name, getattr(self.metric, name))

    @property
    def kept(self) -> tuple[str, ...]:
        return tuple(map(self.named, self.metric.kept))

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(map(self.named, self.metric.features))

    def signature(self, material: Material) -> str:
        return self.metric.signature(material)

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        return self.metric.count(material, candidates, progress)

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        return self._all_named(self.metric.of_systems(counts, chosen))

    def of_candidates(self, counts: np.ndarray) -> Scores:
        return self._all_named(self.metric.of_candidates(counts))

    def of_subsets(self, counts: np.ndarray, chosen: np.ndarray, subsets: Sequence[Sequence[int]]) -> Scores:
        return self._all_named(self.metric.of_subsets(counts, chosen, subsets))

    def for_intervals(self) -> Metric:
        return Labelled(self.metric.for_intervals(), self.label)

    def tables(self, counts: np.ndarray, chosen: np.ndarray, names: Sequence[str]) -> list[Table]:
        """The metric's tables, with the label in the column of metrics."""
        return [
            Table(table.name, table.columns, tuple(self._row(row, table.columns.index(METRIC)) for row in table.rows))
            for table in self.metric.tables(counts, chosen, names)
        ]

    def named(self, name: str) -> str:
        first, *rest = name.split(" ", 1)
        return " ".join([first, f"({self.label})", *rest])

    def _all_named(self, scores: Scores) -> Scores:
        return {self.named(name): values for name, values in scores.items()}

    def _row(self, row: tuple[Cell, ...], place: int) -> tuple[Cell, ...]:
        return (*row[:place], self.named(str(row[place])), *row[place + 1 :])
