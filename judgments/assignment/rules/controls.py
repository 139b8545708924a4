"""Control sentences, generated from a seed: the source with one or two English errors added.

A careful judge ranks such a sentence below its source. The errors are those that learners make and systems leave, so
that controls do not stand out: words are swapped only where nothing else fits, and doubled only where nothing can be
swapped. A whole text gets an error or two in each of its sentences, or a judge would not notice them among its own.

Words that an output or a reference changes may be wrong already, and another error there could correct them: *She have
been here* would become *She has been here*. They stay as they are.
"""

import random
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.diff import Change, compare_words

ARTICLES = {"a", "an", "the"}
PREPOSITIONS = {"of", "in", "on", "at", "to", "for", "with", "by", "from", "about"}
SMALL_WORDS = ARTICLES | PREPOSITIONS
FLIPS = {
    "is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "have": "has", "does": "do", "do": "does",
    "this": "these", "these": "this", "that": "those", "those": "that", "am": "is", "don't": "doesn't",
}  # fmt: skip

# White space between sentences, and line breaks.
SENTENCES = re.compile(r"((?<=[.!?])\s+|(?<=[。！？])\s*|\n\s*)")
WORD = re.compile(r"\S+")
# A control that equals an output is drawn again so often.
ATTEMPTS = 5


class Slip(NamedTuple):
    """An error: the words from start to end become others."""

    start: int
    end: int
    words: list[str]


Slips = Callable[[list[str]], Iterator[Slip]]


def drop_small_word(words: list[str]) -> Iterator[Slip]:
    """Articles and prepositions depend on the word behind them, so that it is part of the error."""
    for place, (word, after) in enumerate(pairwise(words) if len(words) > 2 else ()):
        is_doubled = word.lower() in (words[place - 1].lower(), after.lower())  # dropping it would be a correction
        if word.lower() in SMALL_WORDS and not is_doubled:
            yield Slip(place, place + 2, [after[0].upper() + after[1:] if word[0].isupper() else after])


def confuse_preposition(words: list[str]) -> Iterator[Slip]:
    for place, word in enumerate(words):
        if word in PREPOSITIONS:
            yield from (Slip(place, place + 1, [other]) for other in sorted(PREPOSITIONS - {word}))


def flip_agreement(words: list[str]) -> Iterator[Slip]:
    """What a word agrees with stands beside it; if that is changed (my hobbies > my hobby is), flipping may correct."""
    for place, word in enumerate(words):
        if flipped := FLIPS.get(word.lower()):
            before, after = words[max(place - 1, 0) : place], words[place + 1 : place + 2]
            put = [*before, flipped.capitalize() if word[0].isupper() else flipped, *after]
            yield Slip(place - len(before), place + 1 + len(after), put)


def swap_words(words: list[str]) -> Iterator[Slip]:
    """Swap two neighbours in lower case, so that capitals and punctuation stay in their places."""
    plain = [word.isalpha() and word == word.lower() for word in words]
    for place, (one, other) in enumerate(pairwise(words)):
        if one != other and plain[place] and plain[place + 1]:
            yield Slip(place, place + 2, [other, one])


def double_word(words: list[str]) -> Iterator[Slip]:
    yield from (Slip(place, place + 1, [word, word]) for place, word in enumerate(words))


COMMON: tuple[Slips, ...] = (drop_small_word, flip_agreement, confuse_preposition)
LAST_RESORTS: tuple[Slips, ...] = (swap_words, double_word)


def add_errors(text: str, rng: random.Random, others: Collection[str] = (), *, is_whole: bool = False) -> str | None:
    """Add one or two errors to a sentence, or to each sentence of a whole text, whose lines stay.

    Words that another text changes stay, too. None if they are all the words.
    """
    parts = SENTENCES.split(text) if is_whole else [text]
    starts = list(accumulate(map(len, parts), initial=0))
    changed, known = changed_characters(text, others), {normalise(one) for one in (text, *others)}

    def add(part: str, start: int) -> str:
        spans = [found.span() for found in WORD.finditer(part)]
        fixed = {n for n, span in enumerate(spans) if not changed.isdisjoint(range(*(start + at for at in span)))}
        return " ".join(_with_slips(part.split(), fixed, rng))

    for _ in range(ATTEMPTS):
        worse = "".join(part if n % 2 else add(part, starts[n]) for n, part in enumerate(parts))
        if normalise(worse) not in known:
            return worse
    return None


def changed_characters(text: str, others: Collection[str]) -> set[int]:
    """The characters of a text that another one changes; what is written onto a word changes its last character.

    Toy: `I go home` and `I went home,` differ in the characters 2, 3 and 8.
    """
    changed = set[int]()
    for other in others:
        at = 0
        for piece in compare_words(text, other):
            if piece.change is not Change.SAME:
                is_onto = not piece.old and not piece.new[0].isspace()
                changed |= set(range(at - is_onto, at + len(piece.old)))
            at += len(piece.old)
    return changed


def add_errors_to_all(
    texts: Sequence[str], seed: int, others: Sequence[Collection[str]] = (), *, are_whole: bool = False
) -> list[str | None]:
    """A control for each sentence or whole text, or None; each has its own seed, so that it depends on no other one.

    `others` has the outputs and references of each.
    """
    return [
        add_errors(text, random.Random(f"{seed}:{place}"), others[place] if others else (), is_whole=are_whole)
        for place, text in enumerate(texts)
    ]


def _with_slips(words: list[str], fixed: set[int], rng: random.Random) -> list[str]:
    """Make one or two errors away from each other; the last resorts are for the first."""
    slips: list[Slip] = []
    for _ in range(rng.choice((1, 2))):
        for kind in (*rng.sample(COMMON, len(COMMON)), *(() if slips else LAST_RESORTS)):
            if able := [slip for slip in kind(words) if fixed.isdisjoint(range(slip.start, slip.end))]:
                slips.append(rng.choice(able))
                fixed.update(range(slips[-1].start, slips[-1].end))
                break
    worse = list(words)
    for start, end, put in sorted(slips, key=lambda slip: slip.start, reverse=True):
        worse[start:end] = put
    return worse
