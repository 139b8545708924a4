"""CLEME chunk by chunk, as its paper explains it: the reference of the metric."""

from math import exp

from ranking.metrics.material import difference

TRUE, WRONG, OVER, MISSED, KEPT = range(5)


def edits(source, text):
    return [(start, end, put[0].split()) for start, end, put in difference(source.split(), text.split())]


def joined(every, words):
    """Chunks from left to right, and whether anybody changes them."""
    spans = []
    for start, end in sorted((start, end) for made in every for start, end, _ in made):
        if spans and start <= spans[-1][1]:
            start, end = spans[-1][0], max(end, spans.pop()[1])
        spans.append((start, end))
    found, at = [], 0
    for start, end in spans:
        found += [(at, start, False)] if start > at else []
        found.append((start, end, True))
        at = end
    return [*found, (at, words, False)] if at < words else found


def rebuilt(source, made, start, end):
    """The words of a text in a chunk, and whether it changes them."""
    inside = [edit for edit in made if start <= edit[0] and edit[1] <= end]
    words, at = [], start
    for begin, stop, put in inside:
        words, at = words + source[at:begin] + put, stop
    return words + source[at:end], bool(inside)


def counted(source, text, references, is_independent):
    """For each reference, or for all at once: what the text does to chunks, as pairs of kind and length.

    Also the lengths of the chunks that references change.
    """
    right = [reference for reference in references if reference] or references[:1]
    own, others = edits(source, text), [edits(source, reference) for reference in right]
    words = source.split()
    rows, lengths = [[] for _ in ([0] if is_independent else right)], []
    for start, end, is_changed in joined([own, *others], len(words)):
        if not is_changed:
            for row in rows:
                row.append((KEPT, end - start))
            continue
        mine, changes = rebuilt(words, own, start, end)
        theirs = [rebuilt(words, made, start, end) for made in others]
        lengths += [max(end - start, len(put)) for put, changed in theirs if changed]
        for row, group in zip(rows, [theirs] if is_independent else [[each] for each in theirs], strict=True):
            is_same = any(put == mine for put, _ in group)
            if changes:
                kind = TRUE if is_same else WRONG if any(changed for _, changed in group) else OVER
            else:
                kind = MISSED if all(changed for _, changed in group) else KEPT
            row.append((kind, max(end - start, len(mine))))
    return rows, lengths


def weight(kind, length, mean):
    if kind == KEPT:
        return 1
    beyond = length - mean if kind in (TRUE, MISSED) else mean - length
    return min(max(2 / (1 + exp(-beyond)), 0.75), 1.25)


def f(true, false, missed, beta=0.5):
    precision = true / (true + false) if false else 1.0
    recall = true / (true + missed) if missed else 1.0
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / below if below else 0.0


def quality(sums, factors=(0.45, 0.35, 0.15, 0.05)):
    true, wrong, over, missed, _ = sums
    needed, made = true + wrong + missed, true + wrong + over
    hit, amiss, under = (value / needed if needed else 0 for value in (true, wrong, missed))
    past = over / made if made else 0
    return sum(factor * value for factor, value in zip(factors, (hit, 1 - amiss, 1 - under, 1 - past), strict=True))


def score(source, output, references, is_independent, by_length=True, by_quality=False):
    """The F of an output, or its CLEME2."""
    found = [counted(line, text, rights, is_independent)
             for line, text, rights in zip(source, output, references, strict=True) if rights]  # fmt: skip
    lengths = [length for _, each in found for length in each]
    mean = sum(lengths) / len(lengths) if lengths else 0

    def of(sums):
        return quality(sums) if by_quality else round(f(sums[0], sums[1] + sums[2], sums[3]), 4)

    total = [0.0] * 5
    for rows, _ in found:
        sums = [[sum(weight(*pair, mean) if by_length else 1 for pair in row if pair[0] == kind) for kind in range(5)]
                for row in rows]  # fmt: skip
        best = max(sums, key=lambda row: (
            of([one + other for one, other in zip(total, row, strict=True)]),
            row[0], -row[1] - row[2], -row[3], row[4],
        ))  # fmt: skip
        total = [one + other for one, other in zip(total, best, strict=True)]
    return quality(total) if by_quality else f(total[0], total[1] + total[2], total[3])
