"""GREEN as its definition is written, n-gram by n-gram: the reference of the metric."""

from math import prod

from tests.ranking.metrics.plain_gleu import grams


def statistics(source, candidate, reference, most):
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


def by_definition(source, references, output, order, beta):
    """The score of an output, and of each of its sentences."""
    best = [
        max((statistics(*map(str.split, (line, mine, right)), order) for right in references(sentence)),
            key=lambda rows: round(green(rows, beta), 12))
        for sentence, (line, mine) in enumerate(zip(source, output, strict=True))
        if references(sentence)
    ]  # fmt: skip
    sums = [[sum(column) for column in zip(*rows, strict=True)] for rows in zip(*best, strict=True)]
    return green(sums, beta), [green(rows, beta) for rows in best]
