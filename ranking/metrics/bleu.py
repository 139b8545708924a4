"""BLEU (Papineni et al., 2002) of texts that are already tokenized, as sacrebleu 2.6.0 computes it.

The precision of each order up to 4 is the number of n-grams of the candidate that references have too, each at most as
often as the reference that has it most, over all n-grams of the candidate, both summed over sentences. BLEU is the
geometric mean of the four precisions, times exp(1 - r / c) if candidates are shorter than the references of the closest
length. The k-th precision of 0 counts as 1 / 2^k n-grams instead.

Toy: the candidate `a a b` and the references `a b` and `a a c d` share a twice, b, aa and ab: 3/3, 2/2, then 0/1, and
no n-gram of order 4, so that a corpus of it has 0, and it by itself the mean over three orders: (1 * 1 * 1/2)^(1/3).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ranking.metrics.base import Metric, Progress, Scores, Subsets, no_progress
from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material
from ranking.metrics.ngrams import KnownTexts, check_texts, sacrebleu_signature
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
        return f"{self.name}|{sacrebleu_signature(material, 'eff:no|tok:none|smooth:exp')}"

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        """Count by candidate and column; the counts of a sentence without a reference are 0."""
        (counts,) = self.counts_of_subsets(material, candidates, [range(material.references)], progress)
        return counts

    def counts_of_subsets(
        self, material: Material, candidates: Candidates, subsets: Subsets, progress: Progress = no_progress
    ) -> Iterator[np.ndarray]:
        check_texts("BLEU", material, candidates)
        vocabulary = Vocabulary()
        known = KnownTexts.of(material.texts, vocabulary.words)
        tokens = vocabulary.words(candidates.texts)
        shared = []
        for first, last in pairwise([*range(0, len(candidates), AT_ONCE), len(candidates)]):
            some = tokens.part(first, last), candidates.sentence[first:last]
            shared.append((slice(first, last), list(_shared_ngrams(*some, known, len(vocabulary.numbers)))))
            progress(last, len(candidates))
        lengths = tokens.lengths[:, None]
        known_lengths = np.where(known.present, known.lengths, NOTHING)
        for subset in subsets:
            others = known_lengths[candidates.sentence][:, list(subset)].astype(np.int64)
            closest = np.argmin(np.abs(others - lengths) * NOTHING + others, axis=1)
            counts = np.zeros((len(candidates), 2 * ORDER + 2), np.int32)
            counts[:, ORDER : 2 * ORDER] = np.maximum(lengths - np.arange(ORDER), 0)
            counts[:, -2], counts[:, -1] = tokens.lengths, others[np.arange(len(others)), closest]
            for part, orders in shared:
                for order, (candidate, times, gram, by_reference) in enumerate(orders):
                    most = by_reference[:, list(subset)].max(axis=1)
                    counts[part, order] = np.bincount(candidate, np.minimum(times, most[gram]), part.stop - part.start)
            counts[others.min(axis=1) == NOTHING] = 0
            yield counts

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        return {"BLEU": bleu_of(totals(counts, chosen))}

    def of_candidates(self, counts: np.ndarray) -> Scores:
        """Average over the orders of which a candidate has n-grams."""
        return {"BLEU": bleu_of(counts, orders=np.clip(counts[:, -2], 1, ORDER))}


def bleu_of(sums: np.ndarray, orders: np.ndarray | int = ORDER) -> np.ndarray:
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


def _shared_ngrams(
    tokens: Tokens, sentence: np.ndarray, known: KnownTexts, words: int
) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]:
    """Yield the n-grams that candidates share with any reference, order by order.

    Yields whose they are, how often, their numbers, and for each number how often each reference has it. Numbers count
    the n-grams of each sentence; an n-gram is a pair of the number of a shorter one and the word behind that.
    """
    texts = known.present.shape[1]
    references = known.tokens.part(int(sentence[0]) * texts, (int(sentence[-1]) + 1) * texts)
    candidate, reference = tokens.owners, references.owners
    place, known_place = np.arange(len(candidate)), np.arange(len(reference))
    gram, known_gram = (sentence - sentence[0])[candidate].astype(np.int64), reference // texts
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
        yield own // max(len(pairs), 1), times, own % max(len(pairs), 1), by_reference


def _pairs(place: np.ndarray, gram: np.ndarray, tokens: Tokens, order: int, words: int) -> tuple[np.ndarray, ...]:
    """Lengthen the n-grams at these places by a word, but for those at the end of their text."""
    goes_on = place + order < tokens.starts[1:][tokens.owners[place]]
    place, gram = place[goes_on], gram[goes_on]
    return place, gram * words + tokens.numbers[place + order]
