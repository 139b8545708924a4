"""Control sentences, generated from a seed: the source with one or two English errors added.

A careful judge ranks such a sentence below its source.
"""

import random
from collections.abc import Callable

from judgments.rules.texts.collapsing import normalise

SMALL_WORDS = {"a", "an", "the", "of", "in", "on", "at", "to", "for", "with", "by", "from", "about"}
FLIPS = {
    "is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "have": "has", "does": "do", "do": "does",
    "this": "these", "these": "this", "that": "those", "those": "that", "am": "is", "don't": "doesn't",
}  # fmt: skip
MOST_TRIES = 50

Insertion = Callable[[list[str], random.Random], list[str] | None]


def drop_small_word(words: list[str], rng: random.Random) -> list[str] | None:
    places = [place for place, word in enumerate(words) if word.lower() in SMALL_WORDS]
    if not places or len(words) < 3:
        return None
    place = rng.choice(places)
    return words[:place] + words[place + 1 :]


def flip_agreement(words: list[str], rng: random.Random) -> list[str] | None:
    places = [place for place, word in enumerate(words) if word.lower() in FLIPS]
    if not places:
        return None
    place = rng.choice(places)
    flipped = FLIPS[words[place].lower()]
    return [*words[:place], flipped.capitalize() if words[place][0].isupper() else flipped, *words[place + 1 :]]


def swap_words(words: list[str], rng: random.Random) -> list[str] | None:
    places = [place for place in range(len(words) - 1) if words[place] != words[place + 1]]
    if not places:
        return None
    place = rng.choice(places)
    return [*words[:place], words[place + 1], words[place], *words[place + 2 :]]


def double_word(words: list[str], rng: random.Random) -> list[str] | None:
    if not words:
        return None
    place = rng.randrange(len(words))
    return [*words[: place + 1], *words[place:]]


INSERTIONS: tuple[Insertion, ...] = (drop_small_word, flip_agreement, swap_words, double_word)


def add_errors(sentence: str, rng: random.Random) -> str:
    """Add one or two errors; the result always differs, unless the sentence has no words."""
    words = sentence.split()
    worse = words
    for _ in range(rng.choice((1, 2))):
        worse = _add_error(worse, rng)
    if normalise(" ".join(worse)) == normalise(sentence):
        worse = double_word(words, rng) or words
    return " ".join(worse)


def add_errors_to_all(sentences: list[str], seed: int) -> list[str]:
    """A control for each sentence; each has its own seed, so that it depends on no other sentence."""
    return [add_errors(sentence, random.Random(f"{seed}:{place}")) for place, sentence in enumerate(sentences)]


def _add_error(words: list[str], rng: random.Random) -> list[str]:
    for _ in range(MOST_TRIES):
        if (worse := rng.choice(INSERTIONS)(words, rng)) is not None:
            return worse
    return words
