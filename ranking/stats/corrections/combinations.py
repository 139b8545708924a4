"""People and systems scored against people, by the number of people in the gold standard (Bryant and Ng 2015).

With the judges A, and f(a, X) the M2 score of a against the judges X, of whom M2 picks the best for each sentence,

    g(X) = mean over a in A without X of f(a, X)          (Equation 1)
    h_i  = mean over all X of i judges of g(X)            (Equation 2)
    s_i  = mean over all X of i judges of f(s, X)         (Equation 3)

for i from 1 to |A| - 1; the ratio of a system is s_i / h_i. The score is F, precision or recall. If there are more
subsets than the limit (by default those of 12 judges), a sample is drawn, and replicates resample it.

Toy: two judges score 0.4 and 0.6 by each other, so h_1 is 0.5; a system that scores 0.3 by one and 0.5 by the other has
s_1 = 0.4 and a ratio of 0.8.

`one_by_one` scores every judge and system against each judge alone, on the sentences that both judged (Table 4).

`first_documents` repeats the comparison on fewer documents (section 6.2). The published subset is the first ten essays;
random draws of as many documents, without replacement, show the effect of other choices.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np

from ranking.metrics.ratio import DRAWN, Subset, subsets_by_size
from ranking.stats.corrections.scoring import DrawnBy, F, Rows, Units


@dataclass(frozen=True)
class Combined:
    """Scores of people and of each system against `gold` judges; F, precision and recall are the first axis.

    Replicates have F only. The subsets are a sample unless `are_all`.
    """

    gold: int
    subsets: int
    are_all: bool
    people: np.ndarray
    systems: np.ndarray
    people_replicates: np.ndarray
    systems_replicates: np.ndarray

    @property
    def ratios(self) -> np.ndarray | None:
        """F of each system over that of people; None where F of people is 0."""
        return self.systems[F] / self.people[F] if self.people[F] > 0 else None

    @property
    def ratio_replicates(self) -> np.ndarray:
        people = self.people_replicates
        return self.systems_replicates / np.where(people > 0, people, np.nan)


def combinations(rows: Rows, units: Units, seed: int, most_subsets: int = DRAWN) -> list[Combined]:
    """Score against all subsets of 1, 2, ... judges; judges are scored only against subsets without them."""
    by_size = subsets_by_size(rows.judges, seed, most_subsets)[:-1]
    rng = np.random.default_rng(seed)
    return [_combined(rows, units, size, subsets, rng) for size, subsets in enumerate(by_size, 1)]


def _combined(rows: Rows, units: Units, size: int, subsets: Sequence[Subset], rng: np.random.Generator) -> Combined:
    are_all = len(subsets) == comb(rows.judges, size)
    replicates = len(units.weights)
    # How often each subset occurs in each replicate, and which judges are outside each subset.
    often = np.ones((len(subsets), replicates))
    if not are_all:
        often = rng.multinomial(len(subsets), often[:, 0] / len(subsets), size=replicates).T.astype(float)
    others = np.array([[judge not in subset for judge in range(rows.judges)] for subset in subsets], dtype=float)
    people, systems = np.zeros(3), np.zeros((3, len(rows.chosen) - rows.judges))
    people_again, systems_again = np.zeros(replicates), np.zeros((systems.shape[1], replicates))
    for some, sums in rows.sums_of_subsets(subsets, units):
        scores, again = rows.scores(sums.sum(axis=2)), rows.metric.f_of(units.replicated(sums))
        share = others[some] / (rows.judges - size)
        people += np.einsum("ksj,sj->k", scores[:, :, : rows.judges], share)
        systems += scores[:, :, rows.judges :].sum(axis=1)
        of_others = np.matmul(share[:, None], again[:, : rows.judges])[:, 0]
        people_again += (of_others * often[some]).sum(axis=0)
        systems_again += (again[:, rows.judges :] * often[some][:, None]).sum(axis=0)
    many = len(subsets)
    return Combined(size, many, are_all, people / many, systems / many, people_again / many, systems_again / many)


class OneByOne(NamedTuple):
    """One row scored against one judge: the number of common sentences, counts and scores."""

    gold: int
    row: int
    sentences: int
    correct: int
    proposed: int
    wanted: int
    f: float
    precision: float
    recall: float


def one_by_one(rows: Rows) -> Iterator[OneByOne]:
    """Score each row against each judge with common sentences, except judges against themselves."""
    judged = rows.corrections.judged
    everything = np.ones(judged.shape[1], dtype=bool)
    for gold in range(rows.judges):
        for row in range(len(rows.chosen)):
            both = np.flatnonzero(judged[gold] & (judged[row] if row < rows.judges else everything))
            if row == gold or not len(both):
                continue
            sums = rows.sums([gold], row, both)
            yield OneByOne(gold, row, len(both), *sums.tolist(), *rows.scores(sums).tolist())


def first_documents(
    rows: Rows, documents: int, replicates: int, seed: int, most_subsets: int = DRAWN
) -> tuple[int, list[Combined], list[Combined]]:
    corrections = rows.corrections
    drawn = Units.parts_of(corrections, documents, replicates, seed)
    first = list(dict.fromkeys(corrections.document_of))[:documents]
    there = [place for place, document in enumerate(corrections.document_of) if document in first]
    chosen = corrections.only(range(rows.judges), there)
    none = Units.drawn(chosen, DrawnBy.DOCUMENT, 1, seed)
    alone = combinations(Rows.of(chosen, rows.metric.beta), none, seed, most_subsets)
    return len(there), alone, combinations(rows, drawn, seed, most_subsets)
