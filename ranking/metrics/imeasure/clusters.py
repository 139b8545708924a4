"""Clusters of overlapping edits of all references, with the alternatives of each.

Edits overlap if they share a word, if both insert at one place, or if one inserts between words of the other.

Toy: references correct `a b c d` to `a x c d`, `a y d` and `a b c d e`. There are two clusters: `b c` with the
alternatives `x c`, `y` and `b c`, and the end with nothing and `e`; there are 3 x 2 mixtures.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ranking.metrics.material import Edit, Edits, Material, rebuilt

Words = tuple[str, ...]


class Cluster(NamedTuple):
    """Words start to end of a source, their alternatives, and which of them each reference has."""

    start: int
    end: int
    alternatives: tuple[Words, ...]
    of_references: tuple[int, ...]


def clusters(words: Sequence[str], references: Iterable[Edits]) -> tuple[Cluster, ...]:
    """Return all clusters of a sentence, from left to right, with their alternatives in the order of references."""
    kept = list(references)
    found = []
    for start, end in _spans(edit for edits in kept for edit in edits):
        made = [_made(words, start, end, edits) for edits in kept]
        alternatives = tuple(dict.fromkeys(made))
        found.append(Cluster(start, end, alternatives, tuple(map(alternatives.index, made))))
    return tuple(found)


def clusters_of(material: Material, sentence: int) -> tuple[Cluster, ...] | None:
    """Return the clusters of a sentence; None if no reference has the sentence."""
    present = [material.made(edits) for reference in material.edits if (edits := reference[sentence]) is not None]
    return clusters(material.source[sentence].split(), present) if present else None


def _spans(edits: Iterable[Edit]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start, end in sorted({(edit.start, edit.end) for edit in edits}):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _made(words: Sequence[str], start: int, end: int, edits: Edits) -> Words:
    """Return the words of a cluster after its edits, which do not include insertions at its edges."""
    here = [
        Edit(edit.start - start, edit.end - start, edit.corrections)
        for edit in edits
        if (edit.start, edit.end) == (start, end)
        or (start <= edit.start and edit.end <= end and (edit.start < edit.end or start < edit.start < end))
    ]
    return tuple(rebuilt(" ".join(words[start:end]), here).split())
