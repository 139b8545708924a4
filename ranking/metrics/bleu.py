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

import numpy as np

from ranking.metrics.base import Progress, Scores, Subsets, SummedMetric, no_progress
from ranking.metrics.material import Candidates, Material, Vocabulary
from ranking.metrics.ngrams import KnownTexts, check_texts, sacrebleu_signature

ORDER = 4
NOTHING = np.iinfo(np.int32).max


@dataclass(frozen=True)
class Bleu(SummedMetric):
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
        known, tokens = KnownTexts.of(material.texts, vocabulary.words), vocabulary.words(candidates.texts)
        lengths, known_lengths = tokens.lengths[:, None], np.where(known.present, known.lengths, NOTHING)
        shared = known.count_in_any(tokens, candidates.sentence, ORDER, subsets, progress)
        for subset, here in zip(subsets, shared, strict=True):
            others = known_lengths[candidates.sentence][:, subset]
            closest = np.argmin(np.abs(others - lengths) * NOTHING + others, axis=1)
            counts = np.empty((len(candidates), 2 * ORDER + 2), np.int32)
            counts[:, :ORDER] = here
            counts[:, ORDER : 2 * ORDER] = np.maximum(lengths - np.arange(ORDER), 0)
            counts[:, -2], counts[:, -1] = tokens.lengths, others[np.arange(len(others)), closest]
            counts[others.min(axis=1) == NOTHING] = 0
            yield counts

    def summands(self, counts: np.ndarray) -> np.ndarray:
        return counts

    def of_sums(self, sums: np.ndarray, sentences: int) -> Scores:
        return {"BLEU": bleu_of(sums)}

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
