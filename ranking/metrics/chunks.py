"""What GoToScorer and CLEME share, which cut sentences into chunks by the edits of candidates and references.

The edits of a candidate are the smallest difference to its source in words, and those of references come with the
material; or all are those that ERRANT finds, as the papers have it.

Toy: the source `a b c` and the edits (0, 0, x) and (1, 3, y z) give two edits, of which the first inserts one word and
the second replaces two words by two.
"""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from ranking.metrics.base import Progress
from ranking.metrics.f_measure import KEPT, TRUE, f_precision_recall
from ranking.metrics.material import Candidates, Edit, Edits, Material, MetricError, Vocabulary, difference, starts_of

# Where edits come from.
WORDS, ERRANT = "words", "errant"


class EditArrays(NamedTuple):
    """Text t has the edits firsts[t] to firsts[t + 1], from left to right; none overlap.

    Edit e replaces the words starts[e] to ends[e] of the source by words[spelled[e]:spelled[e + 1]].
    """

    firsts: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    spelled: np.ndarray
    words: np.ndarray


def check_origin(metric: str, origin: str) -> None:
    if origin not in (WORDS, ERRANT):
        raise MetricError(f"{metric}: edits is {WORDS} or {ERRANT}, not {origin!r}.")


def references_in(material: Material, origin: str) -> int:
    return len(material.edits if origin == WORDS else material.texts)


def edits_signature(material: Material, origin: str) -> str:
    """Name the references and where edits come from."""
    if origin == WORDS:
        read_from = material.edits_from
    else:
        from ranking.metrics.errant_parser import versions

        read_from = f"{origin}|{versions()}"
    return f"references:{references_in(material, origin)}|edits:{read_from}"


def edit_arrays(
    metric: str, material: Material, candidates: Candidates, origin: str, progress: Progress
) -> tuple[np.ndarray, np.ndarray, EditArrays, EditArrays, np.ndarray]:
    """Return what kernels read: the words of sources and where each begins, the edits of candidates and of references,
    and where a reference has no text for a sentence; cell s * references + r is reference r of sentence s.
    """
    if not references_in(material, origin):
        raise MetricError(f"{metric} compares edits with those of references, and there is no reference. Add one.")
    of_candidates: Sequence[Sequence[PlainEdit]]
    of_references: Sequence[Sequence[Sequence[PlainEdit] | None]]
    if origin == WORDS:
        source = [text.split() for text in material.source]
        pairs = zip(candidates.texts, candidates.sentence.tolist(), strict=True)
        of_candidates = [tuple(difference(source[place], text.split())) for text, place in pairs]
        of_references = [
            [
                edits and _changes(words, material.changing_edits(edits))
                for words, edits in zip(source, row, strict=True)
            ]
            for row in material.edits
        ]
    else:
        from ranking.metrics.errant_edits import edits_of_texts

        of_candidates, of_references = edits_of_texts(material, candidates, progress)
    vocabulary = Vocabulary()
    cells = list(chain.from_iterable(zip(*of_references, strict=True)))
    words = vocabulary.words(material.source)
    return (
        words.numbers,
        words.starts,
        _encode(of_candidates, vocabulary),
        _encode([edits or () for edits in cells], vocabulary),
        np.array([edits is None for edits in cells], dtype=np.bool_),
    )


# Start, end, corrections, as in Edit.
PlainEdit = tuple[int, int, tuple[str, ...]] | Edit


def _changes(source: Sequence[str], edits: Edits) -> list[Edit]:
    """Order the edits that change words, after joining those that overlap, as those of one annotator may."""
    joined: list[Edit] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if joined and edit.start < joined[-1].end:
            last = joined.pop()
            both = f"{last.corrections[0]} {edit.corrections[0]}"
            edit = Edit(last.start, max(last.end, edit.end), (both,))
        joined.append(edit)
    return [edit for edit in joined if source[edit.start : edit.end] != edit.corrections[0].split()]


def _encode(rows: Sequence[Sequence[PlainEdit]], vocabulary: Vocabulary) -> EditArrays:
    edits = list(chain.from_iterable(rows))
    words = vocabulary.words(edit[2][0] for edit in edits)
    starts, ends = (np.fromiter((edit[side] for edit in edits), np.int64, len(edits)) for side in (0, 1))
    return EditArrays(starts_of(rows), starts, ends, words.starts, words.numbers)


def f_precision_recall_accuracy(sums: np.ndarray, beta: float) -> tuple[np.ndarray, ...]:
    """Compute the scores from sums of the columns TRUE, FALSE, MISSED and KEPT; 0 / 0 is 1."""
    whole, right = sums.sum(axis=-1), (sums[..., TRUE] + sums[..., KEPT]).astype(float)
    accuracy = np.divide(right, whole, out=np.ones_like(right), where=whole > 0)
    return *f_precision_recall(sums, beta), accuracy
