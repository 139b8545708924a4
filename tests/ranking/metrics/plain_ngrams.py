"""GLEU, draw by draw, and GREEN, n-gram by n-gram, as their definitions are written: the references of the metrics."""

import random
from collections import Counter
from math import exp, log, prod


def grams(tokens, order):
    return Counter(tuple(tokens[start : start + order]) for start in range(len(tokens) + 1 - order))


def statistics_of_gleu(source, candidate, reference, most):
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


def gleu_by_definition(source, references, output, tokens, order, draws):
    """The score of an output, reference after reference and draw after draw."""
    rows = [
        [statistics_of_gleu(tokens(line), tokens(mine), tokens(reference), order) for reference in references(sentence)]
        for sentence, (line, mine) in enumerate(zip(source, output, strict=True))
    ]
    scores = []
    for draw in range(draws):
        random.seed(101 * draw)
        taken = [row[int(random.random() * len(row))] for row in rows]
        scores.append(gleu([sum(column) for column in zip(*taken, strict=True)]))
    means = [[sum(column) / len(row) for column in zip(*row, strict=True)] for row in rows]
    return sum(scores) / draws, gleu([sum(column) for column in zip(*means, strict=True)])


def statistics_of_green(source, candidate, reference, most):
    """TP, FP and FN by order."""
    rows = []
    for order in range(1, most + 1):
        sources, mine, rights = grams(source, order), grams(candidate, order), grams(reference, order)
        row = [0, 0, 0]
        for gram in {*sources, *mine, *rights}:
            s, h, r = sources[gram], mine[gram], rights[gram]
            row[0] += min(s, h, r) + max(0, min(r, h) - s) + max(0, s - max(r, h))
            row[1] += max(0, min(s, r) - h) + max(0, h - max(s, r))
            row[2] += max(0, min(s, h) - r) + max(0, r - max(s, h))
        rows.append(row)
    return rows


def green(rows, beta):
    precision, recall = (
        prod(row[0] / (row[0] + row[column]) if row[column] else 1 for row in rows) ** (1 / len(rows))
        for column in (1, 2)
    )
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0


def green_by_definition(source, references, output, order, beta):
    """The score of an output, and of each of its sentences."""
    best = [
        max((statistics_of_green(*map(str.split, (line, mine, right)), order) for right in references(sentence)),
            key=lambda rows: round(green(rows, beta), 12))
        for sentence, (line, mine) in enumerate(zip(source, output, strict=True))
        if references(sentence)
    ]  # fmt: skip
    sums = [[sum(column) for column in zip(*rows, strict=True)] for rows in zip(*best, strict=True)]
    return green(sums, beta), [green(rows, beta) for rows in best]
