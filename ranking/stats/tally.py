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
# Bytes of weights in memory at the same time, where every ballot has its own; with fewer columns counting slows down.
MOST_BYTES, FEWEST_COLUMNS = 2**29, 32
# Cells of parts at once.
MOST_CELLS = 2**18
WIN, TIE, SHARED = range(3)
KINDS = 3


@dataclass(frozen=True, eq=False)
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
    of_pairs = KINDS * ballots.systems**2
    counts = np.zeros((parts, of_pairs + ballots.systems), dtype=np.int32)
    merits = np.zeros((parts, ballots.systems))
    for owner, begin, cell, times, sums in _gathered(ballots, part, with_merits=True):
        row, is_shown = np.repeat(owner, np.diff(begin)), cell >= of_pairs
        counts[row, cell] = times
        merits[row[is_shown], cell[is_shown] - of_pairs] = sums[is_shown]
    return _tally_of(counts, merits, ballots.systems)


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


def pairs_of_parts(ballots: Ballots, part: np.ndarray) -> Iterator[np.ndarray]:
    """The pairs of systems that were compared in each part, a column each, many parts at once.

    Rows are the two systems, the part, the wins of either, and their ties; shared candidates are not compared.
    """
    for owner, firsts, cell, times, _ in _gathered(ballots, part, False):
        rows = np.zeros((6, len(cell)), dtype=np.int32)
        yield rows[:, : _list_pairs(owner, firsts, cell, times, ballots.systems, rows)]


def weighted_tallies(ballots: Ballots, part: np.ndarray, weights: np.ndarray, with_merits: bool = True) -> Tally:
    """One tally for each column of `weights`, in which a ballot of part p counts weights[p] times."""
    return tallies_in_blocks(ballots, part, weights.shape[1], lambda block: weights[:, block], with_merits)


def tallies_in_blocks(
    ballots: Ballots,
    part: np.ndarray,
    columns: int,
    weights_of: Callable[[slice], np.ndarray],
    with_merits: bool = True,
) -> Tally:
    """Weighted tallies whose weights are computed block by block, because all of them may exceed memory.

    Merits, and how often systems were shown, take long to add; most methods need none.
    """
    workers, systems, kind = cpu_count() or 1, ballots.systems, weights_of(slice(0, 0)).dtype
    room = MOST_BYTES // (kind.itemsize * (int(part.max(initial=0)) + 1))
    width = min(BLOCK, ceil(columns / workers), max(FEWEST_COLUMNS, room // workers))
    blocks = [slice(start, min(start + width, columns)) for start in range(0, columns, width)]
    ballots, part = in_order_of(ballots, part)
    rows, several = systems if with_merits else 0, max(workers, room // width)
    counted: list[tuple[np.ndarray, ...]] = []
    for first in range(0, len(blocks), several):
        here = in_threads(lambda block: np.ascontiguousarray(weights_of(block)), blocks[first : first + several])
        sums = [
            (weights, np.zeros((KINDS * systems**2 + rows, weights.shape[1]), np.result_type(kind, np.int32)),
             np.zeros((rows, weights.shape[1])))
            for weights in here
        ]  # fmt: skip
        for gathered in _gathered(ballots, part, with_merits):
            in_threads(lambda given: _weigh(*given), [(*gathered, *each) for each in sums])
        counted += sums
    counts, merits = (np.concatenate(each, axis=1).T for each in list(zip(*counted, strict=True))[1:])
    return _tally_of(counts, merits, systems)


def _gathered(ballots: Ballots, part: np.ndarray, with_merits: bool) -> Iterator[tuple[np.ndarray, ...]]:
    """What each part adds to the counts, many parts at once: the parts, where each begins, and then cell by cell.

    Of a cell how often it counts and, if wanted, of those that say how often a system was shown, its merits.
    """
    ballots, part = in_order_of(ballots, part)
    # Whatever integers the ballots hold, the counters are compiled for one kind.
    candidate, members = (
        np.ascontiguousarray(numbers, np.int32) for numbers in (ballots.candidate, ballots.candidates.members)
    )
    room = int(ballots.expanded.max(initial=0))  # of the comparisons of the largest ballot
    given = ballots.starts, candidate, ballots.merit, ballots.candidates.starts, members, room
    firsts = np.flatnonzero(np.diff(part, prepend=-1))
    bounds = np.append(firsts, len(part))
    most = KINDS * ballots.systems**2 + ballots.systems
    cells = np.minimum(np.add.reduceat(ballots.expanded + ballots.behind, firsts), most)
    at_once = np.flatnonzero(np.diff((np.cumsum(cells) - cells) // MOST_CELLS, prepend=-1))
    for one, other in pairwise([*at_once.tolist(), len(firsts)]):
        begin = np.empty(other - one + 1, dtype=np.int64)
        cell, times = np.empty((2, cells[one:other].sum()), dtype=np.int32)
        merits = np.empty(len(cell) if with_merits else 0)
        found = _gather(*given, bounds[one : other + 1], ballots.systems, begin, cell, times, merits)
        owner = np.asarray(part[firsts[one:other]], dtype=np.int64)
        yield owner, begin, cell[:found], times[:found], merits[:found]


def in_order_of(ballots: Ballots, part: np.ndarray) -> tuple[Ballots, np.ndarray]:
    """Sort ballots by part: ballots of one part share their weights, which makes counting much faster."""
    if (part[1:] >= part[:-1]).all():
        return ballots, part
    order = np.argsort(part, kind="stable")
    return ballots.choose(order), part[order]


def _tally_of(counts: np.ndarray, merits: np.ndarray, systems: int) -> Tally:
    """Rows of cells as matrices; ties and shared candidates were counted in one direction."""
    pairs, shown = np.split(counts, [KINDS * systems**2], axis=1)
    wins, ties, shared = np.moveaxis(pairs.reshape(len(pairs), KINDS, systems, systems), 1, 0)
    return Tally(wins, ties + ties.swapaxes(1, 2), shared + shared.swapaxes(1, 2), merits, shown.astype(float))


@kernel
def _gather(starts, candidate, merit, member_starts, members, room, bounds, systems, begin, cell, times, merits):
    """Write each cell that counts in a part once; returns their number. Ballots bounds[p]:bounds[p + 1] are part p."""
    cells, of_systems = np.empty(room, np.int64), KINDS * systems**2
    place_of, after = np.full(of_systems + systems, -1), 0
    for part in range(len(begin) - 1):
        begin[part] = after
        for ballot in range(bounds[part], bounds[part + 1]):
            for place in range(_list(ballot, starts, candidate, merit, member_starts, members, systems, cells)):
                here = cells[place]
                if place_of[here] < begin[part]:
                    place_of[here], cell[after], times[after] = after, here, 0
                    after += 1
                times[place_of[here]] += 1
            for row in range(starts[ballot], starts[ballot + 1] if len(merits) else starts[ballot]):
                for place in range(member_starts[candidate[row]], member_starts[candidate[row] + 1]):
                    here = of_systems + members[place]
                    if place_of[here] < begin[part]:
                        place_of[here], cell[after], times[after], merits[after] = after, here, 0, 0.0
                        after += 1
                    times[place_of[here]] += 1
                    merits[place_of[here]] += merit[row]
    begin[len(begin) - 1] = after
    return after


@kernel
def _weigh(owner, begin, cell, times, merits, weights, counts, sums):
    """Add what each part adds, times its weight in each column."""
    of_systems = len(counts) - len(sums)
    for part in range(len(owner)):
        for place in range(begin[part], begin[part + 1]):
            _add(counts, cell[place], weights, owner[part], times[place])
            if cell[place] >= of_systems:
                _add(sums, cell[place] - of_systems, weights, owner[part], merits[place])


@kernel
def _list_pairs(owner, begin, cell, times, systems, rows):
    """Write a column for each pair of systems that was compared in a part; returns their number."""
    column_of, after = np.full(systems**2, -1), 0
    for part in range(len(owner)):
        first = after
        for place in range(begin[part], begin[part + 1]):
            kind, pair = divmod(cell[place], systems**2)
            if kind >= SHARED:
                continue
            one, other = divmod(pair, systems)
            both = min(one, other) * systems + max(one, other)
            if column_of[both] < first:
                column_of[both] = after
                rows[0, after], rows[1, after], rows[2, after] = min(one, other), max(one, other), owner[part]
                after += 1
            rows[5 if kind == TIE else 3 if one < other else 4, column_of[both]] += times[place]
    return after


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
