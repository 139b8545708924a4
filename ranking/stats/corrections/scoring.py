"""Corrections: the text of each judge for each sentence, with the outputs of systems; and M2 scores by judges.

A comparison of judges needs sentences that all of them corrected. It covers the judges who saw at least a given share
of all sentences seen, on the sentences that all of these judges corrected; skipping a sentence counts as seeing it.

Toy: of three sentences Ada judged all, Ben the first two and Eve the last. With a share of 0.5 Ada and Ben are compared
on the first two; if Ben skipped the first, on the second only.

Rows are first the judges, as if they were systems, then the systems. Counts against a subset of judges are summed by
unit of resampling (a sentence or a document); the reference of each sentence is the one that M2 chooses for the
original corpus. Replicates draw units and keep these choices, so that each is a weighted sum.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from ranking.metrics.base import no_progress
from ranking.metrics.material import Candidates, Edits, Material, apply_edits
from ranking.metrics.maxmatch import MaxMatch
from ranking.numbers.tables import StatisticsError

SCORES = F, PRECISION, RECALL = range(3)


@dataclass(frozen=True)
class Corrections:
    """Sentences, and for each judge and sentence the edits, or None if the judge did not judge it.

    `document_of` has the document of each sentence; `outputs` has a line per sentence for each system; `skipped`
    lists judge and sentence of every skip.
    """

    source: tuple[str, ...]
    document_of: tuple[int, ...]
    judges: tuple[str, ...]
    edits: tuple[tuple[Edits | None, ...], ...]
    systems: tuple[str, ...] = ()
    outputs: tuple[tuple[str, ...], ...] = ()
    skipped: tuple[tuple[int, int], ...] = ()

    def __len__(self) -> int:
        return len(self.source)

    @cached_property
    def is_judged(self) -> np.ndarray:
        rows = [[edits is not None for edits in row] for row in self.edits]
        return np.array(rows, dtype=bool).reshape(len(self.judges), len(self.source))

    def texts(self) -> list[list[str]]:
        """Every sentence as corrected by every judge, like the outputs of systems; the source if it was not judged."""
        return [[apply_edits(text, edits or ()) for text, edits in zip(self.source, row, strict=True)]
                for row in self.edits]  # fmt: skip

    def only(self, judges: Sequence[int], sentences: Sequence[int]) -> "Corrections":
        skipped = set(self.skipped)
        return Corrections(
            tuple(self.source[place] for place in sentences),
            tuple(self.document_of[place] for place in sentences),
            tuple(self.judges[judge] for judge in judges),
            tuple(tuple(self.edits[judge][place] for place in sentences) for judge in judges),
            self.systems,
            tuple(tuple(lines[place] for place in sentences) for lines in self.outputs),
            tuple((number, line) for number, judge in enumerate(judges) for line, place in enumerate(sentences)
                  if (judge, place) in skipped),
        )  # fmt: skip

    def comparable(self, least_share: float) -> "Corrections":
        """Return the judges who saw enough, on the sentences that all of them corrected."""
        seen = self.is_judged.copy()
        for judge, sentence in self.skipped:
            seen[judge, sentence] = True
        enough = np.flatnonzero((seen.sum(axis=1) >= least_share * seen.any(axis=0).sum()) & self.is_judged.any(axis=1))
        share = "all" if least_share == 1 else f"at least {100 * least_share:.3g}%"
        if len(enough) < 2:
            raise StatisticsError(
                f"{'Only one judge' if len(enough) else 'No judge'} saw {share} of the judged sentences and corrected"
                " some of them, but a comparison needs two. Choose a smaller share, or have more people judge the same"
                " sentences."
            )
        common = np.flatnonzero(self.is_judged[enough].all(axis=0))
        if not len(common):
            begun = "To compare them," if least_share == 1 else "Choose a larger share, or"
            raise StatisticsError(
                f"No sentence was corrected by all {len(enough)} judges who saw {share} of the judged sentences: at"
                f" least one of them skipped or did not see it. {begun} have the same people correct more sentences."
            )
        return self.only(enough.tolist(), common.tolist())


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
        metric, material = MaxMatch(beta=beta), Material.of_edits(corrections.source, corrections.edits)
        candidates = Candidates.of([*corrections.texts(), *corrections.outputs])
        return cls(corrections, metric, metric.count(material, candidates, no_progress), candidates.chosen)

    @property
    def judges(self) -> int:
        return len(self.corrections.judges)

    def scores(self, sums: np.ndarray) -> np.ndarray:
        """Compute F, precision and recall from counts, along the first axis."""
        found = self.metric.scores_of(sums)
        return np.stack([found[name] for name in self.metric.main_scores])


class DrawnBy(StrEnum):
    SENTENCE = "sentence"
    DOCUMENT = "document"


@dataclass(frozen=True)
class Units:
    """The unit of resampling of each sentence, and how often each unit occurs in each replicate."""

    unit_of: np.ndarray
    weights: np.ndarray

    @classmethod
    def draw(cls, corrections: Corrections, by: DrawnBy, replicates: int, seed: int) -> "Units":
        owners = np.arange(len(corrections)) if by is DrawnBy.SENTENCE else np.array(corrections.document_of)
        present, unit_of = np.unique(owners, return_inverse=True)
        shares = np.full(len(present), 1 / len(present))
        weights = np.random.default_rng(seed).multinomial(len(present), shares, size=replicates)
        return cls(unit_of, weights.astype(np.float32))

    @classmethod
    def parts_of(cls, corrections: Corrections, documents: int, replicates: int, seed: int) -> "Units":
        """Draw some of the documents, without replacement."""
        present, unit_of = np.unique(np.array(corrections.document_of), return_inverse=True)
        if documents > len(present):
            raise StatisticsError(
                f"There are {len(present)} documents with sentences that all compared judges judged, fewer than "
                f"{documents}."
            )
        places = np.random.default_rng(seed).permuted(np.tile(np.arange(len(present)), (replicates, 1)), axis=1)
        return cls(unit_of, (places < documents).astype(np.float32))

    def only(self, sentences: Sequence[int], replicates: int) -> "Units":
        """Restrict the first draws to some of the sentences, and drop units without any of them."""
        left, unit_of = np.unique(self.unit_of[list(sentences)], return_inverse=True)
        return Units(unit_of, np.ascontiguousarray(self.weights[:replicates, left]))

    def sum_by_replicate(self, sums: np.ndarray) -> np.ndarray:
        """Sum over the units of each replicate: the axis of units becomes one of replicates."""
        subsets, rows, units, columns = sums.shape
        # One large product is many times faster than a small one for each row. Integers up to 2^24 are exact in single
        # precision, and no corpus has as many edits.
        by_unit = np.ascontiguousarray(np.moveaxis(sums, 2, -1), dtype=np.float32).reshape(-1, units)
        return np.moveaxis((by_unit @ self.weights.T).reshape(subsets, rows, columns, -1), -1, 2)
