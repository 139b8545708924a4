"""The paragraphs of a text beside those of its versions: one row for each paragraph of the text.

What a version says stays in the row of the paragraph that it changes, so that rows stay aligned however much a version
joins, splits, adds or removes.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from judgments.rules.texts.diff import Change, Piece

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
    """The rows of a text and its versions, whose pieces make up both.

    Toy: of `A.` / `B c.` and `A.` / `B, c.` the second row is `B c.` beside `B, c.`, which begins at 3.
    """
    paragraphs = BREAK.split(source)[::2]
    columns = [list(_cells(wording)) for wording in wordings]
    return [ParagraphRow(paragraph, tuple(cells)) for paragraph, *cells in zip(paragraphs, *columns, strict=True)]


def _cells(wording: Sequence[Piece]) -> Iterator[Cell]:
    """A cell for each paragraph of the source."""
    pieces: list[Piece] = []
    start = at = 0
    for piece, is_break in _split(_with_breaks_kept(wording)):
        at += len(piece.new)
        # A break that the version keeps is layout; any other change of it is shown.
        if not (is_break and "\n" in piece.new and not piece.new.strip()):
            pieces.append(piece)
        if is_break:
            yield Cell(start, tuple(pieces))
            pieces, start = [], at
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


def _split(wording: Iterable[Piece]) -> Iterator[tuple[Piece, bool]]:
    """The pieces divided where paragraphs of the source end, and whether each is such an end."""
    for piece in wording:
        old, new = BREAK.split(piece.old), BREAK.split(piece.new)
        if len(old) != len(new):
            new = [piece.new, *[""] * (len(old) - 1)]
        for place, parts in enumerate(zip(old, new, strict=True)):
            if any(parts):
                yield Piece(*parts), place % 2 == 1
