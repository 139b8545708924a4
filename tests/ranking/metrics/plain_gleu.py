"""GLEU as its definition is written, draw by draw: the reference of the metric."""

import random
from collections import Counter
from math import exp, log, prod


def grams(tokens, order):
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) + 1 - order))


def statistics(source, candidate, reference, most):
    """Numerators, denominators and lengths, as the definition says."""
    numerators, denominators = [], []
    for order in range(1, most + 1):
        of_source, mine, right = grams(source, order), grams(candidate, order), grams(reference, order)
        matches = sum(min(times, right[gram]) for gram, times in mine.items())
        penalty = sum(min(times, of_source[gram]) for gram, times in mine.items() if gram not in right)
        numerators.append(max(matches - penalty, 0))
        denominators.append(max(len(candidate) + 1 - order, 0))
    return [*numerators, *denominators, len(candidate), len(reference)]


def gleu(sums):
    order = (len(sums) - 2) // 2
    if not all(sums):
        return 0.0
    fractions = [above / below for above, below in zip(sums[:order], sums[order : 2 * order], strict=True)]
    return exp(min(0, 1 - sums[-1] / sums[-2]) + log(prod(fractions)) / order)


def by_definition(source, references, output, tokens, order, draws):
    """The score of an output, reference after reference and draw after draw."""
    rows = [
        [statistics(tokens(line), tokens(mine), tokens(reference), order) for reference in references(sentence)]
        for sentence, (line, mine) in enumerate(zip(source, output, strict=True))
    ]
    scores = []
    for draw in range(draws):
        random.seed(101 * draw)
        taken = [row[int(random.random() * len(row))] for row in rows]
        scores.append(gleu([sum(column) for column in zip(*taken, strict=True)]))
    means = [[sum(column) / len(row) for column in zip(*row, strict=True)] for row in rows]
    return sum(scores) / draws, gleu([sum(column) for column in zip(*means, strict=True)])
