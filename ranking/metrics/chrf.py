"""chrF (Popović, 2015) and chrF++ (2017), as sacrebleu 2.6.0 computes them.

Precision and recall of character n-grams of the orders 1 to 6, without white space, and in chrF++ also of word n-grams
of the orders 1 and 2, are averaged over the orders that both texts have; F gives recall the weight beta. The best
reference of each sentence counts; its counts are summed over sentences.

Toy of the orders 1 and 2: the candidate `ab` and the reference `a c` share 1 of 2 characters, and `ab` is not `ac`:
precision and recall are both (1/2 + 0) / 2.
"""

from dataclasses import dataclass
from functools import cache
from string import punctuation
from typing import ClassVar

import numpy as np

from ranking.metrics.base import ABSENT, Progress, Scores, SummedMetric, no_progress, part_of
from ranking.metrics.f_measure import check_beta
from ranking.metrics.material import Candidates, Material, Vocabulary, characters
from ranking.metrics.ngrams import NOTHING, Encode, KnownTexts, check_texts, sacrebleu_signature

CHARACTERS = 6


@dataclass(frozen=True)
class Chrf(SummedMetric):
    """chrF from 0 to 100.

    Columns of counts, first of characters and then of words: shared n-grams, the candidate's length, the reference's.
    """

    beta: float = 2.0
    name = "chrf"
    cuts_words = False
    title = "chrF"
    words: ClassVar[int] = 0

    def __post_init__(self) -> None:
        check_beta(self.title, self.beta)

    @property
    def features(self) -> tuple[str, ...]:
        return f"{self.title} P", f"{self.title} R"

    def signature(self, material: Material) -> str:
        settings = f"eff:yes|nc:{CHARACTERS}|nw:{self.words}|space:no"
        return f"{self.name}|beta:{self.beta:g}|{sacrebleu_signature(material, settings)}"

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        check_texts(self.title, material, candidates)
        parts, place = [], candidates.sentence
        # How texts are cut into characters, or words, and up to which order their n-grams count.
        kinds: list[tuple[Encode, int]]
        kinds = [(lambda texts: characters("".join(text.split()) for text in texts), CHARACTERS)]
        if self.words:
            kinds.append((word_encoder(Vocabulary()), self.words))
        for number, (encode, order) in enumerate(kinds):
            known, tokens = KnownTexts.of(material.texts, encode), encode(candidates.texts)
            counts = np.empty((len(place), material.references, order + 2), np.int32)
            told = part_of(progress, number, len(kinds))
            counts[..., :order], _ = known.count_shared(tokens, place, order, NOTHING, told)
            counts[..., order], counts[..., order + 1] = tokens.lengths[:, None], known.lengths[place]
            counts[~known.present[place]] = ABSENT
            parts.append(counts)
        return np.concatenate(parts, axis=2)

    def summands(self, counts: np.ndarray) -> np.ndarray:
        """Return the statistics of each candidate against its best reference."""
        statistics, by_reference = self._by_reference(counts)
        taken = np.maximum(statistics[np.arange(len(counts)), by_reference.argmax(axis=1)], 0)
        return taken.reshape(len(counts), taken.shape[1] * taken.shape[2])

    def of_sums(self, sums: np.ndarray, sentences: int) -> Scores:
        shares = self._shares(sums.reshape(len(sums), CHARACTERS + self.words, 3))
        return dict(zip((self.title, *self.features), shares, strict=True))

    def of_candidates(self, counts: np.ndarray) -> Scores:
        return {self.title: self._by_reference(counts)[1].max(axis=1, initial=0)}

    def _by_reference(self, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return statistics and F by candidate and reference; a missing reference scores below all others.

        Statistics are n-grams shared, of the candidate and of the reference (last axis), by order (the axis before it).
        If the reference has no n-grams of an order, the candidate's are not counted as wrong.
        """
        made, first = [], 0
        for order in filter(None, (CHARACTERS, self.words)):
            shared = counts[:, :, first : first + order]
            lengths = counts[:, :, first + order : first + order + 2, None] - np.arange(order)
            candidate, reference = np.maximum(lengths[:, :, 0], 0), np.maximum(lengths[:, :, 1], 0)
            made.append(np.stack([shared, candidate * (reference > 0), reference], axis=-1))
            first += order + 2
        statistics = np.concatenate(made, axis=2)
        return statistics, np.where(counts[:, :, 0] == ABSENT, ABSENT, self._shares(statistics)[0])

    def _shares(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Compute F from 0 to 100, and precision and recall, averaged over the orders that both texts have."""
        shared, candidates, references = np.moveaxis(sums, -1, 0)
        counted = (candidates > 0) & (references > 0)
        orders = np.maximum(counted.sum(axis=-1), 1)
        # In sacrebleu's order of steps, because rounding decides which of equally good references counts.
        shares = (np.moveaxis(shared / np.maximum(length, 1) * counted, -1, 0) for length in (candidates, references))
        precision, recall = (sum(by_order) / orders for by_order in shares)
        weight = self.beta**2
        below = weight * precision + recall
        return 100 * ((1 + weight) * precision * recall / np.where(below > 0, below, 1)), precision, recall


@dataclass(frozen=True)
class ChrfPlusPlus(Chrf):
    name = "chrf++"
    title = about = "chrF++"
    words = 2


def word_encoder(vocabulary: Vocabulary) -> Encode:
    """Split words as chrF++ does: a punctuation mark at the end, or else at the beginning, is a separate word."""

    @cache
    def spaced(word: str) -> str:
        if len(word) > 1 and word[-1] in punctuation:
            return f"{word[:-1]} {word[-1]}"
        if len(word) > 1 and word[0] in punctuation:
            return f"{word[0]} {word[1:]}"
        return word

    return lambda texts: vocabulary.words(" ".join(map(spaced, text.split())) for text in texts)
