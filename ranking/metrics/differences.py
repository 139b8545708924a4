"""The smallest difference between two sentences, in words: neighbouring changes as one edit."""

from collections.abc import Iterator, Sequence

from rapidfuzz.distance import Levenshtein


def difference(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Start, end and what is to stand there, from left to right.

    Toy: `a cat sat` and `a big dog sat` differ by (1, 2, big dog).
    """
    span: tuple[int, int, int, int] | None = None
    for change in Levenshtein.opcodes(before, after):
        if change.tag == "equal":
            if span:
                yield span[0], span[1], (" ".join(after[span[2] : span[3]]),)
            span = None
        elif span:
            span = (span[0], change.src_end, span[2], change.dest_end)
        else:
            span = (change.src_start, change.src_end, change.dest_start, change.dest_end)
    if span:
        yield span[0], span[1], (" ".join(after[span[2] : span[3]]),)
