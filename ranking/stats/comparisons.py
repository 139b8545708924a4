"""Comparisons drawn from ballots: two systems and who won.

Unexpanded comparisons pair the candidates of a ballot; expanded ones pair the systems behind them, so that two systems
of one candidate tie although nobody compared them (Grundkiewicz et al. 2015, Table 1).

Toy: candidates {A, B} at rank 1 and {C} at rank 2 make one unexpanded comparison, and three expanded ones: A and B beat
C, and A ties with B.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ranking.stats.ballots import Ballot


@dataclass(frozen=True)
class Counts:
    """How many ballots, and how many comparisons they make."""

    ballots: int = 0
    skipped: int = 0
    unexpanded: int = 0
    unexpanded_ties: int = 0
    expanded: int = 0
    expanded_ties: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.ballots + other.ballots,
            self.skipped + other.skipped,
            self.unexpanded + other.unexpanded,
            self.unexpanded_ties + other.unexpanded_ties,
            self.expanded + other.expanded,
            self.expanded_ties + other.expanded_ties,
        )


def count(ballot: Ballot) -> Counts:
    """The comparisons of one ballot, by kind."""
    sizes = [len(group.systems) for group in ballot.groups]
    behind = sum(sizes)
    ties = [len(a.systems) * len(b.systems) for a, b in combinations(ballot.groups, 2) if a.rank == b.rank]
    within = sum(size * (size - 1) // 2 for size in sizes)
    return Counts(
        ballots=1,
        skipped=int(not ballot.groups),
        unexpanded=len(sizes) * (len(sizes) - 1) // 2,
        unexpanded_ties=len(ties),
        expanded=behind * (behind - 1) // 2,
        expanded_ties=sum(ties) + within,
    )


def count_by_judge(ballots: Iterable[Ballot]) -> dict[int, Counts]:
    """The comparisons of each judge, by kind."""
    counts: dict[int, Counts] = {}
    for ballot in ballots:
        counts[ballot.judge] = counts.get(ballot.judge, Counts()) + count(ballot)
    return counts


def win_matrix(ballots: Iterable[Ballot], systems: int) -> np.ndarray:
    """How often the system of the row beat the one of the column, over expanded comparisons."""
    wins = np.zeros((systems, systems), dtype=np.int64)
    for ballot in ballots:
        for better, worse in combinations(ballot.groups, 2):
            if better.rank == worse.rank:
                continue
            if better.rank > worse.rank:
                better, worse = worse, better
            for winner in better.systems:
                wins[winner, list(worse.systems)] += 1
    return wins
