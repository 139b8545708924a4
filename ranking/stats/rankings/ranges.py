"""Rank ranges: the ranks a system might have had if chance had brought other judgments; and clusters from them.

Every replicate ranks the systems by its scores. Of the B ranks of a system the lowest and the highest are dropped,
ceil((B - level B) / 2) at each end, and the range spans the rest (Koehn 2012; Grundkiewicz et al. 2015: 25 of 1000 at
each end for 95 %). Systems with equal scores in a replicate share all the ranks they occupy; otherwise systems with
identical outputs would never share a place. The published program gives the better rank to the later name.

Toy: with B = 4 and level 0.5, ranks 1 2 2 5 of a system make the range 2-2; two systems with always equal scores both
have the range 1-2.

A cluster holds systems whose order is uncertain. Systems are sorted by score. The published rules start a new cluster
after a system whose worst rank is better than the best rank of every later one (`all_later`, the pipeline of Tables 3b
and 3c), or of the next one only (`next_only`, the pipeline of single judges). Neither looks back, so clusters can
overlap: with ranges 1-5, 2-3 | 4-6 a boundary follows the second system although the first one reaches rank 5.
`never_overlapping` uses the worst rank so far. `supported` also merges clusters between which some pair is not resolved
when all pairs are tested together, so that a boundary says no more than the tests of pairs do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from ranking.numbers.intervals import left_out
from ranking.numbers.tables import StatisticsError


class RankRange(NamedTuple):
    best: int
    worst: int


@dataclass(frozen=True)
class Uncertainty:
    """Intervals of scores and ranks over replicates, and the probability that each system is best."""

    low: np.ndarray
    high: np.ndarray
    ranges: list[RankRange]
    p_best: np.ndarray


def uncertainty(scores: np.ndarray, level: float) -> Uncertainty:
    scores = complete(scores)
    dropped = left_out(len(scores), level)
    best, worst = (np.sort(ranks, axis=0) for ranks in shared_places(scores))
    ordered = np.sort(scores, axis=0)
    return Uncertainty(
        low=ordered[dropped],
        high=ordered[len(ordered) - 1 - dropped],
        ranges=[RankRange(int(a), int(b)) for a, b in zip(best[dropped], worst[len(worst) - 1 - dropped], strict=True)],
        p_best=shares_of_first_place(scores),
    )


def shares_of_first_place(scores: np.ndarray) -> np.ndarray:
    """How often each system is best, systems that tie sharing the replicate; in one more replicate all of them tie."""
    best = scores == scores.max(axis=1, keepdims=True)
    shared = (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
    return np.asarray((shared + 1 / scores.shape[1]) / (len(scores) + 1))


def complete(scores: np.ndarray) -> np.ndarray:
    """Return the replicates in which every system has a score."""
    found = scores[np.isfinite(scores).all(axis=1)]
    if not len(found):
        raise StatisticsError("In every replicate some system lacks a score; collect more judgments of each system.")
    return found


def shared_places(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the best and the worst rank each system occupies in each replicate, alone or with its equals."""
    ordered = np.sort(scores, axis=-1)
    best, worst = np.empty(scores.shape, dtype=np.int64), np.empty(scores.shape, dtype=np.int64)
    for replicate, (row, values) in enumerate(zip(ordered, scores, strict=True)):
        best[replicate] = 1 + len(row) - np.searchsorted(row, values, side="right")
        worst[replicate] = len(row) - np.searchsorted(row, values, side="left")
    return best, worst


def ranks_of(scores: np.ndarray) -> np.ndarray:
    """Rank of every system in every replicate; of equal scores the later system comes first, as published."""
    order = np.argsort(scores, axis=-1, kind="stable")[..., ::-1]
    return np.argsort(order, axis=-1) + 1


def shared_ranks(scores: np.ndarray) -> list[int]:
    """Return the rank of every score, the highest first; equal scores share the better rank."""
    return (1 + (scores > scores[:, None]).sum(axis=1)).tolist()


def p_beats(scores: np.ndarray) -> np.ndarray:
    """Share of replicates in which the row's system scores higher than the column's; equal scores count half."""
    scores = complete(scores)
    above = scores[:, :, None] > scores[:, None, :]
    equal = scores[:, :, None] == scores[:, None, :]
    return above.mean(axis=0) + equal.mean(axis=0) / 2


Rule = Callable[[Sequence[RankRange]], list[int]]


def never_overlapping(ranges: Sequence[RankRange]) -> list[int]:
    """Return the cluster of each system, from 1; a new one starts where no earlier range reaches a later one."""
    return _number(list(accumulate((each.worst for each in ranges), max)), _best_to_come(ranges))


def all_later(ranges: Sequence[RankRange]) -> list[int]:
    return _number([each.worst for each in ranges], _best_to_come(ranges))


def next_only(ranges: Sequence[RankRange]) -> list[int]:
    return _number([each.worst for each in ranges], [each.best for each in ranges[1:]])


RULES: dict[str, Rule] = {"never-overlapping": never_overlapping, "all-later": all_later, "next-only": next_only}


def supported(clusters: Sequence[int], differ: np.ndarray) -> list[int]:
    """Keep a boundary only where each system before it differs from each one after it; `differ` is in this order."""
    places = range(1, len(clusters))
    kept = (clusters[at] > clusters[at - 1] and differ[:at, at:].all() for at in places)
    return list(accumulate((int(starts) for starts in kept), initial=1))[: len(clusters)]


def _number(worst: Sequence[int], best_later: Sequence[int]) -> list[int]:
    """Number clusters by place; there is a best later rank for each place but the last."""
    starts = (reached < later for reached, later in zip(worst, best_later, strict=False))
    return list(accumulate(starts, initial=1))[: len(worst)]


def _best_to_come(ranges: Sequence[RankRange]) -> list[int]:
    """For each place, the best rank of all later systems."""
    return list(accumulate((each.best for each in reversed(ranges[1:])), min))[::-1]
