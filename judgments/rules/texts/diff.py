"""The difference between a candidate and its source, in pieces that a judge can read.

Words are aligned with the fewest deletions, insertions and substitutions, and among those alignments with the most
similar substitutes. Scripts without spaces are aligned character by character. Neighbouring changes are one phrase (his
or her > their) if they change the number of words, unless one of them only mends a word; if each puts a quite different
word; if they only write words together or apart; if the one capitalises what the other made the beginning; or if words
move across one other.

Of the edits that this finds in the corrections of two annotators (CoNLL 2014), 80% are edits as the annotators drew
them, and 81 % of theirs are found. With every word by itself it would be 67 and 79 %, with all neighbours joined, also
across a function word, 75 and 67 %.

A word in which a letter or two were mended is shown whole, with its new letters heavier. Where more than half of the
words are others, a sentence is rewritten, and marks would say nothing.

The old texts of all pieces make up the source, the new ones the candidate.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from judgments.rules.texts.words import Token, clusters, tokenise, tokens_of

EDIT = 1_000_000  # one edit costs more than any sum of dissimilarities in a sentence
MOST_DISSIMILAR = 100
MOST_CELLS = 90_000  # two texts of three hundred words; more takes longer than a reader would wait
# Pairing two words takes about as long as comparing so many letters, and so does finding the words, for each letter.
LETTERS_A_STEP = 32
SHORTEST_SPELLING = 5
MOST_MISSPELT = 2
# Dissimilarities of words, in hundredths: up to which a word is only mended, and from which it is quite another.
MENDED, ANOTHER = 30, 80
# Fewer words are read faster with marks, even if they are most of the sentence.
FEWEST_REWRITTEN = 6
PARTING = re.compile(r"[\s\-\u2010\u2011]")


class Change(StrEnum):
    SAME = "same"
    INSERTED = "inserted"
    DELETED = "deleted"
    SUBSTITUTED = "substituted"


class Piece(NamedTuple):
    """A stretch of the source, and the text in its place in the candidate."""

    old: str
    new: str

    @property
    def change(self) -> Change:
        if self.old == self.new:
            return Change.SAME
        if not self.old:
            return Change.INSERTED
        return Change.SUBSTITUTED if self.new else Change.DELETED

    @property
    def shown(self) -> str:
        """The text that a judge reads: the new one, or the deleted one."""
        return self.new or self.old

    @property
    def lead(self) -> str:
        """White space before the words, which is not marked."""
        return self.shown[: len(self.shown) - len(self.shown.lstrip())] if self.shown.strip() else ""

    @property
    def core(self) -> str:
        """The words, or all of a piece that is only white space."""
        return self.shown.strip() or self.shown

    @property
    def tail(self) -> str:
        return "" if self.is_space else self.shown[len(self.shown.rstrip()) :]

    @property
    def gone(self) -> str:
        """The words that a change takes away, or white space if it takes no more."""
        return self.old.strip() or ("" if self.new.strip() else self.old)

    @property
    def letters(self) -> list[tuple[str, bool]]:
        """The words that a change puts there in parts, and whether each is what mends the spelling of a word."""
        put = self.new.strip() or ("" if self.old.strip() else self.new)
        old, new = list(clusters(self.gone)), list(clusters(put))
        front, back = _shared_ends(old, new)
        changed = max(len(old), len(new)) - front - back
        # An ending is grammar, a capital not spelling.
        is_spelling = (
            min(len(old), len(new)) >= SHORTEST_SPELLING
            and min(front, back) > 0
            and changed <= MOST_MISSPELT
            and "".join(old).lower() != "".join(new).lower()
        )
        if not is_spelling:
            return [(put, False)] if put else []
        end = len(new) - back
        parts = [("".join(new[:front]), False), ("".join(new[front:end]), True), ("".join(new[end:]), False)]
        return [part for part in parts if part[0]]

    @property
    def is_slight(self) -> bool:
        """Whether a change has only punctuation or white space, which is easily overlooked."""
        return not any(map(str.isalnum, self.old + self.new))

    @property
    def is_space(self) -> bool:
        return not (self.old + self.new).strip()

    @property
    def is_capitalised(self) -> bool:
        """Whether words changed only in their capitals."""
        return self.old.strip().lower() == self.new.strip().lower() != ""


@lru_cache(maxsize=4096)
def compare(source: str, candidate: str) -> tuple[Piece, ...]:
    """Split a candidate into pieces that differ from its source and pieces that do not."""
    return compare_once(source, candidate)


def compare_once(source: str, written: str) -> tuple[Piece, ...]:
    """`compare` without its cache, for a text that is unlikely to come again."""
    return tuple(_phrases(compare_words(source, written)))


def compare_words(source: str, written: str) -> tuple[Piece, ...]:
    """`compare_once` without phrases: neighbouring words are apart if each is replaced."""
    nothing = Token("", "", is_word=False)
    found: list[Piece] = []
    for before, after in _align(tokens_of(source), tokenise(written)):
        (space, word, _), (new_space, new_word, _) = before or nothing, after or nothing
        for piece in (Piece(space, new_space), Piece(word, new_word)):
            if piece == ("", ""):
                continue
            if found and piece.change == found[-1].change:
                last = found.pop()
                piece = Piece(last.old + piece.old, last.new + piece.new)
            found.append(piece)
    return tuple(found)


def is_rewritten(pieces: Iterable[Piece]) -> bool:
    """Whether more than half of the words are others."""
    changed = kept = 0
    for piece in pieces:
        number = max(sum(token.is_word for token in _tokens(text)) for text in set(piece))
        if piece.change is Change.SAME:
            kept += number
        else:
            changed += number
    return changed > kept and changed >= FEWEST_REWRITTEN


def _phrases(pieces: Iterable[Piece]) -> list[Piece]:
    found: list[Piece] = []
    for piece in pieces:
        same = 1 if found and found[-1].change is Change.SAME else 0
        if piece.change is not Change.SAME and len(found) > same:
            before, gap = found[-1 - same], found[-1].old if same else ""
            if _is_phrase(before, gap, piece):
                del found[-1 - same :]
                old, new = before.old + gap + piece.old, before.new + gap + piece.new
                shared = old[: _shared_ends(old, new)[0]]
                lead = shared[: len(shared) - len(shared.lstrip())]
                if lead:  # white space before both is not of the phrase
                    kept = found.pop().old if found and found[-1].change is Change.SAME else ""
                    found.append(Piece(kept + lead, kept + lead))
                piece = Piece(old[len(lead) :], new[len(lead) :])
        found.append(piece)
    return found


def _is_phrase(before: Piece, gap: str, after: Piece) -> bool:
    """Whether two changes, and what stays the same between them, are one phrase."""
    if "\n" in gap:
        return False
    both = before, after
    others = [piece for piece in both if not piece.is_capitalised]
    if gap.strip():
        gone, put = (sorted(" ".join(texts).lower().split()) for texts in zip(*both, strict=True))
        return bool(gone) and gone == put and len(others) == len(both) and len(_tokens(gap)) == 1
    if not gap and (before.is_space or after.is_space):
        return True
    if before.is_slight and after.is_slight:
        return not gap
    if len(others) == 1:
        return others[0].is_slight or others[0].change is not Change.SUBSTITUTED
    if not others or before.is_slight or after.is_slight:
        return False
    if len({PARTING.sub("", "".join(texts)).lower() for texts in zip(*both, strict=True)}) == 1:
        return True
    apart = [_dissimilarity(piece.old.strip(), piece.new.strip()) for piece in both]
    if min(apart) >= ANOTHER:  # however many words there are, which are not counted again as a phrase grows
        return True
    counts = [(len(_tokens(piece.old)), len(_tokens(piece.new))) for piece in both]
    if all(one == other for one, other in counts):
        return False
    return not any(count == (1, 1) and far <= MENDED for count, far in zip(counts, apart, strict=True))


def _tokens(text: str) -> list[Token]:
    return [token for token in tokenise(text) if token.text]


def effort(source: str, written: str) -> int:
    """How long comparing two texts may take, in units of the time that comparing two letters takes.

    Toy: of `a cat sat` and `a dog sits` (19 letters) `cat sat` and `dog sits` are left, so 2 x 2 pairs of words are
    compared, which have 2 x 6 + 2 x 7 letters: 32 x (19 + 4) + 26 = 762.
    """
    found = LETTERS_A_STEP * (len(source) + len(written))
    old, new = tokens_of(source), tokenise(written)
    front, back = _shared_ends([token.text for token in old], [token.text for token in new])
    for before, after in _sections(old[front : len(old) - back], new[front : len(new) - back]):
        if _is_searched(before, after):
            letters = len(after) * sum(len(token.text) for token in before)
            letters += len(before) * sum(len(token.text) for token in after)
            found += LETTERS_A_STEP * len(before) * len(after) + letters
    return found


def _align(old: list[Token], new: list[Token]) -> Iterator[tuple[Token | None, Token | None]]:
    """Pair tokens, with None for an insertion or deletion; equal beginnings and ends need no search."""
    front, back = _shared_ends([token.text for token in old], [token.text for token in new])
    yield from zip(old[:front], new[:front], strict=True)
    for before, after in _sections(old[front : len(old) - back], new[front : len(new) - back]):
        if _is_searched(before, after):
            yield from _search(before, after)
        else:  # replaced as a whole
            yield from ((token, None) for token in before)
            yield from ((None, token) for token in after)
    yield from zip(old[len(old) - back :], new[len(new) - back :], strict=True)


def _is_searched(old: list[Token], new: list[Token]) -> bool:
    return len(old) * len(new) <= MOST_CELLS


def _sections(old: list[Token], new: list[Token]) -> Iterator[tuple[list[Token], list[Token]]]:
    """The texts, or if they are too long to be searched, what lies between words that occur once in each.

    What lies between two of them is divided in the same way.
    """
    anchors = [] if _is_searched(old, new) else _anchors(old, new)
    if not anchors:
        yield old, new
        return
    here = there = 0
    for row, column in anchors:
        yield from _sections(old[here:row], new[there:column])
        yield [old[row]], [new[column]]
        here, there = row + 1, column + 1
    yield from _sections(old[here:], new[there:])


def _anchors(old: list[Token], new: list[Token]) -> list[tuple[int, int]]:
    """Positions of words that occur once in each text: the longest set that does not cross."""
    once = _places_of_once(new)
    pairs = [(row, once[text]) for text, row in _places_of_once(old).items() if text in once]
    ends: list[int] = []  # for each length of a run, the smallest column at which one can end, and its last pair
    last: list[int] = []
    before: list[int | None] = []
    for number, (_, column) in enumerate(pairs):
        place = bisect_left(ends, column)
        ends[place : place + 1], last[place : place + 1] = [column], [number]
        before.append(last[place - 1] if place else None)
    chosen = []
    at = last[-1] if last else None
    while at is not None:
        chosen.append(pairs[at])
        at = before[at]
    return chosen[::-1]


def _places_of_once(tokens: list[Token]) -> dict[str, int]:
    times = Counter(token.text for token in tokens)
    return {token.text: place for place, token in enumerate(tokens) if token.is_word and times[token.text] == 1}


def _search(old: list[Token], new: list[Token]) -> Iterator[tuple[Token | None, Token | None]]:
    """The cheapest alignment, by dynamic programming from the end, so that it is traced from the beginning."""
    rows, columns = len(old), len(new)
    cost = [[EDIT * (columns - column) for column in range(columns + 1)]]
    for row in range(rows - 1, -1, -1):
        below, here = cost[-1], [EDIT * (rows - row)] * (columns + 1)
        for column in range(columns - 1, -1, -1):
            replaced = below[column + 1] + _replacing(old[row], new[column])
            here[column] = min(replaced, below[column] + EDIT, here[column + 1] + EDIT)
        cost.append(here)
    cost.reverse()
    # At equal cost a pair is preferred to a deletion, and a deletion to an insertion.
    row = column = 0
    while row < len(old) or column < len(new):
        least = cost[row][column]
        both = row < len(old) and column < len(new)
        if both and least == cost[row + 1][column + 1] + _replacing(old[row], new[column]):
            yield old[row], new[column]
            row, column = row + 1, column + 1
        elif row < len(old) and least == cost[row + 1][column] + EDIT:
            yield old[row], None
            row += 1
        else:
            yield None, new[column]
            column += 1


def _replacing(before: Token, after: Token) -> int:
    """The cost of replacing one token by another; a word never replaces a punctuation mark."""
    if before.text == after.text:
        return 0
    if before.is_word != after.is_word:
        return 2 * EDIT + 1
    return EDIT + _dissimilarity(before.text, after.text)


@lru_cache(maxsize=65536)
def _dissimilarity(one: str, other: str) -> int:
    """From 0 to 100, by the letters shared at the beginning and end of two words, ignoring case."""
    one, other = one.lower(), other.lower()
    front, back = _shared_ends(one, other)
    return MOST_DISSIMILAR - MOST_DISSIMILAR * (front + back) // max(len(one), len(other))


def _shared_ends(one: str | list[str], other: str | list[str]) -> tuple[int, int]:
    most = min(len(one), len(other))
    front = back = 0
    while front < most and one[front] == other[front]:
        front += 1
    while back < most - front and one[-1 - back] == other[-1 - back]:
        back += 1
    return front, back
