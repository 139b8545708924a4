"""What the versions of a sentence share, and what they say where they differ.

Changes of any versions that overlap or touch, or that only white space separates, make up one stretch, so that phrases
stay together. Where versions only insert something, a stretch has the words on either side.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from judgments.rules.texts.diff import Change, Piece
from judgments.rules.texts.words import words_of

Wording = Sequence[Piece]


class Stretch(NamedTuple):
    """A stretch of the source, and how each version reads there.

    `readings` is empty where all versions keep the source; a reading is empty where one version keeps it.
    """

    old: str
    readings: tuple[tuple[Piece, ...], ...] = ()

    @property
    def source(self) -> Piece:
        return Piece(self.old, self.old)


def collate(source: str, wordings: Sequence[Wording]) -> list[Stretch]:
    """Split a source into stretches that all versions keep and stretches that some version changes."""
    stretches = []
    at = 0
    changed = _joined(source, sorted(bound for wording in wordings for bound in _changed(wording)))
    for start, end in _joined(source, [_with_neighbours(source, *bound) for bound in changed]):
        stretches.append(Stretch(source[at:start]))
        stretches.append(Stretch(source[start:end], tuple(_reading(wording, start, end) for wording in wordings)))
        at = end
    stretches.append(Stretch(source[at:]))
    return [stretch for stretch in stretches if stretch.old or stretch.readings]


def _changed(wording: Wording) -> Iterator[tuple[int, int]]:
    """The bounds in the source of a version's changes."""
    at = 0
    for piece in wording:
        start, at = at, at + len(piece.old)
        if piece.change != Change.SAME:
            yield start, at


def _with_neighbours(source: str, start: int, end: int) -> tuple[int, int]:
    """Bounds with the words on either side, if there is none between them."""
    if source[start:end].strip():
        return start, end
    words = list(words_of(source))
    before, after = [first for first, last in words if last <= start], [last for first, last in words if first >= end]
    return (before or [start])[-1], (after or [end])[0]


def _joined(source: str, bounds: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join bounds, in order, that overlap or touch or are separated only by white space."""
    joined: list[tuple[int, int]] = []
    for start, end in bounds:
        if joined and not source[joined[-1][1] : start].strip():
            start, end = joined[-1][0], max(end, joined.pop()[1])
        joined.append((start, end))
    return joined


def _reading(wording: Wording, start: int, end: int) -> tuple[Piece, ...]:
    pieces = tuple(_within(wording, start, end))
    return pieces if any(piece.change != Change.SAME for piece in pieces) else ()


def _within(wording: Wording, start: int, end: int) -> Iterator[Piece]:
    at = 0
    for piece in wording:
        first, at = at, at + len(piece.old)
        if piece.change != Change.SAME:
            if start <= first and at <= end:
                yield piece
        elif max(first, start) < min(at, end):
            kept = piece.old[max(start - first, 0) : end - first]
            yield Piece(kept, kept)
