"""Which edits of several versions are one decision, so that a judge decides once for all of them.

Two versions share an edit if they replace the same stretch of the source by the same text, and if the run in which it
stands is the same in both. A run consists of edits of one version with nothing but white space between them: they
change one phrase together, and none of them can be judged without the others.

Toy: in `He go school` one version makes go > goes and inserts `to ` before school, another makes go > goes alone. Only
white space parts the two edits, so go > goes is two decisions. In `He go there yesterday` with go > goes in one version
and go > goes, yesterday > today in another, it is one: `there` stands between them.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from judgments.rules.texts.edits import Edit

Change = tuple[int, int, str]


class EditPlace(NamedTuple):
    """An edit of a version, both counted from 0."""

    version: int
    edit: int


class Decision(NamedTuple):
    """An edit, and where versions make it."""

    edit: Edit
    places: tuple[EditPlace, ...]


def decisions(source: str, versions: Sequence[Sequence[Edit]]) -> list[Decision]:
    """The decisions about the edits of versions (from left to right), in the order in which a judge meets them."""
    found: dict[tuple[Change, tuple[Change, ...]], list[EditPlace]] = {}
    for version, edits in enumerate(versions):
        for number, key in enumerate(_keys(source, edits)):
            found.setdefault(key, []).append(EditPlace(version, number))
    return [Decision(Edit(*change), tuple(places)) for (change, _), places in found.items()]


def _keys(source: str, edits: Sequence[Edit]) -> Iterator[tuple[Change, tuple[Change, ...]]]:
    """Each edit without its category, with its run."""
    for run in _runs(source, edits):
        changes = tuple((edit.start, edit.end, edit.replacement) for edit in run)
        yield from ((change, changes) for change in changes)


def _runs(source: str, edits: Sequence[Edit]) -> Iterator[list[Edit]]:
    run: list[Edit] = []
    for edit in edits:
        if run and source[run[-1].end : edit.start].strip():
            yield run
            run = []
        run.append(edit)
    if run:
        yield run
