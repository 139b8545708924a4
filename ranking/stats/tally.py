"""Tallies: how often each system beat and tied each other one, and its total merit; most methods need no more.

A comparison is expanded from the candidates of a ballot to the systems behind them. Two systems tie because a judge
gave their candidates the same merit (`ties`), or because they share a candidate, so that nobody compared them
(`shared`). Grundkiewicz et al. (2015, Table 1) count both as ties. Unexpanded comparisons pair the candidates alone.

Toy: candidates {A, B} at rank 1 and {C} at rank 2 make one unexpanded comparison, and three expanded ones: A and B beat
C, and A ties with B because they share a candidate. In the published judgments 42,295 of 59,117 expanded ties (72%) are
of such systems; their TrueSkill and accuracy count them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from itertools import pairwise
from math import ceil
from os import cpu_count

import numpy as np

from ranking.numbers.kernels import in_threads, kernel
from ranking.stats.ballots import Ballots

# Replicates counted together: enough for the processor's vector units, few enough for its cache.
BLOCK = 128
# Weights in memory at the same time, where every ballot has its own; with fewer columns counting slows down.
MOST_WEIGHTS, FEWEST_COLUMNS = 2**25, 32
WIN, TIE, SHARED = range(3)
KINDS = 3


@dataclass(frozen=True)
class Tally:
    """Counts whose last axes are systems; leading axes, if any, are replicates, judges or other parts.

    wins[i, j] is how often i beat j; ties and shared are symmetric; merits and shown have one number for each system.
    """

    wins: np.ndarray
    ties: np.ndarray
    shared: np.ndarray
    merits: np.ndarray
    shown: np.ndarray

    @property
    def systems(self) -> int:
        return self.wins.shape[-1]

    @property
    def decisive(self) -> np.ndarray:
        """Number of comparisons of each pair that have a winner."""
        return self.wins + self.wins.swapaxes(-1, -2)

    @property
    def compared(self) -> np.ndarray:
        """Number of comparisons of each pair, of all kinds."""
        return self.decisive + self.ties + self.shared

    def __getitem__(self, place: int | slice | np.ndarray) -> "Tally":
        return Tally(*(counts[place] for counts in self._counts))

    def total(self) -> "Tally":
        return Tally(*(counts.sum(axis=0) for counts in self._counts))

    def __sub__(self, other: "Tally") -> "Tally":
        return Tally(*(mine - its for mine, its in zip(self._counts, other._counts, strict=True)))

    @property
    def _counts(self) -> tuple[np.ndarray, ...]:
        return self.wins, self.ties, self.shared, self.merits, self.shown


def tally(ballots: Ballots) -> Tally:
    return tally_by(ballots, np.zeros(len(ballots), dtype=np.int64), 1)[0]


def tally_by(ballots: Ballots, part: np.ndarray, parts: int) -> Tally:
    """A tally of each part; part[n] is the part of ballot n."""
    pairs = np.zeros((parts, KINDS * ballots.systems**2), dtype=np.int32)
    sums = [np.zeros((parts, ballots.systems)) for _ in range(2)]
    _count_parts(*_columns(ballots), np.asarray(part, dtype=np.int64), pairs, *sums)
    return Tally(*_matrices(pairs, ballots.systems), *sums)


@dataclass(frozen=True)
class Counts:
    """Numbers of ballots and of their comparisons; shared ones are ties that nobody judged."""

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
    def by_judge(judge: np.ndarray, number: np.ndarray | None = None) -> np.ndarray:
        return np.bincount(judge, number, ballots.judges).astype(int)

    # Candidates with the same merit on one ballot tie.
    order = np.lexsort((ballots.merit, ballots.ballot_of))
    ballot, merit = ballots.ballot_of[order], ballots.merit[order]
    is_first = np.ones(len(order), dtype=bool)
    is_first[1:] = (ballot[1:] != ballot[:-1]) | (merit[1:] != merit[:-1])
    alike = np.diff(np.flatnonzero(is_first), append=len(order))
    judge, shown, counted = ballots.judge, ballots.sizes, tally_by(ballots, ballots.judge, ballots.judges)
    wins, ties, shared = (np.triu(pairs).sum(axis=(1, 2)) for pairs in (counted.decisive, counted.ties, counted.shared))
    columns = (
        by_judge(judge), by_judge(judge[shown == 0]), by_judge(judge, shown * (shown - 1) // 2),
        by_judge(judge[ballot[is_first]], alike * (alike - 1) // 2), wins + ties + shared, ties + shared, shared,
    )  # fmt: skip
    return [Counts(*row) for row in np.stack(columns, axis=1).tolist()]


def tallies_of_parts(ballots: Ballots, part: np.ndarray, parts: int) -> Iterator[tuple[int, Tally]]:
    """Tallies of many parts, in blocks; each block comes with the number of its first part."""
    order = np.argsort(part, kind="stable")
    firsts = range(0, parts, BLOCK)
    ends = np.searchsorted(part[order], [*firsts, parts])
    for first, (start, end) in zip(firsts, pairwise(ends.tolist()), strict=True):
        here = order[start:end]
        yield first, tally_by(ballots.choose(here), part[here] - first, min(BLOCK, parts - first))


def weighted_tallies(ballots: Ballots, part: np.ndarray, weights: np.ndarray) -> Tally:
    """One tally for each column of `weights`, in which a ballot of part p counts weights[p] times."""
    return tallies_in_blocks(ballots, part, weights.shape[1], lambda block: weights[:, block])


def tallies_in_blocks(
    ballots: Ballots, part: np.ndarray, columns: int, weights_of: Callable[[slice], np.ndarray]
) -> Tally:
    """Weighted tallies whose weights are computed block by block, because all of them may exceed memory."""
    workers, systems = cpu_count() or 1, ballots.systems
    rows = int(part.max(initial=0)) + 1
    width = min(BLOCK, ceil(columns / workers), max(FEWEST_COLUMNS, MOST_WEIGHTS // (workers * rows)))
    ballots, part = in_order_of(ballots, part)

    def count(first: int) -> tuple[np.ndarray, ...]:
        weights = weights_of(slice(first, min(first + width, columns)))
        kind = np.float64 if weights.dtype.kind == "f" else np.int32
        pairs = np.zeros((KINDS * systems**2, weights.shape[1]), dtype=kind)
        sums = [np.zeros((systems, weights.shape[1])) for _ in range(2)]
        weights = np.ascontiguousarray(weights, dtype=kind)
        _count_weighted(*_columns(ballots), np.asarray(part, dtype=np.int64), weights, pairs, *sums)
        return *_matrices(pairs.T, systems), *(counts.T for counts in sums)

    counted = in_threads(count, range(0, columns, width))
    return Tally(*(np.concatenate(parts) for parts in zip(*counted, strict=True)))


def in_order_of(ballots: Ballots, part: np.ndarray) -> tuple[Ballots, np.ndarray]:
    """Sort ballots by part: ballots of one part share their weights, which makes counting much faster."""
    if (part[1:] >= part[:-1]).all():
        return ballots, part
    order = np.argsort(part, kind="stable")
    return ballots.choose(order), part[order]


def _columns(ballots: Ballots) -> tuple[np.ndarray, ...]:
    """Return the inputs of the two counters below, and a buffer for the comparisons of the largest ballot.

    Whatever integers the ballots hold, the counters are compiled for one kind.
    """
    behind = np.bincount(ballots.ballot_of, weights=ballots.candidates.sizes[ballots.candidate])
    most = int(behind.max(initial=0))
    room = np.empty(most * (most - 1) // 2, dtype=np.int64)
    candidate, members = (
        np.ascontiguousarray(numbers, np.int32) for numbers in (ballots.candidate, ballots.candidates.members)
    )
    return ballots.starts, candidate, ballots.merit, ballots.candidates.starts, members, room


def _matrices(pairs: np.ndarray, systems: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of cells as matrices: wins, ties, shared; ties and shared were counted in one direction."""
    wins, ties, shared = np.moveaxis(pairs.reshape(len(pairs), KINDS, systems, systems), 1, 0)
    return wins, ties + ties.swapaxes(1, 2), shared + shared.swapaxes(1, 2)


@kernel
def _count_parts(starts, candidate, merit, member_starts, members, cells, part, pairs, merits, shown):
    systems = merits.shape[1]
    for ballot in range(len(part)):
        here = part[ballot]
        for row in range(starts[ballot], starts[ballot + 1]):
            for place in range(member_starts[candidate[row]], member_starts[candidate[row] + 1]):
                merits[here, members[place]] += merit[row]
                shown[here, members[place]] += 1
        for place in range(_list(ballot, starts, candidate, merit, member_starts, members, systems, cells)):
            pairs[here, cells[place]] += 1


@kernel
def _count_weighted(starts, candidate, merit, member_starts, members, cells, part, weights, pairs, merits, shown):
    """Add every comparison of every ballot, times its weight in each column; count each part first."""
    systems = len(merits)
    merit_of, shown_of = np.zeros(systems), np.zeros(systems)
    times = np.zeros(len(pairs), np.int32)
    found = np.empty(len(pairs), np.int64)
    many = 0
    for ballot in range(len(part)):
        weight = part[ballot]
        for row in range(starts[ballot], starts[ballot + 1]):
            for place in range(member_starts[candidate[row]], member_starts[candidate[row] + 1]):
                merit_of[members[place]] += merit[row]
                shown_of[members[place]] += 1
        for place in range(_list(ballot, starts, candidate, merit, member_starts, members, systems, cells)):
            if times[cells[place]] == 0:
                found[many] = cells[place]
                many += 1
            times[cells[place]] += 1
        if ballot + 1 == len(part) or part[ballot + 1] != weight:
            for place in range(many):
                _add(pairs, found[place], weights, weight, times[found[place]])
                times[found[place]] = 0
            many = 0
            for system in range(systems):
                if shown_of[system]:
                    _add(merits, system, weights, weight, merit_of[system])
                    _add(shown, system, weights, weight, shown_of[system])
                    merit_of[system], shown_of[system] = 0.0, 0.0


@kernel(cache=False, nogil=False, inline="always")
def _add(counts, row, weights, weight, number):
    """A plain loop, which compiles to vector instructions; slices do not."""
    for column in range(weights.shape[1]):
        counts[row, column] += weights[weight, column] * number


@kernel
def _list(ballot, starts, candidate, merit, member_starts, members, systems, cells):
    """List the cell of each comparison of a ballot; returns their number."""
    many = 0
    for row in range(starts[ballot], starts[ballot + 1]):
        first, after_first = member_starts[candidate[row]], member_starts[candidate[row] + 1]
        for place in range(first, after_first):
            for other in range(place + 1, after_first):
                cells[many] = (SHARED * systems + members[place]) * systems + members[other]
                many += 1
        for below in range(row + 1, starts[ballot + 1]):
            better, after_better, worse, after_worse = (
                first, after_first, member_starts[candidate[below]], member_starts[candidate[below] + 1]
            )  # fmt: skip
            if merit[row] < merit[below]:
                better, after_better, worse, after_worse = worse, after_worse, better, after_better
            kind = TIE if merit[row] == merit[below] else WIN
            for place in range(better, after_better):
                for other in range(worse, after_worse):
                    cells[many] = (kind * systems + members[place]) * systems + members[other]
                    many += 1
    return many
