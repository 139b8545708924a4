"""People against people and systems against people, by how many people are the gold standard (Bryant and Ng 2015).

With the judges A, and f(a, X) the score of a by M2 against the judges X, of whom it takes the best for each sentence,

    g(X) = mean over a in A without X of f(a, X)          (Equation 1)
    h_i  = mean over all X of i judges of g(X)            (Equation 2)
    s_i  = mean over all X of i judges of f(s, X)         (Equation 3)

for i from 1 to |A| - 1; the ratio of a system is s_i / h_i. Of F, precision and recall alike. Where there are
more subsets than are wanted (those of 12 judges, if nothing else is said) some are drawn, and replicates draw again.

Toy: two judges score 0.4 and 0.6 by each other, so h_1 is 0.5; a system that scores 0.3 by one and 0.5 by the other has
s_1 = 0.4 and a ratio of 0.8.

Every judge and every system against each judge alone, on the sentences that both judged (Bryant and Ng, Table 4).

The same comparison from fewer documents (Bryant and Ng 2015, section 6.2): the first ones, and as chance draws them.

The published subset is the first ten essays. How far another choice might lead is told by drawing as many documents
again and again, without replacement.
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
    """Against so many judges: scores of people and of each system, F, precision and recall as the first axis.

    Replicates have F alone, by replicate. Where not all subsets were taken, some were drawn.
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
        """F of each system by that of people; None where people have nothing in common."""
        return self.systems[F] / self.people[F] if self.people[F] > 0 else None

    @property
    def ratio_replicates(self) -> np.ndarray:
        """The same of each replicate, NaN where people have nothing in common there."""
        people = self.people_replicates
        return self.systems_replicates / np.where(people > 0, people, np.nan)


def combinations(rows: Rows, units: Units, seed: int, most_subsets: int = DRAWN) -> list[Combined]:
    """By 1, 2, ... judges, each without those who are scored."""
    by_size = subsets_by_size(rows.judges, seed, most_subsets)[:-1]
    rng = np.random.default_rng(seed)
    return [_combined(rows, units, size, subsets, rng) for size, subsets in enumerate(by_size, 1)]


def _combined(rows: Rows, units: Units, size: int, subsets: Sequence[Subset], rng: np.random.Generator) -> Combined:
    are_all = len(subsets) == comb(rows.judges, size)
    replicates = len(units.weights)
    often = _often(len(subsets), replicates, are_all, rng)
    others = _others(rows.judges, subsets)
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


def _others(judges: int, subsets: Sequence[Subset]) -> np.ndarray:
    """Who is scored by each subset: 1 for those who are not in it."""
    others = np.ones((len(subsets), judges))
    for row, subset in zip(others, subsets, strict=True):
        row[list(subset)] = 0
    return others


def _often(subsets: int, replicates: int, are_all: bool, rng: np.random.Generator) -> np.ndarray:
    """How often each replicate has each subset: once, or as it is drawn where not all subsets were taken."""
    if are_all:
        return np.ones((subsets, replicates))
    return rng.multinomial(subsets, np.full(subsets, 1 / subsets), size=replicates).T.astype(float)


class OneByOne(NamedTuple):
    """A row of those that are scored against one judge: on how many sentences, with which counts and scores."""

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
    """Nobody against oneself, and nobody with whom there is no common sentence; counts are those of all sentences."""
    judged = rows.corrections.judged
    everything = np.ones(judged.shape[1], dtype=bool)
    for gold in range(rows.judges):
        for row in range(len(rows.chosen)):
            both = np.flatnonzero(judged[gold] & (judged[row] if row < rows.judges else everything))
            if row == gold or not len(both):
                continue
            sums = rows.sums([gold], row, both)
            yield OneByOne(gold, row, len(both), *sums.tolist(), *rows.scores(sums).tolist())


class OfSubset(NamedTuple):
    """From the first documents alone, and (as replicates) from as many that were drawn."""

    documents: int
    sentences: int
    first: list[Combined]
    drawn: list[Combined]


def first_documents(rows: Rows, documents: int, replicates: int, seed: int, most_subsets: int = DRAWN) -> OfSubset:
    """The first so many documents in the order of the text."""
    corrections = rows.corrections
    drawn = Units.parts_of(corrections, documents, replicates, seed)
    first = list(dict.fromkeys(corrections.document_of))[:documents]
    there = [place for place, document in enumerate(corrections.document_of) if document in first]
    chosen = corrections.only(range(rows.judges), there)
    alone = Rows.of(chosen, rows.metric.beta)
    none = Units.drawn(chosen, DrawnBy.DOCUMENT, 1, seed)
    return OfSubset(
        documents,
        len(there),
        combinations(alone, none, seed, most_subsets),
        combinations(rows, drawn, seed, most_subsets),
    )
