"""The path through a lattice whose edits agree best with those of a reference, for M2.

An arc that is an edit of the reference costs less than any path. So of equally good paths the official program prefers
one by what the small costs of arcs add up to in floating point, and then by the order of its list; so does
`cheapest_path`.

`best_path` is for lattices with too many nodes to list their arcs. An arc then leads from a node to a later one, by a
path that changes something and keeps at most a given number of words. The best path has most arcs that are edits of the
reference, then fewest steps, then fewest edits; a single edge used by both costs of the lattice counts as two edits. Of
equally good paths the official program may choose another.

Each insertion of the output at one place agrees with at most one edit of the reference. The arcs that insert at a place
are tried from the left against its edits in order, and from the right against them in reverse. The sides take turns
until an arc agrees; then its side goes on with the arcs that follow (or precede) it.

Toys: the source is `a b c`, the output `x b y`. If the reference has a -> x, that is an arc, and two steps and one edit
(c -> y) remain: 1 correct of 2 proposed. If it has no edit, the changes are one edit of three steps, since only one
word is kept within it: 0 correct of 1 proposed. If a reference inserts `the`, and an output has `the the`, the left one
of the two arcs is the edit.
"""

from typing import NamedTuple

import numpy as np

from ranking.metrics.maxmatch_lattice import DIAGONAL, INSERTION, KINDS, SMALL, first_node_from, node_at
from ranking.numbers.kernels import kernel

# The ranges of these costs do not overlap for sentences of up to a million words.
EDIT, STEP, AGREED = 1, 1 << 20, 1 << 40
UNREACHED = np.iinfo(np.int64).max // 2
# The state of an open edit is the number of words kept; edits of one edge, which keep at most one word, come first.
SHORT = 2


class Gold(NamedTuple):
    """Cell s * references + r holds the edits of reference r of sentence s, from left to right.

    Its edits are firsts[cell] to firsts[cell + 1]; edit e becomes one of the corrections from alternatives[e] to
    alternatives[e + 1], and correction a is spelled symbols[spelled[a]:spelled[a + 1]].
    """

    absent: np.ndarray
    firsts: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    alternatives: np.ndarray
    spelled: np.ndarray
    symbols: np.ndarray


class Spelling(NamedTuple):
    """The words of an output as they are compared: word w is symbols[starts[w]:starts[w + 1]]."""

    starts: np.ndarray
    symbols: np.ndarray


@kernel
def agrees(lattice, begin, end, spelling, gold, edit):
    """Whether the change between two nodes is an edit of the reference."""
    if lattice.rows[begin] != gold.starts[edit] or lattice.rows[end] != gold.ends[edit]:
        return False
    for correction in range(gold.alternatives[edit], gold.alternatives[edit + 1]):
        if _column_after(lattice.columns[begin], correction, spelling, gold) == lattice.columns[end]:
            return True
    return False


@kernel
def _column_after(column, correction, spelling, gold):
    """Return the column after a correction that the output has from this column on, or -1 if its words differ."""
    at, last = gold.spelled[correction], gold.spelled[correction + 1]
    symbol = spelling.starts[column]
    while at < last:
        if column + 1 == len(spelling.starts) or last - at < spelling.starts[column + 1] - symbol:
            return -1
        while symbol < spelling.starts[column + 1]:
            if spelling.symbols[symbol] != gold.symbols[at]:
                return -1
            symbol, at = symbol + 1, at + 1
        column += 1
    return column


@kernel
def cheapest_path(arcs, lattice, spelling, gold, cell):
    """Return begin and end of the edits on the cheapest path, the last one first."""
    costs, agreed = arcs.costs.copy(), -np.float64(len(arcs.listed))
    begins, ends, paid = _gold_arcs(lattice, spelling, gold, cell, agreed)
    for place in range(len(paid)):
        arc = arcs.number[ends[place], begins[place]]
        if arc >= 0:
            costs[arc] = paid[place]
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
def _gold_arcs(lattice, spelling, gold, cell, agreed):
    """Return begin, end and cost of the arcs that agree with edits of a cell, and of all that insert where these do."""
    begins, ends, costs = [np.int64(0) for _ in range(0)], [np.int64(0) for _ in range(0)], [0.0 for _ in range(0)]
    edit, last = gold.firsts[cell], gold.firsts[cell + 1]
    while edit < last:
        start, after = gold.starts[edit], edit + 1
        if start == gold.ends[edit]:
            while after < last and gold.starts[after] == gold.ends[after] == start:
                after += 1
            there, behind, paid = _weighed_insertions(lattice, spelling, gold, edit, after, agreed)
            begins.extend(there)
            ends.extend(behind)
            costs.extend(paid)
        else:
            for begin in range(lattice.firsts[start], lattice.firsts[start + 1]):
                for correction in range(gold.alternatives[edit], gold.alternatives[edit + 1]):
                    column = _column_after(lattice.columns[begin], correction, spelling, gold)
                    end = node_at(lattice, gold.ends[edit], column) if column >= 0 else -1
                    if end >= 0:
                        begins.append(np.int64(begin))
                        ends.append(np.int64(end))
                        costs.append(agreed)
        edit = after
    return begins, ends, costs


@kernel
def _weighed_insertions(lattice, spelling, gold, first, last, agreed):
    """Return begin, end and cost of all arcs that insert where the edits first to last do."""
    place = gold.starts[first]
    # The arcs by number, and their numbers in order; an edge by both costs of the lattice comes twice.
    begins, ends, listed = [np.int64(0) for _ in range(0)], [np.int64(0) for _ in range(0)], [0 for _ in range(0)]
    after = lattice.firsts[place + 1]
    for begin in range(lattice.firsts[place], after):
        end = begin + 1
        while end < after and lattice.before[end, INSERTION] == end - 1:
            for _ in range(2 if end == begin + 1 and lattice.twice[end, INSERTION] else 1):
                listed.append(len(begins))
            begins.append(np.int64(begin))
            ends.append(np.int64(end))
            end += 1
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
def best_path(lattice, spelling, gold, cell, unchanged):
    """Return begin and end of the edits on the best path, the last one first."""
    begins, ends, paid = _gold_arcs(lattice, spelling, gold, cell, np.float64(AGREED))
    many, width, states = len(lattice.rows), lattice.columns[-1] + 1, SHORT + unchanged + 1
    # The cost of reaching a node between edits, the node before it, and whether an edit leads there.
    reached, source, by_edit = np.full(many, UNREACHED), np.zeros(many, np.int64), np.zeros(many, np.bool_)
    # The cost of reaching a node of this row or the previous one within an edit, and where the edit began.
    walked, begun = np.empty((2, width, states), np.int64), np.empty((2, width, states), np.int64)
    walked[0, 0] = UNREACHED
    reached[0] = 0
    # The arcs that are edits of the reference: the newest arc to each node, and the next older one of each arc.
    newest, older = np.full(many, -1), np.full(len(ends), -1)
    for arc in range(len(ends)):
        if paid[arc] >= AGREED and _is_arc(lattice, begins[arc], ends[arc], unchanged):
            older[arc] = newest[ends[arc]]
            newest[ends[arc]] = arc
    for node in range(1, many):
        place = lattice.rows[node] % 2, lattice.columns[node]
        here, since = walked[place], begun[place]
        here[:] = UNREACHED
        for kind in range(KINDS):
            before = lattice.before[node, kind]
            if before < 0:
                continue
            keeps = 1 if kind == DIAGONAL and lattice.kept[node] else 0
            place = lattice.rows[before] % 2, lattice.columns[before]
            open_there, begun_there = walked[place], begun[place]
            # Start an edit at the node before, and extend those that were open there.
            if keeps <= unchanged and reached[before] + STEP < here[keeps]:
                here[keeps], since[keeps] = reached[before] + STEP, before
            for state in range(states):
                kept = keeps + (state if state < SHORT else state - SHORT)
                if kept <= unchanged and open_there[state] + STEP < here[SHORT + kept]:
                    here[SHORT + kept], since[SHORT + kept] = open_there[state] + STEP, begun_there[state]
            edits = 0 if keeps else 2 * EDIT if lattice.twice[node, kind] else EDIT
            cost = reached[before] + STEP + edits
            if cost < reached[node]:
                reached[node], source[node], by_edit[node] = cost, before, keeps == 0
        for state in range(SHORT, states):
            if here[state] + EDIT < reached[node]:
                reached[node], source[node], by_edit[node] = here[state] + EDIT, since[state], True
        arc = newest[node]
        while arc >= 0:
            if reached[begins[arc]] - AGREED < reached[node]:
                reached[node], source[node], by_edit[node] = reached[begins[arc]] - AGREED, begins[arc], True
            arc = older[arc]
    path = [(np.int64(0), np.int64(0)) for _ in range(0)]
    node = many - 1
    while node > 0:
        if by_edit[node]:
            path.append((source[node], np.int64(node)))
        node = source[node]
    return path


@kernel
def _is_arc(lattice, begin, end, unchanged):
    """Whether a path with a change leads from one node to another and keeps few enough words."""
    most = unchanged + 1
    left, right = lattice.columns[begin], lattice.columns[end]
    # The fewest words kept on a path to a column of this row or the previous one, with and without a change.
    changed, same = np.empty((2, right - left + 1), np.int64), np.empty((2, right - left + 1), np.int64)
    for row in range(lattice.rows[begin], lattice.rows[end] + 1):
        leads_on = False
        for node in range(max(begin, first_node_from(lattice, row, left)), lattice.firsts[row + 1]):
            column = lattice.columns[node]
            if column > right:
                break
            least_changed, least_same = most, 0 if node == begin else most
            for kind in range(KINDS):
                before = lattice.before[node, kind]
                if before < begin or lattice.columns[before] < left:
                    continue
                earlier, place = lattice.rows[before] % 2, lattice.columns[before] - left
                if kind == DIAGONAL and lattice.kept[node]:
                    least_changed = min(least_changed, changed[earlier, place] + 1)
                    least_same = min(least_same, same[earlier, place] + 1)
                else:
                    least_changed = min(least_changed, changed[earlier, place], same[earlier, place])
            changed[row % 2, column - left], same[row % 2, column - left] = least_changed, least_same
            leads_on = leads_on or min(least_changed, least_same) < most
        if not leads_on:
            return False
    return changed[lattice.rows[end] % 2, right - left] < most
