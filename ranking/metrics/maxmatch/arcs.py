"""Arcs of a lattice, and the cheapest path along them, exactly as the official program finds it.

Edges are joined to arcs, node by node; of any two nodes only the way with the fewest steps is kept, and no arc keeps
more words than allowed. A path pays the steps of its arcs, and something small for each listing of an arc that changes
words: an edge is listed once for each cost of the lattice that has it, and an arc again whenever fewer steps were found
for it. An arc that is an edit of the reference costs less than any path. So of equally good paths the program prefers
one by what the small costs add up to in floating point, and then by the order of its list; so does this module.

Toy: the source is `a b c`, the output `x b y`. If the reference has a -> x, that is an arc, and two steps and one edit
(c -> y) remain: 1 correct of 2 proposed. If it has no edit, the changes are one edit of three steps, since only one
word is kept within it: 0 correct of 1 proposed.
"""

from typing import NamedTuple

import numpy as np

from ranking.metrics.maxmatch.gold import ends_of, same_place
from ranking.metrics.maxmatch.insertions import SMALL, weighed_insertions
from ranking.metrics.maxmatch.lattice import DELETION, DIAGONAL, INSERTION, KINDS
from ranking.numbers.kernels import kernel


class Arcs(NamedTuple):
    """Arcs by number, and their numbers as listed; number[end, begin] is -1 where there is none.

    `costs` are those against a reference without edits.
    """

    begins: np.ndarray
    ends: np.ndarray
    changes: np.ndarray
    costs: np.ndarray
    number: np.ndarray
    listed: np.ndarray


@kernel
def arcs_of(lattice, unchanged):
    many, after = len(lattice.rows), _edges_ahead(lattice)
    number = np.full((many, many), -1, np.int32)
    begins, ends, listed = [np.int32(0) for _ in range(0)], [np.int32(0) for _ in range(0)], [0 for _ in range(0)]
    steps, kept = [0 for _ in range(0)], [0 for _ in range(0)]
    for begin in range(many):
        for kind in (INSERTION, DELETION, DIAGONAL):
            end = after[begin, kind]
            if end >= 0:
                for _ in range(2 if lattice.twice[end, kind] else 1):
                    listed.append(len(begins))
                number[end, begin] = len(begins)
                begins.append(np.int32(begin))
                ends.append(end)
                steps.append(1)
                kept.append(1 if kind == DIAGONAL and lattice.kept[end] else 0)
    for middle in range(many):
        for begin in range(middle):
            arc = number[middle, begin]
            if arc < 0:
                continue
            for kind in (INSERTION, DELETION, DIAGONAL):
                end = after[middle, kind]
                keeps = kept[arc] + (1 if end >= 0 and kind == DIAGONAL and lattice.kept[end] else 0)
                if end < 0 or keeps > unchanged:
                    continue
                known = number[end, begin]
                if known < 0:
                    number[end, begin] = known = len(begins)
                    begins.append(np.int32(begin))
                    ends.append(end)
                    steps.append(0)
                    kept.append(0)
                elif steps[known] <= steps[arc] + 1:
                    continue
                steps[known], kept[known] = steps[arc] + 1, keeps
                listed.append(known)
    return _listed(begins, ends, steps, kept, number, listed)


@kernel
def _edges_ahead(lattice):
    """Return the nodes to which the edges of each node lead, by kind, or -1."""
    after = np.full((len(lattice.rows), KINDS), -1, np.int32)
    for node in range(len(lattice.rows)):
        for kind in range(KINDS):
            if lattice.before[node, kind] >= 0:
                after[lattice.before[node, kind], kind] = node
    return after


@kernel
def _listed(begins, ends, steps, kept, number, listed):
    """Drop arcs of several equal words, except right behind one that is dropped: the program removes as it goes."""
    changes, costs = np.array(steps) > np.array(kept), np.array(steps, np.float64)
    remaining = np.empty(len(listed), np.int64)
    many, was_dropped = 0, False
    for arc in listed:
        was_dropped = not (was_dropped or changes[arc] or steps[arc] == 1)
        if not was_dropped:
            remaining[many] = arc
            many += 1
            if changes[arc]:
                costs[arc] += SMALL
    return Arcs(np.array(begins), np.array(ends), changes, costs, number, remaining[:many])


@kernel
def cheapest_path(arcs, lattice, spelling, gold, cell):
    """Return begin and end of the edits on the cheapest path, the last one first."""
    costs = _weighed(arcs, lattice, spelling, gold, cell)
    reached, source = np.full(len(lattice.rows), np.inf), np.full(len(lattice.rows), -1)
    reached[0] = 0
    has_changed = True
    while has_changed:
        has_changed = False
        for arc in arcs.listed:
            cost = reached[arcs.begins[arc]] + costs[arc]
            if cost < reached[arcs.ends[arc]]:
                reached[arcs.ends[arc]], source[arcs.ends[arc]] = cost, arcs.begins[arc]
                has_changed = True
    path = [(np.int64(0), np.int64(0)) for _ in range(0)]
    node = len(source) - 1
    while node > 0:
        if arcs.changes[arcs.number[node, source[node]]]:
            path.append((source[node], np.int64(node)))
        node = source[node]
    return path


@kernel
def _weighed(arcs, lattice, spelling, gold, cell):
    costs, agreed = arcs.costs.copy(), -np.float64(len(arcs.listed))
    edit, last = gold.firsts[cell], gold.firsts[cell + 1]
    while edit < last:
        start, after = gold.starts[edit], edit + 1
        if start == gold.ends[edit]:
            after = same_place(gold, edit, last)
            begins, ends, weights = weighed_insertions(lattice, spelling, gold, edit, after, agreed)
            for arc in range(len(weights)):
                costs[arcs.number[ends[arc], begins[arc]]] = weights[arc]
        else:
            for begin in range(lattice.firsts[start], lattice.firsts[start + 1]):
                for end in ends_of(lattice, begin, spelling, gold, edit):
                    if arcs.number[end, begin] >= 0:
                        costs[arcs.number[end, begin]] = agreed
        edit = after
    return costs
