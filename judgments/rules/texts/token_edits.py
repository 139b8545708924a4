"""Converting edits by characters to edits by tokens, and back; tokens are separated by white space.

An edit inside a word grows to the whole word, and its correction includes the rest of the word; edits of one word, or
at one place between words, become one. If white space is deleted, the words on both sides of it become one edit. A
change of white space that changes no word is not an edit of tokens.

Toy: in `I can not wlk` the edits (5, 6, "") and (11, 11, "a") make `I cannot walk`; by tokens they are
(1, 3, cannot) and (3, 4, walk).
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from judgments.rules.texts.edits import Edit, in_order

TOKEN = re.compile(r"\S+")
SPAN = itemgetter(0, 1)


class TokenEdit(NamedTuple):
    """The tokens from start to end become the words of the correction, joined by single spaces."""

    start: int
    end: int
    correction: str
    category: str = ""


def by_tokens(text: str, edits: Iterable[Edit]) -> tuple[TokenEdit, ...]:
    """Convert edits to tokens; an edit made of several takes the first of their categories."""
    spans = [found.span() for found in TOKEN.finditer(text)]
    ordered = in_order(edits)
    # Edits of the parts between unchanged white space do not touch each other.
    cuts = _kept_spaces(spans, ordered)
    parted: list[TokenEdit] = []
    for cut, group in groupby(ordered, key=lambda edit: bisect_left(cuts, edit.start)):
        low, high = cuts[cut - 1] + 1 if cut else 0, cuts[cut] if cut < len(cuts) else len(text)
        parted += _parted(text, spans, low, high, list(group))
    return tuple(_together(parted))


def by_characters(text: str, edits: Iterable[TokenEdit]) -> tuple[Edit, ...]:
    """Convert edits to characters, never leaving two spaces where there was one."""
    spans = [found.span() for found in TOKEN.finditer(text)]
    placed: list[Edit] = []
    for edit in _together(sorted(edits, key=SPAN)):
        placed.append(_placed(text, spans, edit, placed[-1].end if placed else 0))
    return tuple(placed)


def _kept_spaces(spans: Sequence[tuple[int, int]], edits: Sequence[Edit]) -> list[int]:
    starts, cuts = [edit.start for edit in edits], []
    for before, after in pairwise(spans):
        for place in range(before[1], after[0]):
            # The last of the edits that begin at one place is the longest.
            edit = bisect_right(starts, place) - 1
            if edit < 0 or edits[edit].end <= place:
                cuts.append(place)
                break
    return cuts


def _parted(
    text: str, spans: Sequence[tuple[int, int]], low: int, high: int, edits: Sequence[Edit]
) -> Iterator[TokenEdit]:
    """The edits of a stretch, split wherever both texts have a token boundary between edits."""
    made, done, borders = "", low, [(low, 0)]
    for edit in edits:
        made += text[done : edit.start]
        borders.append((edit.start, len(made)))
        made += edit.replacement
        borders.append((edit.end, len(made)))
        done = edit.end
    made += text[done:high]
    borders.append((high, len(made)))
    source, firsts = text[low:high], [start for start, _ in spans]
    clear = [
        number for number, (old, new) in enumerate(borders) if _is_border(source, old - low) and _is_border(made, new)
    ]
    for first, last in pairwise(clear):
        within = edits[first // 2 : last // 2]
        (old, new), (old_end, new_end) = borders[first], borders[last]
        start, end = bisect_left(firsts, old), bisect_left(firsts, old_end)
        words = made[new:new_end].split()
        if within and words != [text[slice(*span)] for span in spans[start:end]]:
            category = next((edit.category for edit in within if edit.category), "")
            yield TokenEdit(start, end, " ".join(words), category)


def _is_border(text: str, place: int) -> bool:
    return text[place - 1 : place].strip() == "" or text[place : place + 1].strip() == ""


def _together(edits: Iterable[TokenEdit]) -> Iterable[TokenEdit]:
    for (start, end), group in groupby(edits, key=SPAN):
        same = list(group)
        category = next((edit.category for edit in same if edit.category), "")
        yield TokenEdit(start, end, " ".join(edit.correction for edit in same if edit.correction), category)


def _placed(text: str, spans: Sequence[tuple[int, int]], edit: TokenEdit, done: int) -> Edit:
    """Convert tokens to characters; deleted words take their white space along, inserted words bring theirs."""
    if edit.start == edit.end:
        if edit.start < len(spans):
            place, replacement = spans[edit.start][0], f"{edit.correction} "
        elif spans:
            place, replacement = spans[-1][1], f" {edit.correction}"
        else:
            place, replacement = len(text), edit.correction
        return Edit(place, place, replacement, edit.category)
    start, end = spans[edit.start][0], spans[edit.end - 1][1]
    if not edit.correction:
        if edit.end < len(spans):
            end = spans[edit.end][0]
        elif edit.start:
            start = max(spans[edit.start - 1][1], done)
    return Edit(start, end, edit.correction, edit.category)
