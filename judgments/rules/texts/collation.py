"""What the versions of a sentence share, and what they say where they differ.

Changes of any versions that overlap or touch, or that only white space separates, make up one stretch, so that phrases
stay together. Where versions only insert something, a stretch has the words on either side.
"""

import re
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
    changed = []
    for wording in wordings:
        at = 0
        for piece in wording:
            start, at = at, at + len(piece.old)
            if piece.change != Change.SAME:
                changed.append((start, at))
    words = list(words_of(source))
    widened = []
    for start, end in _joined(source, sorted(changed)):
        if not source[start:end].strip():
            start = max((first for first, last in words if last <= start), default=start)
            end = min((last for first, last in words if first >= end), default=end)
        widened.append((start, end))
    stretches = []
    at = 0
    for start, end in _joined(source, widened):
        readings = tuple(_reading(wording, start, end) for wording in wordings)
        stretches += [Stretch(source[at:start]), Stretch(source[start:end], readings)]
        at = end
    stretches.append(Stretch(source[at:]))
    return [stretch for stretch in stretches if stretch.old or stretch.readings]


def _joined(source: str, bounds: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join bounds, in order, that overlap or touch or are separated only by white space."""
    joined: list[tuple[int, int]] = []
    for start, end in bounds:
        if joined and not source[joined[-1][1] : start].strip():
            start, end = joined[-1][0], max(end, joined.pop()[1])
        joined.append((start, end))
    return joined


def _reading(wording: Wording, start: int, end: int) -> tuple[Piece, ...]:
    """What a version says in a stretch of the source; nothing if it keeps the source there."""
    pieces = []
    at = 0
    for piece in wording:
        first, at = at, at + len(piece.old)
        if piece.change != Change.SAME:
            if start <= first and at <= end:
                pieces.append(piece)
        elif max(first, start) < min(at, end):
            kept = piece.old[max(start - first, 0) : end - first]
            pieces.append(Piece(kept, kept))
    return tuple(pieces) if any(piece.change != Change.SAME for piece in pieces) else ()


BREAK = re.compile(r"(\n+)")


class Cell(NamedTuple):
    """A version of a paragraph, and where its words begin in the version, in characters from 0."""

    start: int
    pieces: tuple[Piece, ...]

    @property
    def text(self) -> str:
        return "".join(piece.new for piece in self.pieces)


class ParagraphRow(NamedTuple):
    """A paragraph and its versions."""

    source: str
    cells: tuple[Cell, ...]


def align_paragraphs(source: str, wordings: Sequence[Sequence[Piece]]) -> list[ParagraphRow]:
    """The paragraphs of a text beside those of its versions, whose pieces make up both: a row for each of the text.

    What a version says stays in the row of the paragraph that it changes, so that rows stay aligned however much a
    version joins, splits, adds or removes.

    Toy: of `A.` / `B c.` and `A.` / `B, c.` the second row is `B c.` beside `B, c.`, which begins at 3.
    """
    paragraphs = BREAK.split(source)[::2]
    columns = [list(_cells(wording)) for wording in wordings]
    return [ParagraphRow(paragraph, tuple(cells)) for paragraph, *cells in zip(paragraphs, *columns, strict=True)]


def _cells(wording: Sequence[Piece]) -> Iterator[Cell]:
    """A cell for each paragraph of the source."""
    pieces: list[Piece] = []
    layout: list[Piece] = []
    start = at = 0
    for piece, is_end in _split(list(_with_breaks_kept(wording))):
        at += len(piece.new)
        # A break that the version keeps is layout at the end of a paragraph; any other change of it is shown.
        if "\n" in piece.old and "\n" in piece.new and not piece.new.strip():
            layout.append(piece)
        else:
            if piece.new:
                pieces += layout
                layout = []
            pieces.append(piece)
        if is_end:
            yield Cell(start, tuple(pieces))
            pieces, layout, start = [], [], at
    yield Cell(start, tuple(pieces))


def _with_breaks_kept(wording: Sequence[Piece]) -> Iterator[Piece]:
    """Where words at the beginning of a paragraph are deleted and others inserted, the break before them is kept."""
    at = 0
    while at < len(wording):
        pair = wording[at : at + 2]
        if {piece.change for piece in pair} == {Change.DELETED, Change.INSERTED}:
            old, new = "".join(piece.old for piece in pair), "".join(piece.new for piece in pair)
            kept = old[: len(old) - len(old.lstrip())]
            if "\n" in kept and new.startswith(kept):
                yield from (Piece(kept, kept), Piece(old[len(kept) :], ""), Piece("", new[len(kept) :]))
                at += 2
                continue
        yield wording[at]
        at += 1


def _split(wording: Sequence[Piece]) -> Iterator[tuple[Piece, bool]]:
    """The pieces divided where paragraphs of the source end, and whether each is such an end.

    A break may go on in the next piece: a version may keep one of its lines and remove the other.
    """
    source, at = "".join(piece.old for piece in wording), 0
    for piece in wording:
        old, new = BREAK.split(piece.old), BREAK.split(piece.new)
        if len(old) != len(new):
            new = [piece.new, *[""] * (len(old) - 1)]
        for place, (before, after) in enumerate(zip(old, new, strict=True)):
            at += len(before)
            if before or after:
                yield Piece(before, after), place % 2 == 1 and source[at : at + 1] != "\n"
