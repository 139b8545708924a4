"""The best path through the lattice of a long line, without a list of all arcs.

An arc leads from a node to a later one, by a path that changes something and keeps at most a given number of words.
The best path has most arcs that are edits of the reference, then fewest steps, then fewest edits; a single edge used by
both costs of the lattice counts as two edits. Of equally good paths the official program may choose another.
"""

import numpy as np

from ranking.metrics.maxmatch.gold import ends_of, same_place
from ranking.metrics.maxmatch.insertions import weighed_insertions
from ranking.metrics.maxmatch.lattice import DIAGONAL, KINDS, first_node_from
from ranking.numbers.kernels import kernel

# The ranges of these costs do not overlap for sentences of up to a million words.
EDIT, STEP, AGREED = 1, 1 << 20, 1 << 40
UNREACHED = np.iinfo(np.int64).max // 2
# The state of an open edit is the number of words kept; edits of one edge, which keep at most one word, come first.
SHORT = 2


@kernel
def best_path(lattice, spelling, gold, cell, unchanged):
    """Return begin and end of the edits on the best path, the last one first."""
    begins, ends = _gold_arcs(lattice, spelling, gold, cell, unchanged)
    many, width, states = len(lattice.rows), lattice.columns[-1] + 1, SHORT + unchanged + 1
    # The cost of reaching a node between edits, the node before it, and whether an edit leads there.
    reached, source, by_edit = np.full(many, UNREACHED), np.zeros(many, np.int64), np.zeros(many, np.bool_)
    # The cost of reaching a node of this row or the previous one within an edit, and where the edit began.
    walked, begun = np.empty((2, width, states), np.int64), np.empty((2, width, states), np.int64)
    walked[0, 0] = UNREACHED
    reached[0] = 0
    newest, older = _by_end(ends, many)
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
            _walk(keeps, before, reached[before], walked[place], begun[place], here, since)
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
    return _edits_back(source, by_edit)


@kernel
def _edits_back(source, by_edit):
    path = [(np.int64(0), np.int64(0)) for _ in range(0)]
    node = len(source) - 1
    while node > 0:
        if by_edit[node]:
            path.append((source[node], np.int64(node)))
        node = source[node]
    return path


@kernel
def _by_end(ends, many):
    """Link the arcs that end at each node: the newest arc of each node, and the next older one of each arc."""
    newest, older = np.full(many, -1), np.empty(len(ends), np.int64)
    for arc in range(len(ends)):
        older[arc] = newest[ends[arc]]
        newest[ends[arc]] = arc
    return newest, older


@kernel
def _walk(keeps, before, cost, walked, begun, here, since):
    """Extend the edits at a node by an edge, and start one there."""
    unchanged = len(here) - SHORT - 1
    if keeps <= unchanged and cost + STEP < here[keeps]:
        here[keeps], since[keeps] = cost + STEP, before
    for state in range(len(walked)):
        kept = keeps + (state if state < SHORT else state - SHORT)
        if kept <= unchanged and walked[state] + STEP < here[SHORT + kept]:
            here[SHORT + kept], since[SHORT + kept] = walked[state] + STEP, begun[state]


@kernel
def _gold_arcs(lattice, spelling, gold, cell, unchanged):
    """Return begin and end of the arcs that agree with edits of one cell."""
    begins, ends = [np.int64(0) for _ in range(0)], [np.int64(0) for _ in range(0)]
    edit, last = gold.firsts[cell], gold.firsts[cell + 1]
    while edit < last:
        start, after = gold.starts[edit], edit + 1
        if start == gold.ends[edit]:
            after = same_place(gold, edit, last)
            there, behind, weights = weighed_insertions(lattice, spelling, gold, edit, after, AGREED)
            for arc in range(len(weights)):
                if weights[arc] >= AGREED:
                    begins.append(there[arc])
                    ends.append(behind[arc])
        else:
            for begin in range(lattice.firsts[start], lattice.firsts[start + 1]):
                for end in ends_of(lattice, begin, spelling, gold, edit):
                    if _is_arc(lattice, begin, end, unchanged):
                        begins.append(np.int64(begin))
                        ends.append(end)
        edit = after
    return begins, ends


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
