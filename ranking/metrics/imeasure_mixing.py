"""The best of all mixtures of references for the I-measure, found without trying all of them.

Overlapping edits of the references are clusters, and a mixture takes one alternative of each. Edits overlap if they
share a word, if both insert at one place, or if one inserts between words of the other.

The sentence is cut at words between clusters. If the alignment with every mixture provably goes through the cuts, a
mixture's counts are the sums of those of its blocks, and `best_sum` finds the best sum. Cuts that are not proven are
dropped, and the blocks around them become one with the mixtures of both. If a block then has more mixtures than the
cap, the first cuts are trusted. The resulting mixture is aligned as a whole, like the references, and the best of these
is chosen; it may not be the best of all and is marked.

The proof: each alternative of a block is credited with the cost of its own alignment between the cuts. So an alignment
through all cuts costs 0 in total, whatever the alternatives. If for every cut the cheapest alignment that misses it
costs more than 0, no cheapest alignment of any mixture misses a cut. A slab has, for one place in the reference, the
cost of reaching each pair of places in source and output; the cost of continuing from there comes from the reversed
texts.

`best_sum` finds the highest ratio WAcc = N / D of sums by the method of Dinkelbach (1967): with the best ratio n / d so
far, each block takes an alternative with the largest N d - D n, until the ratio stops growing. Only alternatives with
this largest value can be part of a best choice, and all their sums are compared.

Toys: references correct `a b c d` to `a x c d`, `a y d` and `a b c d e`. There are two clusters: `b c` with the
alternatives `x c`, `y` and `b c`, and the end with nothing and `e`; there are 3 x 2 mixtures.
Blocks with N / D of 1/2 or 0/1, and of 3/4 or 2/2: from 4/6 = 2/3 the second block gains by 2/2 (2 x 6 - 2 x 4 = 4
against 3 x 6 - 4 x 4 = 2), the first stays: 3/4, which is the best.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice, pairwise, product
from math import prod
from operator import add
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from ranking.metrics.imeasure_alignment import COLUMNS, DIFFERENT, FAR, FN, FP, FPN, GAP, PAID, TN, TP, align
from ranking.metrics.material import Edit, Edits, Material, apply_edits
from ranking.metrics.tokens import Tokens, starts_of
from ranking.numbers.kernels import kernel

# The columns of the unchanged source, which has no other kinds, follow those of correction.
SOURCE_TN, SOURCE_FN = COLUMNS, COLUMNS + 1
ALL_COLUMNS = COLUMNS + 2
MOST_SUMS = 10_000
# Up to this number all mixtures are tried, without cuts.
FEW = 16
# This many cells take less than a second, in slabs or in alignments of the mixtures of a block.
MOST_CELLS = 1 << 26

Counts = tuple[int, ...]
# Finds the place of the best of several rows of counts.
BestOf = Callable[[np.ndarray], np.ndarray]


class Cluster(NamedTuple):
    """Words start to end of a source, their alternatives, and which of them each reference has."""

    start: int
    end: int
    alternatives: tuple[tuple[str, ...], ...]
    of_references: tuple[int, ...]


def clusters_of(material: Material, sentence: int) -> tuple[Cluster, ...] | None:
    """Return the clusters of a sentence; None if no reference has the sentence."""
    present = [
        material.changing_edits(edits) for reference in material.edits if (edits := reference[sentence]) is not None
    ]
    return clusters(material.source[sentence].split(), present) if present else None


def clusters(words: Sequence[str], references: Sequence[Edits]) -> tuple[Cluster, ...]:
    """Return all clusters of a sentence, from left to right, with their alternatives in the order of references."""
    spans: list[tuple[int, int]] = []
    for start, end in sorted({(edit.start, edit.end) for edits in references for edit in edits}):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    found = []
    for start, end in spans:
        made = [_alternative(words, start, end, edits) for edits in references]
        alternatives = tuple(dict.fromkeys(made))
        found.append(Cluster(start, end, alternatives, tuple(map(alternatives.index, made))))
    return tuple(found)


def _alternative(words: Sequence[str], start: int, end: int, edits: Edits) -> tuple[str, ...]:
    """Return the words of a cluster after its edits, which do not include insertions at its edges."""
    here = [
        Edit(edit.start - start, edit.end - start, edit.corrections)
        for edit in edits
        if (edit.start, edit.end) == (start, end)
        or (start <= edit.start and edit.end <= end and (edit.start < edit.end or start < edit.start < end))
    ]
    return tuple(apply_edits(" ".join(words[start:end]), here).split())


class BestSum(NamedTuple):
    """Summed counts, the rows of the blocks behind them, and whether no choice is better."""

    counts: Counts
    rows: tuple[int, ...]
    is_best: bool


def best_sum(blocks: Sequence[Sequence[Counts]], weight: int, best_of: BestOf) -> BestSum:
    """Choose a row of each block; of equally good choices the first in the order of the first block, and so on."""
    sums: dict[Counts, tuple[int, ...]] = {(0,) * len(blocks[0][0]): ()}
    is_best = True
    for places in _without_loss(blocks, weight):
        more: dict[Counts, tuple[int, ...]] = {}
        for (before, rows), place in product(sums.items(), places):
            more.setdefault(tuple(map(add, before, blocks[len(rows)][place])), (*rows, place))
        is_best &= len(more) <= MOST_SUMS
        sums = dict(islice(more.items(), MOST_SUMS))
    counts = list(sums)
    chosen = counts[int(best_of(np.array(counts)))] if len(counts) > 1 else counts[0]
    return BestSum(chosen, sums[chosen], is_best)


def _without_loss(blocks: Sequence[Sequence[Counts]], weight: int) -> list[list[int]]:
    """Find the places of rows that a choice with the highest WAcc can have, by block; of equal rows the first."""
    parts = [[_part_and_whole(row, weight) for row in rows] for rows in blocks]
    part, whole = map(sum, zip(*(pairs[0] for pairs in parts), strict=True))
    while True:
        gains = [[mine * whole - of * part for mine, of in pairs] for pairs in parts]
        taken = [pairs[gain.index(max(gain))] for pairs, gain in zip(parts, gains, strict=True)]
        better, of_better = map(sum, zip(*taken, strict=True))
        if better * whole <= part * of_better:
            break
        part, whole = better, of_better
    found = []
    for rows, gain in zip(blocks, gains, strict=True):
        first: dict[Counts, int] = {}
        most = max(gain)
        for place, row in enumerate(rows):
            if gain[place] == most:
                first.setdefault(row, place)
        found.append(list(first.values()))
    return found


def _part_and_whole(row: Counts, weight: int) -> tuple[int, int]:
    """Return twice the numerator and the denominator of WAcc, which are integers."""
    whole = 2 * (weight * (row[TP] + row[FP]) + row[TN] + row[FN]) - (weight + 1) * row[FPN]
    return 2 * (weight * row[TP] + row[TN]), whole


class MixedSentence:
    """A source and its clusters, as numbers of words."""

    def __init__(self, words: Sequence[str], found: Sequence[Cluster]) -> None:
        self._numbers: dict[str, int] = {}
        self.source = self.encode(words)
        self.spans = [(cluster.start, cluster.end) for cluster in found]
        self.alternatives = [list(map(self.encode, cluster.alternatives)) for cluster in found]
        choices = dict.fromkeys(zip(*(cluster.of_references for cluster in found), strict=True))
        self.of_references = [self._with(0, len(words), range(len(found)), choice) for choice in choices]

    def encode(self, words: Sequence[str]) -> np.ndarray:
        known = self._numbers
        return np.array([known.setdefault(word, len(known)) for word in words], dtype=np.int32)

    def number_of_mixtures(self, start: int, end: int) -> int:
        return prod(len(self.alternatives[cluster]) for cluster in self._within(start, end))

    def mixtures(self, start: int, end: int) -> list[np.ndarray]:
        """Return all these mixtures; the last cluster varies fastest."""
        within = self._within(start, end)
        choices = product(*(range(len(self.alternatives[cluster])) for cluster in within))
        return [self._with(start, end, within, choice) for choice in choices]

    def _within(self, start: int, end: int) -> list[int]:
        return [number for number, (first, last) in enumerate(self.spans) if start <= first and last <= end]

    def _with(self, start: int, end: int, within: Iterable[int], choice: Sequence[int]) -> np.ndarray:
        pieces, done = [], start
        for cluster, chosen in zip(within, choice, strict=True):
            first, last = self.spans[cluster]
            pieces += [self.source[done:first], self.alternatives[cluster][chosen]]
            done = last
        return np.concatenate([*pieces, self.source[done:end]])


class Block(NamedTuple):
    """Words between two cuts, and all mixtures of the clusters there."""

    source: np.ndarray
    output: np.ndarray
    mixtures: list[np.ndarray]


# A word of the source, and the place of the same word in the output.
Cut = tuple[int, int]


def best_mixture(sentence: MixedSentence, words: Sequence[str], weight: int, cap: int, best_of: BestOf) -> BestSum:
    """Count an output against its best mixture; report whether that is proven to be the best."""
    source, output = sentence.source, sentence.encode(words)
    cuts = [] if sentence.number_of_mixtures(0, len(source)) <= min(FEW, cap) else _cuts(sentence, output)
    whole = sentence.of_references
    while (blocks := _blocks(sentence, output, cuts, cap)) is not None:
        rows, paid = _align_blocks(blocks)
        firsts = starts_of(block.mixtures for block in blocks)
        proven = _proven_cuts(source, output, cuts, blocks, firsts, paid)
        if proven == cuts or whole is sentence.of_references:
            # Each cut leaves a word unchanged, as source, output and reference share it.
            kept = tuple(len(cuts) if column in (TN, SOURCE_TN) else 0 for column in range(ALL_COLUMNS))
            of_blocks = [list(map(tuple, rows[first:last].tolist())) for first, last in pairwise(firsts.tolist())]
            found = best_sum([*of_blocks, [kept]], weight, best_of)
            if proven == cuts:
                return found
            pieces = [blocks[0].mixtures[found.rows[0]]]
            for (cut, _), block, row in zip(cuts, blocks[1:], found.rows[1:], strict=False):
                pieces += [source[cut : cut + 1], block.mixtures[row]]
            whole = [*sentence.of_references, np.concatenate(pieces)]
        cuts = proven
    counts, _ = _align_blocks([Block(source, output, whole)])
    return BestSum(tuple(counts[best_of(counts)].tolist()), (), is_best=False)


def _cuts(sentence: MixedSentence, output: np.ndarray) -> list[Cut]:
    """Cut between two clusters, in the middle of the longest run of words that the output kept."""
    kept = [
        change for change in Levenshtein.opcodes(sentence.source.tolist(), output.tolist()) if change.tag == "equal"
    ]
    cuts = []
    for (_, end), (start, _) in pairwise(sentence.spans):
        runs = [(max(run.src_start, end), min(run.src_end, start), run.dest_start - run.src_start) for run in kept]
        first, last, moved = max(runs, key=lambda run: run[1] - run[0], default=(0, 0, 0))
        if first < last:
            middle = (first + last) // 2
            cuts.append((middle, middle + moved))
    return cuts


def _blocks(sentence: MixedSentence, output: np.ndarray, cuts: Sequence[Cut], cap: int) -> list[Block] | None:
    """Return the blocks between cuts; None if a block has too many mixtures."""
    bounds = pairwise([(-1, -1), *cuts, (len(sentence.source), len(output))])
    blocks = []
    for (source_before, output_before), (source_end, output_end) in bounds:
        source = sentence.source[source_before + 1 : source_end]
        inside = output[output_before + 1 : output_end]
        many = sentence.number_of_mixtures(source_before + 1, source_end)
        if many > cap or many * (len(source) + 1) * (max(len(source), len(inside)) + 1) > MOST_CELLS:
            return None
        blocks.append(Block(source, inside, sentence.mixtures(source_before + 1, source_end)))
    return blocks


def _align_blocks(blocks: Sequence[Block]) -> tuple[np.ndarray, np.ndarray]:
    """Return counts of all mixtures of all blocks, and what their alignments cost with the output and the source."""
    texts: list[np.ndarray] = []
    triples, of_source = [], []
    for block in blocks:
        source, output, first = range(len(texts), len(texts) + 3)
        texts += [block.source, block.output, *block.mixtures]
        for row in range(first, len(texts)):
            triples.append((source, output, row))
            of_source.append((source, source, row))
    aligned = align(Tokens(np.concatenate(texts), starts_of(texts)), np.array(triples + of_source))
    mine, sources = aligned[: len(triples)], aligned[len(triples) :]
    counts = np.column_stack((mine[:, :COLUMNS], sources[:, TN], sources[:, FN]))
    return counts, np.stack((mine[:, PAID], sources[:, PAID]))


def _proven_cuts(
    source: np.ndarray,
    output: np.ndarray,
    cuts: list[Cut],
    blocks: Sequence[Block],
    firsts: np.ndarray,
    paid: np.ndarray,
) -> list[Cut]:
    """Return the cuts proven to hold for the output and for the unchanged source, provided that the others do."""
    if not cuts:
        return cuts
    all_mixtures = [mixture for block in blocks for mixture in block.mixtures]
    mixtures = Tokens(np.concatenate(all_mixtures), starts_of(all_mixtures))
    if (len(source) + 1) * (len(output) + 1) * len(mixtures.numbers) > MOST_CELLS:
        return []
    in_source, in_output = np.array(cuts).T
    ours = _price_of_missing(source, output, in_source, in_output, mixtures, firsts, paid[0])
    theirs = _price_of_missing(source, source, in_source, in_source, mixtures, firsts, paid[1])
    return [cut for cut, price in zip(cuts, np.minimum(ours, theirs), strict=True) if price > 0]


def _price_of_missing(
    source: np.ndarray, output: np.ndarray, source_cuts: np.ndarray, output_cuts: np.ndarray, mixtures: Tokens,
    firsts: np.ndarray, paid: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Return, for each cut, the cost of the cheapest alignment that misses it, over all mixtures.

    The mixtures of block b, which each but the last is followed by a cut, are firsts[b] to firsts[b + 1].
    """
    words = source[source_cuts]
    there = _slabs(source, output, mixtures.numbers, mixtures.starts, firsts, paid, words)
    numbers = mixtures.numbers[::-1].copy()
    starts = (len(numbers) - mixtures.starts)[::-1].copy()
    turned = (len(paid) - firsts)[::-1].copy()
    back = _slabs(
        source[::-1].copy(), output[::-1].copy(), numbers, starts, turned, paid[::-1].copy(), words[::-1].copy()
    )
    return _missing(source, output, source_cuts, output_cuts, there, back)


@kernel
def _slabs(source, output, numbers, starts, firsts, paid, words):
    """Return the slabs before the word of each cut."""
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
    begins, ends = starts[first:last], starts[first + 1 : last + 1]
    shortest = (ends - begins).min()
    before, after = 0, 0
    while before < shortest and (numbers[begins + before] == numbers[begins[0] + before]).all():
        before += 1
    while after < shortest - before and (numbers[ends - 1 - after] == numbers[ends[0] - 1 - after]).all():
        after += 1
    return before, after


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
