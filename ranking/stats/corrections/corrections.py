"""Corrections: the text of each judge for each sentence, with the outputs of systems.

A comparison of judges needs sentences that all of them corrected. It covers the judges who saw at least a given share
of all sentences seen, on the sentences that all of these judges corrected; skipping a sentence counts as seeing it.

Toy: of three sentences Ada judged all, Ben the first two and Eve the last. With a share of 0.5 Ada and Ben are compared
on the first two; if Ben skipped the first, on the second only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ranking.metrics.material import Edits, Material, apply_edits
from ranking.numbers.tables import StatisticsError


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
    def judged(self) -> np.ndarray:
        rows = [[edits is not None for edits in row] for row in self.edits]
        return np.array(rows, dtype=bool).reshape(len(self.judges), len(self.source))

    @cached_property
    def seen(self) -> np.ndarray:
        seen = self.judged.copy()
        for judge, sentence in self.skipped:
            seen[judge, sentence] = True
        return seen

    @property
    def documents(self) -> int:
        return len(set(self.document_of))

    def text(self, judge: int, sentence: int) -> str:
        """Return a sentence as corrected by a judge; the source if the judge did not judge it."""
        return apply_edits(self.source[sentence], self.edits[judge][sentence] or ())

    def texts(self) -> list[list[str]]:
        """Return every sentence as corrected by every judge, like the outputs of systems."""
        return [[self.text(judge, place) for place in range(len(self))] for judge in range(len(self.judges))]

    def only(self, judges: Sequence[int], sentences: Sequence[int]) -> "Corrections":
        skipped = set(self.skipped)
        return Corrections(
            tuple(self.source[place] for place in sentences),
            tuple(self.document_of[place] for place in sentences),
            tuple(self.judges[judge] for judge in judges),
            tuple(tuple(self.edits[judge][place] for place in sentences) for judge in judges),
            self.systems,
            tuple(tuple(lines[place] for place in sentences) for lines in self.outputs),
            tuple(
                (number, line)
                for number, judge in enumerate(judges)
                for line, place in enumerate(sentences)
                if (judge, place) in skipped
            ),
        )

    def of_kind(self, kind: str) -> "Corrections":
        """Return the edits of one category, on sentences with such edits; without systems, which have no categories."""
        kept = [
            [None if edits is None else tuple(edit for edit in edits if edit.kind == kind) for edits in row]
            for row in self.edits
        ]
        there = [place for place, edits in enumerate(zip(*kept, strict=True)) if any(edits)]
        edits = tuple(tuple(row[place] for place in there) for row in kept)
        chosen = self.only(range(len(self.judges)), there)
        return Corrections(chosen.source, chosen.document_of, self.judges, edits)

    def as_material(self) -> Material:
        return Material.of_edits(self.source, self.edits)

    def compared(self, least_share: float) -> "Corrections":
        """Return the judges who saw enough, on the sentences that all of them corrected."""
        counts = self.seen.sum(axis=1)
        enough = np.flatnonzero((counts >= least_share * self.seen.any(axis=0).sum()) & self.judged.any(axis=1))
        share = "all" if least_share == 1 else f"at least {100 * least_share:.3g} %"
        if len(enough) < 2:
            raise StatisticsError(
                f"{'Only one judge' if len(enough) else 'No judge'} saw {share} of the judged sentences and corrected"
                " some of them, but a comparison needs two. Choose a smaller share, or have more people judge the same"
                " sentences."
            )
        common = np.flatnonzero(self.judged[enough].all(axis=0))
        if not len(common):
            begun = "To compare them," if least_share == 1 else "Choose a larger share, or"
            raise StatisticsError(
                f"No sentence was corrected by all {len(enough)} judges who saw {share} of the judged sentences: at"
                f" least one of them skipped or did not see it. {begun} have the same people correct more sentences."
            )
        return self.only(enough.tolist(), common.tolist())
