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
from itertools import chain, islice, pairwise, product
from math import prod
from operator import add
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from ranking.metrics.imeasure_alignment import COLUMNS, DIFFERENT, FAR, FN, FP, FPN, GAP, PAID, TN, TP, align
from ranking.metrics.material import Edits, Tokens, apply_edits, starts_of
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


def clusters(words: Sequence[str], references: Sequence[Edits]) -> list[Cluster]:
    """Return all clusters of a sentence, from left to right, with their alternatives in the order of references."""
    spans: list[tuple[int, int]] = []
    for start, end in sorted({(edit.start, edit.end) for edits in references for edit in edits}):
        if spans and start < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    found = []
    for start, end in spans:
        made = []
        for edits in references:
            # Insertions at the edges of a cluster are not part of it.
            here = [
                edit._replace(start=edit.start - start, end=edit.end - start)
                for edit in edits
                if (edit.start, edit.end) == (start, end)
                or (start <= edit.start and edit.end <= end and (edit.start < edit.end or start < edit.start < end))
            ]
            made.append(tuple(apply_edits(" ".join(words[start:end]), here).split()))
        alternatives = tuple(dict.fromkeys(made))
        found.append(Cluster(start, end, alternatives, tuple(map(alternatives.index, made))))
    return found


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
    # Twice the numerator and the denominator of WAcc, which are integers.
    parts = [
        [
            (2 * (weight * row[TP] + row[TN]),
             2 * (weight * (row[TP] + row[FP]) + row[TN] + row[FN]) - (weight + 1) * row[FPN])
            for row in rows
        ]
        for rows in blocks
    ]  # fmt: skip
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
        most, first = max(gain), dict[Counts, int]()
        for place, row in enumerate(rows):
            if gain[place] == most:
                first.setdefault(row, place)
        found.append(list(first.values()))
    return found


class MixedSentence:
    """A source and its clusters, as numbers of words."""

    def __init__(self, words: Sequence[str], found: Sequence[Cluster]) -> None:
        self._numbers: dict[str, int] = {}
        self.source = self.encode(words)
        self.spans = [(cluster.start, cluster.end) for cluster in found]
        self.alternatives = [list(map(self.encode, cluster.alternatives)) for cluster in found]
        choices = dict.fromkeys(zip(*(cluster.of_references for cluster in found), strict=True))
        self.of_references = self.mixtures(0, len(words), choices)

    def encode(self, words: Sequence[str]) -> np.ndarray:
        known = self._numbers
        return np.array([known.setdefault(word, len(known)) for word in words], dtype=np.int32)

    def clusters_within(self, start: int, end: int) -> list[int]:
        return [number for number, (first, last) in enumerate(self.spans) if start <= first and last <= end]

    def number_of_mixtures(self, start: int, end: int) -> int:
        return prod(len(self.alternatives[cluster]) for cluster in self.clusters_within(start, end))

    def mixtures(self, start: int, end: int, choices: Iterable[Sequence[int]] | None = None) -> list[np.ndarray]:
        """Return words start to end with these choices of alternatives, or all; the last cluster varies fastest."""
        within, made = self.clusters_within(start, end), []
        if choices is None:
            choices = product(*(range(len(self.alternatives[cluster])) for cluster in within))
        for choice in choices:
            pieces, done = [], start
            for cluster, chosen in zip(within, choice, strict=True):
                first, last = self.spans[cluster]
                pieces += [self.source[done:first], self.alternatives[cluster][chosen]]
                done = last
            made.append(np.concatenate([*pieces, self.source[done:end]]))
        return made


# The words of source and output between two cuts, and all mixtures of the clusters there.
Block = tuple[np.ndarray, np.ndarray, list[np.ndarray]]
# A word of the source, and the place of the same word in the output.
Cut = tuple[int, int]


def best_mixture(sentence: MixedSentence, words: Sequence[str], weight: int, cap: int, best_of: BestOf) -> BestSum:
    """Count an output against its best mixture; report whether that is proven to be the best."""
    source, output = sentence.source, sentence.encode(words)
    cuts = [] if sentence.number_of_mixtures(0, len(source)) <= min(FEW, cap) else _cuts(sentence, output)
    whole = sentence.of_references
    while (blocks := _blocks(sentence, output, cuts, cap)) is not None:
        rows, paid = _align_blocks(blocks)
        proven = _proven_cuts(source, output, cuts, blocks, paid)
        if proven == cuts or whole is sentence.of_references:
            # Each cut leaves a word unchanged, as source, output and reference share it.
            kept = tuple(len(cuts) if column in (TN, SOURCE_TN) else 0 for column in range(ALL_COLUMNS))
            firsts = starts_of(mixtures for *_, mixtures in blocks).tolist()
            of_blocks = [list(map(tuple, rows[first:last].tolist())) for first, last in pairwise(firsts)]
            found = best_sum([*of_blocks, [kept]], weight, best_of)
            if proven == cuts:
                return found
            pieces = [mixtures[row] for (*_, mixtures), row in zip(blocks, found.rows, strict=False)]
            between = (source[cut : cut + 1] for cut, _ in cuts)
            mixed = [pieces[0], *chain.from_iterable(zip(between, pieces[1:], strict=True))]
            whole = [*sentence.of_references, np.concatenate(mixed)]
        cuts = proven
    counts, _ = _align_blocks([(source, output, whole)])
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
    blocks = []
    for (before, output_before), (end, output_end) in pairwise([(-1, -1), *cuts, (len(sentence.source), len(output))]):
        source, inside = sentence.source[before + 1 : end], output[output_before + 1 : output_end]
        many = sentence.number_of_mixtures(before + 1, end)
        if many > cap or many * (len(source) + 1) * (max(len(source), len(inside)) + 1) > MOST_CELLS:
            return None
        blocks.append((source, inside, sentence.mixtures(before + 1, end)))
    return blocks


def _align_blocks(blocks: Sequence[Block]) -> tuple[np.ndarray, np.ndarray]:
    """Return counts of all mixtures of all blocks, and what their alignments cost with the output and the source."""
    texts: list[np.ndarray] = []
    triples, of_source = [], []
    for words, inside, mixtures in blocks:
        source, output, first = range(len(texts), len(texts) + 3)
        texts += [words, inside, *mixtures]
        for row in range(first, len(texts)):
            triples.append((source, output, row))
            of_source.append((source, source, row))
    aligned = align(Tokens(np.concatenate(texts), starts_of(texts)), np.array(triples + of_source))
    mine, sources = aligned[: len(triples)], aligned[len(triples) :]
    counts = np.column_stack((mine[:, :COLUMNS], sources[:, TN], sources[:, FN]))
    return counts, np.stack((mine[:, PAID], sources[:, PAID]))


def _proven_cuts(
    source: np.ndarray, output: np.ndarray, cuts: list[Cut], blocks: Sequence[Block], paid: np.ndarray
) -> list[Cut]:
    """Return the cuts proven to hold for the output and for the unchanged source, provided that the others do."""
    if not cuts:
        return cuts
    mixtures = [mixture for *_, mixed in blocks for mixture in mixed]
    numbers, starts, firsts = np.concatenate(mixtures), starts_of(mixtures), starts_of(mixed for *_, mixed in blocks)
    if (len(source) + 1) * (len(output) + 1) * len(numbers) > MOST_CELLS:
        return []
    in_source, in_output = np.array(cuts).T.copy()
    turned = numbers[::-1].copy(), (len(numbers) - starts)[::-1].copy(), (len(mixtures) - firsts)[::-1].copy()
    words, back_words, back_source = source[in_source], source[in_source][::-1].copy(), source[::-1].copy()
    prices = []
    for text, places, cost in ((output, in_output, paid[0]), (source, in_source, paid[1])):
        there = _slabs(source, text, numbers, starts, firsts, cost, words)
        back = _slabs(back_source, text[::-1].copy(), *turned, cost[::-1].copy(), back_words)
        prices.append(_prices_of_missing(source, text, in_source, places, there, back))
    return [cut for cut, price in zip(cuts, np.minimum(*prices), strict=True) if price > 0]


@kernel
def _slabs(source, output, numbers, starts, firsts, paid, words):
    """Return the slabs before the word of each cut; before cut b are the mixtures firsts[b] to firsts[b + 1].

    The words with which all mixtures of a block begin, and those with which all end, are gone through once.
    """
    kept = np.empty((len(words), len(source) + 1, len(output) + 1), np.int32)
    slab = np.full(kept.shape[1:], FAR, np.int32)
    slab[0, 0] = 0
    slab = _go_on(slab, source, output)
    for block in range(len(words)):
        begins, ends = starts[firsts[block] : firsts[block + 1]], starts[firsts[block] + 1 : firsts[block + 1] + 1]
        shortest, before, after = (ends - begins).min(), 0, 0
        while before < shortest and (numbers[begins + before] == numbers[begins[0] + before]).all():
            before += 1
        while after < shortest - before and (numbers[ends - 1 - after] == numbers[ends[0] - 1 - after]).all():
            after += 1
        for place in range(begins[0], begins[0] + before):
            slab = _go_on(_step(slab, source, output, numbers[place]), source, output)
        merged = np.full_like(slab, FAR)
        for row in range(len(begins)):
            own = slab
            for place in range(begins[row] + before, ends[row] - after):
                own = _go_on(_step(own, source, output, numbers[place]), source, output)
            merged = np.minimum(merged, own - paid[firsts[block] + row])
        for place in range(ends[0] - after, ends[0]):
            merged = _go_on(_step(merged, source, output, numbers[place]), source, output)
        kept[block] = merged
        slab = _go_on(_step(merged, source, output, words[block]), source, output)
    return kept


@kernel
def _step(slab, source, output, word):
    """Return what it costs to reach each cell by a column with a word of the reference."""
    after = np.empty_like(slab)
    for i in range(slab.shape[0]):
        for j in range(slab.shape[1]):
            cost = slab[i, j] + 2 * GAP
            if i:
                cost = min(cost, slab[i - 1, j] + (0 if source[i - 1] == word else DIFFERENT) + 2 * GAP)
            if j:
                cost = min(cost, slab[i, j - 1] + (0 if output[j - 1] == word else DIFFERENT) + 2 * GAP)
            if i and j:
                pair = 0 if source[i - 1] == output[j - 1] else DIFFERENT
                others = (0 if source[i - 1] == word else DIFFERENT) + (0 if output[j - 1] == word else DIFFERENT)
                cost = min(cost, slab[i - 1, j - 1] + pair + others)
            after[i, j] = cost
    return after


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
                pair = 0 if source[i - 1] == output[j - 1] else DIFFERENT
                cost = min(cost, slab[i - 1, j - 1] + pair + 2 * GAP)
            slab[i, j] = cost
    return slab


@kernel
def _prices_of_missing(source, output, in_source, in_output, there, back):
    """Return, for each cut, the cost of the cheapest alignment that misses it, over all mixtures."""
    prices = np.empty(len(there), np.int32)
    for cut in range(len(there)):
        slab, i, j = there[cut], in_source[cut], in_output[cut]
        missed = _step(slab, source, output, source[i])
        # The words of source and output at the cut are equal, and in no column with that of the reference.
        missed[i + 1, j + 1] = min(slab[i + 1, j + 1], slab[i, j + 1], slab[i + 1, j]) + 2 * GAP
        prices[cut] = (missed + back[len(there) - 1 - cut][::-1, ::-1]).min()
    return prices
