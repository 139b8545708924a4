"""Counts of the comparisons in ballots, by kind: two systems, and which one won.

Unexpanded comparisons pair the candidates of a ballot; expanded ones pair the systems behind them, so that two systems
of one candidate tie although nobody compared them (Grundkiewicz et al. 2015, Table 1).

Toy: candidates {A, B} at rank 1 and {C} at rank 2 make one unexpanded comparison, and three expanded ones: A and B beat
C, and A ties with B because they share a candidate.
"""

from dataclasses import dataclass, fields

import numpy as np

from ranking.stats.ballots import Ballots


@dataclass(frozen=True)
class Counts:
    """The numbers of ballots and of their comparisons; shared ones are ties that nobody judged."""

    ballots: int = 0
    skipped: int = 0
    unexpanded: int = 0
    unexpanded_ties: int = 0
    expanded: int = 0
    expanded_ties: int = 0
    shared: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))


def count_by_judge(ballots: Ballots) -> list[Counts]:
    return [Counts(*map(int, row)) for row in _sum_by(ballots.judge, _by_ballot(ballots), ballots.judges)]


def _by_ballot(ballots: Ballots) -> np.ndarray:
    """One row a ballot, in the order of the fields of Counts."""
    behind = ballots.candidates.sizes[ballots.candidate]
    shown, systems = ballots.sizes, _sum_by(ballots.ballot_of, behind, len(ballots))
    # Candidates with the same merit on one ballot tie.
    order = np.lexsort((ballots.merit, ballots.ballot_of))
    owner, merit = ballots.ballot_of[order], ballots.merit[order]
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = (owner[1:] != owner[:-1]) | (merit[1:] != merit[:-1])
    level_of = np.empty(len(order), dtype=np.int64)
    level_of[order] = np.cumsum(is_first) - 1
    owner, number = owner[is_first], int(is_first.sum())
    unexpanded_ties = _pairs(np.bincount(level_of, minlength=number))
    expanded_ties = _pairs(_sum_by(level_of, behind, number))
    columns = [
        np.ones(len(ballots), dtype=np.int64),
        shown == 0,
        _pairs(shown),
        _sum_by(owner, unexpanded_ties, len(ballots)),
        _pairs(systems),
        _sum_by(owner, expanded_ties, len(ballots)),
        _sum_by(ballots.ballot_of, _pairs(behind), len(ballots)),
    ]
    return np.stack(columns, axis=1).astype(np.int64)


def _pairs(number: np.ndarray) -> np.ndarray:
    """The number of pairs among `number` things."""
    return number * (number - 1) // 2


def _sum_by(part: np.ndarray, values: np.ndarray, parts: int) -> np.ndarray:
    """Integers summed up by part."""
    sums = np.zeros((parts, *values.shape[1:]), dtype=np.int64)
    np.add.at(sums, part, values)
    return sums
