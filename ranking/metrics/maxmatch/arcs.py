"""Arcs of a lattice that are edits of a reference.

An arc leads from a node to a later one, by a path that changes something and keeps at most a given number of words. It
is an edit of the reference if it replaces the same words of the source by one of its corrections.

Each insertion at one place agrees with at most one arc. The arcs there are tried alternately from the left and from the
right: those from the left against the edits in order, those from the right in reverse. After a match the next arc on
that side must begin (or end) where the last one ended (or began).

Toy: if a reference inserts `the`, and an output has `the the`, one of the two arcs is the edit.
"""

import numpy as np
from numba import njit

from ranking.metrics.maxmatch.lattice import DIAGONAL, INSERTION, KINDS, first_node_from, node_at


@njit(cache=True, nogil=True)
def gold_arcs(lattice, spelled, symbols, gold, cell, unchanged):
    """Return begin and end of the arcs that agree with edits of one cell."""
    begins, ends = [np.int64(0) for _ in range(0)], [np.int64(0) for _ in range(0)]
    edit, last = gold.firsts[cell], gold.firsts[cell + 1]
    while edit < last:
        start, end = gold.starts[edit], gold.ends[edit]
        if start == end:
            after = edit + 1
            while after < last and gold.starts[after] == start and gold.ends[after] == start:
                after += 1
            _add_insertions(lattice, spelled, symbols, gold, edit, after, begins, ends)
            edit = after
            continue
        for begin in range(lattice.firsts[start], lattice.firsts[start + 1]):
            for correction in range(gold.alternatives[edit], gold.alternatives[edit + 1]):
                column = _column_after(lattice.columns[begin], correction, spelled, symbols, gold)
                goal = node_at(lattice, end, column) if column >= 0 else -1
                if goal >= 0 and _is_arc(lattice, begin, goal, unchanged):
                    begins.append(np.int64(begin))
                    ends.append(np.int64(goal))
        edit += 1
    return begins, ends


@njit(cache=True, nogil=True)
def agrees(lattice, begin, end, spelled, symbols, gold, edit):
    """Whether the change between two nodes is an edit of the reference."""
    if lattice.rows[begin] != gold.starts[edit] or lattice.rows[end] != gold.ends[edit]:
        return False
    for correction in range(gold.alternatives[edit], gold.alternatives[edit + 1]):
        if _column_after(lattice.columns[begin], correction, spelled, symbols, gold) == lattice.columns[end]:
            return True
    return False


@njit(cache=True, nogil=True)
def _column_after(column, correction, spelled, symbols, gold):
    """Return the column after a correction that the output has from this column on, or -1 if its words differ."""
    at, last = gold.spelled[correction], gold.spelled[correction + 1]
    symbol = spelled[column]
    while at < last:
        if column + 1 == len(spelled) or last - at < spelled[column + 1] - symbol:
            return -1
        while symbol < spelled[column + 1]:
            if symbols[symbol] != gold.symbols[at]:
                return -1
            symbol, at = symbol + 1, at + 1
        column += 1
    return column


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def _add_insertions(lattice, spelled, symbols, gold, first, last, begins, ends):
    """Add the arcs that agree with the insertions first to last, which are all those at one place."""
    place = gold.starts[first]
    found = [(np.int64(0), np.int64(0)) for _ in range(0)]
    for begin in range(lattice.firsts[place], lattice.firsts[place + 1]):
        for edit in range(first, last):
            for correction in range(gold.alternatives[edit], gold.alternatives[edit + 1]):
                column = _column_after(lattice.columns[begin], correction, spelled, symbols, gold)
                length = column - lattice.columns[begin]
                if length > 0 and _inserts(lattice, begin, length):
                    arc = (np.int64(begin), np.int64(begin + length))
                    if arc not in found:
                        found.append(arc)
    if len(found) == 1:
        begins.append(found[0][0])
        ends.append(found[0][1])
    elif found:
        _try_in_turn(lattice, spelled, symbols, gold, first, last, begins, ends)


@njit(cache=True, nogil=True)
def _inserts(lattice, begin, length):
    """Whether `length` insertions in a row follow a node; their nodes are consecutive too."""
    for node in range(begin + 1, begin + length + 1):
        if node == len(lattice.rows) or lattice.before[node, INSERTION] != node - 1:
            return False
    return True


@njit(cache=True, nogil=True)
def _try_in_turn(lattice, spelled, symbols, gold, first, last, begins, ends):
    """Try all arcs that insert at a place, from both sides; an edge used by both costs occurs twice."""
    arcs = _insertions(lattice, gold.starts[first])
    low, high, first, last = 0, len(arcs) - 1, first, last - 1
    from_left = True
    while low <= high and first <= last:
        begin, end = arcs[low] if from_left else arcs[high]
        has_agreed = False
        for edit in range(first, last + 1) if from_left else range(last, first - 1, -1):
            if agrees(lattice, begin, end, spelled, symbols, gold, edit):
                has_agreed = True
                begins.append(begin)
                ends.append(end)
                if from_left:
                    first = edit + 1
                else:
                    last = edit - 1
                break
        if from_left:
            low += 1
            while has_agreed and low <= high and arcs[low][0] != end:
                low += 1
        else:
            high -= 1
            while has_agreed and low <= high and arcs[high][1] != begin:
                high -= 1
        from_left = not from_left


@njit(cache=True, nogil=True)
def _insertions(lattice, place):
    arcs = [(np.int64(0), np.int64(0)) for _ in range(0)]
    last = lattice.firsts[place + 1]
    for begin in range(lattice.firsts[place], last):
        end = begin + 1
        while end < last and lattice.before[end, INSERTION] == end - 1:
            for _ in range(2 if end == begin + 1 and lattice.twice[end, INSERTION] else 1):
                arcs.append((np.int64(begin), np.int64(end)))
            end += 1
    return arcs
