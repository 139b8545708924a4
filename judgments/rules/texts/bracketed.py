"""Edits in brackets, as people type them: `He [go→goes|True] to [→the|False] school .`, an error left as `[go]`.

An edit's old side is what the source has, text outside brackets what both have, and what is in brackets without an
arrow an error that is left. Spaces are those of tokenised text and not reliable, so texts are compared without them.

Slips of the hand have several readings; those that do not give the source are wrong. Slips that are read: the verdict
behind the bracket (`[a→b] |True,`) or with a sign of the new text (`[→|True,]`), a missing bracket, spaces around the
bar, `->` for the arrow.

Toy: `He [go→goes|True] home` is He, the edit of go, and home; the source is `Hegohome` and the version `Hegoeshome`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product, zip_longest
from typing import NamedTuple

from judgments.rules.authored.edit_verdicts import EditVerdict
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.edits import MISSED, Edit, JudgedEdit, edits_made, in_order

ARROW = r"(?:→|->)"
# What a side of an edit may have, so that a line of arrows or brackets takes no long time.
SIDE = r"(?:[^\[\]|→-]|-(?!>))"
# More readings than a sentence with several slips needs.
MOST_READINGS = 64
# How many words the old side of an edit without its first bracket may have.
MOST_WORDS = 4
SHOWN = 20
# Of the new side of such an edit.
LONGEST = 300


class BracketedPiece(NamedTuple):
    """A part of the source: kept as it is; replaced, with a verdict; or an error that is left (no new text)."""

    text: str
    new: str | None = None
    verdict: str = ""


Pieces = tuple[BracketedPiece, ...]


class BracketedReading(NamedTuple):
    pieces: Pieces
    slips: tuple[str, ...] = ()


class Notation:
    """The notation with the verdicts of a campaign."""

    def __init__(self, verdicts: Sequence[EditVerdict]):
        # The name of the verdict that each word means, in lower case: True and False are the first of their kind.
        first = {accepts: next(one.name for one in verdicts if one.accepts is accepts) for accepts in (True, False)}
        self.names = {"true": first[True], "false": first[False]} | {one.name.casefold(): one.name for one in verdicts}
        self.words = {name: word.capitalize() for word, name in reversed(list(self.names.items())[:2])}
        verdict = "|".join(re.escape(word) for word in sorted(self.names, key=len, reverse=True))
        sides = rf"(?P<old>{SIDE}*?){ARROW}(?P<new>{SIDE}*?)"
        self._whole = re.compile(rf"\[{sides}(?P<bar>\s*\|\s*)(?P<said>{verdict})(?P<after>[^\w\[\]]*)\]", re.I)
        self._behind = re.compile(rf"\[{sides}\]\s*\|\s*(?P<said>{verdict})(?!\w)(?P<after>[^\w\s\[<]?)", re.I)
        self._unclosed = re.compile(rf"\[{sides}\s*\|\s*(?P<said>{verdict})(?!\w)", re.I)
        self._unopened = re.compile(rf"{ARROW}(?P<new>{SIDE}{{0,{LONGEST}}}?)\s*\|\s*(?P<said>{verdict})\s*\]", re.I)
        self._arrow = re.compile(rf"{ARROW}")
        self._left = re.compile(r"\[(?P<old>[^\[\]]*)\]")

    def readings(self, text: str) -> Iterator[BracketedReading]:
        """The ways to read a text, the likeliest first."""
        text = normalise(text)
        alternatives: list[list[Pieces]] = []
        slips, kept, at = [], "", 0
        while at < len(text):
            found, parts, slip = self._part(text, at, kept)
            if not found:
                kept, at = kept + text[at], at + 1
                continue
            # An edit without its first bracket begins in what stands before it.
            if kept and not slip.startswith(NO_FIRST):
                alternatives.append([(BracketedPiece(kept),)])
            alternatives.append(parts)
            slips += [f"{slip}: {text[at : at + found].strip()}"] if slip else []
            kept, at = "", at + found
        alternatives += [[(BracketedPiece(kept),)]] if kept else []
        for chosen in islice(product(*alternatives), MOST_READINGS):
            yield BracketedReading(tuple(piece for part in chosen for piece in part), tuple(slips))

    def _part(self, text: str, at: int, kept: str) -> tuple[int, list[Pieces], str]:
        """How long the edit is that begins here (0: there is none), its readings, and its slip."""
        if text[at] == "[":
            if found := self._whole.match(text, at):
                edit, after = self._edit(found), found["after"].strip()
                if after:
                    readings: list[Pieces] = [(edit._replace(new=f"{edit.new}{after}"),), (edit,)]
                    return len(found[0]), readings, "a sign stands after the verdict"
                is_clean = found["bar"] == "|" and "→" in found[0]
                return len(found[0]), [(edit,)], "" if is_clean else "spaces around the bar, or -> for the arrow"
            if found := self._behind.match(text, at):
                edit = self._edit(found)
                with_sign: list[Pieces] = [(edit, BracketedPiece(found["after"]))] if found["after"] else []
                return len(found[0]), [*with_sign, (edit,)], "the verdict is behind the bracket"
            if found := self._unclosed.match(text, at):
                return len(found[0]), [(self._edit(found),)], "the second bracket is missing"
            if (found := self._left.match(text, at)) and not self._arrow.search(found[0]):
                return len(found[0]), [(BracketedPiece(found["old"], None, MISSED),), (BracketedPiece(found[0]),)], ""
        elif found := self._unopened.match(text, at):
            return len(found[0]), list(self._unopened_parts(found, kept)), NO_FIRST
        return 0, [], ""

    def _unopened_parts(self, found: re.Match[str], kept: str) -> Iterator[Pieces]:
        words = kept.split()
        for many in range(min(len(words), MOST_WORDS) + 1):
            old = words[len(words) - many :]
            edit = BracketedPiece(" ".join(old), found["new"].strip(), self.names[found["said"].casefold()])
            yield BracketedPiece(" ".join(words[: len(words) - many])), edit

    def _edit(self, found: re.Match[str]) -> BracketedPiece:
        return BracketedPiece(found["old"].strip(), found["new"].strip(), self.names[found["said"].casefold()])

    def write(self, source: str, judged: Iterable[JudgedEdit]) -> str:
        """A source with its edits, or the errors that are left, in brackets."""
        parts, at = [], 0
        for one in in_order(judged):
            old, new = source[one.start : one.end], one.replacement
            if new is None:
                bracket = f"[{old}]"
            else:
                before = " " if any(side[:1].isspace() for side in (old, new)) else ""
                after = " " if any(side[-1:].isspace() for side in (old, new)) else ""
                verdict = self.words.get(one.verdict, one.verdict)
                bracket = f"{before}[{old.strip()}→{new.strip()}|{verdict}]{after}"
            parts += [source[at : one.start], bracket]
            at = one.end
        return "".join([*parts, source[at:]])


NO_FIRST = "the first bracket is missing"


def remove_spaces(text: str) -> str:
    return "".join(text.split())


def source_of(pieces: Pieces) -> str:
    """The source that the pieces imply, without spaces."""
    return "".join(remove_spaces(piece.text) for piece in pieces)


def version_of(pieces: Pieces) -> str:
    """The version that the pieces imply, without spaces."""
    return "".join(remove_spaces(piece.text if piece.new is None else piece.new) for piece in pieces)


def misfit(source: str, pieces: Pieces) -> str:
    """Where a text first differs from the source, and what to do."""
    wanted, given = remove_spaces(source), source_of(pieces)
    at = next((place for place, signs in enumerate(zip_longest(wanted, given)) if len(set(signs)) > 1), len(wanted))
    there, here = (repr(text[at : at + SHOWN]) if text[at:] else "the end" for text in (given, wanted))
    if given[at:].startswith("["):
        return f"{there} is no edit with a verdict; write [old→new|True] or [old→new|False]"
    return f"{there} stands where the source has {here}"


def left_in(source: str, pieces: Pieces) -> list[tuple[int, int]]:
    """The stretches of the source that are marked as errors and left."""
    places, at, found = _places(source), 0, []
    for piece in pieces:
        size = len(remove_spaces(piece.text))
        if piece.verdict == MISSED and size:
            found.append((places[at], places[at + size - 1] + 1))
        at += size
    return found


def judged_edits(source: str, version: str, pieces: Pieces, proposed: Iterable[Edit]) -> list[JudgedEdit]:
    """The edits of a version in characters of the source, with the spaces of both; as proposed where they are the same.

    What stands between the text kept before an edit and after it is replaced, without spaces at the ends in common.
    """
    known = {_key(source, edit): edit for edit in proposed}
    sides = _Side(source), _Side(version)
    found = []
    # Pieces without a letter are nothing, unless they are edits.
    real = [piece for piece in pieces if piece.new is not None or remove_spaces(piece.text)]
    for piece, after in zip(real, [*real[1:], BracketedPiece("")], strict=True):
        texts = piece.text, piece.text if piece.new is None else piece.new
        spans = [side.take(text, piece.new is not None, after.new is not None) for side, text in
                 zip(sides, texts, strict=True)]  # fmt: skip
        if piece.new is not None:
            (start, end), new = spans[0], version[slice(*spans[1])]
            if start < end and new and source[start].isspace() and new[0].isspace():
                start, new = start + 1, new[1:]
            if start < end and new and source[end - 1].isspace() and new[-1].isspace():
                end, new = end - 1, new[:-1]
            edit = Edit(start, end, new)
            edit = known.get(_key(source, edit), edit)
            found.append(JudgedEdit(edit.start, edit.end, edit.replacement, piece.verdict))
    return found


class _Side:
    """The source or a version, of which piece after piece is taken."""

    def __init__(self, text: str):
        self.text, self.places = text, _places(text)
        self.taken = self.done = 0

    def take(self, part: str, is_edit: bool, before_edit: bool) -> tuple[int, int]:
        """The stretch of a part: of an edit from what was kept before it to what is kept behind it."""
        start, self.taken = self.done, self.taken + len(remove_spaces(part))
        if is_edit and not before_edit:
            end = self.places[self.taken] if self.taken < len(self.places) else len(self.text)
        else:
            end = max(self.places[self.taken - 1] + 1 if self.taken else 0, start)
        self.done = end
        return start, end


def with_left(judged: Sequence[JudgedEdit], left: Iterable[tuple[int, int]]) -> tuple[JudgedEdit, ...]:
    """Edits of a version with the errors marked in the source that none of them touches."""
    edits = edits_made(judged)
    missed = [
        JudgedEdit(start, end, None, MISSED)
        for start, end in left
        if not any(edit.start <= end and edit.end >= start for edit in edits)
    ]
    return tuple(in_order([*judged, *missed]))


def _places(text: str) -> list[int]:
    """Where the characters are that are no spaces."""
    return [place for place, sign in enumerate(text) if not sign.isspace()]


def _key(source: str, edit: Edit) -> tuple[int, int, str]:
    """An edit without spaces."""
    before, within = remove_spaces(source[: edit.start]), remove_spaces(source[edit.start : edit.end])
    return len(before), len(within), remove_spaces(edit.replacement)
