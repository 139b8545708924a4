"""The difference between a candidate and its source, in pieces that a judge can read.

Words are aligned with the fewest deletions, insertions and substitutions, and among those alignments with the most
similar substitutes. Only a correction of spelling inside a word is shown by letters; a word with another case or ending
is replaced as a whole. Scripts without spaces are aligned character by character.

The old texts of all pieces make up the source, the new ones the candidate.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from judgments.rules.texts.graphemes import clusters
from judgments.rules.texts.words import Token, tokenise, tokens_of

EDIT = 1_000_000  # one edit costs more than any sum of dissimilarities in a sentence
MOST_DISSIMILAR = 100
MOST_CELLS = 90_000  # two texts of three hundred words; more takes longer than a reader would wait
# Pairing two words takes about as long as comparing so many letters, and so does finding the words, for each letter.
LETTERS_A_STEP = 32
SHORTEST_SPELLING = 5
MOST_MISSPELT = 2


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
        """The words to mark, or all of a piece that is only white space."""
        return self.shown.strip() or self.shown

    @property
    def is_slight(self) -> bool:
        """Whether the words to mark are only punctuation or white space, which is easily overlooked."""
        return not any(map(str.isalnum, self.shown))

    @property
    def tail(self) -> str:
        return self.shown[len(self.shown.rstrip()) :] if self.shown.strip() else ""


@lru_cache(maxsize=4096)
def compare(source: str, candidate: str) -> tuple[Piece, ...]:
    """Split a candidate into pieces that differ from its source and pieces that do not."""
    return compare_once(source, candidate)


def compare_once(source: str, written: str) -> tuple[Piece, ...]:
    """`compare` without its cache, for a text that is unlikely to come again."""
    return tuple(_merged(_pieces(tokens_of(source), tokenise(written), _word_pieces)))


def compare_words(source: str, written: str) -> tuple[Piece, ...]:
    """`compare_once`, but a changed word is always shown as a whole."""
    return tuple(_merged(_pieces(tokens_of(source), tokenise(written), lambda before, after: (Piece(before, after),))))


def _pieces(old: list[Token], new: list[Token], word_pieces: Callable[[str, str], Iterable[Piece]]) -> Iterator[Piece]:
    for before, after in _align(old, new):
        if before is None and after is not None:
            yield Piece("", after.space)
            yield Piece("", after.text)
        elif after is None and before is not None:
            yield Piece(before.space, "")
            yield Piece(before.text, "")
        elif before is not None and after is not None:
            yield Piece(before.space, after.space)
            yield from word_pieces(before.text, after.text)


def _merged(pieces: Iterator[Piece]) -> Iterator[Piece]:
    last = Piece("", "")
    for piece in pieces:
        if piece == ("", ""):
            continue
        if last != ("", "") and piece.change != last.change:
            yield last
            last = piece
        else:
            last = Piece(last.old + piece.old, last.new + piece.new)
    if last != ("", ""):
        yield last


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


def _search(old: list[Token], new: list[Token]) -> list[tuple[Token | None, Token | None]]:
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
    return _read_off(old, new, cost)


def _read_off(old: list[Token], new: list[Token], cost: list[list[int]]) -> list[tuple[Token | None, Token | None]]:
    """Trace the alignment; at equal cost prefer a pair to a deletion, and a deletion to an insertion."""
    pairs: list[tuple[Token | None, Token | None]] = []
    row = column = 0
    while row < len(old) or column < len(new):
        here = cost[row][column]
        both = row < len(old) and column < len(new)
        if both and here == cost[row + 1][column + 1] + _replacing(old[row], new[column]):
            pairs.append((old[row], new[column]))
            row, column = row + 1, column + 1
        elif row < len(old) and here == cost[row + 1][column] + EDIT:
            pairs.append((old[row], None))
            row += 1
        else:
            pairs.append((None, new[column]))
            column += 1
    return pairs


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


def _word_pieces(before: str, after: str) -> Iterator[Piece]:
    """A replaced word as a whole, or by letters if its spelling was corrected."""
    old, new = list(clusters(before)), list(clusters(after))
    front, back = _shared_ends(old, new)
    if not _is_spelling(old, new, front, back):
        yield Piece(before, after)
        return
    yield Piece("".join(old[:front]), "".join(new[:front]))
    yield Piece("".join(old[front : len(old) - back]), "".join(new[front : len(new) - back]))
    yield Piece("".join(old[len(old) - back :]), "".join(new[len(new) - back :]))


def _is_spelling(old: list[str], new: list[str], front: int, back: int) -> bool:
    """Whether two words differ only in a letter or two inside: an ending is grammar, a capital not spelling."""
    if old == new or min(len(old), len(new)) < SHORTEST_SPELLING:
        return False
    if "".join(old).casefold() == "".join(new).casefold():
        return False
    changed = max(len(old), len(new)) - front - back
    return front > 0 and back > 0 and changed <= MOST_MISSPELT
