"""Corrections: what each judge made of each sentence, beside what systems made of it.

Who is set against whom needs sentences that all of them judged. Compared are the judges who judged at least a share of
the sentences that anybody judged, on the sentences that all of these judged.

Toy: of three sentences Ada judged all, Ben the first two and Eve the last. By a share of 0.5 Ada and Ben are compared,
on the first two.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ranking.metrics.material import Edits, Material, rebuilt
from ranking.stats.ballots import StatisticsError


@dataclass(frozen=True)
class Corrections:
    """Sentences, and for each judge and sentence edits, or None where the judge did not judge it.

    `document_of` has the number of each sentence's document; systems have a line a sentence.
    """

    source: tuple[str, ...]
    document_of: tuple[int, ...]
    judges: tuple[str, ...]
    edits: tuple[tuple[Edits | None, ...], ...]
    systems: tuple[str, ...] = ()
    outputs: tuple[tuple[str, ...], ...] = ()

    def __len__(self) -> int:
        return len(self.source)

    @cached_property
    def judged(self) -> np.ndarray:
        """Which judge judged which sentence."""
        rows = [[edits is not None for edits in row] for row in self.edits]
        return np.array(rows, dtype=bool).reshape(len(self.judges), len(self.source))

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return len(set(self.document_of))

    def text(self, judge: int, sentence: int) -> str:
        """What a judge made of a sentence; the sentence itself where the judge did not judge it."""
        return rebuilt(self.source[sentence], self.edits[judge][sentence] or ())

    def texts(self) -> list[list[str]]:
        """What every judge made of every sentence, as if it were the output of a system."""
        return [[self.text(judge, place) for place in range(len(self))] for judge in range(len(self.judges))]

    def only(self, judges: Sequence[int], sentences: Sequence[int]) -> "Corrections":
        """Some judges on some sentences."""
        return Corrections(
            tuple(self.source[place] for place in sentences),
            tuple(self.document_of[place] for place in sentences),
            tuple(self.judges[judge] for judge in judges),
            tuple(tuple(self.edits[judge][place] for place in sentences) for judge in judges),
            self.systems,
            tuple(tuple(lines[place] for place in sentences) for lines in self.outputs),
        )

    def of_kind(self, kind: str) -> "Corrections":
        """With the edits of one category alone, on the sentences on which anybody has one; systems have no category."""
        kept = [
            [None if edits is None else tuple(edit for edit in edits if edit.kind == kind) for edits in row]
            for row in self.edits
        ]
        there = [place for place, told in enumerate(zip(*kept, strict=True)) if any(told)]
        edits = tuple(tuple(row[place] for place in there) for row in kept)
        chosen = self.only(range(len(self.judges)), there)
        return Corrections(chosen.source, chosen.document_of, self.judges, edits)

    def as_material(self) -> Material:
        """Judges as references."""
        return Material.of_edits(self.source, self.edits)

    def compared(self, least_share: float) -> "Corrections":
        """The judges who judged enough, on the sentences that all of them judged."""
        counts = self.judged.sum(axis=1)
        enough = np.flatnonzero((counts >= least_share * self.judged.any(axis=0).sum()) & (counts > 0))
        if len(enough) < 2:
            raise StatisticsError(
                f"Fewer than two judges judged {least_share:.0%} of the sentences that were judged, so nobody can be"
                " compared. Choose a smaller share, or have more sentences judged by the same people."
            )
        common = np.flatnonzero(self.judged[enough].all(axis=0))
        if not len(common):
            raise StatisticsError(
                f"The {len(enough)} judges who judged {least_share:.0%} of the sentences share none. Choose a larger"
                " share, or have the same sentences judged by the same people."
            )
        return self.only(enough.tolist(), common.tolist())
