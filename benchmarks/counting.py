"""The plain way to count comparisons, one by one in Python: the reference of the statistics."""

import random
from collections.abc import Iterable, Sequence
from itertools import combinations
from time import perf_counter

import numpy as np

from ranking.stats.ballots import Ballots

# Who won against whom; nobody did in a tie.
Comparison = tuple[int, int, bool]


def comparisons_by_sentence(ballots: Ballots) -> list[list[Comparison]]:
    """Every expanded comparison of each judged sentence."""
    found: dict[int, list[Comparison]] = {sentence: [] for sentence in sorted(set(ballots.segment.tolist()))}
    members = ballots.candidates.members.tolist()
    behind = [members[start:end] for start, end in zip(*_bounds(ballots.candidates.starts), strict=True)]
    candidate, merit = ballots.candidate.tolist(), ballots.merit.tolist()
    for sentence, start, end in zip(ballots.segment.tolist(), *_bounds(ballots.starts), strict=True):
        shown = [(system, merit[row], row) for row in range(start, end) for system in behind[candidate[row]]]
        for (one, its, _), (other, others, _) in combinations(shown, 2):
            winner, loser = (one, other) if its > others else (other, one)
            found[sentence].append((winner, loser, its != others))
    return list(found.values())


def expected_wins_one_by_one(comparisons: Iterable[Comparison], systems: int) -> np.ndarray:
    """The scores, as the formula says them."""
    wins = [[0] * systems for _ in range(systems)]
    for winner, loser, is_decisive in comparisons:
        if is_decisive:
            wins[winner][loser] += 1
    shares = [
        [w / (w + wins[j][i]) if (w := wins[i][j]) else 0 for j in range(systems) if j != i] for i in range(systems)
    ]
    return np.array([sum(row) / (systems - 1) for row in shares])


def seconds_of_a_replicate(parts: Sequence[Sequence[Comparison]], systems: int, replicates: int) -> float:
    """How long it takes to draw so many parts and count what is in them, on average."""
    rng = random.Random(systems)
    start = perf_counter()
    for _ in range(replicates):
        drawn = rng.choices(parts, k=len(parts))
        expected_wins_one_by_one((each for part in drawn for each in part), systems)
    return (perf_counter() - start) / replicates


def seconds_to_count(ballots: Ballots) -> float:
    """How long it takes to list every comparison and count it."""
    start = perf_counter()
    parts = comparisons_by_sentence(ballots)
    expected_wins_one_by_one((each for part in parts for each in part), ballots.systems)
    return perf_counter() - start


def _bounds(starts: np.ndarray) -> tuple[list[int], list[int]]:
    return starts[:-1].tolist(), starts[1:].tolist()
