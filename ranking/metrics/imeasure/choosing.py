"""Which alternative of each block gives the best counts when those of all blocks are summed.

The highest ratio WAcc = N / D of sums is found as Dinkelbach (1967) finds it: with the best ratio n / d so far, each
block takes an alternative with most of N d - D n, until no better ratio comes of it. Then just those alternatives that
share the most can be part of a best choice, and all sums of theirs are compared.

Toy: blocks with N / D of 1/2 or 0/1, and of 3/4 or 2/2. From 4/6 = 2/3 the second block gains by 2/2 (2 x 6 - 2 x 4 = 4
against 3 x 6 - 4 x 4 = 2), the first stays: 3/4, which nothing betters.
"""

from collections.abc import Sequence
from itertools import islice, product
from operator import add
from typing import NamedTuple

import numpy as np

from ranking.metrics.imeasure.alignment import FN, FP, FPN, TN, TP
from ranking.metrics.imeasure.scores import first_best

MOST_SUMS = 10_000

Row = tuple[int, ...]


class Choice(NamedTuple):
    """Summed counts, the row of each block that they are made of, and whether none are better."""

    counts: Row
    rows: Row
    is_best: bool


def best_sum(blocks: Sequence[Sequence[Row]], weight: int) -> Choice:
    """One row of each block, summed; of equally good choices the first in the order of the first block, and so on."""
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
    """The places in each block of the rows that a choice of highest WAcc can have; of equal rows the first."""
    parts = [[_part_and_whole(row, weight) for row in rows] for rows in blocks]
    part, whole = map(sum, zip(*(pairs[0] for pairs in parts), strict=True))
    while True:
        gains = [[mine * whole - of * part for mine, of in pairs] for pairs in parts]
        taken = [pairs[gain.index(max(gain))] for pairs, gain in zip(parts, gains, strict=True)]
        better, of_better = map(sum, zip(*taken, strict=True))
        if better * whole <= part * of_better:
            break
        part, whole = better, of_better
    return [_first_places(rows, gain) for rows, gain in zip(blocks, gains, strict=True)]


def _first_places(rows: Sequence[Row], gain: Sequence[int]) -> list[int]:
    most, first = max(gain), dict[Row, int]()
    for place, row in enumerate(rows):
        if gain[place] == most:
            first.setdefault(row, place)
    return list(first.values())


def _part_and_whole(row: Row, weight: int) -> tuple[int, int]:
    """Twice the numerator and the denominator of WAcc."""
    whole = 2 * (weight * (row[TP] + row[FP]) + row[TN] + row[FN]) - (weight + 1) * row[FPN]
    return 2 * (weight * row[TP] + row[TN]), whole
