"""The n-grams of the known texts of a sentence, its references and for some metrics its source, as BLEU, chrF, GLEU and
GREEN count them.

They form a trie: a node is an n-gram, and a token leads from it to the n-gram that is one longer. The key of a node is
its parent and its token, so that different n-grams never collide, as they might with bare hashes.

Toy: of `a b` and `b b` the nodes are a, ab, b, bb with the counts 1 0, 1 0, 1 2, 0 1. A walk along `b b b` finds b, bb,
b, bb, b, before which the walk had seen b 0, 1 and 2 times: two of the three are matched by the second text.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from ranking.metrics.base import Progress, Subsets, in_chunks, part_of
from ranking.metrics.material import Candidates, Material, MetricError, Tokens
from ranking.numbers.kernels import kernel

SUBSETS_AT_ONCE = 16
Encode = Callable[[Iterable[str]], Tokens]


class KnownTexts(NamedTuple):
    """The known texts of all sentences, the same number per sentence, one after the other; a missing one is empty."""

    tokens: Tokens
    present: np.ndarray

    @classmethod
    def of(cls, columns: Sequence[Sequence[str | None]], encode: Encode) -> "KnownTexts":
        """Regroup columns of texts by sentence, and encode them."""
        rows = list(zip(*columns, strict=True))
        present = np.array([[text is not None for text in row] for row in rows], dtype=bool).reshape(-1, len(columns))
        return cls(encode(text or "" for row in rows for text in row), present)

    @property
    def lengths(self) -> np.ndarray:
        return self.tokens.lengths.reshape(self.present.shape)

    def count_shared(
        self, tokens: Tokens, sentence: np.ndarray, order: int, also: int, progress: Progress
    ) -> tuple[np.ndarray, np.ndarray]:
        """Count n-grams that a text shares with each known text of its sentence, by order.

        The second result counts those it shares with the first known text as well (EVERYWHERE), or those it shares with
        the first one, and the known text lacks (ELSEWHERE), or is empty (NOTHING).
        """

        def work(chunk: slice) -> np.ndarray:
            shape = chunk.stop - chunk.start, self.present.shape[1], order
            counts = np.zeros((1 if also == NOTHING else 2, *shape), np.int32)
            starts = tokens.starts[chunk.start : chunk.stop + 1]
            known = self.tokens.numbers, self.tokens.starts
            _count(tokens.numbers, starts, sentence[chunk], *known, also, counts[0], counts[-1])
            return counts.swapaxes(0, 1)

        counts = in_chunks(work, len(sentence), progress)
        return counts[:, 0], counts[:, 1:].reshape(-1, *counts.shape[2:])

    def count_in_any(
        self, tokens: Tokens, sentence: np.ndarray, order: int, subsets: Subsets, progress: Progress
    ) -> Iterator[np.ndarray]:
        """Count n-grams by order, for each subset of the known texts; the text counts that has the n-gram most."""
        parts = range(0, len(subsets), SUBSETS_AT_ONCE)
        known = self.tokens.numbers, self.tokens.starts, self.present.shape[1]
        for number, first in enumerate(parts):
            some = subsets[first : first + SUBSETS_AT_ONCE]
            texts, firsts = np.array([*chain.from_iterable(some)], np.int64), np.cumsum([0, *map(len, some)])

            def work(chunk: slice, texts: np.ndarray = texts, firsts: np.ndarray = firsts) -> np.ndarray:
                counts = np.zeros((chunk.stop - chunk.start, len(firsts) - 1, order), np.int32)
                starts = tokens.starts[chunk.start : chunk.stop + 1]
                _count_in_any(tokens.numbers, starts, sentence[chunk], *known, texts, firsts, counts)
                return counts

            yield from in_chunks(work, len(sentence), part_of(progress, number, len(parts))).swapaxes(0, 1)


def check_texts(metric: str, material: Material, candidates: Candidates) -> None:
    if not material.references:
        raise MetricError(f"{metric} needs a reference; add a file of corrections by people.")
    if len(candidates.chosen) and candidates.chosen.shape[1] != material.sentences:
        raise MetricError(
            f"The outputs have {candidates.chosen.shape[1]} lines where the source has {material.sentences};"
            " every file needs one line per sentence."
        )


def sacrebleu_signature(material: Material, settings: str) -> str:
    """Write a signature as sacrebleu does, with the number of references if all sentences have the same."""
    numbers = {sum(text is not None for text in row) for row in zip(*material.texts, strict=True)}
    return f"nrefs:{numbers.pop() if len(numbers) == 1 else 'var'}|case:mixed|{settings}|version:2.6.0"


NOBODY = -1
SPREAD = 0x1E3779B97F4A7C15
# The parts of a trie: how often each text has each node; the number of nodes and the width of the table; the table of
# keys, their nodes, the slots of nodes; how often a walk met each node.
TIMES = 0
NODES, MASK = 0, 1
# What else to count of n-grams than those that two texts share.
NOTHING, EVERYWHERE, ELSEWHERE = range(3)


@kernel
def _count(numbers, starts, sentence, known_numbers, known_starts, also, shared, others):
    texts, order = shared.shape[1:]
    trie, found = new_trie(sentence, known_starts, texts, order), new_walk(starts, order)
    times = trie[TIMES]
    for candidate in range(len(sentence)):
        if candidate == 0 or sentence[candidate] != sentence[candidate - 1]:
            plant(trie, known_numbers, known_starts, sentence[candidate] * texts, order)
        for place in range(walk(trie, numbers, starts[candidate], starts[candidate + 1], order, found)):
            node, length, before = found[0, place], found[1, place], found[2, place]
            in_first = also != NOTHING and before < times[node, 0]
            # Nobody asks what the first text itself lacks.
            for text in range(also == ELSEWHERE, texts):
                if before < times[node, text]:
                    shared[candidate, text, length] += 1
                    if in_first and also == EVERYWHERE:
                        others[candidate, text, length] += 1
                elif in_first and also == ELSEWHERE and times[node, text] == 0:
                    others[candidate, text, length] += 1


@kernel
def _count_in_any(numbers, starts, sentence, known_numbers, known_starts, all_texts, texts, firsts, counts):
    """Subset n is texts[firsts[n]:firsts[n + 1]]."""
    order = counts.shape[2]
    trie, found = new_trie(sentence, known_starts, all_texts, order), new_walk(starts, order)
    times = trie[TIMES]
    for candidate in range(len(sentence)):
        if candidate == 0 or sentence[candidate] != sentence[candidate - 1]:
            plant(trie, known_numbers, known_starts, sentence[candidate] * all_texts, order)
        for place in range(walk(trie, numbers, starts[candidate], starts[candidate + 1], order, found)):
            node, length, before = found[0, place], found[1, place], found[2, place]
            for subset in range(counts.shape[1]):
                for text in texts[firsts[subset] : firsts[subset + 1]]:
                    if before < times[node, text]:
                        counts[candidate, subset, length] += 1
                        break


@kernel
def new_trie(sentence, starts, texts, order):
    """Make a trie with room for the n-grams of any sentence."""
    room = 1
    for place in range(len(sentence)):
        first = sentence[place] * texts
        room = max(room, order * (starts[first + texts] - starts[first]) + 1)
    size = _width(room)
    keys, nodes = np.full(size, NOBODY, np.int64), np.empty(size, np.int32)
    slots, counts = np.empty(room, np.int64), np.zeros((room, texts), np.int32)
    return counts, np.array([1, size - 1]), keys, nodes, slots, np.zeros(room, np.int32)


@kernel
def plant(trie, numbers, starts, first, order):
    """Fill the trie with the texts of a sentence, the first of which is `first`; each column of counts is a text."""
    counts, state, keys, nodes, slots, _ = trie
    texts = counts.shape[1]
    for node in range(1, state[NODES]):
        keys[slots[node]] = NOBODY
        for text in range(texts):
            counts[node, text] = 0
    # As narrow as possible, so that the trie of a short sentence stays in the cache.
    many, mask = 1, _width(order * (starts[first + texts] - starts[first]) + 1) - 1
    for text in range(texts):
        end = starts[first + text + 1]
        for start in range(starts[first + text], end):
            node = 0
            for place in range(start, min(start + order, end)):
                key = (np.int64(node) << 32) | numbers[place]
                slot = _slot(keys, key, mask)
                if keys[slot] == NOBODY:
                    keys[slot], nodes[slot], slots[many] = key, many, slot
                    many += 1
                node = nodes[slot]
                counts[node, text] += 1
    state[NODES], state[MASK] = many, mask


@kernel
def new_walk(starts, order):
    """Make buffers for a walk along any of the texts: nodes, their orders from 0, how often each was met before."""
    longest = 1
    for text in range(len(starts) - 1):
        longest = max(longest, starts[text + 1] - starts[text])
    return np.empty((3, longest * order), np.int32)


@kernel
def walk(trie, numbers, begin, end, order, found):
    """Find the n-grams of a text that are in the trie; returns their number."""
    _, state, keys, nodes, _, met = trie
    many, mask = 0, state[MASK]
    for start in range(begin, end):
        node = 0
        for place in range(start, min(start + order, end)):
            key = (np.int64(node) << 32) | numbers[place]
            slot = _slot(keys, key, mask)
            if keys[slot] == NOBODY:
                break
            node = nodes[slot]
            found[0, many], found[1, many], found[2, many] = node, place - start, met[node]
            met[node] += 1
            many += 1
    for place in range(many):
        met[found[0, place]] = 0
    return many


@kernel
def _width(room):
    """Return the least power of two that is at most half filled."""
    size = 2
    while size < 2 * room:
        size *= 2
    return size


@kernel
def _slot(keys, key, mask):
    """Find the slot of a key, or where it would go."""
    slot = ((key * SPREAD) >> 29) & mask
    while keys[slot] != NOBODY and keys[slot] != key:
        slot = (slot + 1) & mask
    return slot
