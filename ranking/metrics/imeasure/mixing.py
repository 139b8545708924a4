"""The best of all mixtures of the alternatives of clusters, found without trying all of them.

The sentence is cut at words between clusters. If the alignment with every mixture provably goes through the cuts
(`blocks`), a mixture's counts are the sums of those of its blocks, and `best_sum` finds the best sum. Cuts that are not
proven are dropped, and the blocks around them become one with the mixtures of both.

If a block then has more mixtures than the cap, the first cuts are trusted. The resulting mixture is aligned as a whole,
like the references, and the best of these is chosen; it may not be the best of all and is marked.

`best_sum` finds the highest ratio WAcc = N / D of sums by the method of Dinkelbach (1967): with the best ratio n / d so
far, each block takes an alternative with the largest N d - D n, until the ratio stops growing. Only alternatives with
this largest value can be part of a best choice, and all their sums are compared.

Toy: blocks with N / D of 1/2 or 0/1, and of 3/4 or 2/2. From 4/6 = 2/3 the second block gains by 2/2 (2 x 6 - 2 x 4 = 4
against 3 x 6 - 4 x 4 = 2), the first stays: 3/4, which is the best.
"""

from collections.abc import Iterable, Sequence
from itertools import islice, pairwise, product
from math import prod
from operator import add
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from ranking.metrics.imeasure.alignment import COLUMNS, FN, FP, FPN, PAID, TN, TP, align
from ranking.metrics.imeasure.blocks import Blocks, price_of_missing
from ranking.metrics.imeasure.clusters import Cluster
from ranking.metrics.imeasure.scores import ALL_COLUMNS, SOURCE_TN, first_best
from ranking.metrics.tokens import Tokens, starts_of

MOST_SUMS = 10_000

Row = tuple[int, ...]


class Choice(NamedTuple):
    """Summed counts, the rows of the blocks behind them, and whether no choice is better."""

    counts: Row
    rows: Row
    is_best: bool


def best_sum(blocks: Sequence[Sequence[Row]], weight: int) -> Choice:
    """Choose a row of each block; of equally good choices the first in the order of the first block, and so on."""
    sums: dict[Row, Row] = {(0,) * len(blocks[0][0]): ()}
    is_best = True
    for places in _without_loss(blocks, weight):
        more: dict[Row, Row] = {}
        for (before, rows), place in product(sums.items(), places):
            more.setdefault(tuple(map(add, before, blocks[len(rows)][place])), (*rows, place))
        is_best &= len(more) <= MOST_SUMS
        sums = dict(islice(more.items(), MOST_SUMS))
    counts = list(sums)
    chosen = counts[int(first_best(np.array(counts), weight))] if len(counts) > 1 else counts[0]
    return Choice(chosen, sums[chosen], is_best)


def _without_loss(blocks: Sequence[Sequence[Row]], weight: int) -> list[list[int]]:
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
        first: dict[Row, int] = {}
        most = max(gain)
        for place, row in enumerate(rows):
            if gain[place] == most:
                first.setdefault(row, place)
        found.append(list(first.values()))
    return found


def _part_and_whole(row: Row, weight: int) -> tuple[int, int]:
    """Return twice the numerator and the denominator of WAcc, which are integers."""
    whole = 2 * (weight * (row[TP] + row[FP]) + row[TN] + row[FN]) - (weight + 1) * row[FPN]
    return 2 * (weight * row[TP] + row[TN]), whole


# Up to this number all mixtures are tried, without cuts.
FEW = 16
# This many cells take less than a second, in slabs or in alignments of the mixtures of a block.
MOST_CELLS = 1 << 26


class Cut(NamedTuple):
    """A word of the source, and the place of the same word in the output."""

    source: int
    output: int


class Part(NamedTuple):
    """Words between two cuts, and all mixtures of the clusters there."""

    source: np.ndarray
    output: np.ndarray
    mixtures: list[np.ndarray]


class Counted(NamedTuple):
    """All mixtures of all parts: the first one of each part, counts, and costs of alignments."""

    firsts: np.ndarray
    rows: np.ndarray
    paid: np.ndarray
    paid_by_source: np.ndarray


class Sentence:
    """A source and its clusters, as numbers of words."""

    def __init__(self, words: Sequence[str], found: Sequence[Cluster]) -> None:
        self._numbers: dict[str, int] = {}
        self.source = self.encoded(words)
        self.spans = [(cluster.start, cluster.end) for cluster in found]
        self.alternatives = [list(map(self.encoded, cluster.alternatives)) for cluster in found]
        choices = dict.fromkeys(zip(*(cluster.of_references for cluster in found), strict=True))
        everywhere = range(len(found))
        self.of_references = [self._with(0, len(words), everywhere, choice) for choice in choices]

    def encoded(self, words: Sequence[str]) -> np.ndarray:
        known = self._numbers
        return np.array([known.setdefault(word, len(known)) for word in words], dtype=np.int32)

    def mixtures(self, start: int, end: int) -> int:
        return prod(len(self.alternatives[cluster]) for cluster in self._within(start, end))

    def mixed(self, start: int, end: int) -> list[np.ndarray]:
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


def best_mixture(sentence: Sentence, words: Sequence[str], weight: int, cap: int) -> Choice:
    """Count an output against its best mixture; report whether that is proven to be the best."""
    output = sentence.encoded(words)
    cuts = [] if sentence.mixtures(0, len(sentence.source)) <= min(FEW, cap) else _cuts(sentence, output)
    trusted: np.ndarray | None = None
    while (parts := _parts(sentence, output, cuts, cap)) is not None:
        counted = _counted(parts)
        holding = _holding(sentence.source, output, cuts, parts, counted)
        if holding == cuts:
            return _best_of_parts(counted, len(cuts), weight)
        if trusted is None:
            rows = _best_of_parts(counted, len(cuts), weight).rows
            trusted = parts[0].mixtures[rows[0]]
            for cut, part, row in zip(cuts, parts[1:], rows[1:], strict=False):
                trusted = np.concatenate([trusted, sentence.source[cut.source : cut.source + 1], part.mixtures[row]])
        cuts = holding
    mixtures = sentence.of_references if trusted is None else [*sentence.of_references, trusted]
    counts = _counted([Part(sentence.source, output, mixtures)]).rows
    return Choice(tuple(counts[first_best(counts, weight)].tolist()), (), is_best=False)


def _best_of_parts(counted: Counted, cuts: int, weight: int) -> Choice:
    """Each cut leaves a word unchanged, as source, output and reference share it."""
    rows = list(map(tuple, counted.rows.tolist()))
    alone = tuple(cuts if column in (TN, SOURCE_TN) else 0 for column in range(ALL_COLUMNS))
    return best_sum([*(rows[first:last] for first, last in pairwise(counted.firsts.tolist())), [alone]], weight)


def _cuts(sentence: Sentence, output: np.ndarray) -> list[Cut]:
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
            cuts.append(Cut(middle, middle + moved))
    return cuts


def _parts(sentence: Sentence, output: np.ndarray, cuts: Sequence[Cut], cap: int) -> list[Part] | None:
    """Parts between cuts; None if a part has too many mixtures."""
    bounds = pairwise([Cut(-1, -1), *cuts, Cut(len(sentence.source), len(output))])
    parts = []
    for (source_before, output_before), (source_end, output_end) in bounds:
        source = sentence.source[source_before + 1 : source_end]
        inside = output[output_before + 1 : output_end]
        many = sentence.mixtures(source_before + 1, source_end)
        if many > cap or many * (len(source) + 1) * (max(len(source), len(inside)) + 1) > MOST_CELLS:
            return None
        parts.append(Part(source, inside, sentence.mixed(source_before + 1, source_end)))
    return parts


def _counted(parts: Sequence[Part]) -> Counted:
    texts: list[np.ndarray] = []
    triples, of_source = [], []
    for part in parts:
        source, output, first = range(len(texts), len(texts) + 3)
        texts += [part.source, part.output, *part.mixtures]
        for row in range(first, len(texts)):
            triples.append((source, output, row))
            of_source.append((source, source, row))
    aligned = align(Tokens(np.concatenate(texts), starts_of(texts)), np.array(triples + of_source))
    mine, sources = aligned[: len(triples)], aligned[len(triples) :]
    rows = np.column_stack((mine[:, :COLUMNS], sources[:, TN], sources[:, FN]))
    firsts = starts_of(part.mixtures for part in parts)
    return Counted(firsts, rows, mine[:, PAID], sources[:, PAID])


def _holding(
    source: np.ndarray, output: np.ndarray, cuts: list[Cut], parts: Sequence[Part], counted: Counted
) -> list[Cut]:
    """Return the cuts proven to hold for the output and for the unchanged source, provided that the others do."""
    if not cuts:
        return cuts
    all_mixtures = [mixture for part in parts for mixture in part.mixtures]
    mixtures = Tokens(np.concatenate(all_mixtures), starts_of(all_mixtures))
    if (len(source) + 1) * (len(output) + 1) * len(mixtures.numbers) > MOST_CELLS:
        return []
    in_source, in_output = np.array(cuts).T
    ours = Blocks(mixtures, counted.firsts, counted.paid, in_source, in_output)
    of_source = Blocks(mixtures, counted.firsts, counted.paid_by_source, in_source, in_source)
    prices = np.minimum(price_of_missing(source, output, ours), price_of_missing(source, source, of_source))
    return [cut for cut, price in zip(cuts, prices, strict=True) if price > 0]
