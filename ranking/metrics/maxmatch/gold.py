"""Edits of references as arrays, which kernels can read."""

from collections.abc import Iterable
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np

from ranking.metrics.material import Material
from ranking.metrics.tokens import Tokens, Vocabulary, characters


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


class Spelling:
    """What corrections and words are compared by: themselves, or their letters in lower case without white space."""

    def __init__(self, vocabulary: Vocabulary, *, ignore_case_and_space: bool) -> None:
        self.vocabulary, self.ignores = vocabulary, ignore_case_and_space

    def of_corrections(self, texts: Iterable[str]) -> Tokens:
        """The symbols of each correction."""
        return _letters(map(_bare, texts)) if self.ignores else self.vocabulary.words(texts)

    def of_words(self, texts: Iterable[str], words: Tokens) -> Tokens:
        """The symbols of each word of texts, which are given as words too."""
        if self.ignores:
            return _letters(word.lower() for text in texts for word in text.split())
        return Tokens(words.numbers, np.arange(len(words.numbers) + 1))


def encoded(material: Material, spelling: Spelling) -> Gold:
    """The edits of all references, sentence by sentence."""
    cells = [
        None if edits is None else sorted(edits, key=lambda edit: (edit.start, edit.end))
        for edits in chain.from_iterable(zip(*material.edits, strict=True))
    ]
    edits = [edit for cell in cells for edit in cell or ()]
    spelled = spelling.of_corrections([text for edit in edits for text in edit.corrections])
    return Gold(
        np.array([cell is None for cell in cells], dtype=np.bool_),
        _ends(len(cell or ()) for cell in cells),
        np.array([edit.start for edit in edits], dtype=np.int64),
        np.array([edit.end for edit in edits], dtype=np.int64),
        _ends(len(edit.corrections) for edit in edits),
        spelled.starts,
        spelled.numbers,
    )


def _letters(texts: Iterable[str]) -> Tokens:
    """Characters in an array of their own: kernels are compiled once more for one that cannot be written to."""
    letters = characters(texts)
    return Tokens(letters.numbers.copy(), letters.starts)


def _bare(text: str) -> str:
    return "".join(text.split()).lower()


def _ends(lengths: Iterable[int]) -> np.ndarray:
    return np.fromiter(accumulate(lengths, initial=0), dtype=np.int64)
