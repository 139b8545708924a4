"""Texts as rows of numbers for kernels: one number for each distinct word or character."""

from collections import defaultdict
from collections.abc import Iterable, Sized
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain

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

    @cached_property
    def owners(self) -> np.ndarray:
        """The text of each number."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def part(self, first: int, last: int) -> "Tokens":
        starts = self.starts[first : last + 1]
        return Tokens(self.numbers[starts[0] : starts[-1]], starts - starts[0])


class Vocabulary:
    """Numbers of words, in the order of their first occurrence."""

    def __init__(self) -> None:
        self.numbers: defaultdict[str, int] = defaultdict()
        self.numbers.default_factory = self.numbers.__len__

    def words(self, texts: Iterable[str]) -> Tokens:
        """Encode words separated by white space; case counts."""
        split = [text.split() for text in texts]
        starts = starts_of(split)
        words = map(self.numbers.__getitem__, chain.from_iterable(split))
        return Tokens(np.fromiter(words, dtype=np.int32, count=starts[-1]), starts)


def in_characters(text: str) -> str:
    """Make each character a word: `我爱 you` becomes `我 爱 y o u`."""
    return " ".join("".join(text.split()))


def characters(texts: Iterable[str]) -> Tokens:
    """Encode characters as their code points."""
    kept = list(texts)
    numbers = np.frombuffer("".join(kept).encode("utf-32-le", "surrogatepass"), dtype=np.int32)
    return Tokens(numbers, starts_of(kept))


def starts_of(parts: Iterable[Sized]) -> np.ndarray:
    """Return where each part begins when they are joined, and where the last one ends."""
    return np.fromiter(accumulate(map(len, parts), initial=0), dtype=np.int64)
