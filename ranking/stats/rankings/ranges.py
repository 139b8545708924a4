"""Rank ranges: where a system might have come if chance had brought other judgments.

Every replicate ranks the systems by its scores. Of the ranks of a system over B replicates the lowest and the highest
ones are left out, ceil((B - level B) / 2) at each end, and the range is from the first to the last of what is left
(Koehn 2012; Grundkiewicz et al. 2015: 25 of 1000 at each end for 95 %).

Toy: with B = 4 and level 0.5, ranks 1 2 2 5 of a system make the range 2-2.
"""

from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np


class RankRange(NamedTuple):
    """The best and the worst rank that a system may well have."""

    best: int
    worst: int


@dataclass(frozen=True)
class Uncertainty:
    """What replicates say about every system: intervals of scores and ranks, and the chance that it is best."""

    low: np.ndarray
    high: np.ndarray
    ranges: list[RankRange]
    p_best: np.ndarray


def uncertainty(scores: np.ndarray, level: float) -> Uncertainty:
    """From the scores of replicates, one row each, at a level such as 0.95."""
    ranks = np.sort(ranks_of(scores), axis=0)
    dropped = left_out(len(scores), level)
    best, worst = ranks[dropped], ranks[len(ranks) - 1 - dropped]
    ordered = np.sort(scores, axis=0)
    return Uncertainty(
        low=ordered[dropped],
        high=ordered[len(ordered) - 1 - dropped],
        ranges=[RankRange(int(a), int(b)) for a, b in zip(best, worst, strict=True)],
        p_best=_shares_of_best(scores),
    )


def _shares_of_best(scores: np.ndarray) -> np.ndarray:
    """How often each system is best; those that are best together share the replicate."""
    is_best = scores == scores.max(axis=1, keepdims=True)
    return (is_best / is_best.sum(axis=1, keepdims=True)).mean(axis=0)


def left_out(replicates: int, level: float) -> int:
    """How many replicates are left out at each end; at least one is always left."""
    return min(ceil(round((replicates - level * replicates) / 2, 6)), (replicates - 1) // 2)


def ranks_of(scores: np.ndarray) -> np.ndarray:
    """The rank of every system in every replicate; of equal scores the later system comes first, as published."""
    systems = scores.shape[-1]
    order = np.argsort(scores, axis=-1, kind="stable")[..., ::-1]
    ranks = np.empty(scores.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, np.broadcast_to(np.arange(1, systems + 1), scores.shape), axis=-1)
    return ranks


def shared_ranks(scores: np.ndarray) -> list[int]:
    """The rank of every score, the highest first; equal scores share the better rank."""
    return (1 + (scores > scores[:, None]).sum(axis=1)).tolist()


def p_beats(scores: np.ndarray) -> np.ndarray:
    """In what share of the replicates the system of the row scores higher than that of the column; equal ones half."""
    above = scores[:, :, None] > scores[:, None, :]
    equal = scores[:, :, None] == scores[:, None, :]
    return above.mean(axis=0) + equal.mean(axis=0) / 2
