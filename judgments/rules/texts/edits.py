"""Edits of a sentence: spans of its characters, and the text that replaces each.

Characters are counted from 0, by code points. An edit with an empty span inserts, one with an empty replacement
deletes. Edits never overlap; an insertion may stand at either end of another edit's span.

Toy: `He go school .` with (3, 5, goes) and (5, 5, ` to`) is `He goes to school .`
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import accumulate, pairwise
from typing import NamedTuple

from judgments.rules.authored.categories import LONGEST_NAME
from judgments.rules.files.text_files import is_one_line
from judgments.rules.texts.diff import Change, compare_words
from judgments.rules.texts.graphemes import clusters
from judgments.rules.texts.words import tokens_of

MOST_EDITS = 500
LONGEST_REPLACEMENT = 2_000
# How many characters a rewriting may add; comparing longer texts takes longer than a judge would wait.
MOST_ADDED = 10_000
# How many changes of words one edit that moves, joins or splits words may gather.
MOST_GATHERED = 4
DOUBLED = re.compile(r"(\s)\s+")
PARTING = re.compile(r"[\s\-\u2010\u2011]")


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


class PlacedFault(NamedTuple):
    place: int
    fault: Fault


def in_order(edits: Iterable[Edit]) -> list[Edit]:
    """Sort from left to right; an insertion comes before a change behind it."""
    return sorted(edits, key=lambda edit: (edit.start, edit.end))


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    parts = []
    at = 0
    for edit in in_order(edits):
        parts += [text[at : edit.start], edit.replacement]
        at = edit.end
    return "".join([*parts, text[at:]])


def faults_in(text: str, edits: Sequence[Edit], categories: Collection[str] | None) -> list[PlacedFault]:
    """All faults in the edits of a text; if there are categories, each edit needs one of them.

    If the categories are unknown (None), each edit may have any or none.
    """
    if len(edits) > MOST_EDITS:
        return [PlacedFault(MOST_EDITS + 1, Fault.TOO_MANY)]
    stops = set(stops_of(text))
    found = [
        PlacedFault(place, fault)
        for place, edit in enumerate(edits, 1)
        for fault in _faults(text, edit, stops, categories)
    ]
    return found or [PlacedFault(edits.index(edit) + 1, fault) for edit, fault in overlaps(edits)]


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
    """Derive the edits that turn one text into another, word by word.

    Toy: from `I can not swimm` to `I cannot swim` (2, 9, cannot) and (10, 15, swim).
    """
    changes = []
    at = 0
    for piece in compare_words(text, rewritten):
        if piece.change != Change.SAME:
            changes.append(Edit(at, at + len(piece.old), piece.new))
        at += len(piece.old)
    return list(_gathered(text, changes))


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


def _gathered(text: str, changes: list[Edit]) -> Iterator[Edit]:
    """Make one edit of changes that together only move words, or write them together or apart."""
    at = 0
    while at < len(changes):
        ends = range(at + 2, min(at + MOST_GATHERED, len(changes)) + 1)
        end = next((end for end in ends if _is_one(text, changes[at:end])), at + 1)
        yield _joined(text, changes[at:end])
        at = end


def _is_one(text: str, changes: list[Edit]) -> bool:
    if any(len(text[before.end : after.start].split()) > 1 for before, after in pairwise(changes)):
        return False
    edit = _joined(text, changes)
    old, new = text[edit.start : edit.end].lower(), edit.replacement.lower()
    letters = PARTING.sub("", old)
    return letters != "" and (letters == PARTING.sub("", new) or _sorted_words(old) == _sorted_words(new))


def _sorted_words(text: str) -> list[str]:
    return sorted(token.text for token in tokens_of(text) if token.text)


def _joined(text: str, edits: list[Edit]) -> Edit:
    """Join edits and the text between them, without spaces that they share at the ends."""
    if len(edits) == 1:
        return edits[0]
    start, end = edits[0].start, edits[-1].end
    moved = [Edit(one.start - start, one.end - start, one.replacement) for one in edits]
    replacement = apply_edits(text[start:end], moved)
    while start < end and replacement and text[start] == replacement[0] and text[start].isspace():
        start, replacement = start + 1, replacement[1:]
    while start < end and replacement and text[end - 1] == replacement[-1] and replacement[-1].isspace():
        end, replacement = end - 1, replacement[:-1]
    return Edit(start, end, replacement)
