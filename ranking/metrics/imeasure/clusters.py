"""Where edits of all references overlap, and what each reference makes of that place.

Edits overlap if they have a word in common, if both insert in one place, or if one inserts between words of the other.

Toy: of `a b c d` one reference makes `a x c d`, another `a y d`, a third `a b c d e`. There are two clusters: `b c`
with the alternatives `x c`, `y` and `b c`, and the end with nothing and with `e`; all mixtures of them are 3 x 2.
"""

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

from ranking.metrics.material import Edit, Edits, Material, rebuilt

Words = tuple[str, ...]


class Cluster(NamedTuple):
    """Words start to end of a source, the different ways in which references have them, and which way each has."""

    start: int
    end: int
    alternatives: tuple[Words, ...]
    of_references: tuple[int, ...]


def clusters(words: Sequence[str], references: Iterable[Edits]) -> tuple[Cluster, ...]:
    """All clusters of a sentence, from left to right, with their alternatives in the order of references."""
    kept = list(references)
    spans = _spans(edit for edits in kept for edit in edits)
    return tuple(_cluster(start, end, [_made(words, start, end, edits) for edits in kept]) for start, end in spans)


def clusters_of(material: Material, sentence: int) -> tuple[Cluster, ...] | None:
    """Those of a sentence of a material; None where no reference has the sentence."""
    present = [edits for reference in material.edits if (edits := reference[sentence]) is not None]
    return clusters(material.source[sentence].split(), present) if present else None


def mixtures(found: Iterable[Cluster]) -> int:
    """In how many ways alternatives can be chosen."""
    return prod(len(cluster.alternatives) for cluster in found)


def _cluster(start: int, end: int, made: Sequence[Words]) -> Cluster:
    alternatives = tuple(dict.fromkeys(made))
    return Cluster(start, end, alternatives, tuple(map(alternatives.index, made)))


def _spans(edits: Iterable[Edit]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for start, end in sorted({(edit.start, edit.end) for edit in edits}):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return spans


def _made(words: Sequence[str], start: int, end: int, edits: Edits) -> Words:
    """The words of a cluster with the edits that belong to it; an insertion at its edge does not."""
    here = [
        Edit(edit.start - start, edit.end - start, edit.corrections)
        for edit in edits
        if (edit.start, edit.end) == (start, end)
        or (start <= edit.start and edit.end <= end and (edit.start < edit.end or start < edit.start < end))
    ]
    return tuple(rebuilt(" ".join(words[start:end]), here).split())
