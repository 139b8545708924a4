"""Every judge and every system against each judge alone, on the sentences that both judged (Bryant and Ng, Table 4)."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ranking.stats.corrections.scoring import Rows


class OneByOne(NamedTuple):
    """A row of those that are scored against one judge: on how many sentences, with which counts and scores."""

    gold: int
    row: int
    sentences: int
    correct: int
    proposed: int
    wanted: int
    f: float
    precision: float
    recall: float


def one_by_one(rows: Rows) -> Iterator[OneByOne]:
    """Nobody against oneself, and nobody with whom there is no common sentence; counts are those of all sentences."""
    judged = rows.corrections.judged
    everything = np.ones(judged.shape[1], dtype=bool)
    for gold in range(rows.judges):
        for row in range(len(rows.chosen)):
            both = np.flatnonzero(judged[gold] & (judged[row] if row < rows.judges else everything))
            if row == gold or not len(both):
                continue
            sums = rows.sums([gold], row, both)
            yield OneByOne(gold, row, len(both), *sums.tolist(), *rows.scores(sums).tolist())
