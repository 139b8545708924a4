"""Synthetic systems: mixtures of the sentences of two systems (Graham and Liu 2016; Napoles et al. 2019, section 5.2).

A few systems are not enough to train on, and make correlations unstable. Every pair of systems gives mixtures that take
10, 20 ... 90 % of the sentences, drawn at random, from the first and the rest from the second. Nothing is scored again:
a mixture is a choice among candidates already counted, and people's score of it is the mean over its sentences.

Mixtures are not independent of each other or of their systems: a p-value over 675 of them says little.

Toy: 6 systems have 15 pairs; with 9 shares and 5 mixtures of each that makes 675.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

SHARES = tuple(number / 10 for number in range(1, 10))
COPIES = 5


@dataclass(frozen=True)
class Hybrids:
    """Systems of each mixture, and for each sentence whether it comes from the first."""

    pairs: np.ndarray
    is_first: np.ndarray

    def __len__(self) -> int:
        return len(self.pairs)

    def choose(self, values: np.ndarray) -> np.ndarray:
        first, second = self.pairs.T
        return np.where(self.is_first, values[first], values[second])


def mix_systems(systems: int, sentences: int, seed: int, copies: int = COPIES) -> Hybrids:
    """Mix all pairs of systems, a few times for each share; the same seed gives the same mixtures."""
    random = np.random.default_rng(seed)
    pairs = [pair for pair in combinations(range(systems), 2) for _ in range(copies * len(SHARES))]
    shares = np.tile(np.repeat(SHARES, copies), len(pairs) // (copies * len(SHARES)))
    wanted = np.rint(shares * sentences).astype(int)
    is_first = np.zeros((len(pairs), sentences), dtype=bool)
    for number, many in enumerate(wanted):
        is_first[number, random.permutation(sentences)[:many]] = True
    return Hybrids(np.array(pairs, dtype=np.int64).reshape(-1, 2), is_first)


def means(scores: np.ndarray) -> np.ndarray:
    """Mean of each row over the sentences with a human score; NaN marks those without one."""
    known = ~np.isnan(scores)
    return np.where(known, scores, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
