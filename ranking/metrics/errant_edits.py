"""The edits that turn a source into another sentence, as ERRANT finds them, each with its kind.

Words are aligned by Damerau-Levenshtein distance with similarity. Keeping a word costs 0, deleting or inserting one
costs 1. A substitution costs 0 where only case differs, else

    0.499 if the lemmas differ  +  0, 0.25 or 0.5 for parts of speech that are the same, both open, or neither
    +  the share of letters that are not common to both

and k + 1 words in another order, ignoring case, cost k. Words that are the same are always kept. Of operations with
equal costs, reordering is preferred, then substitution, insertion and deletion.

Then the rules of the package errant join neighbouring steps to edits. They compare all parts of a run of changes, which
takes hours for a thousand words; in a run longer than `MOST_JOINED` each step is an edit by itself.

Toy: `a big dog` and `a dog big` have two words in another order, which costs 1; two substitutions would cost more.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby, takewhile
from threading import Lock
from types import SimpleNamespace
from typing import Any

import numpy as np
from rapidfuzz.distance import Indel
from rapidfuzz.process import cdist

from ranking.metrics.base import Progress, no_progress
from ranking.metrics.errant_parser import ENGLISH, PARSED_AT_ONCE, ParsedSentence, SpacyParser
from ranking.metrics.material import Candidates, Edit, Edits, Material
from ranking.numbers.kernels import kernel

# A source and its correction.
TextPair = tuple[str, str]
# Reports request the same pairs repeatedly; this takes some 50 MB.
MOST_CACHED = 50_000
# The operation of a step, which the ranges of its words in the source and in the other sentence follow; the package
# calls it by these letters.
KEPT, SUBSTITUTED, DELETED, INSERTED, REORDERED = range(5)
LETTERS = "MSDIT"
CHANGED = ("S", "D", "I")
# With 250 unlike words the rules take four seconds, which grow with the fourth power.
MOST_JOINED = 250


class Extractor:
    """Extracts the edits of pairs and caches the last ones, because parsing takes nearly all the time."""

    def __init__(self, parser: SpacyParser) -> None:
        self.parser = parser
        self.cached: dict[TextPair, Edits] = {}
        self.lock = Lock()

    def edits(self, pairs: Iterable[TextPair], progress: Progress = no_progress) -> dict[TextPair, Edits]:
        """Extract the edits of every pair; pass pairs with the same source one after the other."""
        distinct = list(dict.fromkeys(pairs))
        with self.lock:
            found = {pair: self.cached[pair] for pair in distinct if pair in self.cached}
            found |= {(source, text): () for source, text in distinct if source == text}
            for batch in _batches([pair for pair in distinct if pair not in found]):
                texts = list(dict.fromkeys(text for pair in batch for text in pair))
                parsed = dict(zip(texts, self.parser.parse(texts), strict=True))
                made: dict[TextPair, Edits] = {}
                for pair in batch:
                    made[pair] = tuple(
                        Edit(edit.o_start, edit.o_end, (edit.c_str,), self.parser.classify(edit))
                        for edit in self.parser.join(align(*(parsed[text] for text in pair)))
                    )
                found |= made
                self.cached |= made
                for pair in list(self.cached)[: max(len(self.cached) - MOST_CACHED, 0)]:
                    del self.cached[pair]
                progress(len(found), len(distinct))
        return found


def _batches(pairs: Sequence[TextPair]) -> Iterator[list[TextPair]]:
    """Split pairs into batches, with neighbours of one source in the same batch, so that it is parsed once."""
    batch: list[TextPair] = []
    for pair in pairs:
        if len(batch) >= PARSED_AT_ONCE and pair[0] != batch[-1][0]:
            yield batch
            batch = []
        batch.append(pair)
    if batch:
        yield batch


@cache
def extractor(language: str = ENGLISH) -> Extractor:
    """Load one per process and language, since models are large."""
    return Extractor(SpacyParser(language))


def edits_of_texts(
    material: Material, candidates: Candidates, progress: Progress, language: str = ENGLISH
) -> tuple[list[Edits], list[list[Edits | None]]]:
    """Extract the edits of each candidate, and those of each reference for each sentence, None if it lacks it."""
    source, texts = material.source, material.texts
    mine = [(source[place], text) for place, text in zip(candidates.sentence.tolist(), candidates.texts, strict=True)]
    firsts = np.searchsorted(candidates.sentence, np.arange(len(source) + 1))
    pairs: list[TextPair] = []
    for place, line in enumerate(source):
        pairs += [(line, right) for row in texts if (right := row[place]) is not None]
        pairs += mine[firsts[place] : firsts[place + 1]]
    edits = extractor(language).edits(pairs, progress)
    of_references = [
        [None if text is None else edits[line, text] for line, text in zip(source, row, strict=True)] for row in texts
    ]
    return [edits[pair] for pair in mine], of_references


def align(source: ParsedSentence, other: ParsedSentence) -> SimpleNamespace:
    """Align two sentences, ignoring their common end; return what the package's rules ask of an alignment."""
    last_ones = zip(reversed(source.words), reversed(other.words), strict=False)
    common = sum(1 for _ in takewhile(lambda both: both[0] == both[1], last_ones))
    ours, theirs = source.words[: len(source.words) - common], other.words[: len(other.words) - common]
    unlike = cdist(ours, theirs, scorer=Indel.normalized_distance, dtype=np.float64).reshape(len(ours), len(theirs))
    steps: list[tuple[Any, ...]] = []
    found = ((LETTERS[kind], *places) for kind, *places in _steps(source.seen, other.seen, unlike).tolist())
    for is_changed, run in groupby(found, lambda step: step[0] in CHANGED):
        some = list(run)
        if is_changed and len(some) > MOST_JOINED and any(letter == "S" for letter, *_ in some):
            # The rules leave reorderings as they are.
            some = [("T", *places) for _, *places in some]
        steps += some
    return SimpleNamespace(orig=source.parsed, cor=other.parsed, align_seq=steps)


@kernel
def _steps(source, other, unlike):
    """Return the steps of the cheapest alignment, from left to right; unlike[i, j] is the share of unshared letters.

    Its shape is the number of words to align, counted from the first ones.
    """
    many, length = unlike.shape
    cost = np.empty((many + 1, length + 1), np.float64)
    # The number of words of a reordering, else 0.
    done, reordered = np.empty((many + 1, length + 1), np.int8), np.zeros((many + 1, length + 1), np.int32)
    cost[0, :], done[0, :] = np.arange(length + 1), INSERTED
    cost[:, 0], done[:, 0] = np.arange(many + 1), DELETED
    for i in range(many):
        for j in range(length):
            if source.spelling[i] == other.spelling[j]:
                cost[i + 1, j + 1], done[i + 1, j + 1] = cost[i, j], KEPT
                continue
            least, swapped = np.inf, _reordered(cost, source.lower, other.lower, i, j)
            done[i + 1, j + 1], reordered[i + 1, j + 1] = REORDERED, swapped + 1
            if swapped:
                least = cost[i - swapped, j - swapped] + swapped
            price = 0.0
            if source.lower[i] != other.lower[j]:
                are_open = source.is_open[i] and other.is_open[j]
                of_parts = 0.0 if source.part[i] == other.part[j] else 0.25 if are_open else 0.5
                price = (0.0 if source.lemma[i] == other.lemma[j] else 0.499) + of_parts + unlike[i, j]
            if cost[i, j] + price < least:
                least, done[i + 1, j + 1] = cost[i, j] + price, SUBSTITUTED
            if cost[i + 1, j] + 1 < least:
                least, done[i + 1, j + 1] = cost[i + 1, j] + 1, INSERTED
            if cost[i, j + 1] + 1 < least:
                least, done[i + 1, j + 1] = cost[i, j + 1] + 1, DELETED
            cost[i + 1, j + 1] = least
    i, j = many, length
    place = i + j
    found = np.empty((place, 5), np.int64)
    while i + j > 0:
        kind = done[i, j]
        wide = reordered[i, j] if kind == REORDERED else 1
        down, right = 0 if kind == INSERTED else wide, 0 if kind == DELETED else wide
        place -= 1
        found[place, 0] = kind
        found[place, 1], found[place, 2], found[place, 3], found[place, 4] = i - down, i, j - right, j
        i, j = i - down, j - right
    return found[place:]


@kernel
def _reordered(cost, source, other, i, j):
    """Return the length of the shortest reordering that ends with these words, or 0.

    It does not reach beyond a word that is kept.
    """
    before = 1
    # Different sums mean different words; if sums are equal, the words are compared.
    left, right = source[i], other[j]
    while before <= i and before <= j and cost[i - before + 1, j - before + 1] != cost[i - before, j - before]:
        left += source[i - before]
        right += other[j - before]
        if left == right:
            ours, theirs = np.sort(source[i - before : i + 1]), np.sort(other[j - before : j + 1])
            if (ours == theirs).all():
                return before
        before += 1
    return 0
