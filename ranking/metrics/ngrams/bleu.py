"""BLEU (Papineni et al., 2002) of texts that are already tokenized, as sacrebleu 2.6.0 computes it.

The precision of each order up to 4 is the number of n-grams of the candidate that references have too, each at most as
often as the reference that has it most, over all n-grams of the candidate, both summed over sentences. BLEU is the
geometric mean of the four precisions, times exp(1 - r / c) if candidates are shorter than the references of the closest
length. The k-th precision of 0 counts as 1 / 2^k n-grams instead.

Toy: the candidate `a a b` and the references `a b` and `a a c d` share a twice, b, aa and ab: 3/3, 2/2, then 0/1, and
no n-gram of order 4, so that a corpus of it has 0, and it by itself the mean over three orders: (1 * 1 * 1/2)^(1/3).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ranking.metrics.base import Metric, Progress, Scores, no_progress
from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material
from ranking.metrics.ngrams.known import Known, check, known, sacrebleu
from ranking.metrics.tokens import Tokens, Vocabulary

ORDER = 4
NOTHING = np.iinfo(np.int32).max
AT_ONCE = 20_000
MOST_CELLS = 1 << 22


@dataclass(frozen=True)
class Bleu(Metric):
    """BLEU from 0 to 100. Columns of counts: shared n-grams, all n-grams, length, length of closest reference."""

    name = "bleu"
    by_reference = False
    title = about = "BLEU"

    def signature(self, material: Material) -> str:
        return f"{self.name}|{sacrebleu(material, 'eff:no|tok:none|smooth:exp')}"

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        """Count by candidate and column; the counts of a sentence without a reference are 0."""
        (counts,) = self.counts_of_subsets(material, candidates, [range(material.references)], progress)
        return counts

    def counts_of_subsets(
        self,
        material: Material,
        candidates: Candidates,
        subsets: Sequence[Sequence[int]],
        progress: Progress = no_progress,
    ) -> Iterator[np.ndarray]:
        check("BLEU", material, candidates)
        vocabulary = Vocabulary()
        texts = known(material.texts, vocabulary.words)
        tokens = vocabulary.words(candidates.texts)
        parts = []
        for first, last in pairwise([*range(0, len(candidates), AT_ONCE), len(candidates)]):
            here = tokens.part(first, last), candidates.sentence[first:last]
            parts.append(_Part.of(*here, texts, len(vocabulary.numbers)))
            progress(last, len(candidates))
        none = np.zeros((0, 2 * ORDER + 2), np.int32)
        for subset in subsets:
            yield np.concatenate([none, *(part.counts(list(subset)) for part in parts)])

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        return {"BLEU": score(totals(counts, chosen))}

    def of_candidates(self, counts: np.ndarray) -> Scores:
        """Average over the orders of which a candidate has n-grams."""
        return {"BLEU": score(counts, orders=np.clip(counts[:, -2], 1, ORDER))}


def score(sums: np.ndarray, orders: np.ndarray | int = ORDER) -> np.ndarray:
    """Compute BLEU of each row over its first orders; 0 if nothing is shared or an order has no n-grams."""
    shared, every = sums[:, :ORDER], sums[:, ORDER : 2 * ORDER]
    length, closest = sums[:, -2], sums[:, -1]
    smoothed = np.where(shared == 0, 0.5 ** np.cumsum(shared == 0, axis=1), shared)
    used = np.arange(ORDER) < np.reshape(orders, (-1, 1))
    logarithms = np.where(used, np.log(smoothed / np.maximum(every, 1)), 0).sum(axis=1) / orders
    brevity = np.minimum(0, 1 - closest / np.maximum(length, 1))
    scored = (shared > 0).any(axis=1) & ((every > 0) | ~used).all(axis=1)
    return np.where(scored, 100 * np.exp(brevity + logarithms), 0.0)


def totals(counts: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Sum each column over the candidates of each output; Numba would take longer to load than all this takes."""
    is_used = np.zeros(len(counts), dtype=bool)
    is_used[chosen] = True
    place, used = np.cumsum(is_used) - 1, counts[is_used].astype(float)
    # A product of matrices: how often an output has each candidate, by the counts of each; exact up to 2^53.
    sums, rows = np.zeros((len(chosen), counts.shape[1]), dtype=np.int64), max(MOST_CELLS // max(len(used), 1), 1)
    for first in range(0, len(chosen), rows):
        some = place[chosen[first : first + rows]]
        cells = some + np.arange(len(some))[:, None] * len(used)
        sums[first : first + rows] = (
            np.bincount(cells.ravel(), minlength=len(some) * len(used)).reshape(len(some), len(used)) @ used
        )
    return sums


class _Shared(NamedTuple):
    """N-grams of one order that candidates share with any reference: whose they are, how often, and their numbers.

    `known` has how often each n-gram occurs in each reference.
    """

    candidate: np.ndarray
    times: np.ndarray
    gram: np.ndarray
    known: np.ndarray


class _Part(NamedTuple):
    """Some candidates: their lengths, those of their references, and what they share, order by order."""

    lengths: np.ndarray
    known_lengths: np.ndarray
    shared: tuple[_Shared, ...]

    @classmethod
    def of(cls, tokens: Tokens, sentence: np.ndarray, texts: Known, words: int) -> "_Part":
        known_lengths = np.where(texts.present, texts.lengths, NOTHING)[sentence].astype(np.int64)
        first, last = int(sentence[0]), int(sentence[-1]) + 1
        references = texts.tokens.part(first * texts.texts, last * texts.texts)
        shared = _shared(tokens, sentence - first, references, texts.texts, words)
        return cls(tokens.lengths, known_lengths, tuple(shared))

    def counts(self, subset: Sequence[int]) -> np.ndarray:
        """Count against some of the references, each n-gram as often as the one that has it most."""
        others = self.known_lengths[:, subset]
        closest = np.argmin(np.abs(others - self.lengths[:, None]) * NOTHING + others, axis=1)
        counts = np.zeros((len(self.lengths), 2 * ORDER + 2), np.int32)
        counts[:, ORDER : 2 * ORDER] = np.maximum(self.lengths[:, None] - np.arange(ORDER), 0)
        counts[:, -2], counts[:, -1] = self.lengths, others[np.arange(len(others)), closest]
        for order, (candidate, times, gram, by_reference) in enumerate(self.shared):
            most = by_reference[:, subset].max(axis=1)
            counts[:, order] = np.bincount(candidate, np.minimum(times, most[gram]), len(counts))
        counts[others.min(axis=1) == NOTHING] = 0
        return counts


def _shared(tokens: Tokens, sentence: np.ndarray, references: Tokens, texts: int, words: int) -> Iterator[_Shared]:
    """Number the n-grams of each sentence; one is a pair of the number of a shorter one and the word behind that."""
    candidate, reference = tokens.owners, references.owners
    place, known_place = np.arange(len(candidate)), np.arange(len(reference))
    gram, known_gram = sentence[candidate].astype(np.int64), reference // texts
    for order in range(ORDER):
        known_place, known_pair = _pairs(known_place, known_gram, references, order, words)
        pairs, known_gram = np.unique(known_pair, return_inverse=True)
        column = known_gram * texts + reference[known_place] % texts
        by_reference = np.bincount(column, minlength=len(pairs) * texts).reshape(-1, texts)
        place, pair = _pairs(place, gram, tokens, order, words)
        gram = np.searchsorted(pairs, pair)
        is_known = np.append(pairs, -1)[gram] == pair
        place, gram = place[is_known], gram[is_known]
        own, times = np.unique(candidate[place] * max(len(pairs), 1) + gram, return_counts=True)
        yield _Shared(own // max(len(pairs), 1), times, own % max(len(pairs), 1), by_reference)


def _pairs(place: np.ndarray, gram: np.ndarray, tokens: Tokens, order: int, words: int) -> tuple[np.ndarray, ...]:
    """Lengthen the n-grams at these places by a word, but for those at the end of their text."""
    goes_on = place + order < tokens.starts[1:][tokens.owners[place]]
    place, gram = place[goes_on], gram[goes_on]
    return place, gram * words + tokens.numbers[place + order]
