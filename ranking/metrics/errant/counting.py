"""Edits of a candidate against those of a reference, counted by kind.

What makes two edits the same depends on the mode: `cs` the words they replace and what comes instead, `cse` the kind
too, `ds` the words alone, `dt` each of the words by itself, where an insertion counts as the word behind it. An edit
that does not say what should stand there counts in the last two alone.

Toy: a candidate replaces word 1 by x, and word 2 by z; the reference word 1 by x, and word 3 by y. One edit is a true
positive, one a false positive, one a false negative.
"""

from collections.abc import Hashable, Iterable, Iterator

import numpy as np

from ranking.metrics.errant.kinds import NUMBERS, UNKNOWN
from ranking.metrics.material import Edit

COLUMNS = 3
TRUE, FALSE, MISSED = range(COLUMNS)
MODES = ("cs", "cse", "ds", "dt")

# The numbers of the kinds of what is the same; rarely more than one.
Keyed = dict[Hashable, list[int]]


def keyed(edits: Iterable[Edit], mode: str) -> Keyed:
    """Edits by what makes them the same."""
    found: Keyed = {}
    for edit in edits:
        if edit.kind == UNKNOWN and mode in ("cs", "cse"):
            continue
        for key in _keys(edit, mode):
            found.setdefault(key, []).append(NUMBERS[edit.kind])
    return found


def compared(candidate: Keyed, reference: Keyed, counts: np.ndarray) -> None:
    """Write counts by kind and column; what agrees has the kind that it has in the reference."""
    for key, kinds in candidate.items():
        for kind in reference.get(key, ()):
            counts[kind, TRUE] += 1
        if key not in reference:
            for kind in kinds:
                counts[kind, FALSE] += 1
    for key, kinds in reference.items():
        if key not in candidate:
            for kind in kinds:
                counts[kind, MISSED] += 1


def _keys(edit: Edit, mode: str) -> Iterator[Hashable]:
    if mode == "cs":
        yield edit.start, edit.end, edit.corrections
    elif mode == "cse":
        yield edit.start, edit.end, edit.corrections, edit.kind
    elif mode == "ds":
        yield edit.start, edit.end
    else:
        yield from range(edit.start, max(edit.end, edit.start + 1))
