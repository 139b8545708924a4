"""Meetings of judgments: the counts behind kappa, by unit, so that units can be weighted afterwards.

Two judgments meet when they compare the same pair of candidates. For every cell (two judges, or one and their own
repeats, or one and all the others) six numbers are summed up over the pairs of a unit: how many combinations of two
judgments are 0, 1 and 2 steps apart (the steps are worse, even, better), and how often each of the three outcomes was
given on the pairs where they meet.

Toy: one judge answers > for a pair, another one > and =; of two combinations one is 0 steps and one is 1 step apart,
and the outcomes are even once and better twice.

Unexpanded comparisons one by one: two candidates that a judge saw together, and which one was better.

Comparisons of the same two candidates of a segment are one pair, whatever else was shown. The first candidate is the
one whose systems sort first, as in the published programs; so "better" and "worse" have no absolute meaning, but are
consistent across judges.

How often two judges who both prefer one of two versions prefer the same: what predictions assume as agreement.

A pair of versions on which b judges prefer the one and w the other has b (b - 1) / 2 + w (w - 1) / 2 pairs of judges
who agree, and b w who do not; judges without a preference, and second answers of a judge, are left out.

Toy: three judges prefer A to B, one prefers B: 3 pairs of judges agree and 3 do not, so the agreement is 1/2.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ranking.numbers.kernels import kernel
from ranking.stats.ballots import Ballots, starts_of
from ranking.stats.resampling import draw

REST = -1
NUMBERS = 6


@dataclass(frozen=True)
class Meetings:
    """Cell c compares judge[c] with other[c]; rows starts[c]:starts[c + 1] have its six numbers in unit[n] of `units`.

    There may be many millions of rows, so a sparse matrix, which needs a column for every number, would be too large.
    """

    judge: np.ndarray
    other: np.ndarray
    starts: np.ndarray
    unit: np.ndarray
    numbers: np.ndarray
    units: int

    @property
    def cells(self) -> int:
        return len(self.judge)

    def total(self) -> np.ndarray:
        return self._weighted(np.ones((self.units, 1), dtype=np.int32))[0]

    def resampled(self, replicates: int, seed: int, first: int) -> np.ndarray:
        """Six numbers of each cell, in replicates that draw units with replacement."""
        return self._weighted(draw(self.units, replicates, seed, first))

    def _weighted(self, weights: np.ndarray) -> np.ndarray:
        added = np.zeros((self.cells, NUMBERS, weights.shape[1]), dtype=np.int32)
        _add_weighted(self.starts, self.unit, self.numbers, weights, added)
        return np.moveaxis(added, -1, 0).astype(float, order="C")


@dataclass(frozen=True)
class Entries:
    """How often a judge gave each outcome to a pair; sorted by unit, then by pair, then by judge."""

    key: np.ndarray
    judge: np.ndarray
    unit: np.ndarray
    counts: np.ndarray
    judges: int
    units: int


def entries_of(ballots: Ballots, part: np.ndarray, parts: int) -> Entries:
    """Count the judgments of ballots, of which the n-th belongs to unit part[n]."""
    pairs = pairs_of(ballots)
    unit = np.zeros(pairs.keys, dtype=np.int32)
    unit[pairs.key] = part[pairs.ballot]
    order = np.argsort(unit, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    given, where = np.unique(place[pairs.key] * ballots.judges + ballots.judge[pairs.ballot], return_inverse=True)
    counts = np.bincount(where * OUTCOMES + pairs.outcome, minlength=len(given) * OUTCOMES).astype(np.int32)
    key, judge = np.divmod(given, ballots.judges)
    return Entries(key, judge, unit[order[key]], counts.reshape(-1, OUTCOMES), ballots.judges, parts)


def repeats(entries: Entries) -> Meetings:
    """Every judge with their own repeats alone, as if nobody else had judged the same pairs."""
    return meetings(replace(entries, key=np.arange(len(entries.key))))


def meetings_with_rest(entries: Entries) -> Meetings:
    """Every judge with the judgments of all others combined."""
    firsts = np.flatnonzero(np.diff(entries.key, prepend=-1))
    together = np.add.reduceat(entries.counts, firsts) if len(firsts) else entries.counts
    pair = np.repeat(np.arange(len(firsts)), np.diff(firsts, append=len(entries.key)))
    met = np.flatnonzero((together[pair] - entries.counts).any(axis=1))
    own, outcomes = entries.counts[met], together[pair[met]]
    rows, where = np.unique(entries.judge[met] * entries.units + entries.unit[met], return_inverse=True)
    numbers = np.empty((len(rows), NUMBERS), dtype=np.int32)
    for place, column in enumerate((*_between(own, outcomes - own), *outcomes.T)):
        numbers[:, place] = np.bincount(where, weights=column, minlength=len(rows))
    judges, starts = np.unique(rows // entries.units, return_index=True)
    starts = np.append(starts, len(rows))
    return Meetings(judges, np.full(len(judges), REST), starts, rows % entries.units, numbers, entries.units)


def _between(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Combinations of one judgment from each side, by steps apart."""
    equal = (one * other).sum(axis=1)
    opposite = one[:, WORSE] * other[:, BETTER] + one[:, BETTER] * other[:, WORSE]
    return equal, one.sum(axis=1) * other.sum(axis=1) - equal - opposite, opposite


def meetings(entries: Entries) -> Meetings:
    """Every judge with each later one and with their own repeats."""
    order = np.lexsort((entries.judge, entries.unit))
    ends = np.append(np.flatnonzero(np.diff(entries.key)) + 1, len(entries.key))
    after = np.repeat(ends, np.diff(ends, prepend=0))
    sums, is_met = np.zeros((entries.judges, NUMBERS), np.int32), np.zeros(entries.judges, bool)
    given = order, after, entries.unit, entries.judge, entries.counts, sums, is_met, np.empty(entries.judges, np.int64)
    # The rows of each cell are counted first; in one pass they would need twice the memory.
    next_row = np.zeros(entries.judges**2, dtype=np.int64)
    _meet(*given, next_row, *_rows(0))
    cells = np.flatnonzero(next_row)
    starts = starts_of(next_row[cells])
    next_row[cells] = starts[:-1]
    unit, numbers = _rows(int(starts[-1]))
    _meet(*given, next_row, unit, numbers)
    return Meetings(*np.divmod(cells, entries.judges), starts, unit, numbers, entries.units)


def _rows(number: int) -> tuple[np.ndarray, np.ndarray]:
    return np.empty(number, dtype=np.int32), np.empty((number, NUMBERS), dtype=np.int32)


@kernel
def _meet(order, after, unit, judge, counts, sums, is_met, met, next_row, unit_of_row, numbers):
    """Go through entries by unit and judge; add up whom a judge meets there, and write it if there are rows.

    Plain loops, because slices take seconds to compile.
    """
    judges, many = len(sums), 0
    for place in range(len(order)):
        one = order[place]
        is_repeated = counts[one, 0] + counts[one, 1] + counts[one, 2] > 1
        for other in range(one if is_repeated else one + 1, after[one]):
            by = judge[other]
            if not is_met[by]:
                is_met[by], met[many] = True, by
                many += 1
            _add_combinations(counts, one, other, sums, by)
        following = order[place + 1] if place + 1 < len(order) else -1
        if following >= 0 and unit[following] == unit[one] and judge[following] == judge[one]:
            continue
        for number in range(many):
            by = met[number]
            row = next_row[judge[one] * judges + by]
            next_row[judge[one] * judges + by] += 1
            if row < len(numbers):
                unit_of_row[row] = unit[one]
            for column in range(NUMBERS):
                if row < len(numbers):
                    numbers[row, column] = sums[by, column]
                sums[by, column] = 0
            is_met[by] = False
        many = 0


@kernel
def _add_combinations(counts, one, other, sums, by):
    """Combinations of two judgments, one from each side, by steps apart; then the outcomes."""
    for outcome in range(OUTCOMES):
        own = counts[one, outcome]
        if one == other:
            sums[by, 0] += own * (own - 1) // 2
            sums[by, OUTCOMES + outcome] += own
            for apart in range(1, OUTCOMES - outcome):
                sums[by, apart] += own * counts[one, outcome + apart]
        else:
            sums[by, OUTCOMES + outcome] += own + counts[other, outcome]
            for another in range(OUTCOMES):
                sums[by, abs(another - outcome)] += own * counts[other, another]


@kernel
def _add_weighted(starts, unit, numbers, weights, added):
    """Add every row of a cell, times the weight of its unit in each column."""
    for cell in range(len(added)):
        for row in range(starts[cell], starts[cell + 1]):
            here = unit[row]
            for place in range(NUMBERS):
                number = numbers[row, place]
                if number:
                    _add(added, cell, place, weights, here, number)


@kernel
def _add(added, cell, place, weights, here, number):
    """The innermost loop alone compiles to vector instructions."""
    for column in range(weights.shape[1]):
        added[cell, place, column] += weights[here, column] * number


WORSE, EVEN, BETTER = 0, 1, 2
OUTCOMES = 3


@dataclass(frozen=True)
class Pairs:
    """Comparison n was made on ballot[n] between the candidates of pair key[n]; the outcome is the first one's."""

    ballot: np.ndarray
    key: np.ndarray
    keys: int
    outcome: np.ndarray


def pairs_of(ballots: Ballots) -> Pairs:
    place = _places(ballots)
    number = int((ballots.sizes * (ballots.sizes - 1) // 2).sum())
    ballot, ones, others, outcome = _list(ballots.starts, place[ballots.candidate], ballots.merit, number)
    distinct, key = np.unique(ones * (len(place) + 1) + others, return_inverse=True)
    return Pairs(ballot, key, len(distinct), outcome)


def _places(ballots: Ballots) -> np.ndarray:
    """Return the position of each candidate in the order of its systems."""
    candidates = ballots.candidates
    longest = int(candidates.sizes.max(initial=0))
    # Big-endian bytes sort like the numbers they hold, and are far smaller and faster than one sort key a column.
    number = np.min_scalar_type(ballots.systems).newbyteorder(">")
    table = np.zeros((len(candidates.sizes), longest), dtype=number)
    column = np.arange(len(candidates.members)) - np.repeat(candidates.starts[:-1], candidates.sizes)
    row = np.repeat(np.arange(len(candidates.sizes)), candidates.sizes)
    table[row, column] = candidates.members + 1
    text = table.view(f"S{number.itemsize * longest}").reshape(-1) if longest else np.arange(len(table))
    order = np.argsort(text, kind="stable")
    places = np.empty(len(table), dtype=np.int64)
    places[order] = np.arange(len(table))
    return places


@kernel
def _list(starts, place, merit, number):
    ballot, ones = np.empty(number, np.int64), np.empty(number, np.int64)
    others, outcome = np.empty(number, np.int64), np.empty(number, np.int8)
    at = 0
    for here in range(len(starts) - 1):
        for row in range(starts[here], starts[here + 1]):
            for below in range(row + 1, starts[here + 1]):
                first, second = (row, below) if place[row] < place[below] else (below, row)
                ballot[at], ones[at], others[at] = here, place[first], place[second]
                outcome[at] = EVEN + np.int8(np.sign(merit[first] - merit[second]))
                at += 1
    return ballot, ones, others, outcome


class Preferences(NamedTuple):
    """Pairs of judges who both had a preference between the same two versions, and those who agreed."""

    pairs: int
    agreed: int


def preferences(ballots: Ballots) -> Preferences:
    found = pairs_of(ballots)
    judge = ballots.judge[found.ballot]
    _, first = np.unique(found.key * np.int64(ballots.judges) + judge, return_index=True)
    first = first[found.outcome[first] != EVEN]
    better = np.bincount(found.key[first], found.outcome[first] == BETTER, found.keys)
    worse = np.bincount(found.key[first], minlength=found.keys) - better
    agreed = int((better * (better - 1) + worse * (worse - 1)).sum()) // 2
    return Preferences(agreed + int((better * worse).sum()), agreed)
