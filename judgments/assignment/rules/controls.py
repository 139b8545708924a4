"""Control sentences, generated from a seed: the source with one or two English errors added.

A careful judge ranks such a sentence below its source. The errors are those that learners make and systems leave, so
that controls do not stand out: words are swapped only where nothing else fits, and doubled only where nothing can be
swapped. A whole text gets an error or two in each of its sentences, or a judge would not notice them among its own.
"""

import random
import re
from collections.abc import Callable
from itertools import pairwise

from judgments.rules.texts.collapsing import normalise

ARTICLES = {"a", "an", "the"}
PREPOSITIONS = {"of", "in", "on", "at", "to", "for", "with", "by", "from", "about"}
SMALL_WORDS = ARTICLES | PREPOSITIONS
FLIPS = {
    "is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "have": "has", "does": "do", "do": "does",
    "this": "these", "these": "this", "that": "those", "those": "that", "am": "is", "don't": "doesn't",
}  # fmt: skip

# White space between sentences, and line breaks.
SENTENCES = re.compile(r"((?<=[.!?])\s+|(?<=[。！？])\s*|\n\s*)")

Insertion = Callable[[list[str], random.Random], list[str] | None]


def drop_small_word(words: list[str], rng: random.Random) -> list[str] | None:
    places = [place for place, word in enumerate(words) if word.lower() in SMALL_WORDS]
    if not places or len(words) < 3:
        return None
    place = rng.choice(places)
    after = words[place + 1 :]
    if words[place][0].isupper() and after:
        after[0] = after[0][0].upper() + after[0][1:]
    return words[:place] + after


def confuse_preposition(words: list[str], rng: random.Random) -> list[str] | None:
    places = [place for place, word in enumerate(words) if word in PREPOSITIONS]
    if not places:
        return None
    place = rng.choice(places)
    return [*words[:place], rng.choice(sorted(PREPOSITIONS - {words[place]})), *words[place + 1 :]]


def flip_agreement(words: list[str], rng: random.Random) -> list[str] | None:
    places = [place for place, word in enumerate(words) if word.lower() in FLIPS]
    if not places:
        return None
    place = rng.choice(places)
    flipped = FLIPS[words[place].lower()]
    return [*words[:place], flipped.capitalize() if words[place][0].isupper() else flipped, *words[place + 1 :]]


def swap_words(words: list[str], rng: random.Random) -> list[str] | None:
    """Swap two neighbours in lower case, so that capitals and punctuation stay in their places."""
    plain = [word.isalpha() and word == word.lower() for word in words]
    pairs = enumerate(pairwise(words))
    places = [place for place, (one, next_one) in pairs if one != next_one and plain[place] and plain[place + 1]]
    if not places:
        return None
    place = rng.choice(places)
    return [*words[:place], words[place + 1], words[place], *words[place + 2 :]]


def double_word(words: list[str], rng: random.Random) -> list[str] | None:
    if not words:
        return None
    place = rng.randrange(len(words))
    return [*words[: place + 1], *words[place:]]


COMMON: tuple[Insertion, ...] = (drop_small_word, flip_agreement, confuse_preposition)
LAST_RESORTS: tuple[Insertion, ...] = (swap_words, double_word)


def add_errors(sentence: str, rng: random.Random) -> str:
    """Add one or two errors; the result always differs, unless the sentence has no words."""
    words = sentence.split()
    worse = words
    for _ in range(rng.choice((1, 2))):
        worse = _add_error(worse, rng)
    if normalise(" ".join(worse)) == normalise(sentence):
        worse = _add_error(words, rng)  # the second error undid the first
    return " ".join(worse)


def add_errors_to_text(text: str, rng: random.Random) -> str:
    """Add errors to each sentence of a whole text; its lines stay."""
    parts = SENTENCES.split(text)
    return "".join(part if place % 2 else add_errors(part, rng) for place, part in enumerate(parts))


def add_errors_to_all(texts: list[str], seed: int, *, are_whole: bool = False) -> list[str]:
    """A control for each sentence or whole text; each has its own seed, so that it depends on no other one."""
    add = add_errors_to_text if are_whole else add_errors
    return [add(text, random.Random(f"{seed}:{place}")) for place, text in enumerate(texts)]


def _add_error(words: list[str], rng: random.Random) -> list[str]:
    for insertion in (*rng.sample(COMMON, len(COMMON)), *LAST_RESORTS):
        if (worse := insertion(words, rng)) is not None:
            return worse
    return words
