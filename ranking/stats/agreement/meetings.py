"""Meetings of judgments: the counts behind kappa, by sentence, so that sentences can be drawn afterwards.

Two judgments meet when they compare the same pair of candidates. For every cell (two judges, or one and their own
repeats, or one and all the others) six numbers are summed up over the pairs of a sentence: how many combinations of two
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

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.numbers.kernels import kernel
from ranking.stats.ballots import AT_ONCE, Ballots, pairs_by_distance, positions

WORSE, EVEN, BETTER = 0, 1, 2
OUTCOMES = 3
NUMBERS = 6
REST = -1


@dataclass(frozen=True)
class Pairs:
    """Comparison n was made on ballot[n] between the candidates of pair key[n]; the outcome is the first one's."""

    ballot: np.ndarray
    key: np.ndarray
    keys: int
    outcome: np.ndarray


def pairs_of(ballots: Ballots) -> Pairs:
    candidates = ballots.candidates
    longest = int(candidates.sizes.max(initial=0))
    # The systems of each candidate in one row. Big-endian bytes sort like the numbers they hold, and are far smaller
    # and faster than one sort key a column.
    number = np.min_scalar_type(ballots.systems).newbyteorder(">")
    table = np.zeros((len(candidates.sizes), longest), dtype=number)
    table[candidates.owners, positions(np.zeros_like(candidates.sizes), candidates.sizes)] = candidates.members + 1
    text = table.view(f"S{number.itemsize * longest}").reshape(-1) if longest else np.arange(len(table))
    place = np.empty(len(table), dtype=np.int64)
    place[np.argsort(text, kind="stable")] = np.arange(len(table))
    pairs = int((ballots.sizes * (ballots.sizes - 1) // 2).sum())
    ballot, both, outcome = _list(ballots.starts, place[ballots.candidate], ballots.merit, pairs, len(place))
    distinct, key = np.unique(both, return_inverse=True)
    return Pairs(ballot, key.astype(np.int32), len(distinct), outcome)


@kernel
def _list(starts, place, merit, number, candidates):
    ballot, both, outcome = np.empty(number, np.int32), np.empty(number, np.int64), np.empty(number, np.int8)
    at = 0
    for here in range(len(starts) - 1):
        for row in range(starts[here], starts[here + 1]):
            for below in range(row + 1, starts[here + 1]):
                first, second = (row, below) if place[row] < place[below] else (below, row)
                ballot[at], both[at] = here, place[first] * (candidates + 1) + place[second]
                outcome[at] = EVEN + np.int8(np.sign(merit[first] - merit[second]))
                at += 1
    return ballot, both, outcome


class Entries(NamedTuple):
    """How often (counts, a row for each outcome) a judge gave each outcome to a pair.

    Sorted by sentence, then by pair, then by judge.
    """

    key: np.ndarray
    judge: np.ndarray
    sentence: np.ndarray
    counts: np.ndarray
    judges: int
    sentences: int


def entries_of(ballots: Ballots) -> Entries:
    pairs = pairs_of(ballots)
    sentence = np.zeros(pairs.keys, dtype=np.int32)
    sentence[pairs.key] = ballots.judged_segment[pairs.ballot]
    order = np.argsort(sentence, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    given, where = np.unique(place[pairs.key] * ballots.judges + ballots.judge[pairs.ballot], return_inverse=True)
    outcomes = [pairs.outcome == outcome for outcome in (WORSE, EVEN, BETTER)]
    counts = np.stack([np.bincount(where[each], minlength=len(given)).astype(np.int32) for each in outcomes])
    key, judge = (column.astype(np.int32) for column in np.divmod(given, ballots.judges))
    return Entries(key, judge, sentence[order[key]], counts, ballots.judges, max(int(ballots.judged.sum()), 1))


class Meetings(NamedTuple):
    """Cell c compares judge[c] with other[c]; columns 6 c to 6 c + 5 of the sums of each sentence are its numbers."""

    judge: np.ndarray
    other: np.ndarray
    sums: sp.sparse.csr_array


def meetings(entries: Entries, with_others: bool = True) -> Meetings:
    """Every judge with their own repeats and, if wanted, with each later judge."""
    counts, judge = entries.counts, entries.judge

    def combinations() -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """The numbers of two entries, or of one with several judgments, with their sentence and column."""
        repeated = np.flatnonzero(counts.sum(axis=0) > 1)
        together = pairs_by_distance(entries.key) if with_others else ()
        for one, other in chain([(repeated, repeated)], together):
            own = counts[:, one]
            if one is other:
                equal = (own * (own - 1)).sum(axis=0) // 2
                numbers = (equal, own[EVEN] * (own[WORSE] + own[BETTER]), own[WORSE] * own[BETTER], *own)
            else:
                numbers = (*_steps_apart(own, counts[:, other]), *(own + counts[:, other]))
            cell = NUMBERS * (judge[one] * np.int64(entries.judges) + judge[other])
            for place, number in enumerate(numbers):
                yield number, entries.sentence[one], cell + place

    sums = add_up(combinations(), (entries.sentences, NUMBERS * entries.judges**2), np.int32)
    cells, where = np.unique(sums.indices // NUMBERS, return_inverse=True)
    columns = where * NUMBERS + sums.indices % NUMBERS
    shape = entries.sentences, len(cells) * NUMBERS
    found = sp.sparse.csr_array((sums.data, columns, sums.indptr), shape=shape)
    return Meetings(*np.divmod(cells, entries.judges), found)


def meetings_with_rest(entries: Entries) -> Meetings:
    """Every judge with the judgments of all others combined."""
    everybody = np.stack([np.bincount(entries.key, outcome) for outcome in entries.counts]).astype(np.int32)
    met = np.flatnonzero(everybody.sum(axis=0)[entries.key] > entries.counts.sum(axis=0))
    judges = np.unique(entries.judge[met])

    def combinations() -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        for at in range(0, len(met), AT_ONCE):
            here = met[at : at + AT_ONCE]
            own, of_all = entries.counts[:, here], everybody[:, entries.key[here]]
            cell = NUMBERS * np.searchsorted(judges, entries.judge[here])
            for place, number in enumerate((*_steps_apart(own, of_all - own), *of_all)):
                yield number, entries.sentence[here], cell + place

    sums = add_up(combinations(), (entries.sentences, NUMBERS * len(judges)), np.int32)
    return Meetings(judges, np.full(len(judges), REST), sums)


def _steps_apart(one: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Combinations of one judgment from each side, by steps apart."""
    equal, opposite = (one * other).sum(axis=0), one[WORSE] * other[BETTER] + one[BETTER] * other[WORSE]
    return equal, one.sum(axis=0) * other.sum(axis=0) - equal - opposite, opposite


def add_up(
    blocks: Iterable[tuple[np.ndarray, np.ndarray, np.ndarray]], shape: tuple[int, int], kind: type = float
) -> sp.sparse.csr_array:
    """Sum up numbers by row and column; they come in blocks, because all of them may exceed memory."""
    sums, waiting, many = [sp.sparse.csr_array(shape, dtype=kind)], list[tuple[np.ndarray, ...]](), 0
    kinds = kind, np.int32, np.int32
    for block in chain(blocks, [None]):
        if block is not None:
            some = np.flatnonzero(block[0])
            waiting.append(tuple(column[some].astype(of) for column, of in zip(block, kinds, strict=True)))
            many += len(some)
        if waiting and (block is None or many > AT_ONCE):
            numbers, rows, columns = map(np.concatenate, zip(*waiting, strict=True))
            sums.append(sp.sparse.csr_array(sp.sparse.coo_array((numbers, (rows, columns)), shape=shape)))
            waiting, many = [], 0
        # Few into few: to add each block to all before it takes time that grows with the square of their number.
        while len(sums) > 1 and (block is None or sums[-2].nnz <= 2 * sums[-1].nnz):
            sums.append(sums.pop(-2) + sums.pop())
    return sums[0]


def preferences(ballots: Ballots) -> tuple[int, int]:
    """Pairs of judges who both had a preference between the same two versions, and those who agreed."""
    found = pairs_of(ballots)
    judge = ballots.judge[found.ballot]
    _, first = np.unique(found.key * np.int64(ballots.judges) + judge, return_index=True)
    first = first[found.outcome[first] != EVEN]
    better = np.bincount(found.key[first], found.outcome[first] == BETTER, found.keys)
    worse = np.bincount(found.key[first], minlength=found.keys) - better
    agreed = int((better * (better - 1) + worse * (worse - 1)).sum()) // 2
    return agreed + int((better * worse).sum()), agreed
