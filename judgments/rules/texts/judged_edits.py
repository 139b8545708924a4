"""Edits of a version with verdicts on them, and errors that the version leaves as they are.

They are stored as JSON: `{"start": 3, "end": 5, "replacement": "goes", "verdict": "right"}`, by characters of the
normalised source. An error left as it is has no replacement (null), and the verdict `missed`.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from judgments.rules.files.values import list_of
from judgments.rules.texts.edits import LONGEST_REPLACEMENT, MOST_EDITS, Edit, in_order

MISSED = "missed"
LONGEST_VERDICT = 40


class JudgedEdit(NamedTuple):
    """An edit and the verdict on it; or, without a replacement, an error of the source that the version keeps."""

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
