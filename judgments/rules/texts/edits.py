"""Edits of a sentence: spans of its characters, the text that replaces each, and the verdicts of judges on them.

Characters are counted from 0, by code points. An edit with an empty span inserts, one with an empty replacement
deletes. Edits never overlap; an insertion may stand at either end of another edit's span.

Toy: `He go school .` with (3, 5, goes) and (5, 5, ` to`) is `He goes to school .`
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from itertools import accumulate, pairwise
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

from judgments.rules.authored.categories import LONGEST_NAME
from judgments.rules.files.text_files import is_one_line
from judgments.rules.files.values import list_of
from judgments.rules.texts.diff import Change, compare_once
from judgments.rules.texts.words import clusters

MOST_EDITS = 500
LONGEST_REPLACEMENT = 2_000
# How many characters a rewriting may add; comparing longer texts takes longer than a judge would wait.
MOST_ADDED = 10_000
DOUBLED = re.compile(r"(\s)\s+")


class Edit(NamedTuple):
    """The characters from start to end become another text; the category is optional."""

    start: int
    end: int
    replacement: str
    category: str = ""


class Fault(StrEnum):
    OUTSIDE = "outside"
    CUTTING = "cutting"
    IDLE = "idle"
    OVERLAPPING = "overlapping"
    DOUBLED = "doubled"
    UNCATEGORISED = "uncategorised"
    UNKNOWN_CATEGORY = "unknown category"
    TOO_LONG = "too long"
    NO_LINE = "no line"
    TOO_MANY = "too many"


Placed = TypeVar("Placed")


def in_order(edits: Iterable[Placed]) -> list[Placed]:
    """Sort edits of any kind from left to right; an insertion comes before a change behind it."""
    return sorted(edits, key=attrgetter("start", "end"))


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    parts = []
    at = 0
    for edit in in_order(edits):
        parts += [text[at : edit.start], edit.replacement]
        at = edit.end
    return "".join([*parts, text[at:]])


def faults_in(text: str, edits: Sequence[Edit], categories: Collection[str] | None) -> list[tuple[int, Fault]]:
    """All faults in the edits of a text with their places, from 1; if there are categories, each edit needs one.

    If the categories are unknown (None), each edit may have any or none.
    """
    if len(edits) > MOST_EDITS:
        return [(MOST_EDITS + 1, Fault.TOO_MANY)]
    stops = set(stops_of(text))
    found = [(place, fault) for place, edit in enumerate(edits, 1) for fault in _faults(text, edit, stops, categories)]
    return found or [(edits.index(edit) + 1, fault) for edit, fault in overlaps(edits)]


def within_limits(text: str, edits: Collection[Edit]) -> bool:
    """Whether edits lie within a text and the limits on their number and length."""
    return len(edits) <= MOST_EDITS and all(
        0 <= edit.start <= edit.end <= len(text)
        and len(edit.replacement) <= LONGEST_REPLACEMENT
        and len(edit.category) <= LONGEST_NAME
        for edit in edits
    )


def stops_of(text: str) -> list[int]:
    """Offsets where edits may begin and end: never inside a grapheme."""
    return list(accumulate(map(len, clusters(text)), initial=0))


def tidy(text: str, rewritten: str) -> str:
    """Remove slips of the hand: spaces at the ends and doubled spaces, unless the text has such spaces itself."""
    if not DOUBLED.search(text):
        rewritten = DOUBLED.sub(r"\1", rewritten)
    return rewritten.strip() if text == text.strip() else rewritten


def derive_edits(text: str, rewritten: str) -> list[Edit]:
    """Derive the edits that turn one text into another: the words and phrases that judges see marked.

    Toy: from `I can not swimm` to `I cannot swim` (2, 9, cannot) and (10, 15, swim).
    """
    changes = []
    at = 0
    for piece in compare_once(text, rewritten):
        if piece.change != Change.SAME:
            changes.append(Edit(at, at + len(piece.old), piece.new))
        at += len(piece.old)
    return changes


def _faults(text: str, edit: Edit, stops: Collection[int], categories: Collection[str] | None) -> Iterator[Fault]:
    if not 0 <= edit.start <= edit.end <= len(text):
        yield Fault.OUTSIDE
        return
    if edit.start not in stops or edit.end not in stops:
        yield Fault.CUTTING
    if text[edit.start : edit.end] == edit.replacement:
        yield Fault.IDLE
    if len(edit.replacement) > LONGEST_REPLACEMENT:
        yield Fault.TOO_LONG
    elif not is_one_line(edit.replacement):
        yield Fault.NO_LINE
    if categories and not edit.category:
        yield Fault.UNCATEGORISED
    elif categories is not None and edit.category and edit.category not in categories:
        yield Fault.UNKNOWN_CATEGORY


def overlaps(edits: Sequence[Edit]) -> Iterator[tuple[Edit, Fault]]:
    for before, after in pairwise(in_order(edits)):
        if before[:2] == after[:2]:
            yield after, Fault.DOUBLED if before.start == before.end else Fault.OVERLAPPING
        elif after.start < before.end:
            yield after, Fault.OVERLAPPING


class Decision(NamedTuple):
    """An edit, and the versions that make it with its places among their edits, both counted from 0."""

    edit: Edit
    places: tuple[tuple[int, int], ...]


def decisions(source: str, versions: Sequence[Sequence[Edit]]) -> list[Decision]:
    """The decisions about the edits of versions (from left to right), in the order in which a judge meets them.

    A judge decides once for all versions that share an edit: if they replace the same stretch of the source by the same
    text, and if the run in which it stands is the same in both. A run consists of edits of one version with nothing but
    white space between them: they change one phrase together, and none of them can be judged without the others.

    Toy: in `He go school` one version makes go > goes and inserts `to ` before school, another makes go > goes alone.
    Only white space parts the two edits, so go > goes is two decisions. In `He go there yesterday` with go > goes in
    one version and go > goes, yesterday > today in another, it is one: `there` stands between them.
    """
    found: dict[tuple[tuple[int, int, str], ...], list[tuple[int, int]]] = {}
    for version, edits in enumerate(versions):
        runs: list[list[Edit]] = []
        for edit in edits:
            if not runs or source[runs[-1][-1].end : edit.start].strip():
                runs.append([])
            runs[-1].append(edit)
        place = 0
        for run in runs:
            changes = tuple(edit[:3] for edit in run)
            for change in changes:
                found.setdefault((change, *changes), []).append((version, place))
                place += 1
    return [Decision(Edit(*change), tuple(places)) for (change, *_), places in found.items()]


MISSED = "missed"
LONGEST_VERDICT = 40


class JudgedEdit(NamedTuple):
    """An edit and the verdict on it; or, without a replacement, an error of the source that the version keeps.

    They are stored as JSON: `{"start": 3, "end": 5, "replacement": "goes", "verdict": "right"}`, by characters of the
    normalised source. An error left as it is has no replacement (null), and the verdict `missed`.
    """

    start: int
    end: int
    replacement: str | None
    verdict: str

    @property
    def is_missed(self) -> bool:
        return self.replacement is None

    @property
    def edit(self) -> Edit:
        return Edit(self.start, self.end, self.replacement or "")


def read_judged(rows: Iterable[Mapping[str, Any]]) -> tuple[JudgedEdit, ...]:
    """Read stored edits, from left to right."""
    return tuple(in_order(JudgedEdit(**row) for row in rows))


def edits_made(judged: Iterable[JudgedEdit]) -> list[Edit]:
    """The edits that the version makes."""
    return [one.edit for one in judged if not one.is_missed]


def fault_of_judged(rows: Any, may_be_open: bool = False) -> str | None:
    """Why a value is not a list of judged edits, or None; verdicts that are still open are empty."""
    if fault := list_of(partial(_fault_of_row, may_be_open), MOST_EDITS)(rows):
        return fault
    judged = read_judged(rows)
    if any(after.start < before.end or after[:2] == before[:2] for before, after in pairwise(judged)):
        return "holds edits that overlap"
    return None


def lie_within(judged: Sequence[JudgedEdit], length: int) -> bool:
    return all(one.end <= length for one in judged)


def _fault_of_row(may_be_open: bool, row: Any) -> str | None:
    if not isinstance(row, dict) or row.keys() != set(JudgedEdit._fields):
        return f"holds an edit that does not consist of {', '.join(JudgedEdit._fields)}"
    start, end, replacement, verdict = JudgedEdit(**row)
    if type(start) is not int or type(end) is not int or not 0 <= start <= end:
        return "holds an edit whose start and end are not whole numbers in order"
    if not isinstance(verdict, str) or len(verdict) > LONGEST_VERDICT or not (verdict or may_be_open):
        return "holds an edit without a verdict"
    if (verdict == MISSED) != (replacement is None):
        return "holds an edit that is missed but has a replacement, or has neither"
    if replacement is None:
        return None if start < end else "holds a missed error without a character"
    if not isinstance(replacement, str) or len(replacement) > LONGEST_REPLACEMENT:
        return "holds an edit whose replacement is no text, or too long"
    return None if start < end or replacement else "holds an edit that changes nothing"
