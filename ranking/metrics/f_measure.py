"""F of true and false positives and false negatives, and the reference that it chooses for each sentence.

    P = TP / (TP + FP), or 1 if FP = 0     R = TP / (TP + FN), or 1 if FN = 0     F = (1 + beta^2) P R / (beta^2 P + R)

ERRANT, GoToScorer and CLEME choose references sentence by sentence: the one that gives the counts so far the best F,
rounded to four digits; of equals the one with the most true positives, then the fewest false positives, then the fewest
false negatives, then the most true negatives, then the first.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ranking.metrics.base import ABSENT, Metric, Scores, Subsets, check_setting, in_chunks, no_progress
from ranking.numbers.kernels import kernel
from ranking.numbers.tables import Table

# Beyond these bounds F is in effect precision, or recall.
LEAST_BETA, MOST_BETA = 0.01, 100
BETAS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.5, 2.0)
# The columns of counts, of which the last is not always there.
TRUE, FALSE, MISSED, KEPT = range(4)
# Splits doubles into two halves with equally many bits, so that their products are exact.
HALVING = 134217729.0
SCALE = 10_000.0
# As many rows of sums are computed at once.
ROWS_AT_ONCE = 64


def check_beta(metric: str, beta: float) -> None:
    check_setting(metric, "beta", beta, LEAST_BETA, MOST_BETA)


class FMetric(Metric):
    """A metric whose main scores are F with the weight beta of recall, precision and recall."""

    beta: float

    def __post_init__(self) -> None:
        check_beta(self.title, self.beta)

    @property
    def main_scores(self) -> tuple[str, ...]:
        return f"{self.title} F{self.beta:g}", f"{self.title} P", f"{self.title} R"

    @property
    def features(self) -> tuple[str, ...]:
        return self.main_scores[1:]

    def of_candidates(self, counts: np.ndarray) -> Scores:
        """F, precision and recall of each candidate on its sentence; all are 1 without a reference."""
        return self.of_systems(counts, np.arange(len(counts))[:, None])

    def tables(self, counts: np.ndarray, chosen: np.ndarray, names: Sequence[str]) -> list[Table]:
        """F for betas from nearly precision to nearly recall alone; references are chosen anew for each beta."""
        rows: list[tuple[str, float, str, float]] = []
        for beta in BETAS:
            other: Any = replace(self, beta=beta)  # type: ignore[type-var]
            values = other.of_systems(counts, chosen)[other.main_scores[0]].tolist()
            rows += [(self.title, beta, name, value) for name, value in zip(names, values, strict=True)]
        return [Table.of("f_scores", ("metric", "beta", "system", "f"), rows)]

    def sum_chosen(
        self, counts: np.ndarray, chosen: np.ndarray, subsets: Subsets, totals: np.ndarray | None = None
    ) -> np.ndarray:
        """Sum counts by subset of the references, output and column, against the reference chosen for each sentence.

        It is chosen by `totals` with the columns TRUE, FALSE, MISSED and perhaps KEPT, or else by the counts.
        """
        counts, totals = map(np.ascontiguousarray, (counts, counts if totals is None else totals))
        chosen = np.ascontiguousarray(chosen, dtype=np.int64)
        references = np.array([reference for subset in subsets for reference in subset], dtype=np.int64)
        given = references, np.cumsum([0, *map(len, subsets)]), float(self.beta) ** 2
        sums = in_chunks(
            lambda part: _sum_chosen(counts, totals, chosen[part], *given),
            len(chosen), no_progress, max(ROWS_AT_ONCE // max(len(subsets), 1), 1),
        )  # fmt: skip
        return np.moveaxis(sums, 1, 0)


def f_precision_recall(sums: np.ndarray, beta: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Precision is 1 without false positives, and recall is 1 without false negatives, even without any edits."""
    true, false, missed = (sums[..., column].astype(float) for column in (TRUE, FALSE, MISSED))
    precision = np.divide(true, true + false, out=np.ones_like(true), where=false > 0)
    recall = np.divide(true, true + missed, out=np.ones_like(true), where=missed > 0)
    return f_of(precision, recall, beta), precision, recall


def f_of(precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
    below = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / np.where(below > 0, below, 1)


@kernel
def _sum_chosen(counts, totals, chosen, references, firsts, weight):
    """Sum by output, a row of `chosen`, subset of the references, references[firsts[n]:firsts[n + 1]], and column."""
    sums, so_far = (
        np.zeros((len(chosen), len(firsts) - 1, counts.shape[2]), np.int64),
        np.empty(totals.shape[2], np.int64),
    )
    for output in range(len(chosen)):
        of_output = totals[chosen[output]]
        for number in range(len(firsts) - 1):
            subset, row = references[firsts[number] : firsts[number + 1]], sums[output, number]
            so_far[:] = 0
            for place in range(len(of_output)):
                best = chosen_reference(so_far, of_output[place], subset, weight)
                if best >= 0:
                    here = counts[chosen[output, place], best]
                    for column in range(len(so_far)):
                        so_far[column] += of_output[place, best, column]
                    for column in range(len(row)):
                        row[column] += here[column]
    return sums


@kernel
def chosen_reference(so_far, counts, subset, weight):
    """Return the reference chosen for a sentence by its counts against each, -1 if it has none in the subset."""
    best, chosen = np.int64(-1), -1
    for reference in subset:
        here = counts[reference]
        if here[-1] == ABSENT:
            continue
        true, false, missed = so_far[TRUE] + here[TRUE], so_far[FALSE] + here[FALSE], so_far[MISSED] + here[MISSED]
        score = to_four_digits(f_score(true, false, missed, weight))
        is_better = chosen < 0 or score > best
        if chosen >= 0 and score == best:
            for column in range(len(here)):
                if here[column] != counts[chosen, column]:
                    is_better = (here[column] > counts[chosen, column]) == (column in (TRUE, KEPT))
                    break
        if is_better:
            best, chosen = score, reference
    return chosen


@kernel
def f_score(true, false, missed, weight):
    """F of counts; `weight` is that of recall, beta squared."""
    precision = true / (true + false) if false else 1.0
    recall = true / (true + missed) if missed else 1.0
    if precision + recall == 0:
        return 0.0
    return (1 + weight) * precision * recall / (weight * precision + recall)


@kernel
def to_four_digits(share):
    """Round to ten-thousandths as Python does: half to even, on the exact value.

    The rounding error of the product is found by the method of Dekker (1971), A floating-point technique for extending
    the available precision. Toy: 0.00005 is a little more than half of one, 0.00015 a little less than one and a half.
    """
    product = share * SCALE
    high = share * HALVING
    high = high - (high - share)
    lost = (high * SCALE - product) + (share - high) * SCALE
    whole = np.floor(product)
    beyond = (product - whole - 0.5) + lost
    if beyond > 0 or (beyond == 0 and whole % 2 == 1):
        whole += 1
    return np.int64(whole)
