"""CLEME's chunks (Ye et al., 2023): one partition of a sentence for source, candidate and all references.

Edits of any of them that overlap or touch are joined to a chunk that somebody changes, and the words between two such
chunks are one that nobody changes. Counts are by the length of a chunk, the number of its words in the source or in the
candidate, whichever is larger, so that weights by length can be chosen afterwards.

    true       the candidate has the change of the reference
    wrong      it has another change than the reference
    over       it has a change where the reference has none
    missed     the reference has a change where it has none
    kept       neither has a change

With independent corrections a candidate is compared with all references at once: a change is true if any reference has
it, wrong if none has it but some have another, over if none has any; a chunk that it leaves is missed if all references
change it, otherwise kept.

Toy: source `a b c d`, candidate `a x c d`, references `a y d` and `a x c d`. Their edits (1, 2), (1, 3) and (1, 2) make
the chunk b c, with the changes x c, y and x c: wrong for the first reference, true for the second; independently true.
"""

import numpy as np

from ranking.metrics.base import ABSENT
from ranking.numbers.kernels import kernel

# Longer chunks count as this long.
LONGEST = 15
LENGTHS = LONGEST + 1
# Columns: chunks kept; chunks that references change and the sum of their lengths, for all references in the first row;
# then the other kinds of chunks by length.
KEPT, CHANGED, LENGTH, FIRST = range(4)
TRUE, WRONG, OVER, MISSED = range(4)
COLUMNS = FIRST + 4 * LENGTHS


@kernel
def count(first, last, sentence, words, starts, candidates, references, absent, subset, is_independent):
    """Count candidates first to last, against each reference of the subset, or against all at once."""
    per_sentence = len(absent) // max(len(starts) - 1, 1)
    rows = 1 if is_independent else len(subset)
    counts = np.full((last - first, rows, COLUMNS), ABSENT, np.int32)
    cells = np.empty(len(subset), np.int64)
    for candidate in range(first, last):
        here, place = counts[candidate - first], sentence[candidate]
        source = words[starts[place] : starts[place + 1]]
        is_scored = _find_cells(place * per_sentence, subset, absent, references, len(source), cells)
        here[0, CHANGED] = here[0, LENGTH] = 0
        for row in range(rows):
            if cells[row] >= 0 or (is_independent and is_scored):
                here[row] = 0
        if is_scored:
            _count_chunks(source, candidate, candidates, cells, references, here, is_independent)
    return counts


@kernel
def _find_cells(first, subset, absent, references, words, cells):
    """Write the cells of a sentence, -1 if a reference is absent or empty; all are empty if the first one stays."""
    kept = -1
    for row in range(len(subset)):
        cell = first + subset[row]
        cells[row] = -1 if absent[cell] or _is_empty(references, cell, words) else cell
        if kept < 0 and not absent[cell]:
            kept = row
    if kept >= 0 and (cells < 0).all():
        cells[kept] = first + subset[kept]
    return kept >= 0


@kernel
def _is_empty(edited, text, words):
    begin, end = edited.firsts[text], edited.firsts[text + 1]
    left = words + edited.spelled[end] - edited.spelled[begin]
    for edit in range(begin, end):
        left -= edited.ends[edit] - edited.starts[edit]
    return left == 0


@kernel
def _count_chunks(source, candidate, candidates, cells, references, here, is_independent):
    """Go through the chunks from left to right; the edits of each text in a chunk are from begins to nexts."""
    own_next, own_last = candidates.firsts[candidate], candidates.firsts[candidate + 1]
    nexts, lasts = np.zeros(len(cells), np.int64), np.zeros(len(cells), np.int64)
    most = candidates.spelled[own_last] - candidates.spelled[own_next]
    for row in range(len(cells)):
        if cells[row] >= 0:
            nexts[row], lasts[row] = references.firsts[cells[row]], references.firsts[cells[row] + 1]
            most = max(most, references.spelled[lasts[row]] - references.spelled[nexts[row]])
    own, right = np.empty(len(source) + most, np.int64), np.empty(len(source) + most, np.int64)
    at = 0
    while True:
        own_begin, begins = own_next, nexts.copy()
        low = candidates.starts[own_next] if own_next < own_last else len(source) + 1
        for row in range(len(cells)):
            if nexts[row] < lasts[row]:
                low = min(low, references.starts[nexts[row]])
        high = low
        if low > at and at < len(source):
            _add_kept(here, cells, is_independent)
        if low > len(source):
            break
        has_grown = True
        while has_grown:
            before, all_before = own_next, nexts.sum()
            own_next, high = _taken(candidates, own_next, own_last, high)
            for row in range(len(cells)):
                nexts[row], high = _taken(references, nexts[row], lasts[row], high)
            has_grown = own_next != before or nexts.sum() != all_before
        many = _written(source, low, high, candidates, own_begin, own_next, own)
        is_changed, length = own_next > own_begin, min(max(high - low, many), LONGEST)
        all_changed, any_changed, any_same = True, False, False
        for row in range(len(cells)):
            if cells[row] < 0:
                continue
            of_right = _written(source, low, high, references, begins[row], nexts[row], right)
            is_same = np.array_equal(own[:many], right[:of_right])
            if nexts[row] > begins[row]:
                here[0, CHANGED] += 1
                here[0, LENGTH] += max(high - low, of_right)
            if not is_independent:
                _add(here[row], is_changed, is_same, nexts[row] > begins[row], not is_same, length)
            any_same |= is_same
            any_changed |= nexts[row] > begins[row]
            all_changed &= nexts[row] > begins[row]
        if is_independent:
            _add(here[0], is_changed, any_same, any_changed, all_changed, length)
        at = high


@kernel
def _taken(edited, edit, last, high):
    """Pass the edits that begin in a chunk or where it ends; returns the next edit, and where the chunk then ends."""
    while edit < last and edited.starts[edit] <= high:
        high = max(high, edited.ends[edit])
        edit += 1
    return edit, high


@kernel
def _written(source, low, high, edited, begin, end, words):
    """Write the words of a text in a chunk, and return their number."""
    many, at = 0, low
    for edit in range(begin, end + 1):
        stop = edited.starts[edit] if edit < end else high
        words[many : many + stop - at] = source[at:stop]
        many += stop - at
        if edit < end:
            size = edited.spelled[edit + 1] - edited.spelled[edit]
            words[many : many + size] = edited.words[edited.spelled[edit] : edited.spelled[edit + 1]]
            many, at = many + size, edited.ends[edit]
    return many


@kernel
def _add(row, is_changed, is_same, is_wrong, is_missed, length):
    if is_changed:
        row[FIRST + (TRUE if is_same else WRONG if is_wrong else OVER) * LENGTHS + length] += 1
    elif is_missed:
        row[FIRST + MISSED * LENGTHS + length] += 1
    else:
        row[KEPT] += 1


@kernel
def _add_kept(here, cells, is_independent):
    for row in range(len(here)):
        here[row, KEPT] += is_independent or cells[row] >= 0
