"""The lattice of all smallest differences between a source and an output, and the arcs along it: what may be an edit.

Node (i, j) lies between words, after i words of the source and j of the output. The edges into it keep or substitute a
word (from (i - 1, j - 1)), delete one (from (i - 1, j)) or insert one (from (i, j - 1)). The lattice has each edge of a
smallest difference by either of two costs: a substitution costs as much as a deletion, or as much as a deletion and an
insertion.

Toy: `a` and `b` have the substitution by both costs, and by the second cost also both orders of deleting one and
inserting the other: four nodes, five edges, of which the substitution counts twice.

Edges are joined to arcs, node by node; of any two nodes only the way with the fewest steps is kept, and no arc keeps
more words than allowed. A path pays the steps of its arcs, and something small for each listing of an arc that changes
words: an edge is listed once for each cost of the lattice that has it, and an arc again whenever fewer steps were found
for it.
"""

from typing import NamedTuple

import numpy as np

from ranking.numbers.kernels import kernel

DIAGONAL, DELETION, INSERTION = range(3)
KINDS = 3
# Bits of a cell: which edges into it are minimal by the first cost, which by the second, and whether words are equal.
FIRST, SECOND = 0, KINDS
KEPT = 1 << 2 * KINDS
SMALL = 0.001


class Lattice(NamedTuple):
    """Nodes row by row, so that every edge leads to a later node; row i has the nodes firsts[i] to firsts[i + 1].

    before[v, kind] is the node from which an edge of this kind leads to v, or -1; twice[v, kind] if both costs have it;
    kept[v] if its diagonal joins two equal words.
    """

    rows: np.ndarray
    columns: np.ndarray
    firsts: np.ndarray
    before: np.ndarray
    twice: np.ndarray
    kept: np.ndarray


@kernel
def _smallest_steps(source, output):
    """Find the edges into each cell that lie on a shortest path to it, by either cost."""
    height, width = len(source) + 1, len(output) + 1
    cells = np.zeros((height, width), np.uint8)
    cells[0, 1:] = (1 << FIRST + INSERTION) | (1 << SECOND + INSERTION)
    cells[1:, 0] = (1 << FIRST + DELETION) | (1 << SECOND + DELETION)
    one, two = np.arange(width, dtype=np.int32), np.arange(width, dtype=np.int32)
    for row in range(1, height):
        corner_one, corner_two = one[0], two[0]
        one[0] = two[0] = row
        word = source[row - 1]
        for column in range(1, width):
            kept = word == output[column - 1]
            across_one, across_two = corner_one + (0 if kept else 1), corner_two + (0 if kept else 2)
            corner_one, corner_two = one[column], two[column]
            down_one, down_two = corner_one + 1, corner_two + 1
            right_one, right_two = one[column - 1] + 1, two[column - 1] + 1
            least_one = min(across_one, down_one, right_one)
            least_two = min(across_two, down_two, right_two)
            one[column], two[column] = least_one, least_two
            cells[row, column] = (
                (across_one == least_one) << FIRST + DIAGONAL
                | (down_one == least_one) << FIRST + DELETION
                | (right_one == least_one) << FIRST + INSERTION
                | (across_two == least_two) << SECOND + DIAGONAL
                | (down_two == least_two) << SECOND + DELETION
                | (right_two == least_two) << SECOND + INSERTION
                | (KEPT if kept else 0)
            )
    return cells


@kernel
def _keep_reached(cells):
    """Remove cells off every shortest path to the end; returns first and last node of each row, and their number."""
    height, width = cells.shape
    reached = np.zeros((2, width), np.uint8)
    low, high = np.full(height, width, np.int64), np.full(height, -1, np.int64)
    low[-1] = high[-1] = width - 1
    reached[(height - 1) % 2, width - 1] = 3
    many = 0
    for row in range(height - 1, -1, -1):
        here, above = reached[row % 2], reached[(row + 1) % 2]
        above[:] = 0
        column = high[row]
        while column >= low[row]:
            by, edges = here[column], 0
            if by & 1:
                edges |= cells[row, column] & (((1 << KINDS) - 1) << FIRST)
            if by & 2:
                edges |= cells[row, column] & (((1 << KINDS) - 1) << SECOND)
            if by:
                many += 1
            for kind in range(KINDS):
                lasting = (edges >> FIRST + kind & 1) | (edges >> SECOND + kind & 1) << 1
                if lasting == 0:
                    continue
                target = column - (kind != DELETION)
                if kind == INSERTION:
                    here[target] |= lasting
                    low[row] = min(low[row], target)
                else:
                    above[target] |= lasting
                    low[row - 1], high[row - 1] = min(low[row - 1], target), max(high[row - 1], target)
            cells[row, column] = edges | (cells[row, column] & KEPT)
            column -= 1
    return low, high, many


@kernel
def lattice_of(source, output):
    cells = _smallest_steps(source, output)
    low, high, many = _keep_reached(cells)
    height, width = cells.shape
    rows, columns = np.empty(many, np.int32), np.empty(many, np.int32)
    firsts = np.empty(height + 1, np.int64)
    before = np.full((many, KINDS), -1, np.int32)
    twice = np.zeros((many, KINDS), np.bool_)
    kept = np.zeros(many, np.bool_)
    at = np.zeros(width, np.int32)
    node = 0
    for row in range(height):
        firsts[row] = node
        corner = at[low[row] - 1] if low[row] else 0
        for column in range(low[row], high[row] + 1):
            edges, above = cells[row, column], at[column]
            if edges & (KEPT - 1) or node == 0:
                rows[node], columns[node] = row, column
                kept[node] = edges & KEPT != 0
                for kind in range(KINDS):
                    by_first, by_second = edges >> FIRST + kind & 1, edges >> SECOND + kind & 1
                    if by_first | by_second:
                        left = at[column - 1] if kind == INSERTION else corner
                        before[node, kind] = above if kind == DELETION else left
                        twice[node, kind] = by_first & by_second
                at[column] = node
                node += 1
            corner = above
    firsts[height] = node
    return Lattice(rows, columns, firsts, before, twice, kept)


@kernel
def first_node_from(lattice, row, column):
    """Return the first node of a row at a column or after it; if there is none, the first of the next row."""
    low, high = lattice.firsts[row], lattice.firsts[row + 1]
    return low + np.searchsorted(lattice.columns[low:high], column)


@kernel
def node_at(lattice, row, column):
    """Return the node at a place, or -1."""
    found = first_node_from(lattice, row, column)
    return found if found < lattice.firsts[row + 1] and lattice.columns[found] == column else -1


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
    """List the arcs that keep at most `unchanged` words."""
    many = len(lattice.rows)
    # The nodes to which the edges of each node lead, by kind, or -1.
    after = np.full((many, KINDS), -1, np.int32)
    for node in range(many):
        for kind in range(KINDS):
            if lattice.before[node, kind] >= 0:
                after[lattice.before[node, kind], kind] = node
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
    # Arcs of several equal words go, but not right behind one that goes, as the official program removes them from the
    # list while it walks along it.
    changes, costs = np.array(steps) > np.array(kept), np.array(steps, np.float64)
    remaining = np.empty(len(listed), np.int64)
    left, was_dropped = 0, False
    for arc in listed:
        was_dropped = not (was_dropped or changes[arc] or steps[arc] == 1)
        if not was_dropped:
            remaining[left] = arc
            left += 1
            if changes[arc]:
                costs[arc] += SMALL
    return Arcs(np.array(begins), np.array(ends), changes, costs, number, remaining[:left])
