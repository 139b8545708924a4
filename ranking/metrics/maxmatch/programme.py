"""The best path through a lattice, and how many of its edits are those of a reference.

A path walks single edges that keep a word, and arcs that are edits. The best has most arcs of the reference, then fewest
steps (edges, also those within other edits; arcs of the reference take none), then fewest edits: changes that are not
the reference's are joined to the longest edits that keep few enough words. A lone edge that both costs of the lattice
have counts as two edits in this, as in the official program.

Toy: the source `a b c` and the output `x b y`, of which the reference has a -> x. With that as an arc, what is left are
two steps and one edit (c -> y): 1 correct of 2 proposed. Without it the changes are one edit of three steps, as only one
word is kept within: 0 correct of 1 proposed.
"""

import numpy as np
from numba import njit

from ranking.metrics.base import ABSENT
from ranking.metrics.maxmatch.arcs import agrees, gold_arcs
from ranking.metrics.maxmatch.lattice import DIAGONAL, KINDS, lattice_of

CORRECT, PROPOSED, GOLD = range(3)
COLUMNS = 3
# Costs that stay apart for sentences of up to a million words.
EDIT, STEP, AGREED = 1, 1 << 20, 1 << 40
UNREACHED = np.iinfo(np.int64).max // 2
# An edit that is being walked has kept some words, and is one edge long (so at most one word) or longer.
SHORT = 2


@njit(cache=True, nogil=True)
def count_edits(first, last, sentence, sources, source_starts, outputs, output_starts, spelled, symbols, gold, unchanged):
    """Correct, proposed and gold edits of the candidates first to last against every reference of their sentence."""
    references = len(gold.absent) // max(len(source_starts) - 1, 1)
    counts = np.full((last - first, references, COLUMNS), ABSENT, np.int32)
    for candidate in range(first, last):
        here = sentence[candidate]
        low, high = output_starts[candidate], output_starts[candidate + 1]
        source = sources[source_starts[here] : source_starts[here + 1]]
        lattice = lattice_of(source, outputs[low:high])
        spelling = spelled[low : high + 1]
        for reference in range(references):
            cell = here * references + reference
            if gold.absent[cell]:
                continue
            begins, ends = gold_arcs(lattice, spelling, symbols, gold, cell, unchanged)
            path = _best_path(lattice, begins, ends, unchanged)
            row = counts[candidate - first, reference]
            row[CORRECT] = _agreeing(path, lattice, spelling, symbols, gold, cell)
            row[PROPOSED] = len(path)
            row[GOLD] = gold.firsts[cell + 1] - gold.firsts[cell]
    return counts


@njit(cache=True, nogil=True)
def _best_path(lattice, begins, ends, unchanged):
    """Begin and end of the edits on the best path, the last one first."""
    many, states = len(lattice.rows), SHORT + unchanged + 1
    # The cost of standing at a node between edits, whence, and whether by an edit.
    reached, source, by_edit = np.full(many, UNREACHED), np.zeros(many, np.int64), np.zeros(many, np.bool_)
    # The cost of standing at it within an edit, and where that began.
    walked, begun = np.full((many, states), UNREACHED), np.zeros((many, states), np.int64)
    reached[0] = 0
    for node in range(1, many):
        for kind in range(KINDS):
            before = lattice.before[node, kind]
            if before < 0:
                continue
            keeps = 1 if kind == DIAGONAL and lattice.kept[node] else 0
            _walk(node, before, keeps, reached, walked, begun, unchanged)
            edits = 0 if keeps else 2 * EDIT if lattice.twice[node, kind] else EDIT
            cost = reached[before] + STEP + edits
            if cost < reached[node]:
                reached[node], source[node], by_edit[node] = cost, before, keeps == 0
        for state in range(SHORT, states):
            if walked[node, state] + EDIT < reached[node]:
                reached[node], source[node], by_edit[node] = walked[node, state] + EDIT, begun[node, state], True
        for arc in range(len(begins)):
            if ends[arc] == node and reached[begins[arc]] - AGREED < reached[node]:
                reached[node], source[node], by_edit[node] = reached[begins[arc]] - AGREED, begins[arc], True
    path = [(np.int64(0), np.int64(0)) for _ in range(0)]
    node = many - 1
    while node > 0:
        if by_edit[node]:
            path.append((source[node], np.int64(node)))
        node = source[node]
    return path


@njit(cache=True, nogil=True)
def _walk(node, before, keeps, reached, walked, begun, unchanged):
    """Take an edge into an edit that begins with it, and into those that it makes longer."""
    if keeps <= unchanged and reached[before] + STEP < walked[node, keeps]:
        walked[node, keeps], begun[node, keeps] = reached[before] + STEP, before
    for state in range(walked.shape[1]):
        kept = keeps + (state if state < SHORT else state - SHORT)
        if kept <= unchanged and walked[before, state] + STEP < walked[node, SHORT + kept]:
            walked[node, SHORT + kept] = walked[before, state] + STEP
            begun[node, SHORT + kept] = begun[before, state]


@njit(cache=True, nogil=True)
def _agreeing(path, lattice, spelled, symbols, gold, cell):
    """How often an edit of the path meets one of the reference behind all that were met before."""
    met, last = gold.firsts[cell], gold.firsts[cell + 1]
    agreeing = 0
    for place in range(len(path) - 1, -1, -1):
        begin, end = path[place]
        for edit in range(met, last):
            if gold.starts[edit] > lattice.rows[end]:
                break
            if agrees(lattice, begin, end, spelled, symbols, gold, edit):
                agreeing += 1
                met = edit + 1
    return agreeing
