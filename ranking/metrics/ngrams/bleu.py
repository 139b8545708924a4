"""BLEU (Papineni et al., 2002) of texts that are already tokenized, as sacrebleu 2.6.0 computes it.

The precision of each order up to 4 is the number of n-grams of the candidate that references have too, each at most as
often as the reference that has it most, over all n-grams of the candidate, both summed over sentences. BLEU is the
geometric mean of the four precisions, times exp(1 - r / c) if candidates are shorter than the references of the closest
length. The k-th precision of 0 counts as 1 / 2^k n-grams instead.

Toy: the candidate `a a b` and the references `a b` and `a a c d` share a twice, b, aa and ab: 3/3, 2/2, then 0/1, and
no n-gram of order 4, so that a corpus of it has 0, and it by itself the mean over three orders: (1 * 1 * 1/2)^(1/3).
"""

from dataclasses import dataclass

import numpy as np
from numba import njit

from ranking.metrics.base import Metric, Progress, Scores, in_chunks, no_progress
from ranking.metrics.candidates import Candidates, totals
from ranking.metrics.material import Material
from ranking.metrics.ngrams.counting import (
    NODES,
    STATE,
    TIMES,
    check,
    known,
    new_trie,
    new_walk,
    plant,
    sacrebleu,
    walk,
)  # fmt: skip
from ranking.metrics.tokens import Vocabulary

ORDER = 4
NOTHING = -1


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
        check("BLEU", material, candidates)
        vocabulary = Vocabulary()
        texts = known(material.texts, vocabulary.words)
        tokens = vocabulary.words(candidates.texts)
        lengths = np.where(texts.present, texts.lengths, NOTHING)

        def work(chunk: slice) -> np.ndarray:
            sentence, starts = candidates.sentence[chunk], tokens.starts[chunk.start : chunk.stop + 1]
            counts = np.zeros((len(sentence), 2 * ORDER + 2), np.int32)
            _count(tokens.numbers, starts, sentence, texts.tokens.numbers, texts.tokens.starts, lengths, counts)
            return counts

        return in_chunks(work, len(candidates), progress)

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


@njit(cache=True, nogil=True)
def _count(numbers, starts, sentence, known_numbers, known_starts, lengths, counts):
    """The first column of the trie becomes the highest count of an n-gram in any reference."""
    texts = lengths.shape[1]
    trie, found = new_trie(sentence, known_starts, texts, ORDER), new_walk(starts, ORDER)
    times, state = trie[TIMES], trie[STATE]
    for candidate in range(len(sentence)):
        here = sentence[candidate]
        if candidate == 0 or here != sentence[candidate - 1]:
            plant(trie, known_numbers, known_starts, here * texts, ORDER)
            for node in range(1, state[NODES]):
                for text in range(1, texts):
                    times[node, 0] = max(times[node, 0], times[node, text])
        length = starts[candidate + 1] - starts[candidate]
        closest = _closest(lengths[here], length)
        if closest == NOTHING:
            continue
        for place in range(walk(trie, numbers, starts[candidate], starts[candidate + 1], ORDER, found)):
            if found[2, place] < times[found[0, place], 0]:
                counts[candidate, found[1, place]] += 1
        for order in range(ORDER):
            counts[candidate, ORDER + order] = max(length - order, 0)
        counts[candidate, 2 * ORDER], counts[candidate, 2 * ORDER + 1] = length, closest


@njit(cache=True, nogil=True)
def _closest(lengths, length):
    """Return the length of the reference closest in length, the shorter of two; missing references are ignored."""
    closest = NOTHING
    for other in lengths:
        nearer = abs(other - length) - abs(closest - length)
        if other != NOTHING and (closest == NOTHING or nearer < 0 or (nearer == 0 and other < closest)):
            closest = other
    return closest
