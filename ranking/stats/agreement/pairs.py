"""Unexpanded comparisons one by one: two candidates that a judge saw together, and which one was better.

Comparisons of the same two candidates of a segment are one pair, whatever else was shown. The first candidate is the
one whose systems sort first, as in the published programs; so "better" and "worse" have no absolute meaning, but are
consistent across judges.
"""

from dataclasses import dataclass

import numpy as np

from ranking.numbers.kernels import kernel
from ranking.stats.ballots import Ballots

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
