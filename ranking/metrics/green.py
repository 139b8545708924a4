"""GREEN (Koyama et al., 2024): F of the n-grams that corrections insert, delete and keep, without any alignment.

An n-gram that the source has s times, the reference r times and the candidate h times counts

    TP = min(s, r, h) kept + max(0, min(r, h) - s) inserted + max(0, s - max(r, h)) deleted, each rightly
    FP = max(0, min(s, r) - h) deleted + max(0, h - max(s, r)) inserted, each wrongly
    FN = max(0, min(s, h) - r) that should be deleted + max(0, r - max(s, h)) that should be inserted

Precision and recall are geometric means over the orders 1 to 4 of TP / (TP + FP) and TP / (TP + FN), where 0 / 0 = 1.
Of several references each sentence uses the one with the highest F by itself, the first of equals; sums over sentences
give the score of a whole output.

All seven numbers follow from the sums of s, r, h and of their minima, since max(a, b) = a + b - min(a, b).

Toy of order 1: source `a cat sat`, reference `a dog sat`, candidate `a cat sat`: two words are rightly kept; `cat`
should be deleted and `dog` inserted: P = 1, R = 2 / 4, F2 = 5 * 0.5 / (4 + 0.5) = 0.556.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ranking.metrics.base import ABSENT, Metric, Progress, Scores, check_setting, no_progress
from ranking.metrics.candidates import Candidates
from ranking.metrics.f_measure import check_beta, f_by_beta, f_of
from ranking.metrics.material import Material
from ranking.metrics.ngrams import TIMES, check_texts, count_ngrams, new_trie, new_walk, plant, totals, walk
from ranking.metrics.tokens import Vocabulary
from ranking.numbers.kernels import kernel
from ranking.numbers.tables import Table

MOST_ORDER = 20
TRUE, FALSE, MISSED = range(3)


@dataclass(frozen=True)
class Green(Metric):
    """GREEN over words; counts are TP, FP and FN (last axis) by order."""

    beta: float = 2.0
    order: int = 4
    name = "green"
    title = "GREEN"
    about = "GREEN: n-grams inserted, deleted and kept, F2"

    def __post_init__(self) -> None:
        check_beta(self.title, self.beta)
        check_setting(self.title, "order", self.order, 1, MOST_ORDER)

    @property
    def kept(self) -> tuple[str, ...]:
        return f"GREEN F{self.beta:g}", "GREEN P", "GREEN R"

    @property
    def features(self) -> tuple[str, ...]:
        return self.kept[1:]

    def signature(self, material: Material) -> str:
        return f"green|n:{self.order}|beta:{self.beta:g}|references:{material.references}"

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        check_texts(self.title, material, candidates)
        encode = Vocabulary().words
        return count_ngrams(
            _count, (self.order, 3), material, candidates, encode, self.order, progress, with_source=True
        )

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        best = self._best(counts).reshape(len(counts), 3 * self.order)
        sums = totals(best, chosen).reshape(len(chosen), self.order, 3)
        return dict(zip(self.kept, self._shares(sums), strict=True))

    def of_candidates(self, counts: np.ndarray) -> Scores:
        return dict(zip(self.kept, self._shares(self._best(counts)), strict=True))

    def tables(self, counts: np.ndarray, chosen: np.ndarray, names: Sequence[str]) -> list[Table]:
        return [f_by_beta(self, self.title, counts, chosen, names)]

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


@kernel
def _count(numbers, starts, sentence, known_numbers, known_starts, order, counts):
    """Text 0 of a sentence is its source."""
    texts = counts.shape[1] + 1
    trie = new_trie(sentence, known_starts, texts, order)
    found, of_source = new_walk(starts, order), new_walk(known_starts, order)
    # What the source shares with each text, what the candidate shares with it, and what all three share, by order.
    common, shared, all_three = np.zeros((3, texts, order), np.int32)
    for candidate in range(len(sentence)):
        first = sentence[candidate] * texts
        if candidate == 0 or sentence[candidate] != sentence[candidate - 1]:
            plant(trie, known_numbers, known_starts, first, order)
            _share(trie, known_numbers, known_starts[first], known_starts[first + 1], of_source, common, all_three)
        _share(trie, numbers, starts[candidate], starts[candidate + 1], found, shared, all_three)
        for length in range(order):
            source = max(known_starts[first + 1] - known_starts[first] - length, 0)
            own = max(starts[candidate + 1] - starts[candidate] - length, 0)
            kept = shared[0, length]
            for text in range(1, texts):
                right = max(known_starts[first + text + 1] - known_starts[first + text] - length, 0)
                row, before, now = counts[candidate, text - 1, length], common[text, length], shared[text, length]
                row[TRUE] = now - before + source - kept + all_three[text, length]
                row[FALSE] = before - now + own - kept
                row[MISSED] = right - before + kept - now


@kernel
def _share(trie, numbers, begin, end, found, shared, with_source):
    """Count the n-grams of a text that each text of the trie has, and those that text 0 has as well, by order."""
    times = trie[TIMES]
    texts, order = shared.shape
    shared[:], with_source[:] = 0, 0
    for place in range(walk(trie, numbers, begin, end, order, found)):
        node, length, before = found[0, place], found[1, place], found[2, place]
        for text in range(texts):
            if before < times[node, text]:
                shared[text, length] += 1
                with_source[text, length] += before < times[node, 0]
