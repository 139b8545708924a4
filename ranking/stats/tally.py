"""Tallies: how often each system beat and tied each other one, and what merit it got; all that most methods need.

A comparison is expanded from the candidates of a ballot to the systems behind them. Two systems tie because a judge
gave their candidates the same merit (`ties`), or because they share a candidate, so that nobody compared them
(`shared`). Grundkiewicz et al. (2015) count both as ties.

Toy: candidates {A, B} at rank 1 and {C} at rank 2 make A and B beat C once each, and one shared tie of A and B.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from os import cpu_count

import numpy as np
from numba import njit

from ranking.stats.ballots import Ballots

# Replicates counted at once: wide enough for the processor's vectors, small enough for its cache.
BLOCK = 128


@dataclass(frozen=True)
class Tally:
    """Counts whose last axes are systems; leading axes, if any, are replicates, judges or whatever was counted apart.

    wins[i, j] says how often i beat j; ties and shared are symmetric; merits and shown have one number a system.
    """

    wins: np.ndarray
    ties: np.ndarray
    shared: np.ndarray
    merits: np.ndarray
    shown: np.ndarray

    @property
    def systems(self) -> int:
        """How many systems were counted."""
        return self.wins.shape[-1]

    @property
    def decisive(self) -> np.ndarray:
        """How many comparisons of each pair had a winner."""
        return self.wins + self.wins.swapaxes(-1, -2)

    @property
    def compared(self) -> np.ndarray:
        """How many comparisons of each pair there were, of all kinds."""
        return self.decisive + self.ties + self.shared

    def __getitem__(self, place: int | slice | np.ndarray) -> "Tally":
        return self._map(lambda counts: counts[place])

    def total(self) -> "Tally":
        """The leading axis summed up."""
        return self._map(lambda counts: counts.sum(axis=0))

    def __sub__(self, other: "Tally") -> "Tally":
        return Tally(*(getattr(self, field.name) - getattr(other, field.name) for field in fields(self)))

    def _map(self, change: Callable[[np.ndarray], np.ndarray]) -> "Tally":
        return Tally(*(change(getattr(self, field.name)) for field in fields(self)))


def tally(ballots: Ballots) -> Tally:
    """The tally of all ballots."""
    return tally_by(ballots, np.zeros(len(ballots), dtype=np.int64), 1)[0]


def tally_by(ballots: Ballots, part: np.ndarray, parts: int) -> Tally:
    """A tally of each part, where part[n] is that of ballot n."""
    return weighted_tallies(ballots, part, np.eye(parts, dtype=np.int32))


def weighted_tallies(ballots: Ballots, part: np.ndarray, weights: np.ndarray) -> Tally:
    """One tally for each column of `weights`, in which a ballot of part p counts weights[p] times."""
    columns = weights.shape[1]
    order = np.argsort(part, kind="stable")  # neighbours share their weights
    blocks = [slice(at, min(at + BLOCK, columns)) for at in range(0, columns, BLOCK)]
    with ThreadPoolExecutor(cpu_count()) as pool:
        counted = list(pool.map(lambda block: _count_block(ballots, order, part, weights[:, block]), blocks))
    return Tally(*(np.concatenate(parts) for parts in zip(*counted, strict=True)))


def _count_block(ballots: Ballots, order: np.ndarray, part: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, ...]:
    systems, columns = ballots.systems, weights.shape[1]
    pairs = [np.zeros((systems, systems, columns), dtype=np.int32) for _ in range(3)]
    sums = [np.zeros((1, systems, columns)) for _ in range(2)]
    _count(
        order,
        ballots.starts,
        ballots.candidate,
        ballots.merit,
        ballots.candidates.starts,
        ballots.candidates.members,
        np.asarray(part, dtype=np.int64),
        np.ascontiguousarray(weights, dtype=np.int32),
        *pairs,
        *sums,
    )
    wins, ties, shared = (np.moveaxis(counts, -1, 0) for counts in pairs)
    return wins, ties + ties.swapaxes(1, 2), shared + shared.swapaxes(1, 2), *(counts[0].T for counts in sums)


@njit(cache=True, nogil=True)
def _count(order, starts, candidate, merit, member_starts, members, part, weights, wins, ties, shared, merits, shown):
    """Add every comparison of every ballot, times its weight in each column; ties are counted in one direction."""
    for ballot in order:
        weight = part[ballot]
        for row in range(starts[ballot], starts[ballot + 1]):
            first, after_first = member_starts[candidate[row]], member_starts[candidate[row] + 1]
            for place in range(first, after_first):
                _add(merits, 0, members[place], weights, weight, merit[row])
                _add(shown, 0, members[place], weights, weight, 1.0)
                for other in range(place + 1, after_first):
                    _add(shared, members[place], members[other], weights, weight, 1)
            for below in range(row + 1, starts[ballot + 1]):
                second, after_second = member_starts[candidate[below]], member_starts[candidate[below] + 1]
                for place in range(first, after_first):
                    for other in range(second, after_second):
                        if merit[row] > merit[below]:
                            _add(wins, members[place], members[other], weights, weight, 1)
                        elif merit[row] < merit[below]:
                            _add(wins, members[other], members[place], weights, weight, 1)
                        else:
                            _add(ties, members[place], members[other], weights, weight, 1)


@njit(inline="always")
def _add(counts, system, other, weights, weight, times):
    """In plain loops, which become vector instructions; slices would not."""
    for column in range(weights.shape[1]):
        counts[system, other, column] += weights[weight, column] * times
