"""Texts as rows of numbers for kernels: one number for each distinct word or character."""

from collections.abc import Iterable, Sized
from dataclasses import dataclass
from itertools import accumulate

import numpy as np


@dataclass(frozen=True)
class Tokens:
    """Text t is numbers[starts[t]:starts[t + 1]]."""

    numbers: np.ndarray
    starts: np.ndarray

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> np.ndarray:
        return np.diff(self.starts)


class Vocabulary:
    """Numbers of words, in the order of their first occurrence."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def words(self, texts: Iterable[str]) -> Tokens:
        """Encode words separated by white space; case counts."""
        known, split = self.numbers, [text.split() for text in texts]
        numbers = [known.setdefault(word, len(known)) for words in split for word in words]
        return Tokens(np.array(numbers, dtype=np.int32), starts_of(split))


def characters(texts: Iterable[str]) -> Tokens:
    """Encode characters as their code points."""
    kept = list(texts)
    numbers = np.frombuffer("".join(kept).encode("utf-32-le", "surrogatepass"), dtype=np.int32)
    return Tokens(numbers, starts_of(kept))


def starts_of(parts: Iterable[Sized]) -> np.ndarray:
    """Return where each part begins when they are joined, and where the last one ends."""
    return np.fromiter(accumulate(map(len, parts), initial=0), dtype=np.int64)
