"""The best of all mixtures of what references make of each cluster, without looking at all of them.

The sentence is cut at words between clusters. Where it is shown (blocks.py) that the alignment with every mixture goes
through the cuts, a mixture's counts are the sums of those of its blocks, of which the best is found (choosing.py). Cuts
that are not shown to hold are given up, and the blocks beside them become one, which has the mixtures of both.

Where a block then has more mixtures than the cap, a search goes on from the best reference by changing one cluster at a
time, as long as that helps. What it finds need not be the best, and is told apart.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise, product
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from ranking.metrics.imeasure.alignment import COLUMNS, FN, PAID, TN, align
from ranking.metrics.imeasure.blocks import Blocks, price_of_missing
from ranking.metrics.imeasure.choosing import Choice, Row, best_sum
from ranking.metrics.imeasure.clusters import Cluster
from ranking.metrics.imeasure.scores import ALL_COLUMNS, SOURCE_TN, first_best
from ranking.metrics.tokens import Tokens

# So few mixtures are tried without asking for cuts.
FEW = 16
# Slabs of so many cells take about a second.
MOST_CELLS = 1 << 28


class Cut(NamedTuple):
    """A word of the source, and the place of the same word in the output."""

    source: int
    output: int


class Part(NamedTuple):
    """What lies between two cuts, and all that the clusters there can make of it."""

    source: np.ndarray
    output: np.ndarray
    mixtures: list[np.ndarray]


class Counted(NamedTuple):
    """Of all mixtures of all parts: where those of each part begin, counts, and what alignments cost."""

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
        self.of_references = list(dict.fromkeys(zip(*(cluster.of_references for cluster in found), strict=True)))

    def encoded(self, words: Sequence[str]) -> np.ndarray:
        """Words as numbers."""
        known = self._numbers
        return np.array([known.setdefault(word, len(known)) for word in words], dtype=np.int32)

    def mixtures(self, start: int, end: int) -> int:
        """In how many ways the words from start to end can be."""
        many = 1
        for cluster in self._within(start, end):
            many *= len(self.alternatives[cluster])
        return many

    def mixed(self, start: int, end: int) -> list[np.ndarray]:
        """All of them; the last cluster changes first."""
        within = self._within(start, end)
        choices = product(*(range(len(self.alternatives[cluster])) for cluster in within))
        return [self._with(start, end, within, choice) for choice in choices]

    def whole(self, choice: Sequence[int]) -> np.ndarray:
        """The sentence with that alternative of each cluster."""
        return self._with(0, len(self.source), range(len(self.spans)), choice)

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
    """Counts of an output against the mixture that serves it best, and whether that is shown."""
    output = sentence.encoded(words)
    cuts = [] if sentence.mixtures(0, len(sentence.source)) <= min(FEW, cap) else _cuts(sentence, output)
    while (parts := _parts(sentence, output, cuts, cap)) is not None:
        counted = _counted(parts)
        holding = _holding(sentence.source, output, cuts, parts, counted)
        if holding == cuts:
            rows = list(map(tuple, counted.rows.tolist()))
            blocks = [rows[first:last] for first, last in pairwise(counted.firsts.tolist())]
            return best_sum([*blocks, [_left_alone(len(cuts))]], weight)
        cuts = holding
    return _searched(sentence, output, weight)


def _cuts(sentence: Sentence, output: np.ndarray) -> list[Cut]:
    """Between two clusters, the middle of the longest run of words that the output kept."""
    kept = [change for change in Levenshtein.opcodes(sentence.source, output) if change.tag == "equal"]
    cuts = []
    for (_, end), (start, _) in pairwise(sentence.spans):
        runs = [(max(run.src_start, end), min(run.src_end, start), run.dest_start - run.src_start) for run in kept]
        first, last, moved = max(runs, key=lambda run: run[1] - run[0], default=(0, 0, 0))
        if first < last:
            middle = (first + last) // 2
            cuts.append(Cut(middle, middle + moved))
    return cuts


def _parts(sentence: Sentence, output: np.ndarray, cuts: Sequence[Cut], cap: int) -> list[Part] | None:
    """What cuts leave; None where one part has too many mixtures."""
    ends = [Cut(-1, -1), *cuts, Cut(len(sentence.source), len(output))]
    if any(sentence.mixtures(before.source + 1, after.source) > cap for before, after in pairwise(ends)):
        return None
    return [
        Part(
            sentence.source[before.source + 1 : after.source],
            output[before.output + 1 : after.output],
            sentence.mixed(before.source + 1, after.source),
        )
        for before, after in pairwise(ends)
    ]


def _counted(parts: Sequence[Part]) -> Counted:
    texts: list[np.ndarray] = []
    triples, of_source = [], []
    for part in parts:
        source, output, first = range(len(texts), len(texts) + 3)
        texts += [part.source, part.output, *part.mixtures]
        triples += [(source, output, row) for row in range(first, len(texts))]
        of_source += [(source, source, row) for row in range(first, len(texts))]
    aligned = align(_tokens(texts), np.array(triples + of_source))
    mine, sources = aligned[: len(triples)], aligned[len(triples) :]
    rows = np.column_stack((mine[:, :COLUMNS], sources[:, TN], sources[:, FN]))
    firsts = np.array(list(accumulate((len(part.mixtures) for part in parts), initial=0)))
    return Counted(firsts, rows, mine[:, PAID], sources[:, PAID])


def _holding(
    source: np.ndarray, output: np.ndarray, cuts: list[Cut], parts: Sequence[Part], counted: Counted
) -> list[Cut]:
    """The cuts that are shown to hold for the output and for the unchanged source, if the others do."""
    if not cuts:
        return cuts
    mixtures = _tokens([mixture for part in parts for mixture in part.mixtures])
    if (len(source) + 1) * (len(output) + 1) * len(mixtures.numbers) > MOST_CELLS:
        return []
    in_source, in_output = np.array(cuts).T
    ours = Blocks(mixtures, counted.firsts, counted.paid, in_source, in_output)
    of_source = Blocks(mixtures, counted.firsts, counted.paid_by_source, in_source, in_source)
    prices = np.minimum(price_of_missing(source, output, ours), price_of_missing(source, source, of_source))
    return [cut for cut, price in zip(cuts, prices, strict=True) if price > 0]


def _left_alone(words: int) -> Row:
    """The counts of words that source, output and reference share, as at the cuts."""
    return tuple(words if column in (TN, SOURCE_TN) else 0 for column in range(ALL_COLUMNS))


def _searched(sentence: Sentence, output: np.ndarray, weight: int) -> Choice:
    """Start at the best reference, and change one cluster as long as that helps."""
    choices = sentence.of_references
    while True:
        counts = _counted([Part(sentence.source, output, [sentence.whole(choice) for choice in choices])]).rows
        found = int(first_best(counts, weight))
        if found == 0 and choices is not sentence.of_references:
            return Choice(tuple(counts[0].tolist()), is_best=False)
        choices = [choices[found], *_neighbours(sentence, choices[found])]


def _neighbours(sentence: Sentence, choice: Row) -> Iterable[Row]:
    for cluster, alternatives in enumerate(sentence.alternatives):
        for other in range(len(alternatives)):
            if other != choice[cluster]:
                yield (*choice[:cluster], other, *choice[cluster + 1 :])


def _tokens(texts: Sequence[np.ndarray]) -> Tokens:
    starts = np.fromiter(accumulate(map(len, texts), initial=0), dtype=np.int64, count=len(texts) + 1)
    return Tokens(np.concatenate(texts), starts)
