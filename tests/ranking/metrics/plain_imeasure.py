"""The I-measure's alignment the plain way, as a table of all cells: the reference of the metric."""

from collections.abc import Sequence

import numpy as np

from ranking.metrics.imeasure_alignment import COLUMNS, FN, FP, FPN, TN, TP

GAP = ""
MOVES = ((1, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1))


def align_in_a_table(source: Sequence[str], output: Sequence[str], reference: Sequence[str]) -> list[int]:
    """The numbers of columns and what they cost, from a table of all cells."""
    texts = (source, output, reference)
    cost: dict[tuple[int, ...], int] = {(0, 0, 0): 0}
    came: dict[tuple[int, ...], tuple[tuple[int, ...], list[str]]] = {}
    for cell in np.ndindex(*(len(text) + 1 for text in texts)):
        for move in MOVES if any(cell) else ():
            before = tuple(place - step for place, step in zip(cell, move, strict=True))
            if min(before) < 0:
                continue
            column = [text[place] if step else GAP for text, place, step in zip(texts, before, move, strict=True)]
            paid = cost[before] + sum(_pair(column[one], column[other]) for one, other in ((0, 1), (0, 2), (1, 2)))
            if cell not in cost or paid < cost[cell]:
                cost[cell], came[cell] = paid, (before, column)
    cell = tuple(map(len, texts))
    counts = [0] * COLUMNS + [cost[cell]]
    while any(cell):
        cell, (word, mine, wanted) = came[cell]
        if word == mine:
            kinds = [TN if mine == wanted else FN]
        else:
            kinds = [FP] if word == wanted else [TP] if mine == wanted else [FP, FN, FPN]
        for kind in kinds:
            counts[kind] += 1
    return counts


def _pair(one: str, other: str) -> int:
    return 0 if one == other else 2 if GAP in (one, other) else 3
