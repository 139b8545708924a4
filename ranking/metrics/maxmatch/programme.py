"""The best path through a lattice, and how many of its edits are those of a reference.

A path consists of single edges that keep a word, and of arcs that are edits. The best path has most arcs of the
reference, then fewest steps (edges, including those within other edits; arcs of the reference take none), then fewest
edits: other changes are joined into the longest edits that keep few enough words. A single edge used by both costs of
the lattice counts as two edits here, as in the official program.

Toy: the source is `a b c`, the output `x b y`. If the reference has a -> x, that is an arc, and two steps and one edit
(c -> y) remain: 1 correct of 2 proposed. If it has no edit, the changes are one edit of three steps, since only one
word is kept within it: 0 correct of 1 proposed.
"""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import NamedTuple

import numpy as np
from numba import njit

from ranking.metrics.base import ABSENT
from ranking.metrics.material import Material
from ranking.metrics.maxmatch.arcs import agrees, gold_arcs
from ranking.metrics.maxmatch.lattice import DIAGONAL, KINDS, lattice_of
from ranking.metrics.tokens import Tokens, characters, starts_of

CORRECT, PROPOSED, GOLD = range(3)
COLUMNS = 3
# The ranges of these costs do not overlap for sentences of up to a million words.
EDIT, STEP, AGREED = 1, 1 << 20, 1 << 40
UNREACHED = np.iinfo(np.int64).max // 2
# The state of an open edit is the number of words kept; edits of one edge, which keep at most one word, come first.
SHORT = 2


@njit(cache=True, nogil=True)
def count_edits(
    first, last, sentence, sources, source_starts, outputs, output_starts, spelled, symbols, gold, unchanged
):
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
    """Return begin and end of the edits on the best path, the last one first."""
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


@njit(cache=True, nogil=True)
def _edits_back(source, by_edit):
    path = [(np.int64(0), np.int64(0)) for _ in range(0)]
    node = len(source) - 1
    while node > 0:
        if by_edit[node]:
            path.append((source[node], np.int64(node)))
        node = source[node]
    return path


@njit(cache=True, nogil=True)
def _by_end(ends, many):
    """Link the arcs that end at each node: the newest arc of each node, and the next older one of each arc."""
    newest, older = np.full(many, -1), np.empty(len(ends), np.int64)
    for arc in range(len(ends)):
        older[arc] = newest[ends[arc]]
        newest[ends[arc]] = arc
    return newest, older


@njit(cache=True, nogil=True)
def _walk(keeps, before, cost, walked, begun, here, since):
    """Extend the edits at a node by an edge, and start one there."""
    unchanged = len(here) - SHORT - 1
    if keeps <= unchanged and cost + STEP < here[keeps]:
        here[keeps], since[keeps] = cost + STEP, before
    for state in range(len(walked)):
        kept = keeps + (state if state < SHORT else state - SHORT)
        if kept <= unchanged and walked[state] + STEP < here[SHORT + kept]:
            here[SHORT + kept], since[SHORT + kept] = walked[state] + STEP, begun[state]


@njit(cache=True, nogil=True)
def _agreeing(path, lattice, spelled, symbols, gold, cell):
    """Count the edits of the path that match one of the reference after all those already matched."""
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


def encoded(material: Material, spelled_as: Callable[[Iterable[str]], Tokens]) -> Gold:
    cells = [
        None if edits is None else sorted(edits, key=lambda edit: (edit.start, edit.end))
        for edits in chain.from_iterable(zip(*material.edits, strict=True))
    ]
    edits = [edit for cell in cells for edit in cell or ()]
    spelled = spelled_as([text for edit in edits for text in edit.corrections])
    return Gold(
        np.array([cell is None for cell in cells], dtype=np.bool_),
        starts_of(cell or () for cell in cells),
        np.array([edit.start for edit in edits], dtype=np.int64),
        np.array([edit.end for edit in edits], dtype=np.int64),
        starts_of(edit.corrections for edit in edits),
        spelled.starts,
        spelled.numbers,
    )


def letters(texts: Iterable[str]) -> Tokens:
    """Encode the characters of texts in lower case, without white space.

    The array is writable; a read-only one would make Numba compile the kernels twice.
    """
    found = characters("".join(text.split()).lower() for text in texts)
    return Tokens(found.numbers.copy(), found.starts)
