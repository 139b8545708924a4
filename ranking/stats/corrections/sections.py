"""Sections on corrections: edits by judge, scores against people, categories, fewer documents, agreement."""

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from ranking.numbers.intervals import interval_of
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.corrections.agreement import different, pairs, same_as_others
from ranking.stats.corrections.combinations import Combined, combinations, first_documents, one_by_one
from ranking.stats.corrections.counting import by_category, categories, diligence
from ranking.stats.corrections.scoring import PRECISION, RECALL, F, Rows
from ranking.stats.corrections.study import CorrectionStudy

PEOPLE, JUDGE, SYSTEM, EVERYBODY = "people", "judge", "system", "everybody"
BY_JUDGE = (
    "judge", "sentences", "changed", "edits", "edits_a_sentence", "edits_a_hundred_words", "inserted", "deleted",
    "replaced", "compared",
)  # fmt: skip
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
PAIRS = ("judge", "other", "sentences", "same", "both_change", "kappa", "same_edits")


def edits_by_judge(study: CorrectionStudy) -> Iterator[Table]:
    """How much each judge corrects, and in which categories."""
    corrections = study.corrections
    compared: tuple[str, ...] = ()
    with suppress(StatisticsError):
        compared = study.compared.judges
    rows = [
        (
            name, one.sentences, one.changed, one.edits, one.a_sentence, one.a_hundred_words, one.inserted, one.deleted,
            one.replaced, name in compared,
        )
        for name, one in zip(corrections.judges, diligence(corrections), strict=True)
    ]  # fmt: skip
    yield Table.of("edits_by_judge", BY_JUDGE, rows)
    counted = by_category(corrections)
    if set(counted) - {""}:
        shares = _shares(corrections.judges, counted)
        yield Table.of("edits_by_category", ("category", "judge", "edits", "share"), shares)
    if study.labels:
        labels = [(corrections.judges[judge], label, many) for judge, label, many in study.labels]
        yield Table.of("labels", ("judge", "label", "sentences"), labels)


def people_and_systems(study: CorrectionStudy) -> Iterator[Table]:
    """Scores by the number of judges in the gold standard."""
    found = combinations(study.compared_rows, study.units, study.parameters.seed, study.parameters.most_subsets)
    rows = [row for combined in found for row in _of_combined(study, combined)]
    yield Table.of("combinations", COMBINATIONS, rows)


def each_against_each(study: CorrectionStudy) -> Iterator[Table | Gap]:
    corrections = study.corrections
    names = [*((JUDGE, name) for name in corrections.judges), *((SYSTEM, name) for name in corrections.systems)]
    rows = [
        (
            corrections.judges[one.gold], *names[one.row], one.sentences, one.correct, one.proposed, one.wanted,
            one.precision, one.recall, one.f,
        )
        for one in one_by_one(Rows.of(corrections, study.parameters.beta))
    ]  # fmt: skip
    if rows:
        yield Table.of("one_by_one", ONE_BY_ONE, rows)
    else:
        yield Gap("one_by_one", "No two judges have a sentence in common, and no system takes part.")


def category_agreement(study: CorrectionStudy) -> Iterator[Table | Gap]:
    chosen = study.parameters
    rows = [
        (
            found.category, found.edits, found.judges, one.gold, one.people[PRECISION], one.people[RECALL],
            one.people[F], *_ends(one.people_replicates, chosen.level),
        )
        for found in categories(
            study.compared, chosen.beta, chosen.least_edits, study.units, chosen.seed, chosen.most_subsets
        )
        for one in found.by_gold
    ]  # fmt: skip
    if rows:
        yield Table.of("category_agreement", CATEGORIES, rows)
    else:
        yield Gap(
            "category_agreement",
            f"No category has the required number of edits, {chosen.least_edits}. Require fewer when you request a"
            " report, or have judges choose categories.",
        )


def fewer_documents(study: CorrectionStudy) -> Iterator[Table]:
    """People and systems on the first documents alone, with intervals over other choices of as many documents."""
    chosen = study.parameters
    if not chosen.documents:
        return
    sentences, of_first, of_drawn = first_documents(
        study.compared_rows, chosen.documents, chosen.replicates, chosen.seed, chosen.most_subsets
    )
    rows = []
    for first, drawn in zip(of_first, of_drawn, strict=True):
        heads = (chosen.documents, sentences, first.gold)
        low, high = _ends(drawn.people_replicates, chosen.level)
        rows.append((*heads, PEOPLE, PEOPLE, first.people[F], low, high, drawn.people[F], None, None))
        for place, name in enumerate(study.compared.systems):
            low, high = _ends(drawn.systems_replicates[place], chosen.level)
            ratios = (None if each.ratios is None else each.ratios[place] for each in (first, drawn))
            rows.append((*heads, SYSTEM, name, first.systems[F, place], low, high, drawn.systems[F, place], *ratios))
    yield Table.of("document_subsets", SUBSETS, rows)


def agreement(study: CorrectionStudy) -> Iterator[Table | Gap]:
    names = study.corrections.judges
    rows = [(names[pair.judge], names[pair.other], *pair[2:]) for pair in pairs(study.corrections)]
    if rows:
        yield Table.of("correction_pairs", PAIRS, rows)
    try:
        compared = study.compared
    except StatisticsError as reason:
        yield Gap("same_as_others", str(reason))
        return
    same = [
        (one.others, *line)
        for one in same_as_others(compared)
        for line in ((EVERYBODY, one.mean), *zip(compared.judges, one.judges, strict=True))
    ]
    yield Table.of("same_as_others", ("others", "judge", "same"), same)
    counted = np.bincount(different(compared))
    shares = [(number, counted[number], counted[number] / len(compared)) for number in range(1, len(counted))]
    yield Table.of("different_corrections", ("different", "sentences", "share"), shares)


def _shares(judges: tuple[str, ...], counted: dict[str, list[int]]) -> Iterator[tuple]:
    """Yield the edits of each category in total and by judge, with their share of all edits of the same people."""
    totals = [sum(counts) for counts in zip(*counted.values(), strict=True)]
    for category, counts in counted.items():
        everybody = sum(counts)
        yield category, EVERYBODY, everybody, everybody / sum(totals)
        for judge, many, total in zip(judges, counts, totals, strict=True):
            yield category, judge, many, many / total if total else None


def _of_combined(study: CorrectionStudy, one: Combined) -> Iterator[tuple]:
    level = study.parameters.level
    heads = one.people[[PRECISION, RECALL, F]].tolist()
    ends = _ends(one.people_replicates, level)
    yield one.gold, PEOPLE, PEOPLE, one.subsets, *heads, *ends, None, None, None
    for place, name in enumerate(study.compared.systems):
        ratio = None if one.ratios is None else one.ratios[place]
        yield (
            one.gold, SYSTEM, name, one.subsets, *one.systems[[PRECISION, RECALL, F], place].tolist(),
            *_ends(one.systems_replicates[place], level), ratio, *_ends(one.ratio_replicates[place], level),
        )  # fmt: skip


def _ends(replicates: np.ndarray, level: float) -> tuple[float | None, float | None]:
    """Return the interval of a number, or None if no replicate has the number."""
    try:
        return interval_of(replicates, level)
    except StatisticsError:
        return None, None
