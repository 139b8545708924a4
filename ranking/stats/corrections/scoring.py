"""Judges and systems held against judges by M2, its counts made once for whatever is asked of them.

A row is what is scored: first the judges as if they were systems, then the systems. Counts of a subset of judges are
summed by unit of resampling (a sentence or a document), and the reference of each sentence is the one that M2 chooses
for the corpus as it is. A replicate draws units again and keeps these choices, so that it is a sum of what is there.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ranking.metrics.base import Progress, no_progress
from ranking.metrics.candidates import Candidates
from ranking.metrics.maxmatch.metric import MaxMatch
from ranking.numbers.tables import StatisticsError
from ranking.stats.corrections.corrections import Corrections

SUBSETS_AT_ONCE = 32
SCORES = F, PRECISION, RECALL = range(3)


class DrawnBy(StrEnum):
    """What is drawn again for an interval."""

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
    def of(cls, corrections: Corrections, beta: float, progress: Progress = no_progress) -> "Rows":
        """Count once; whoever judged nothing of a sentence stands there with the source."""
        metric = MaxMatch(beta=beta)
        candidates = Candidates.of([*corrections.texts(), *corrections.outputs])
        counts = metric.count(corrections.as_material(), candidates, progress)
        return cls(corrections, metric, counts, candidates.chosen)

    @property
    def judges(self) -> int:
        """How many of the rows are judges."""
        return len(self.corrections.judges)

    def sums(self, subset: Sequence[int], row: int, sentences: np.ndarray) -> np.ndarray:
        """Correct, proposed and gold edits of one row against some judges on some sentences."""
        chosen = np.ascontiguousarray(self.chosen[row : row + 1, sentences])
        whole = np.zeros(len(sentences), dtype=np.int64)
        return self.metric.totals_of_parts(self.counts, chosen, [subset], whole, 1)[0, 0, 0]

    def sums_of_subsets(self, subsets: Sequence[Sequence[int]], units: "Units") -> Iterator[tuple[slice, np.ndarray]]:
        """Sums by subset, row and unit, some subsets at once."""
        for first in range(0, len(subsets), SUBSETS_AT_ONCE):
            some = slice(first, min(first + SUBSETS_AT_ONCE, len(subsets)))
            yield (
                some,
                self.metric.totals_of_parts(self.counts, self.chosen, subsets[some], units.unit_of, units.many),
            )

    def scores(self, sums: np.ndarray) -> np.ndarray:
        """F, precision and recall of counts, as the first axis."""
        found = self.metric.scores_of(sums)
        return np.stack([found[name] for name in self.metric.kept])


@dataclass(frozen=True)
class Units:
    """What is drawn again: the unit of each sentence, and how often each replicate has each unit."""

    unit_of: np.ndarray
    weights: np.ndarray

    @classmethod
    def drawn(cls, corrections: Corrections, by: DrawnBy, replicates: int, seed: int) -> "Units":
        """As many units as there are, with replacement."""
        unit_of, many = _units(corrections, by)
        rng = np.random.default_rng(seed)
        weights = rng.multinomial(many, np.full(many, 1 / many), size=replicates)
        return cls(unit_of, weights.astype(np.float32))

    @classmethod
    def parts_of(cls, corrections: Corrections, documents: int, replicates: int, seed: int) -> "Units":
        """So many documents, without replacement."""
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
        """How many units there are."""
        return self.weights.shape[1]

    def only(self, sentences: Sequence[int]) -> "Units":
        """The same draws for some of the sentences, without the units that have none of them."""
        left, unit_of = np.unique(self.unit_of[list(sentences)], return_inverse=True)
        return Units(unit_of, np.ascontiguousarray(self.weights[:, left]))

    def first(self, replicates: int) -> "Units":
        """Only the first so many replicates."""
        return Units(self.unit_of, self.weights[:replicates])

    def replicated(self, sums: np.ndarray) -> np.ndarray:
        """Sums over the units of each replicate: the axis of units becomes one of replicates.

        Whole numbers up to 2^24 are exact in single precision, and no corpus has as many edits.
        """
        subsets, rows, units, columns = sums.shape
        # As one large product, which is many times faster than a small one a row.
        by_unit = np.ascontiguousarray(np.moveaxis(sums, 2, -1), dtype=np.float32).reshape(-1, units)
        drawn = (by_unit @ self.weights.T).reshape(subsets, rows, columns, -1)
        return np.moveaxis(drawn, -1, 2)


def _units(corrections: Corrections, by: DrawnBy) -> tuple[np.ndarray, int]:
    if by == DrawnBy.SENTENCE:
        return np.arange(len(corrections)), len(corrections)
    documents, unit_of = np.unique(np.array(corrections.document_of), return_inverse=True)
    return unit_of, len(documents)
