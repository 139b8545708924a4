"""The n-grams of the known texts of a sentence, its references and for some metrics its source, as BLEU, chrF, GLEU and
GREEN count them.

They form a trie: a node is an n-gram, and a token leads from it to the n-gram that is one longer. The key of a node is
its parent and its token, so that different n-grams never collide, as they might with bare hashes.

Toy: of `a b` and `b b` the nodes are a, ab, b, bb with the counts 1 0, 1 0, 1 2, 0 1. A walk along `b b b` finds b, bb,
b, bb, b, before which the walk had seen b 0, 1 and 2 times: two of the three are matched by the second text.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from ranking.metrics.base import ABSENT, Progress, in_chunks
from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material, MetricError
from ranking.metrics.tokens import Tokens
from ranking.numbers.kernels import kernel

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


def check_texts(metric: str, material: Material, candidates: Candidates) -> None:
    if not material.references:
        raise MetricError(f"{metric} needs a reference; add a file of corrections by people.")
    if len(candidates.chosen) and candidates.chosen.shape[1] != material.sentences:
        raise MetricError(
            f"The outputs have {candidates.chosen.shape[1]} lines where the source has {material.sentences};"
            " every file needs one line a sentence."
        )


def sacrebleu_signature(material: Material, settings: str) -> str:
    """Write a signature as sacrebleu does, with the number of references if all sentences have the same."""
    numbers = {sum(text is not None for text in row) for row in zip(*material.texts, strict=True)}
    return f"nrefs:{numbers.pop() if len(numbers) == 1 else 'var'}|case:mixed|{settings}|version:2.6.0"


def count_ngrams(
    kernel: Callable[..., None],
    columns: tuple[int, ...],
    material: Material,
    candidates: Candidates,
    encode: Encode,
    order: int,
    progress: Progress,
    with_source: bool = False,
) -> np.ndarray:
    """Count each candidate against each reference with a kernel, which fills counts by candidate, reference, columns.

    `with_source` makes the source text 0 of each sentence.
    """
    known = KnownTexts.of((material.source, *material.texts) if with_source else material.texts, encode)
    tokens = encode(candidates.texts)

    def work(chunk: slice) -> np.ndarray:
        sentence, starts = candidates.sentence[chunk], tokens.starts[chunk.start : chunk.stop + 1]
        counts = np.zeros((len(sentence), material.references, *columns), np.int32)
        kernel(tokens.numbers, starts, sentence, known.tokens.numbers, known.tokens.starts, order, counts)
        counts[~known.present[sentence, 1 if with_source else 0 :]] = ABSENT
        return counts

    return in_chunks(work, len(candidates), progress)


NOBODY = -1
SPREAD = 0x1E3779B97F4A7C15
# The parts of a trie: how often each text has each node; the number of nodes and the width of the table; the table of
# keys, their nodes, the slots of nodes; how often a walk met each node.
TIMES, STATE = 0, 1
NODES, MASK = 0, 1


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


def totals(counts: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Sum each column over the candidates of each output.

    Toy: with the counts (1 2), (3 4), (5 6) an output of the candidates 0 and 2 has the sums 6 and 8.
    """
    sums = np.zeros((len(chosen), counts.shape[1]), dtype=np.int64)
    _add(np.ascontiguousarray(counts), np.ascontiguousarray(chosen), sums)
    return sums


@kernel
def _add(counts, chosen, sums):
    for row in range(chosen.shape[0]):
        for place in range(chosen.shape[1]):
            for column in range(counts.shape[1]):
                sums[row, column] += counts[chosen[row, place], column]
