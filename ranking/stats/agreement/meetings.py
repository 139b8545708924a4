"""Meetings of judgments: the counts behind kappa, by unit, so that units can be weighted afterwards.

Two judgments meet when they compare the same pair of candidates. For every cell (two judges, or one and their own
repeats, or one and all the others) six numbers are summed up over the pairs of a unit: how many combinations of two
judgments are 0, 1 and 2 steps apart (the steps are worse, even, better), and how often each of the three outcomes was
given on the pairs where they meet.

Toy: one judge answers > for a pair, another one > and =; of two combinations one is 0 steps and one is 1 step apart,
and the outcomes are even once and better twice.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.sparse import csr_array

from ranking.stats.agreement.pairs import OUTCOMES, pairs_of
from ranking.stats.ballots import Ballots

REST = -1
NUMBERS = 6
# Each entry meets up to as many others as there are judges of its pair.
AT_ONCE = 200_000


@dataclass(frozen=True)
class Meetings:
    """Six columns of `sums` per cell, and one row per unit; cell n compares judge[n] with other[n]."""

    judge: np.ndarray
    other: np.ndarray
    sums: csr_array

    @property
    def cells(self) -> int:
        return len(self.judge)

    def total(self) -> np.ndarray:
        return by_cell(self.sums.sum(axis=0))


@dataclass(frozen=True)
class _Entries:
    """How often a judge gave each outcome to a pair; sorted by pair, then by judge."""

    key: np.ndarray
    judge: np.ndarray
    unit: np.ndarray
    counts: np.ndarray

    def part(self, rows: slice) -> "_Entries":
        return _Entries(self.key[rows], self.judge[rows], self.unit[rows], self.counts[rows])


def by_cell(sums: np.ndarray) -> np.ndarray:
    """Reshape six columns per cell into an axis of cells and one of six."""
    return sums.reshape(*sums.shape[:-1], -1, NUMBERS)


def meetings(ballots: Ballots, part: np.ndarray, parts: int) -> Meetings:
    """Every judge with each later one and with their own repeats; part[n] is the unit of ballot n."""
    return _in_columns(_meet, ballots, part, parts)


def meetings_with_rest(ballots: Ballots, part: np.ndarray, parts: int) -> Meetings:
    found = _in_columns(_meet_rest, ballots, part, parts)
    return Meetings(found.judge, np.full(found.cells, REST), found.sums)


def _entries(ballots: Ballots, part: np.ndarray) -> _Entries:
    pairs = pairs_of(ballots)
    unit = np.zeros(pairs.keys, dtype=np.int64)
    unit[pairs.key] = part[pairs.ballot]
    given, where = np.unique(pairs.key * ballots.judges + ballots.judge[pairs.ballot], return_inverse=True)
    counts = np.bincount(where * OUTCOMES + pairs.outcome, minlength=len(given) * OUTCOMES)
    key = given // ballots.judges
    return _Entries(key, given % ballots.judges, unit[key], counts.reshape(-1, OUTCOMES).astype(np.int32))


def _chunks(entries: _Entries) -> list[_Entries]:
    """Split entries between pairs into chunks that fit into memory."""
    ends = np.append(np.flatnonzero(np.diff(entries.key)) + 1, len(entries.key))
    cuts = ends[np.searchsorted(ends, np.arange(0, len(entries.key), AT_ONCE)[1:])]
    bounds = np.unique([0, *cuts, len(entries.key)]).tolist()
    return [entries.part(slice(start, end)) for start, end in pairwise(bounds)]


def _meet(entries: _Entries, judges: int) -> tuple[np.ndarray, np.ndarray]:
    """Each entry with itself and, at growing distance, with the later entries of its pair."""
    repeated = np.flatnonzero(entries.counts.sum(axis=1) > 1)
    added = [_add_up(_code(entries, repeated, repeated, judges), _within(entries.counts[repeated]))]
    here, distance = np.arange(len(entries.key)), 1
    while len(here):
        here = here[here + distance < len(entries.key)]
        here = here[entries.key[here] == entries.key[here + distance]]
        one, other = entries.counts[here], entries.counts[here + distance]
        numbers = np.concatenate([_between(one, other), one + other], axis=1)
        added.append(_add_up(_code(entries, here, here + distance, judges), numbers))
        distance += 1
    return _merge(added)


def _meet_rest(entries: _Entries, judges: int) -> tuple[np.ndarray, np.ndarray]:
    """Each entry with all others of its pair combined."""
    _, pair = np.unique(entries.key, return_inverse=True)
    outcomes = np.stack([np.bincount(pair, weights=entries.counts[:, n]) for n in range(OUTCOMES)], axis=1)[pair]
    rest = outcomes - entries.counts
    met = np.flatnonzero(rest.sum(axis=1) > 0)
    numbers = np.concatenate([_between(entries.counts[met], rest[met]), outcomes[met]], axis=1)
    return _add_up(_code(entries, met, met, judges), numbers)


def _code(entries: _Entries, ones: np.ndarray, others: np.ndarray, judges: int) -> np.ndarray:
    """Unit and both judges as one number."""
    return (entries.unit[ones] * judges + entries.judge[ones]) * judges + entries.judge[others]


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


def _merge(added: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Add up sums of the same code, one part after another: together they would take several times the memory."""
    distinct = np.unique(np.concatenate([codes for codes, _ in added]))
    sums = np.zeros((len(distinct), NUMBERS), dtype=np.int32)
    for codes, numbers in added:  # each has a code once
        sums[np.searchsorted(distinct, codes)] += numbers
    return distinct, sums


def _add_up(code: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    distinct, where = np.unique(code, return_inverse=True)
    sums = np.empty((len(distinct), numbers.shape[1]), dtype=np.int32)
    for place, column in enumerate(numbers.T):
        sums[:, place] = np.bincount(where, weights=column, minlength=len(distinct))
    return distinct, sums


def _in_columns(
    meet: Callable[[_Entries, int], tuple[np.ndarray, np.ndarray]], ballots: Ballots, part: np.ndarray, parts: int
) -> Meetings:
    judges = ballots.judges
    nothing = (np.empty(0, dtype=np.int64), np.empty((0, NUMBERS), dtype=np.int32))
    code, numbers = _merge([nothing, *(meet(chunk, judges) for chunk in _chunks(_entries(ballots, part)))])
    cell, column = np.unique(code % judges**2, return_inverse=True)
    columns = column.astype(np.int32)[:, None] * NUMBERS + np.arange(NUMBERS, dtype=np.int32)
    # Codes are sorted by unit, then by cell, so the rows need no sorting, which would take several times the memory.
    starts = NUMBERS * np.searchsorted(code // judges**2, np.arange(parts + 1))
    sums = csr_array((numbers.ravel(), columns.ravel(), starts), shape=(parts, len(cell) * NUMBERS))
    return Meetings(cell // judges, cell % judges, sums)
