"""Meetings of judgments: the counts behind kappa, by unit, so that units can be weighted afterwards.

Two judgments meet when they compare the same pair of candidates. For every cell (two judges, or one and their own
repeats, or one and all the others) six numbers are summed up over the pairs of a unit: how many combinations of two
judgments are 0, 1 and 2 steps apart (the steps are worse, even, better), and how often each of the three outcomes was
given on the pairs where they meet.

Toy: one judge answers > for a pair, another one > and =; of two combinations one is 0 steps and one is 1 step apart,
and the outcomes are even once and better twice.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numba import njit

from ranking.stats.agreement.pairs import OUTCOMES, pairs_of
from ranking.stats.ballots import Ballots
from ranking.stats.resampling import draw

REST = -1
NUMBERS = 6
# Each entry meets up to as many others as there are judges of its pair.
AT_ONCE = 200_000


@dataclass(frozen=True)
class Meetings:
    """Cell c compares judge[c] with other[c]; rows starts[u]:starts[u + 1] have six numbers for each cell[n] of unit u.

    There may be many millions of rows, so a sparse matrix, which needs a column for every number, would be too large.
    """

    judge: np.ndarray
    other: np.ndarray
    starts: np.ndarray
    cell: np.ndarray
    numbers: np.ndarray

    @property
    def cells(self) -> int:
        return len(self.judge)

    def total(self) -> np.ndarray:
        return self._weighted(np.ones((len(self.starts) - 1, 1), dtype=np.int32))[0]

    def resampled(self, replicates: int, seed: int, first: int) -> np.ndarray:
        """Six numbers of each cell, in replicates that draw units with replacement."""
        return self._weighted(draw(len(self.starts) - 1, replicates, seed, first))

    def _weighted(self, weights: np.ndarray) -> np.ndarray:
        added = np.zeros((self.cells * NUMBERS, weights.shape[1]), dtype=np.int32)
        _add_weighted(self.starts, self.cell, self.numbers, weights, added)
        return added.T.reshape(weights.shape[1], self.cells, NUMBERS).astype(float)


@dataclass(frozen=True)
class Entries:
    """How often a judge gave each outcome to a pair; sorted by unit, then by pair, then by judge."""

    key: np.ndarray
    judge: np.ndarray
    unit: np.ndarray
    counts: np.ndarray
    judges: int
    units: int

    def chunks(self) -> Iterator["Entries"]:
        """Split between pairs into chunks whose meetings fit into memory."""
        ends = np.append(np.flatnonzero(np.diff(self.key)) + 1, len(self.key))
        cuts = ends[np.searchsorted(ends, np.arange(0, len(self.key), AT_ONCE)[1:])]
        for start, end in pairwise(np.unique([0, *cuts, len(self.key)]).tolist()):
            rows = slice(start, end)
            columns = self.key[rows], self.judge[rows], self.unit[rows], self.counts[rows]
            yield Entries(*columns, self.judges, self.units)

    def code(self, ones: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Unit and both judges as one number."""
        return (self.unit[ones] * self.judges + self.judge[ones]) * self.judges + self.judge[others]


_Sums = tuple[np.ndarray, np.ndarray]


def entries_of(ballots: Ballots, part: np.ndarray, parts: int) -> Entries:
    """Count the judgments of ballots, of which the n-th belongs to unit part[n]."""
    pairs = pairs_of(ballots)
    unit = np.zeros(pairs.keys, dtype=np.int64)
    unit[pairs.key] = part[pairs.ballot]
    order = np.argsort(unit, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    given, where = np.unique(place[pairs.key] * ballots.judges + ballots.judge[pairs.ballot], return_inverse=True)
    counts = np.bincount(where * OUTCOMES + pairs.outcome, minlength=len(given) * OUTCOMES).astype(np.int32)
    key, judge = np.divmod(given, ballots.judges)
    return Entries(key, judge, unit[order[key]], counts.reshape(-1, OUTCOMES), ballots.judges, parts)


def meetings(entries: Entries) -> Meetings:
    """Every judge with each later one and with their own repeats."""
    return _in_columns(_meet, entries)


def repeats(entries: Entries) -> Meetings:
    """Every judge with their own repeats alone."""
    return _in_columns(_meet_themselves, entries)


def meetings_with_rest(entries: Entries) -> Meetings:
    found = _in_columns(_meet_rest, entries)
    return replace(found, other=np.full(found.cells, REST))


def _meet(entries: Entries) -> _Sums:
    """Each entry with itself and, at growing distance, with the later entries of its pair."""
    added = [_meet_themselves(entries)]
    here, distance = np.arange(len(entries.key)), 1
    while len(here):
        here = here[here + distance < len(entries.key)]
        here = here[entries.key[here] == entries.key[here + distance]]
        one, other = entries.counts[here], entries.counts[here + distance]
        numbers = np.concatenate([_between(one, other), one + other], axis=1)
        added.append(_add_up(entries.code(here, here + distance), numbers))
        distance += 1
    return _merge(added)


def _meet_themselves(entries: Entries) -> _Sums:
    repeated = np.flatnonzero(entries.counts.sum(axis=1) > 1)
    return _add_up(entries.code(repeated, repeated), _within(entries.counts[repeated]))


def _meet_rest(entries: Entries) -> _Sums:
    """Each entry with all others of its pair combined."""
    _, pair = np.unique(entries.key, return_inverse=True)
    outcomes = np.stack([np.bincount(pair, weights=entries.counts[:, n]) for n in range(OUTCOMES)], axis=1)[pair]
    rest = outcomes - entries.counts
    met = np.flatnonzero(rest.sum(axis=1) > 0)
    numbers = np.concatenate([_between(entries.counts[met], rest[met]), outcomes[met]], axis=1)
    return _add_up(entries.code(met, met), numbers)


def _between(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Combinations of one judgment from each side, by steps apart."""
    equal = (one * other).sum(axis=1)
    opposite = one[:, 0] * other[:, 2] + one[:, 2] * other[:, 0]
    return np.stack([equal, one.sum(axis=1) * other.sum(axis=1) - equal - opposite, opposite], axis=1)


def _within(counts: np.ndarray) -> np.ndarray:
    """Combinations of two judgments of one side by steps apart, and the outcomes."""
    equal = (counts * (counts - 1) // 2).sum(axis=1)
    opposite = counts[:, 0] * counts[:, 2]
    near = counts[:, 1] * (counts[:, 0] + counts[:, 2])
    return np.concatenate([np.stack([equal, near, opposite], axis=1), counts], axis=1)


def _merge(added: list[_Sums]) -> _Sums:
    """Add up sums of the same code, one part after another: together they would take several times the memory."""
    distinct = np.unique(np.concatenate([codes for codes, _ in added]))
    sums = np.zeros((len(distinct), NUMBERS), dtype=np.int32)
    for codes, numbers in added:  # each has a code once
        sums[np.searchsorted(distinct, codes)] += numbers
    return distinct, sums


def _add_up(code: np.ndarray, numbers: np.ndarray) -> _Sums:
    distinct, where = np.unique(code, return_inverse=True)
    sums = np.empty((len(distinct), NUMBERS), dtype=np.int32)
    for place, column in enumerate(numbers.T):
        sums[:, place] = np.bincount(where, weights=column, minlength=len(distinct))
    return distinct, sums


def _in_columns(meet: Callable[[Entries], _Sums], entries: Entries) -> Meetings:
    judges, pairs_of_judges = entries.judges, entries.judges**2
    codes, numbers = [], []
    code, sums = np.empty(0, dtype=np.int64), np.empty((0, NUMBERS), dtype=np.int32)
    for chunk in entries.chunks():
        code, sums = _merge([(code, sums), meet(chunk)])
        # Units are in order, so only the last one of a chunk may go on in the next.
        complete = np.searchsorted(code, chunk.unit[-1] * pairs_of_judges)
        codes.append(code[:complete])
        numbers.append(sums[:complete])
        code, sums = code[complete:], sums[complete:]
    code = np.concatenate([*codes, code])
    starts = np.searchsorted(code, np.arange(entries.units + 1) * pairs_of_judges)
    cells, cell = np.unique(code % pairs_of_judges, return_inverse=True)
    return Meetings(*np.divmod(cells, judges), starts, cell.astype(np.int32), np.concatenate([*numbers, sums]))


@njit(cache=True, nogil=True)
def _add_weighted(starts, cell, numbers, weights, added):
    """Add every number, times the weight of its unit in each column, to the row of its cell."""
    for unit in range(len(starts) - 1):
        for row in range(starts[unit], starts[unit + 1]):
            for place in range(numbers.shape[1]):
                number = numbers[row, place]
                if number:
                    for column in range(weights.shape[1]):
                        added[cell[row] * numbers.shape[1] + place, column] += weights[unit, column] * number
