"""The edits of references as arrays for kernels, and whether a change of the output is one of them."""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import NamedTuple

import numpy as np

from ranking.metrics.material import Material
from ranking.metrics.maxmatch.lattice import node_at
from ranking.metrics.tokens import Tokens, characters, starts_of
from ranking.numbers.kernels import kernel


class Gold(NamedTuple):
    """Cell s * references + r holds the edits of reference r of sentence s, from left to right.

    Its edits are firsts[cell] to firsts[cell + 1]; edit e becomes one of the corrections from alternatives[e] to
    alternatives[e + 1], and correction a is spelled symbols[spelled[a]:spelled[a + 1]].
    """

    absent: np.ndarray
    firsts: np.ndarray
    starts: np.ndarray
    ends: np.ndarray
    alternatives: np.ndarray
    spelled: np.ndarray
    symbols: np.ndarray


class Spelling(NamedTuple):
    """The words of an output as they are compared: word w is symbols[starts[w]:starts[w + 1]]."""

    starts: np.ndarray
    symbols: np.ndarray


def encoded(material: Material, spelled_as: Callable[[Iterable[str]], Tokens]) -> Gold:
    cells = [
        None if edits is None else sorted(edits, key=lambda edit: (edit.start, edit.end))
        for edits in chain.from_iterable(zip(*material.edits, strict=True))
    ]
    edits = [edit for cell in cells for edit in cell or ()]
    spelled = spelled_as([text for edit in edits for text in edit.corrections])
    return Gold(
        np.array([cell is None for cell in cells], dtype=np.bool_),
        starts_of(cell or () for cell in cells),
        np.array([edit.start for edit in edits], dtype=np.int64),
        np.array([edit.end for edit in edits], dtype=np.int64),
        starts_of(edit.corrections for edit in edits),
        spelled.starts,
        spelled.numbers,
    )


def letters(texts: Iterable[str]) -> Tokens:
    """Encode the characters of texts in lower case, without white space.

    The array is writable; a read-only one would make Numba compile the kernels twice.
    """
    found = characters("".join(text.split()).lower() for text in texts)
    return Tokens(found.numbers.copy(), found.starts)


@kernel
def agrees(lattice, begin, end, spelling, gold, edit):
    """Whether the change between two nodes is an edit of the reference."""
    if lattice.rows[begin] != gold.starts[edit] or lattice.rows[end] != gold.ends[edit]:
        return False
    for correction in range(gold.alternatives[edit], gold.alternatives[edit + 1]):
        if _column_after(lattice.columns[begin], correction, spelling, gold) == lattice.columns[end]:
            return True
    return False


@kernel
def ends_of(lattice, begin, spelling, gold, edit):
    """Return the nodes behind the corrections of an edit that the output has from a node on."""
    found = [np.int64(0) for _ in range(0)]
    for correction in range(gold.alternatives[edit], gold.alternatives[edit + 1]):
        column = _column_after(lattice.columns[begin], correction, spelling, gold)
        node = node_at(lattice, gold.ends[edit], column) if column >= 0 else -1
        if node >= 0:
            found.append(np.int64(node))
    return found


@kernel
def same_place(gold, edit, last):
    """Return the first edit after this one that does not insert where this one inserts."""
    after = edit + 1
    while after < last and gold.starts[after] == gold.ends[after] == gold.starts[edit]:
        after += 1
    return after


@kernel
def _column_after(column, correction, spelling, gold):
    """Return the column after a correction that the output has from this column on, or -1 if its words differ."""
    at, last = gold.spelled[correction], gold.spelled[correction + 1]
    symbol = spelling.starts[column]
    while at < last:
        if column + 1 == len(spelling.starts) or last - at < spelling.starts[column + 1] - symbol:
            return -1
        while symbol < spelling.starts[column + 1]:
            if spelling.symbols[symbol] != gold.symbols[at]:
                return -1
            symbol, at = symbol + 1, at + 1
        column += 1
    return column
