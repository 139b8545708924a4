"""Edits by characters of a sentence as edits by its tokens, and back; tokens are what white space parts.

An edit inside a word grows to the whole word, with the rest of the word kept in the correction; edits of one word, or
at one place between words, become one. Where white space goes, the words on both sides of it become one edit. What
changes white space alone and no word is no edit of tokens.

Toy: in `I can not wlk` the edits (5, 6, "") and (11, 11, "a") make `I cannot walk`; by tokens they are
(1, 3, cannot) and (3, 4, walk).
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

TOKEN = re.compile(r"\S+")


class CharacterEdit(NamedTuple):
    """Characters start to end of a sentence become the replacement."""

    start: int
    end: int
    replacement: str
    category: str = ""


class TokenEdit(NamedTuple):
    """Tokens start to end of a sentence become the words of the correction, which single spaces join."""

    start: int
    end: int
    correction: str
    category: str = ""


class _Stretch(NamedTuple):
    """Characters from low to high, with the tokens first to last in them, and the edits that stay within."""

    low: int
    high: int
    first: int
    last: int
    edits: tuple[CharacterEdit, ...]


def with_edits(text: str, edits: Iterable[CharacterEdit]) -> str:
    """A text with edits made that do not overlap."""
    pieces, done = [], 0
    for edit in sorted(edits, key=_place):
        pieces += [text[done : edit.start], edit.replacement]
        done = edit.end
    return "".join([*pieces, text[done:]])


def with_token_edits(text: str, edits: Iterable[TokenEdit]) -> str:
    """The tokens of a text with edits made that do not overlap, joined by single spaces."""
    tokens, built, done = text.split(), [], 0
    for edit in sorted(edits, key=_place):
        built += tokens[done : edit.start] + edit.correction.split()
        done = edit.end
    return " ".join(built + tokens[done:])


def by_tokens(text: str, edits: Iterable[CharacterEdit]) -> tuple[TokenEdit, ...]:
    """The same changes by tokens; an edit made of several has the first category among theirs."""
    spans = [found.span() for found in TOKEN.finditer(text)]
    tokens = [text[start:end] for start, end in spans]
    made = [_made(text, tokens, spans, stretch) for stretch in _stretches(text, spans, sorted(edits, key=_place))]
    return tuple(_together([edit for edit in made if edit]))


def by_characters(text: str, edits: Iterable[TokenEdit]) -> tuple[CharacterEdit, ...]:
    """The same changes by characters, which leave no two spaces between words that had one."""
    spans = [found.span() for found in TOKEN.finditer(text)]
    return tuple(_placed(text, spans, edit) for edit in _together(sorted(edits, key=_place)))


def _place(edit: CharacterEdit | TokenEdit) -> tuple[int, int]:
    return edit.start, edit.end


def _stretches(text: str, spans: Sequence[tuple[int, int]], edits: Sequence[CharacterEdit]) -> Iterable[_Stretch]:
    """The text parted at white space that no edit touches, where there are edits."""
    cuts, tokens = _cuts(text, spans, edits)
    for cut, group in groupby(edits, key=lambda edit: bisect_left(cuts, edit.start)):
        low = cuts[cut - 1] + 1 if cut else 0
        high = cuts[cut] if cut < len(cuts) else len(text)
        first = tokens[cut - 1] if cut else 0
        last = tokens[cut] if cut < len(cuts) else len(spans)
        yield _Stretch(low, high, first, last, tuple(group))


def _cuts(text: str, spans: Sequence[tuple[int, int]], edits: Sequence[CharacterEdit]) -> tuple[list[int], list[int]]:
    """A sign of white space that stays, in each gap between tokens that has one, and the token behind it."""
    starts = [edit.start for edit in edits]
    cuts, tokens = [], []
    for token in range(1, len(spans)):
        for place in range(spans[token - 1][1], spans[token][0]):
            before = bisect_right(starts, place) - 1
            # Of edits that begin at one place, the last is the longest.
            if before < 0 or edits[before].end <= place:
                cuts.append(place)
                tokens.append(token)
                break
    return cuts, tokens


def _made(text: str, tokens: Sequence[str], spans: Sequence[tuple[int, int]], stretch: _Stretch) -> TokenEdit | None:
    """What became of a stretch, without the tokens at its ends that stayed and that no edit holds."""
    moved = (edit._replace(start=edit.start - stretch.low, end=edit.end - stretch.low) for edit in stretch.edits)
    words = with_edits(text[stretch.low : stretch.high], moved).split()
    first, last = stretch.first, stretch.last
    if words == tokens[first:last]:
        return None
    while first < last and words and words[-1] == tokens[last - 1] and not _is_held(spans[last - 1], stretch.edits):
        last, words = last - 1, words[:-1]
    while first < last and words and words[0] == tokens[first] and not _is_held(spans[first], stretch.edits):
        first, words = first + 1, words[1:]
    category = next((edit.category for edit in stretch.edits if edit.category), "")
    return TokenEdit(first, last, " ".join(words), category)


def _is_held(span: tuple[int, int], edits: Iterable[CharacterEdit]) -> bool:
    return any(edit.start < span[1] and span[0] < edit.end for edit in edits)


def _together(edits: Sequence[TokenEdit]) -> Iterable[TokenEdit]:
    """Insertions at one place as one."""
    for (start, end), group in groupby(edits, key=_place):
        same = list(group)
        category = next((edit.category for edit in same if edit.category), "")
        yield TokenEdit(start, end, " ".join(edit.correction for edit in same if edit.correction), category)


def _placed(text: str, spans: Sequence[tuple[int, int]], edit: TokenEdit) -> CharacterEdit:
    """Tokens as characters; white space goes with what is deleted, and comes with what is inserted."""
    if edit.start == edit.end:
        if edit.start < len(spans):
            place, replacement = spans[edit.start][0], f"{edit.correction} "
        elif spans:
            place, replacement = spans[-1][1], f" {edit.correction}"
        else:
            place, replacement = len(text), edit.correction
        return CharacterEdit(place, place, replacement, edit.category)
    start, end = spans[edit.start][0], spans[edit.end - 1][1]
    if not edit.correction:
        if edit.end < len(spans):
            end = spans[edit.end][0]
        elif edit.start:
            start = spans[edit.start - 1][1]
    return CharacterEdit(start, end, edit.correction, edit.category)
