"""The cheapest alignment of source, output and reference, word by word in columns, and the kind of each column.

A column holds a word or a gap of each text; each of its three pairs costs 0 if both are equal, 3 if two words differ, 2
for a word and a gap (Felice and Briscoe 2015). Ties between alignments are resolved column by column from the last:
fewest gaps first; with one gap, that in the reference first, then in the output, then in the source; with two gaps, the
word of the source first, then that of the output.

Every pair of texts costs at least as much as its own cheapest alignment. A cell whose three pairs together cost more
than that, by some `excess`, lies only on alignments with at least this excess. Only cells within an allowance are
computed; if the alignment found stays within it, no other is cheaper, and none of equal cost was left out (Carrillo and
Lipman 1988). So it is the alignment that a table of all cells would give.

Toy: `a cat sat`, `a dog sat` and `the dog sat` have three columns: FN (the output kept a word that the reference
changes), TP (both changed it to dog) and TN; they cost 6, 6 and 0.
"""

import numpy as np

from ranking.metrics.material import Tokens
from ranking.numbers.kernels import kernel

COLUMNS = 5
TP, TN, FP, FN, FPN = range(COLUMNS)
# The cost of the alignment follows the counts of its columns.
PAID = COLUMNS

DIFFERENT, GAP = 3, 2
NO_WORD = -1
# Eight times this fits into 32 bits.
FAR = 1 << 27
FIRST_ALLOWANCE = 4
# One byte each; enough for three lines of 640 words without a common word.
MOST_CELLS = 1 << 28
# In order of priority among equal costs: the texts from which a move takes a word, as bits.
MOVES = np.array((7, 6, 5, 3, 4, 2, 1), np.uint8)


def align(texts: Tokens, triples: np.ndarray, most_cells: int = MOST_CELLS) -> np.ndarray:
    """Count the columns of each kind for each triple of source, output and reference, and return them with the cost.

    Lines too long and too different for this many cells are cut at the cheapest place in the middle.
    """
    return _align(texts.numbers, texts.starts, np.ascontiguousarray(triples, dtype=np.int64), most_cells)


@kernel
def _align(numbers, starts, triples, most_cells):
    counts = np.zeros((len(triples), COLUMNS + 1), np.int32)
    moves = np.empty(1024, np.uint8)
    for row in range(len(triples)):
        source, output, reference = triples[row]
        moves = _align_texts(
            numbers[starts[source] : starts[source + 1]],
            numbers[starts[output] : starts[output + 1]],
            numbers[starts[reference] : starts[reference + 1]],
            counts[row],
            moves,
            most_cells,
        )
    return counts


@kernel
def _align_texts(source, output, reference, counts, moves, most_cells):
    """Align piece by piece, usually in one; returns the buffer for moves, which may have grown."""
    same, shortest = 0, min(len(source), len(output), len(reference))
    # A common ending of all three texts aligns word by word: that move has priority, and none is cheaper.
    while same < shortest and source[-1 - same] == output[-1 - same] == reference[-1 - same]:
        same += 1
    counts[TN] += same
    waiting = [(np.zeros(3, np.int64), np.array((len(source), len(output), len(reference))) - same)]
    while len(waiting) > 0:
        start, end = waiting.pop()
        part = source[start[0] : end[0]], output[start[1] : end[1]], reference[start[2] : end[2]]
        moves, cut = _align_part(*part, counts, moves, most_cells)
        if cut[0] >= 0:
            waiting.append((start, start + cut))
            waiting.append((start + cut, end))
    return moves


@kernel
def _align_part(source, output, reference, counts, moves, most_cells):
    """Align one piece, or return where to cut it."""
    by_output, of_output = _excess(source, output)
    by_reference, of_reference = _excess(source, reference)
    between, of_both = _excess(output, reference)
    least = of_output + of_reference + of_both
    allowance = FIRST_ALLOWANCE
    while True:
        first, size, starts = _boxes(by_output, by_reference, allowance)
        if starts[-1] > most_cells and len(source) > 1:
            # Cut at the cell halfway through the source with the least excess.
            row, lowest = len(by_output) // 2, FAR
            cut = np.full(3, row)
            for j in range(len(between)):
                for k in range(between.shape[1]):
                    here = by_output[row, j] + by_reference[row, k] + between[j, k]
                    if here < lowest:
                        lowest, cut[1], cut[2] = here, j, k
            return moves, cut
        if starts[-1] > len(moves):
            moves = np.empty(max(starts[-1], 2 * len(moves)), np.uint8)
        paid = _fill(source, output, reference, by_output, by_reference, between, allowance, first, size, starts, moves)
        if paid - least <= allowance:
            break
        allowance = min(4 * allowance, paid - least)
    counts[PAID] += paid
    i, j, k = len(source), len(output), len(reference)
    while i + j + k > 0:
        move = MOVES[moves[starts[i] + (j - first[i, 0]) * size[i, 1] + k - first[i, 1]]]
        word, its_output, its_reference = NO_WORD, NO_WORD, NO_WORD
        if move & 4:
            i -= 1
            word = source[i]
        if move & 2:
            j -= 1
            its_output = output[j]
        if move & 1:
            k -= 1
            its_reference = reference[k]
        if word == its_output:
            counts[TN if word == its_reference else FN] += 1
        elif word == its_reference:
            counts[FP] += 1
        elif its_output == its_reference:
            counts[TP] += 1
        else:
            counts[FP] += 1
            counts[FN] += 1
            counts[FPN] += 1
    return moves, np.full(3, -1)


@kernel
def _excess(one, other):
    """Return by how much alignments of two texts through each cell cost more than the cheapest, and its cost."""
    rows, columns = len(one), len(other)
    cost = np.empty((rows + 1, columns + 1), np.int32)
    for column in range(columns + 1):
        cost[0, column] = GAP * column
    for row in range(rows):
        word = one[row]
        left = cost[row, 0] + GAP
        cost[row + 1, 0] = left
        for column in range(columns):
            change = cost[row, column] + (0 if word == other[column] else DIFFERENT)
            left = min(change, min(left, cost[row, column + 1]) + GAP)
            cost[row + 1, column + 1] = left
    least = cost[rows, columns]
    below = np.empty(columns + 1, np.int32)
    for column in range(columns + 1):
        below[column] = GAP * (columns - column)
        cost[rows, column] += below[column] - least
    for row in range(rows - 1, -1, -1):
        word = one[row]
        diagonal = below[columns]
        right = diagonal + GAP
        below[columns] = right
        cost[row, columns] += right - least
        for column in range(columns - 1, -1, -1):
            change = diagonal + (0 if word == other[column] else DIFFERENT)
            diagonal = below[column]
            right = min(change, min(right, diagonal) + GAP)
            below[column] = right
            cost[row, column] += right - least
    return cost, least


@kernel
def _boxes(by_output, by_reference, allowance):
    """Return, for each number of source words, the rectangle of cells within the allowance, and its offset."""
    rows = len(by_output)
    first = np.zeros((rows, 2), np.int64)
    size = np.zeros((rows, 2), np.int64)
    starts = np.zeros(rows + 1, np.int64)
    for row in range(rows):
        for side, excess_of in enumerate((by_output[row], by_reference[row])):
            low, high = 0, len(excess_of) - 1
            while excess_of[low] > allowance:
                low += 1
            while excess_of[high] > allowance:
                high -= 1
            first[row, side], size[row, side] = low, high + 1 - low
        starts[row + 1] = starts[row] + size[row, 0] * size[row, 1]
    return first, size, starts


@kernel
def _fill(source, output, reference, by_output, by_reference, between, allowance, first, size, starts, moves):
    """Store the move to each cell within the allowance; returns the cost of the last cell."""
    most = ((size[:, 0] + 1) * (size[:, 1] + 1)).max()
    here, before, above = np.empty(most, np.int32), np.empty(most, np.int32), np.full(most, FAR, np.int32)
    # A margin of unreachable cells at the left and top gives each cell seven neighbours. The first cell is free.
    above[0] = 0
    for row in range(len(first)):
        word = source[row - 1] if row else NO_WORD
        (from_j, from_k), (many_j, many_k) = first[row], size[row]
        wide = many_k + 1
        if row:
            # Copy the cells of the previous row to the places of the same cells in this row.
            above[: (many_j + 1) * wide] = FAR
            (old_j, old_k), (old_many_j, old_many_k) = first[row - 1], size[row - 1]
            low, high = max(from_k - 1, old_k), min(from_k + many_k, old_k + old_many_k)
            for j in range(max(from_j - 1, old_j), min(from_j + many_j, old_j + old_many_j)):
                to, place = (j - from_j + 1) * wide - from_k + 1, (j - old_j + 1) * (old_many_k + 1) - old_k + 1
                for k in range(low, high):
                    above[to + k] = before[place + k]
        here[:wide] = FAR
        for j in range(from_j, from_j + many_j):
            its_output = output[j - 1] if j else NO_WORD
            pair = 0 if word == its_output else DIFFERENT
            spare, at = allowance - by_output[row, j], (j - from_j + 1) * wide
            without_margin = starts[row] - wide - 1 - (j - from_j)
            left = here[at] = FAR
            for k in range(from_k, from_k + many_k):
                at += 1
                if by_reference[row, k] + between[j, k] > spare:
                    left = here[at] = FAR
                else:
                    its_reference = reference[k - 1] if k else NO_WORD
                    one = 0 if word == its_reference else DIFFERENT
                    both = 0 if its_output == its_reference else DIFFERENT
                    best = min(
                        8 * (above[at - wide - 1] + pair + one + both),
                        8 * (above[at - wide] + pair + 2 * GAP) + 1,
                        8 * (above[at - 1] + one + 2 * GAP) + 2,
                        8 * (here[at - wide - 1] + both + 2 * GAP) + 3,
                        8 * (above[at] + 2 * GAP) + 4,
                        8 * (here[at - wide] + 2 * GAP) + 5,
                        8 * (left + 2 * GAP) + 6,
                    )
                    left = here[at] = best >> 3
                    moves[without_margin + at] = best & 7
        here, before = before, here
    return before[(size[-1, 0] + 1) * (size[-1, 1] + 1) - 1]
