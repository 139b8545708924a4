"""Judges and systems scored against judges by M2, with counts computed once.

Rows are first the judges, as if they were systems, then the systems. Counts against a subset of judges are summed by
unit of resampling (a sentence or a document); the reference of each sentence is the one that M2 chooses for the
original corpus. Replicates draw units and keep these choices, so that each is a weighted sum.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ranking.metrics.base import no_progress
from ranking.metrics.candidates import Candidates
from ranking.metrics.maxmatch import MaxMatch
from ranking.numbers.tables import StatisticsError
from ranking.stats.corrections.corrections import Corrections

SUBSETS_AT_ONCE = 32
SCORES = F, PRECISION, RECALL = range(3)


class DrawnBy(StrEnum):
    SENTENCE = "sentence"
    DOCUMENT = "document"


@dataclass(frozen=True)
class Rows:
    """Counts of every row of corrections against each judge."""

    corrections: Corrections
    metric: MaxMatch
    counts: np.ndarray
    chosen: np.ndarray

    @classmethod
    def of(cls, corrections: Corrections, beta: float) -> "Rows":
        """Count edits; for a sentence that a judge did not judge, the judge's text is the source."""
        metric = MaxMatch(beta=beta)
        candidates = Candidates.of([*corrections.texts(), *corrections.outputs])
        counts = metric.count(corrections.as_material(), candidates, no_progress)
        return cls(corrections, metric, counts, candidates.chosen)

    @property
    def judges(self) -> int:
        return len(self.corrections.judges)

    def sums(self, subset: Sequence[int], row: int, sentences: np.ndarray) -> np.ndarray:
        """Count correct, proposed and gold edits of one row against some judges on some sentences."""
        chosen = np.ascontiguousarray(self.chosen[row : row + 1, sentences])
        one_part = np.zeros(len(sentences), dtype=np.int64)
        return self.metric.totals_of_parts(self.counts, chosen, [subset], one_part, 1)[0, 0, 0]

    def sums_of_subsets(self, subsets: Sequence[Sequence[int]], units: "Units") -> Iterator[tuple[slice, np.ndarray]]:
        """Yield sums by subset, row and unit, for blocks of subsets."""
        for first in range(0, len(subsets), SUBSETS_AT_ONCE):
            block = slice(first, min(first + SUBSETS_AT_ONCE, len(subsets)))
            sums = self.metric.totals_of_parts(self.counts, self.chosen, subsets[block], units.unit_of, units.many)
            yield block, sums

    def scores(self, sums: np.ndarray) -> np.ndarray:
        """Compute F, precision and recall from counts, along the first axis."""
        found = self.metric.scores_of(sums)
        return np.stack([found[name] for name in self.metric.main_scores])


@dataclass(frozen=True)
class Units:
    """The unit of resampling of each sentence, and how often each unit occurs in each replicate."""

    unit_of: np.ndarray
    weights: np.ndarray

    @classmethod
    def drawn(cls, corrections: Corrections, by: DrawnBy, replicates: int, seed: int) -> "Units":
        unit_of, many = _units(corrections, by)
        rng = np.random.default_rng(seed)
        weights = rng.multinomial(many, np.full(many, 1 / many), size=replicates)
        return cls(unit_of, weights.astype(np.float32))

    @classmethod
    def parts_of(cls, corrections: Corrections, documents: int, replicates: int, seed: int) -> "Units":
        """Draw some of the documents, without replacement."""
        unit_of, many = _units(corrections, DrawnBy.DOCUMENT)
        if documents > many:
            raise StatisticsError(
                f"There are {many} documents with sentences that all compared judges judged, fewer than {documents}."
            )
        rng = np.random.default_rng(seed)
        places = rng.permuted(np.tile(np.arange(many), (replicates, 1)), axis=1)
        return cls(unit_of, (places < documents).astype(np.float32))

    @property
    def many(self) -> int:
        return self.weights.shape[1]

    def only(self, sentences: Sequence[int]) -> "Units":
        """Restrict the draws to some of the sentences, and drop units without any of them."""
        left, unit_of = np.unique(self.unit_of[list(sentences)], return_inverse=True)
        return Units(unit_of, np.ascontiguousarray(self.weights[:, left]))

    def first(self, replicates: int) -> "Units":
        return Units(self.unit_of, self.weights[:replicates])

    def replicated(self, sums: np.ndarray) -> np.ndarray:
        """Sum over the units of each replicate: the axis of units becomes one of replicates."""
        subsets, rows, units, columns = sums.shape
        # One large product is many times faster than a small one for each row. Integers up to 2^24 are exact in single
        # precision, and no corpus has as many edits.
        by_unit = np.ascontiguousarray(np.moveaxis(sums, 2, -1), dtype=np.float32).reshape(-1, units)
        drawn = (by_unit @ self.weights.T).reshape(subsets, rows, columns, -1)
        return np.moveaxis(drawn, -1, 2)


def _units(corrections: Corrections, by: DrawnBy) -> tuple[np.ndarray, int]:
    if by == DrawnBy.SENTENCE:
        return np.arange(len(corrections)), len(corrections)
    documents, unit_of = np.unique(np.array(corrections.document_of), return_inverse=True)
    return unit_of, len(documents)
