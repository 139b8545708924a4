"""Whether each alignment of source and output with any mixture of alternatives goes through certain cuts.

The reference is a sequence of blocks separated by words of the source. A block has one of several alternatives, each
credited with the cost of its own alignment between the cuts. So an alignment through all cuts costs 0 in total,
whatever the alternatives. If for every cut the cheapest alignment that misses it costs more than 0, no cheapest
alignment of any mixture misses a cut, and each block can be aligned separately.

A slab has, for one place in the reference, the cost of reaching each pair of places in source and output; the cost of
continuing from there comes from the reversed texts.
"""

from typing import NamedTuple

import numpy as np

from ranking.metrics.imeasure.alignment import DIFFERENT, FAR, GAP
from ranking.metrics.tokens import Tokens
from ranking.numbers.kernels import kernel


class Blocks(NamedTuple):
    """Alternatives of block b are rows firsts[b] to firsts[b + 1]; each block but the last is followed by a cut."""

    alternatives: Tokens
    firsts: np.ndarray
    paid: np.ndarray
    source_cuts: np.ndarray
    output_cuts: np.ndarray


def price_of_missing(source: np.ndarray, output: np.ndarray, blocks: Blocks) -> np.ndarray:
    """Return, for each cut, the cost of the cheapest alignment that misses it, over all mixtures."""
    texts, firsts, paid, source_cuts, output_cuts = blocks
    words = source[source_cuts]
    there = _slabs(source, output, texts.numbers, texts.starts, firsts, paid, words)
    numbers = texts.numbers[::-1].copy()
    starts = (len(numbers) - texts.starts)[::-1].copy()
    turned = (len(paid) - firsts)[::-1].copy()
    back = _slabs(
        source[::-1].copy(), output[::-1].copy(), numbers, starts, turned, paid[::-1].copy(), words[::-1].copy()
    )
    return _missing(source, output, source_cuts, output_cuts, there, back)


@kernel
def _slabs(source, output, numbers, starts, firsts, paid, words):
    """Slabs before the word of each cut."""
    kept = np.empty((len(words), len(source) + 1, len(output) + 1), np.int32)
    slab = np.full((len(source) + 1, len(output) + 1), FAR, np.int32)
    slab[0, 0] = 0
    _go_on(slab, source, output)
    for block in range(len(words)):
        rows = range(firsts[block], firsts[block + 1])
        before, after = _shared(numbers, starts, firsts[block], firsts[block + 1])
        for place in range(starts[firsts[block]], starts[firsts[block]] + before):
            slab = _step(slab, source, output, numbers[place])
        merged = np.full_like(slab, FAR)
        for row in rows:
            own = slab
            for place in range(starts[row] + before, starts[row + 1] - after):
                own = _step(own, source, output, numbers[place])
            merged = np.minimum(merged, own - paid[row])
        end = starts[firsts[block] + 1]
        for place in range(end - after, end):
            merged = _step(merged, source, output, numbers[place])
        kept[block] = merged
        slab = _step(merged, source, output, words[block])
    return kept


@kernel
def _shared(numbers, starts, first, last):
    """Count the words with which all alternatives begin, and the further words with which all end."""
    shortest = starts[first + 1] - starts[first]
    for row in range(first, last):
        shortest = min(shortest, starts[row + 1] - starts[row])
    before = 0
    while before < shortest and _is_same(numbers, starts[first:last] + before):
        before += 1
    after = 0
    while after < shortest - before and _is_same(numbers, starts[first + 1 : last + 1] - 1 - after):
        after += 1
    return before, after


@kernel
def _is_same(numbers, places):
    return (numbers[places] == numbers[places[0]]).all()


@kernel
def _go_on(slab, source, output):
    """Reduce the cost of cells by columns with a gap in the reference."""
    for i in range(slab.shape[0]):
        for j in range(slab.shape[1]):
            cost = slab[i, j]
            if i:
                cost = min(cost, slab[i - 1, j] + 2 * GAP)
            if j:
                cost = min(cost, slab[i, j - 1] + 2 * GAP)
            if i and j:
                cost = min(cost, slab[i - 1, j - 1] + _with_one(source[i - 1], output[j - 1]))
            slab[i, j] = cost


@kernel
def _step(slab, source, output, word):
    after = np.empty_like(slab)
    for i in range(slab.shape[0]):
        for j in range(slab.shape[1]):
            cost = slab[i, j] + 2 * GAP
            if i:
                cost = min(cost, slab[i - 1, j] + _with_one(source[i - 1], word))
            if j:
                cost = min(cost, slab[i, j - 1] + _with_one(output[j - 1], word))
            if i and j:
                cost = min(cost, slab[i - 1, j - 1] + _with_both(source[i - 1], output[j - 1], word))
            after[i, j] = cost
    _go_on(after, source, output)
    return after


@kernel(cache=False, nogil=False, inline="always")
def _with_one(one, word):
    return (0 if one == word else DIFFERENT) + 2 * GAP


@kernel(cache=False, nogil=False, inline="always")
def _with_both(one, other, word):
    pair = 0 if one == other else DIFFERENT
    return pair + (0 if one == word else DIFFERENT) + (0 if other == word else DIFFERENT)


@kernel
def _missing(source, output, source_cuts, output_cuts, there, back):
    cuts, rows, columns = there.shape
    least = np.full(cuts, FAR, np.int32)
    for cut in range(cuts):
        word = source[source_cuts[cut]]
        before, after = there[cut], back[cuts - 1 - cut]
        for i in range(rows):
            for j in range(columns):
                on = after[rows - 1 - i, columns - 1 - j]
                cost = before[i, j] + 2 * GAP
                if i:
                    cost = min(cost, before[i - 1, j] + _with_one(source[i - 1], word))
                if j:
                    cost = min(cost, before[i, j - 1] + _with_one(output[j - 1], word))
                if i and j and not (i - 1 == source_cuts[cut] and j - 1 == output_cuts[cut]):
                    cost = min(cost, before[i - 1, j - 1] + _with_both(source[i - 1], output[j - 1], word))
                least[cut] = min(least[cut], cost + on)
    return least
