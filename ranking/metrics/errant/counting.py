"""Edits of a candidate compared with those of a reference, by kind, and the reference chosen for each sentence.

The mode defines which edits are the same: in `cs` those that replace the same words by the same text, in `cse` only if
the kind is also the same, in `ds` those that replace the same words. `dt` compares single replaced words, where an
insertion counts as the next word. An edit without a correction (UNK) counts in `ds` and `dt` only.

Toy: a candidate replaces word 1 by x, and word 2 by z; the reference word 1 by x, and word 3 by y. One edit is a true
positive, one a false positive, one a false negative.

References are chosen sentence by sentence: the one that gives the counts so far the best F, rounded to four digits; of
equals the one with the most true positives, then the fewest false positives, then the fewest false negatives, then the
first.

    P = TP / (TP + FP), or 1 if FP = 0     R = TP / (TP + FN), or 1 if FN = 0     F = (1 + beta^2) P R / (beta^2 P + R)
"""

from collections.abc import Callable, Hashable, Iterable

import numpy as np

from ranking.metrics.base import ABSENT
from ranking.metrics.material import Edit
from ranking.numbers.kernels import kernel

# Kinds of edits: an operation and a category, such as M:DET for a missing determiner. Counts are in this order: all of
# M, then R, then U, each in alphabetical order, then UNK, an edit that marks an error without a correction.
OPERATIONS = ("M", "R", "U")
# The categories of a missing or unnecessary word.
ONE_SIDED = (
    "ADJ", "ADV", "CONJ", "CONTR", "DET", "NOUN", "NOUN:POSS", "OTHER", "PART", "PREP", "PRON", "PUNCT", "VERB",
    "VERB:FORM", "VERB:TENSE",
)  # fmt: skip
CATEGORIES = tuple(sorted(
    (*ONE_SIDED, "ADJ:FORM", "MORPH", "NOUN:INFL", "NOUN:NUM", "ORTH", "SPELL", "VERB:INFL", "VERB:SVA", "WO")
))  # fmt: skip
# The parser may rarely classify a word as white space; its edits count too.
BLANK, UNKNOWN = "SPACE", "UNK"
KINDS = (
    *(
        f"{operation}:{category}"
        for operation in OPERATIONS
        for category in (*(CATEGORIES if operation == "R" else ONE_SIDED), BLANK)
    ),
    UNKNOWN,
)
NUMBERS = {kind: number for number, kind in enumerate(KINDS)}

# Splits doubles into two halves with equally many bits, so that their products are exact.
HALVING = 134217729.0
SCALE = 10_000.0


@kernel
def sums_by_kind(counts, totals, chosen, weight):
    """Sum the counts of each output, a row of `chosen`, by kind; `totals` are the counts summed over kinds."""
    sums = np.zeros((len(chosen), counts.shape[2], COLUMNS), np.int64)
    everyone, taken = np.arange(counts.shape[1]), np.empty(chosen.shape[1], np.int64)
    so_far = np.empty(COLUMNS, np.int64)
    for row in range(len(chosen)):
        _choose(totals, chosen[row], everyone, weight, taken, so_far)
        for place in range(len(taken)):
            if taken[place] >= 0:
                here = counts[chosen[row, place], taken[place]]
                for kind in range(here.shape[0]):
                    for column in range(COLUMNS):
                        sums[row, kind, column] += here[kind, column]
    return sums


@kernel
def sums_by_subset(totals, chosen, references, firsts, weight):
    """Sum over all kinds, by subset of the references, references[firsts[n]:firsts[n + 1]], and by output."""
    sums = np.zeros((len(firsts) - 1, len(chosen), COLUMNS), np.int64)
    taken = np.empty(chosen.shape[1], np.int64)
    for number in range(len(firsts) - 1):
        subset = references[firsts[number] : firsts[number + 1]]
        for row in range(len(chosen)):
            _choose(totals, chosen[row], subset, weight, taken, sums[number, row])
    return sums


@kernel
def _choose(totals, chosen, subset, weight, taken, sums):
    """Write the reference chosen for each sentence, -1 if it has none, and the sums of their counts."""
    sums[:] = 0
    for place in range(len(chosen)):
        best, taken[place] = np.int64(-1), -1
        for reference in subset:
            here = totals[chosen[place], reference]
            if here[TRUE] == ABSENT:
                continue
            true, false, missed = sums[TRUE] + here[TRUE], sums[FALSE] + here[FALSE], sums[MISSED] + here[MISSED]
            score = rounded(f_score(true, false, missed, weight))
            if taken[place] >= 0 and score <= best:
                last = totals[chosen[place], taken[place]]
                if score < best or here[TRUE] < last[TRUE]:
                    continue
                if here[TRUE] == last[TRUE] and (
                    here[FALSE] > last[FALSE] or (here[FALSE] == last[FALSE] and here[MISSED] >= last[MISSED])
                ):
                    continue
            best, taken[place] = score, reference
        if taken[place] >= 0:
            for column in range(COLUMNS):
                sums[column] += totals[chosen[place], taken[place], column]


@kernel
def f_score(true, false, missed, weight):
    """F of counts; `weight` is that of recall, beta squared."""
    precision = true / (true + false) if false else 1.0
    recall = true / (true + missed) if missed else 1.0
    if precision + recall == 0:
        return 0.0
    return (1 + weight) * precision * recall / (weight * precision + recall)


@kernel
def rounded(share):
    """Round to ten-thousandths as Python does: half to even, on the exact value.

    The rounding error of the product is found by the method of Dekker (1971), A floating-point technique for extending
    the available precision. Toy: 0.00005 is a little more than half of one, 0.00015 a little less than one and a half.
    """
    product = share * SCALE
    high = share * HALVING
    high = high - (high - share)
    lost = (high * SCALE - product) + (share - high) * SCALE
    whole = np.floor(product)
    beyond = (product - whole - 0.5) + lost
    if beyond > 0 or (beyond == 0 and whole % 2 == 1):
        whole += 1
    return np.int64(whole)


COLUMNS = 3
TRUE, FALSE, MISSED = range(COLUMNS)
MODES: dict[str, Callable[[Edit], Iterable[Hashable]]] = {
    "cs": lambda edit: [edit[:3]],
    "cse": lambda edit: [edit],
    "ds": lambda edit: [edit[:2]],
    "dt": lambda edit: range(edit.start, max(edit.end, edit.start + 1)),
}

# The kinds of all equal edits, by key; rarely more than one.
Keyed = dict[Hashable, list[int]]


def keyed(edits: Iterable[Edit], mode: str) -> Keyed:
    found: Keyed = {}
    for edit in edits:
        if edit.kind == UNKNOWN and mode in ("cs", "cse"):
            continue
        for key in MODES[mode](edit):
            found.setdefault(key, []).append(NUMBERS[edit.kind])
    return found


def compared(candidate: Keyed, reference: Keyed, counts: np.ndarray) -> None:
    """Write counts by kind and column; a match counts under its kind in the reference."""
    for key, kinds in candidate.items():
        for kind in reference.get(key, kinds):
            counts[kind, TRUE if key in reference else FALSE] += 1
    for key in reference.keys() - candidate.keys():
        for kind in reference[key]:
            counts[kind, MISSED] += 1
