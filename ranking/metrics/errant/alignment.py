"""The cheapest word-by-word alignment of a source and another sentence: Damerau-Levenshtein distance with similarity.

Keeping a word costs 0, deleting or inserting one costs 1. A substitution costs 0 where only case differs, else

    0.499 if the lemmas differ  +  0, 0.25 or 0.5 for parts of speech that are the same, both open, or neither
    +  the share of letters that are not common to both

and k + 1 words in another order, ignoring case, cost k. Words that are the same are always kept. Of operations with
equal costs, reordering is preferred, then substitution, insertion and deletion.

Toy: `a big dog` and `a dog big`: two words in another order cost 1; two substitutions would cost more.
"""

import numpy as np

from ranking.metrics.errant.parsing import ADJ, ADV, NOUN, VERB
from ranking.numbers.kernels import kernel

KEPT, SUBSTITUTED, DELETED, INSERTED, REORDERED = range(5)
OTHER_LEMMA, BOTH_OPEN, OTHER_PART = 0.499, 0.25, 0.5
# A step: the operation, and the ranges of words in the source and in the other sentence.
STEP = 5


@kernel
def steps(source, other, unlike):
    """Return the steps of the cheapest alignment, from left to right; unlike[i, j] is the share of unshared letters.

    Its shape is the number of words to align, counted from the first ones.
    """
    many, length = unlike.shape
    cost = np.empty((many + 1, length + 1), np.float64)
    # The number of words of a reordering, else 0.
    done, reordered = np.empty((many + 1, length + 1), np.int8), np.zeros((many + 1, length + 1), np.int32)
    cost[0, :], done[0, :] = np.arange(length + 1), INSERTED
    cost[:, 0], done[:, 0] = np.arange(many + 1), DELETED
    for i in range(many):
        for j in range(length):
            if source.spelling[i] == other.spelling[j]:
                cost[i + 1, j + 1], done[i + 1, j + 1] = cost[i, j], KEPT
                continue
            least, best, swapped = np.inf, REORDERED, _reordered(cost, source.lower, other.lower, i, j)
            if swapped:
                least = cost[i - swapped, j - swapped] + swapped
            if cost[i, j] + _unlikeness(source, other, i, j, unlike[i, j]) < least:
                least, best = cost[i, j] + _unlikeness(source, other, i, j, unlike[i, j]), SUBSTITUTED
            if cost[i + 1, j] + 1 < least:
                least, best = cost[i + 1, j] + 1, INSERTED
            if cost[i, j + 1] + 1 < least:
                least, best = cost[i, j + 1] + 1, DELETED
            cost[i + 1, j + 1], done[i + 1, j + 1], reordered[i + 1, j + 1] = least, best, swapped + 1
    return _back(done, reordered)


@kernel
def _back(done, reordered):
    i, j = done.shape[0] - 1, done.shape[1] - 1
    found = np.empty((i + j, STEP), np.int64)
    place = i + j
    while i + j > 0:
        kind = done[i, j]
        wide = reordered[i, j] if kind == REORDERED else 1
        down, right = 0 if kind == INSERTED else wide, 0 if kind == DELETED else wide
        place -= 1
        found[place, 0] = kind
        found[place, 1], found[place, 2], found[place, 3], found[place, 4] = i - down, i, j - right, j
        i, j = i - down, j - right
    return found[place:]


@kernel
def _unlikeness(source, other, i, j, letters):
    """Cost of substituting one word for another."""
    if source.lower[i] == other.lower[j]:
        return 0.0
    lemma = 0.0 if source.lemma[i] == other.lemma[j] else OTHER_LEMMA
    part = 0.0
    if source.part[i] != other.part[j]:
        part = BOTH_OPEN if _is_open(source.part[i]) and _is_open(other.part[j]) else OTHER_PART
    return lemma + part + letters


@kernel
def _is_open(part):
    return part in (ADJ, ADV, NOUN, VERB)


@kernel
def _reordered(cost, source, other, i, j):
    """Return the length of the shortest reordering that ends with these words, or 0.

    It does not reach beyond a word that is kept.
    """
    before = 1
    # Different sums mean different words; if sums are equal, the words are compared.
    left, right = source[i], other[j]
    while before <= i and before <= j and cost[i - before + 1, j - before + 1] != cost[i - before, j - before]:
        left += source[i - before]
        right += other[j - before]
        if left == right:
            ours, theirs = np.sort(source[i - before : i + 1]), np.sort(other[j - before : j + 1])
            if (ours == theirs).all():
                return before
        before += 1
    return 0
