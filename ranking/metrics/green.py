"""GREEN (Koyama et al., 2024): F of the n-grams that corrections insert, delete and keep, without any alignment.

An n-gram that the source has s times, the reference r times and the candidate h times counts

    TP = min(s, r, h) kept + max(0, min(r, h) - s) inserted + max(0, s - max(r, h)) deleted, each rightly
    FP = max(0, min(s, r) - h) deleted + max(0, h - max(s, r)) inserted, each wrongly
    FN = max(0, min(s, h) - r) that should be deleted + max(0, r - max(s, h)) that should be inserted

Precision and recall are geometric means over the orders 1 to 4 of TP / (TP + FP) and TP / (TP + FN), where 0 / 0 = 1.
Of several references each sentence uses the one with the highest F by itself, the first of equals; sums over sentences
give the score of a whole output.

All of them follow from the sums of s, r, h and of their minima, since max(a, b) = a + b - min(a, b).

Toy of order 1: source `a cat sat`, reference `a dog sat`, candidate `a cat sat`: two words are rightly kept; `cat`
should be deleted and `dog` inserted: P = 1, R = 2 / 4, F2 = 5 * 0.5 / (4 + 0.5) = 0.556.
"""

from dataclasses import dataclass

import numpy as np

from ranking.metrics.base import ABSENT, Progress, Scores, SummedMetric, check_setting, no_progress
from ranking.metrics.f_measure import FMetric, f_of
from ranking.metrics.material import Candidates, Material, Vocabulary
from ranking.metrics.ngrams import EVERYWHERE, KnownTexts, check_texts

MOST_ORDER = 20
TRUE, FALSE, MISSED = range(3)


@dataclass(frozen=True)
class Green(SummedMetric, FMetric):
    """GREEN over words; counts are TP, FP and FN (last axis) by order."""

    beta: float = 2.0
    order: int = 4
    name = "green"
    title = "GREEN"
    about = "GREEN: n-grams inserted, deleted and kept, F2"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_setting(self.title, "order", self.order, 1, MOST_ORDER)

    def signature(self, material: Material) -> str:
        return f"green|n:{self.order}|beta:{self.beta:g}|references:{material.references}"

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        check_texts(self.title, material, candidates)
        encode = Vocabulary().words
        known = KnownTexts.of((material.source, *material.texts), encode)
        # Each source goes before the candidates of its sentence, so that one pass counts what it shares, too.
        place = np.concatenate((np.arange(material.sentences), candidates.sentence))
        in_order, texts = np.argsort(place, kind="stable"), (*material.source, *candidates.texts)
        tokens = encode(texts[number] for number in in_order)
        shared, everywhere = known.count_shared(tokens, place[in_order], self.order, EVERYWHERE, progress)
        rows = np.argsort(in_order)
        own, source = rows[material.sentences :], rows[candidates.sentence]
        lengths, shorter = tokens.lengths.astype(np.int32), np.arange(self.order, dtype=np.int32)
        grams = np.maximum(lengths[:, None, None] - shorter, 0)
        s, h = grams[source], grams[own]
        r = np.maximum(known.lengths.astype(np.int32)[candidates.sentence, 1:, None] - shorter, 0)
        # The sums of the minima of s and r, of r and h, of s and h.
        s_r, r_h, s_h = shared[source, 1:], shared[own, 1:], shared[own, :1]
        true = r_h - s_r + s - s_h + everywhere[own, 1:]
        counts = np.stack((true, s_r - r_h + h - s_h, r - s_r + s_h - r_h), axis=-1)
        counts[~known.present[candidates.sentence, 1:]] = ABSENT
        return counts

    def summands(self, counts: np.ndarray) -> np.ndarray:
        return self._best(counts).reshape(len(counts), 3 * self.order)

    def of_sums(self, sums: np.ndarray, sentences: int) -> Scores:
        return dict(zip(self.main_scores, self._shares(sums.reshape(len(sums), self.order, 3)), strict=True))

    def of_candidates(self, counts: np.ndarray) -> Scores:
        return dict(zip(self.main_scores, self._shares(self._best(counts)), strict=True))

    def _best(self, counts: np.ndarray) -> np.ndarray:
        """Return the counts against the best reference of each candidate; 0 without any."""
        f = np.where(counts[:, :, 0, TRUE] == ABSENT, ABSENT, self._shares(np.maximum(counts, 0))[0])
        return np.maximum(counts[np.arange(len(counts)), f.argmax(axis=1)], 0)

    def _shares(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Compute F, and precision and recall, which are geometric means over orders, the second-last axis."""
        true, means = sums[..., TRUE].astype(float), []
        for column in (FALSE, MISSED):
            wrong = sums[..., column]
            shares = np.divide(true, true + wrong, out=np.ones_like(true), where=wrong > 0)
            positive = shares.min(axis=-1) > 0
            means.append(np.exp(np.log(np.where(shares > 0, shares, 1)).mean(axis=-1)) * positive)
        precision, recall = means
        return f_of(precision, recall, self.beta), precision, recall
