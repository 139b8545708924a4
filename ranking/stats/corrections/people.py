"""People and systems scored against people, by the number of people in the gold standard (Bryant and Ng 2015).

With the judges A, and f(a, X) the M2 score of a against the judges X, of whom M2 picks the best for each sentence,

    g(X) = mean over a in A without X of f(a, X)          (Equation 1)
    h_i  = mean over all X of i judges of g(X)            (Equation 2)
    s_i  = mean over all X of i judges of f(s, X)         (Equation 3)

for i from 1 to |A| - 1; the ratio of a system is s_i / h_i. The score is F, precision or recall. If there are more
subsets than the limit (by default those of 12 judges), a sample is drawn, and replicates resample it.

Toy: two judges score 0.4 and 0.6 by each other, so h_1 is 0.5; a system that scores 0.3 by one and 0.5 by the other has
s_1 = 0.4 and a ratio of 0.8.

Toy, one by one: Ada changes one word, Ben the same and another. Ben against Ada has 1 of 2 right and 1 of 1 found, F0.5
= 0.56; Ada against Ben has P = 1, R = 0.5 and F0.5 = 0.83. If Ada calls the edit `Nn` and Ben `Wform`, they agree in
neither category, though they wrote the same.
"""

from collections.abc import Iterator
from math import comb
from typing import NamedTuple

import numpy as np

from ranking.metrics.ratio import DRAWN, subsets_by_size
from ranking.numbers.intervals import interval_of
from ranking.numbers.tables import Gap, Table
from ranking.stats.corrections.judges import edits_by_kind
from ranking.stats.corrections.scoring import Corrections, DrawnBy, F, Rows, Units
from ranking.stats.corrections.study import CorrectionStudy

PEOPLE, JUDGE, SYSTEM = "people", "judge", "system"
COMBINATIONS = (
    "gold", "kind", "who", "subsets", "precision", "recall", "f", "f_low", "f_high", "ratio", "ratio_low", "ratio_high",
)  # fmt: skip
CATEGORIES = ("category", "edits", "judges", "gold", "precision", "recall", "f", "f_low", "f_high")
SUBSETS = (
    "documents", "sentences", "gold", "kind", "who", "f", "f_low", "f_high", "f_all", "ratio", "ratio_all",
)  # fmt: skip
ONE_BY_ONE = (
    "gold", "kind", "who", "sentences", "correct", "proposed", "wanted", "precision", "recall", "f",
)  # fmt: skip
SUBSETS_AT_ONCE = 32
# There are many categories, and their intervals need no more replicates than this.
MOST_OF_CATEGORIES = 200


class AgainstPeople(NamedTuple):
    """Scores of people together, then of each system (the last axis), against `gold` judges.

    The first axis is F, precision and recall. Replicates, a row for people and for each system, have F only.
    """

    gold: int
    subsets: int
    scores: np.ndarray
    replicates: np.ndarray

    def ratio(self, place: int) -> float | None:
        """F of a system over that of people; None where F of people is 0."""
        of_people = self.scores[F, 0]
        return float(self.scores[F, place] / of_people) if place and of_people > 0 else None

    def ends(self, place: int, level: float, of_ratio: bool = False) -> tuple[float | None, float | None]:
        """The interval of F, or of its ratio; None if no replicate has the number."""
        replicates, of_people = self.replicates[place], self.replicates[0]
        if of_ratio:
            replicates = replicates / np.where(of_people > 0, of_people, np.nan)
        return (None, None) if np.isnan(replicates).all() else interval_of(replicates, level)


def people_and_systems(study: CorrectionStudy) -> Iterator[Table]:
    """Scores by the number of judges in the gold standard."""
    level, rows = study.parameters.level, []
    for one in combinations(study.comparable_rows, study.units, study.parameters.seed, study.parameters.most_subsets):
        for place, who in enumerate(_who(study.comparable)):
            ratio = one.ratio(place), *(one.ends(place, level, of_ratio=True) if place else (None, None))
            f, precision, recall = one.scores[:, place]
            rows.append((one.gold, *who, one.subsets, precision, recall, f, *one.ends(place, level), *ratio))
    yield Table.of("combinations", COMBINATIONS, rows)


def _who(corrections: Corrections) -> list[tuple[str, str]]:
    return [(PEOPLE, PEOPLE), *((SYSTEM, name) for name in corrections.systems)]


def combinations(rows: Rows, units: Units, seed: int, most_subsets: int = DRAWN) -> Iterator[AgainstPeople]:
    """Score against all subsets of 1, 2, ... judges; judges are scored only against subsets without them."""
    rng, replicates, who = np.random.default_rng(seed), len(units.weights), 1 + len(rows.chosen) - rows.judges
    for size, subsets in enumerate(subsets_by_size(rows.judges, seed, most_subsets)[:-1], 1):
        many = len(subsets)
        # How often each subset occurs in each replicate, and which judges are outside each subset.
        often = np.ones((many, replicates))
        if many < comb(rows.judges, size):
            often = rng.multinomial(many, often[:, 0] / many, size=replicates).T.astype(float)
        others = np.array([[judge not in subset for judge in range(rows.judges)] for subset in subsets], dtype=float)
        found, found_again = np.zeros((3, who)), np.zeros((who, replicates))
        for first in range(0, many, SUBSETS_AT_ONCE):
            some = slice(first, min(first + SUBSETS_AT_ONCE, many))
            given = rows.counts, rows.chosen, subsets[some], units.unit_of, units.weights.shape[1]
            sums = rows.metric.totals_of_parts(*given)  # by subset, row and unit
            scores, again = rows.scores(sums.sum(axis=2)), rows.metric.f_of(units.sum_by_replicate(sums))
            share = others[some] / (rows.judges - size)
            found[:, 0] += np.einsum("ksj,sj->k", scores[:, :, : rows.judges], share)
            found[:, 1:] += scores[:, :, rows.judges :].sum(axis=1)
            of_others = np.matmul(share[:, None], again[:, : rows.judges])[:, 0]
            found_again[0] += (of_others * often[some]).sum(axis=0)
            found_again[1:] += (again[:, rows.judges :] * often[some][:, None]).sum(axis=0)
        yield AgainstPeople(size, many, found / many, found_again / many)


def each_against_each(study: CorrectionStudy) -> Iterator[Table | Gap]:
    corrections = study.corrections
    names = [*((JUDGE, name) for name in corrections.judges), *((SYSTEM, name) for name in corrections.systems)]
    found = one_by_one(Rows.of(corrections, study.parameters.beta))
    rows = [(corrections.judges[gold], *names[row], *cells) for gold, row, *cells in found]
    if rows:
        yield Table.of("one_by_one", ONE_BY_ONE, rows)
    else:
        yield Gap("one_by_one", "No two judges have a sentence in common, and no system takes part.")


def one_by_one(rows: Rows) -> Iterator[tuple]:
    """Each row against each judge alone, on the sentences that both judged, but no judge against themselves (Table 4).

    These are the judge, the row, and what ONE_BY_ONE has from `sentences` on.
    """
    judged = rows.corrections.is_judged
    everything = np.ones(judged.shape[1], dtype=bool)
    for gold in range(rows.judges):
        for row in range(len(rows.chosen)):
            both = np.flatnonzero(judged[gold] & (judged[row] if row < rows.judges else everything))
            if row != gold and len(both):
                chosen = np.ascontiguousarray(rows.chosen[row : row + 1, both])
                one_part = np.zeros(len(both), dtype=np.int64)
                # Correct, proposed and gold edits.
                sums = rows.metric.totals_of_parts(rows.counts, chosen, [[gold]], one_part, 1)[0, 0, 0]
                f, precision, recall = rows.scores(sums).tolist()
                yield gold, row, len(both), *sums.tolist(), precision, recall, f


def category_agreement(study: CorrectionStudy) -> Iterator[Table | Gap]:
    """Every judge with the edits of one category only against the others (section 6.1), the most frequent first.

    Edits of systems have no categories there either. Sentences without such an edit add nothing and are left out.
    """
    chosen, compared, rows = study.parameters, study.comparable, []
    for category, counts in edits_by_kind(compared).items():
        if not category or sum(counts) < chosen.least_edits:
            continue
        alone, there = edits_of_kind(compared, category)
        units = study.units.only(there, MOST_OF_CATEGORIES)
        heads = category, sum(counts), sum(count > 0 for count in counts)
        for one in combinations(Rows.of(alone, chosen.beta), units, chosen.seed, chosen.most_subsets):
            f, precision, recall = one.scores[:, 0]
            rows.append((*heads, one.gold, precision, recall, f, *one.ends(0, chosen.level)))
    if rows:
        yield Table.of("category_agreement", CATEGORIES, rows)
    else:
        yield Gap(
            "category_agreement",
            f"No category has the required number of edits, {chosen.least_edits}. Require fewer when you make a"
            " report, or have judges choose categories.",
        )


def edits_of_kind(corrections: Corrections, kind: str) -> tuple[Corrections, list[int]]:
    """The edits of one category by people, and the sentences with such edits."""
    kept = [
        [None if edits is None else tuple(edit for edit in edits if edit.kind == kind) for edits in row]
        for row in corrections.edits
    ]
    there = [place for place, edits in enumerate(zip(*kept, strict=True)) if any(edits)]
    source, documents = corrections.source, corrections.document_of
    alone = Corrections(
        tuple(source[place] for place in there), tuple(documents[place] for place in there), corrections.judges,
        tuple(tuple(row[place] for place in there) for row in kept),
    )  # fmt: skip
    return alone, there


def fewer_documents(study: CorrectionStudy) -> Iterator[Table]:
    """People and systems on the first documents alone (section 6.2), which were the first ten essays there.

    Intervals are over random draws of as many documents, without replacement, and show the effect of other choices.
    """
    chosen, compared = study.parameters, study.comparable
    if not chosen.documents:
        return
    drawn = Units.parts_of(compared, chosen.documents, chosen.replicates, chosen.seed)
    first = list(dict.fromkeys(compared.document_of))[: chosen.documents]
    there = [place for place, document in enumerate(compared.document_of) if document in first]
    alone = compared.only(range(len(compared.judges)), there)
    none, rows = Units.draw(alone, DrawnBy.DOCUMENT, 1, chosen.seed), []
    for one, every in zip(
        combinations(Rows.of(alone, chosen.beta), none, chosen.seed, chosen.most_subsets),
        combinations(study.comparable_rows, drawn, chosen.seed, chosen.most_subsets), strict=True,
    ):  # fmt: skip
        for place, who in enumerate(_who(compared)):
            rows.append((
                chosen.documents, len(there), one.gold, *who, one.scores[F, place], *every.ends(place, chosen.level),
                every.scores[F, place], one.ratio(place), every.ratio(place),
            ))  # fmt: skip
    yield Table.of("document_subsets", SUBSETS, rows)
