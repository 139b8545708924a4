"""Insertions of an output at one place, each of which agrees with at most one edit of the reference.

The arcs that insert at a place are tried from the left against its edits in order, and from the right against them in
reverse. The sides take turns until an arc agrees; then its side goes on with the arcs that follow (or precede) it.

Toy: if a reference inserts `the`, and an output has `the the`, the left one of the two arcs is the edit.
"""

import numpy as np

from ranking.metrics.maxmatch.gold import agrees
from ranking.metrics.maxmatch.lattice import INSERTION
from ranking.numbers.kernels import kernel

SMALL = 0.001


@kernel
def weighed_insertions(lattice, spelling, gold, first, last, agreed):
    """Return begin, end and cost of all arcs that insert where the edits first to last do."""
    begins, ends, listed = _insertions(lattice, gold.starts[first])
    costs = [np.float64(ends[arc] - begins[arc]) for arc in range(len(begins))]
    low, high, last, is_left = 0, len(listed) - 1, last - 1, True
    while low <= high:
        is_left = is_left or low == high
        arc = listed[low] if is_left else listed[high]
        found = -1
        for edit in range(first, last + 1) if is_left else range(last, first - 1, -1):
            if agrees(lattice, begins[arc], ends[arc], spelling, gold, edit):
                found = edit
                break
        low, high = (low + 1, high) if is_left else (low, high - 1)
        if found < 0:
            costs[arc] += SMALL
            is_left = not is_left
            continue
        costs[arc] = np.float64(agreed)
        first, last = (found + 1, last) if is_left else (first, found - 1)
        while is_left and low < len(listed) and begins[listed[low]] != ends[arc]:
            costs[listed[low]] += SMALL
            low += 1
        while not is_left and high >= 0 and ends[listed[high]] != begins[arc]:
            costs[listed[high]] += SMALL
            high -= 1
    return begins, ends, costs


@kernel
def _insertions(lattice, place):
    """Return begins and ends of arcs, and the arcs in order; an edge by both costs of the lattice comes twice."""
    begins, ends, listed = [np.int64(0) for _ in range(0)], [np.int64(0) for _ in range(0)], [0 for _ in range(0)]
    last = lattice.firsts[place + 1]
    for begin in range(lattice.firsts[place], last):
        end = begin + 1
        while end < last and lattice.before[end, INSERTION] == end - 1:
            for _ in range(2 if end == begin + 1 and lattice.twice[end, INSERTION] else 1):
                listed.append(len(begins))
            begins.append(np.int64(begin))
            ends.append(np.int64(end))
            end += 1
    return begins, ends, listed
