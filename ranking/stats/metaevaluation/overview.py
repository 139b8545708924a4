"""One table of metrics against people: what papers on metrics print, over systems and on sentences.

People's scores of systems may be several, such as Expected Wins and TrueSkill, by edits and by sentences. Intervals
over systems draw sentences where people's judgments of sentences are known, otherwise systems: would it hold for other
systems of this kind? Soft pairwise accuracy compares people's p, from these replicates or as given, with the metric's,
from permutations of sentences.

On sentences, accuracy and tau are about the pairs that people decided (`sentences`), and intervals draw sentences.

`better_on_systems`, `better_on_sentences` and `better_by_sentence` count the metrics that this one is better than by
each test of `metric_tests`.

Outliers by people's scores (`correlations.outliers`) are left out in rows of their own, and so are their outputs.

Toy: people 1 2 3 4 and a metric 1 2 3 5 order all pairs alike: accuracy, rho and tau are 1.

`averages` has one line a metric over several campaigns or test sets. A test set has a few systems, on which any metric
may be lucky; the mean over test sets is what papers rank metrics by, and `_min` and `_max` say how far it holds. Only a
metric and a ranking by people that all of them have are averaged.

Toy: with r of .9 on one test set and .5 on another the mean is .7, from .5 to .9.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product

import numpy as np

from ranking.numbers.intervals import LEVEL
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.metaevaluation.correlations import (
    ACCURACY,
    CORRELATIONS,
    RECOMMENDED,
    SCATTER,
    SOFT_ACCURACY,
    WINDOWS,
    Coefficient,
    CorrelationChoices,
    outliers,
    system_rows,
    windows,
    without_each,
)
from ranking.stats.metaevaluation.metric_tests import (
    BY_SENTENCES,
    COMPARISONS,
    OTHER_SENTENCES,
    OTHER_SYSTEMS,
    WILLIAMS,
    comparisons_of_metrics,
    williams_rows,
)
from ranking.stats.metaevaluation.scores import SYSTEM, HumanScores, ScoredSystems, ScorePairs
from ranking.stats.metaevaluation.sentences import ON_SENTENCES, OnDecidedPairs, calibrate, on_decided_pairs

INLIER = ", without outliers"
NAME, COMPARED = "meta_evaluation", "metric_comparisons"
# How many metrics each is better than, by each test.
BETTER = {
    "better_on_systems": OTHER_SYSTEMS,
    "better_on_sentences": OTHER_SENTENCES,
    "better_by_sentence": BY_SENTENCES,
}
TIES = ("sentence_epsilon", "sentence_acc_eq_calibrated", "sentence_acc_eq")
COLUMNS = (
    "people", "metric", "systems", "system_accuracy", "system_soft_accuracy",
    *(f"system_{coefficient}{end}" for coefficient in Coefficient for end in ("", "_low", "_high")),
    "sentence_pairs", *(f"{name}{end}" for name in ON_SENTENCES for end in ("", "_low", "_high")), *TIES, *BETTER,
)  # fmt: skip
AVERAGED = (
    "system_accuracy", "system_soft_accuracy", *(f"system_{coefficient}" for coefficient in Coefficient), *ON_SENTENCES
)  # fmt: skip
AVERAGES = ("people", "metric", "campaigns", *(f"{name}{end}" for name in AVERAGED for end in ("", "_min", "_max")))
# Draws of systems and sentences, and permutations, but for reports, which choose them.
DRAWN, SIGNIFICANT = 1000, 0.05
# What columns call the numbers over systems that are no coefficients.
SHORT = {ACCURACY: "accuracy", SOFT_ACCURACY: "soft_accuracy"}
Cells = dict[str, float | None]
# By number of the metric, where it scores sentences.
OnSentences = tuple[dict[int, OnDecidedPairs], dict[int, Cells]]


def overview(
    people: Sequence[HumanScores], metrics: Sequence[ScoredSystems], seed: int,
    choices: CorrelationChoices = RECOMMENDED, level: float = LEVEL, replicates: int = DRAWN,
) -> Iterator[Table | Gap]:  # fmt: skip
    """Yield the table, that of comparisons, and what could not be computed."""
    rows, compared = list[tuple](), list[tuple]()
    # Rankings by several methods may be of the same judgments of sentences.
    seen: dict[tuple, OnSentences] = {}
    for one in (part for each in people for part in (each, *_without_outliers(each))):
        known = np.isfinite(one.scores)
        ours, theirs = one.at(known), [metric.at(known) for metric in metrics]
        if (judgments := (one.pairs, known.tobytes())) not in seen:
            seen[judgments] = {}, {}
            try:
                seen[judgments] = _on_sentences(one, known, metrics, replicates, seed, level)
            except StatisticsError as reason:
                yield Gap(f"{one.name}, by sentence", str(reason))
        decided, on_sentences = seen[judgments]
        tests = comparisons_of_metrics(ours, theirs, decided, level, choices)
        compared += tests
        for number, metric in enumerate(theirs):
            try:
                numbers = list(system_rows(ours, metric, replicates, seed, level, choices))
            except StatisticsError as reason:
                yield Gap(f"{metric.name}, {one.name}", str(reason))
                continue
            cells = Cells(on_sentences.get(number, {}))
            for name, *values in numbers:
                cells |= _cells(f"system_{SHORT.get(name, name)}", *values)
            for column, test in BETTER.items():
                if tested := [row for row in tests if row[1] == test and metric.name in row[2:4]]:
                    cells[column] = sum(
                        row[2] == metric.name and row[-1] is not None and row[-1] <= SIGNIFICANT for row in tested
                    )
            rows.append((one.name, metric.name, len(ours.scores), *(cells.get(name) for name in COLUMNS[3:])))
    for name, columns, found in ((NAME, COLUMNS, rows), (COMPARED, COMPARISONS, compared)):
        if found:
            yield Table.of(name, columns, found)


def windows_of(
    people: Sequence[HumanScores], metrics: Sequence[ScoredSystems], choices: CorrelationChoices
) -> Iterator[Table]:
    """Correlations among the best systems and among neighbours, by each ranking."""
    rows: list[tuple] = []
    for one in people:
        known = np.isfinite(one.scores)
        human = one.scores[known]
        size = choices.window or max(4, (len(human) + 1) // 2)
        for metric, coefficient in product(metrics, Coefficient):
            with suppress(StatisticsError):
                found = windows(human, metric.scores[known], size, coefficient, choices)
                rows += [(one.name, metric.name, *places, coefficient.value, value) for *places, value in found]
    if rows:
        yield Table.of("metric_windows", WINDOWS, rows)


def behind_correlations(
    names: Sequence[str], human: np.ndarray, metrics: Sequence[ScoredSystems], choices: CorrelationChoices
) -> Iterator[Table | Gap]:
    """Tests between metrics, and what correlations rest on: those without each system, and the scores of each."""
    try:
        if tests := williams_rows(human if choices.decimals is None else np.round(human, choices.decimals), metrics):
            yield Table.of("williams", WILLIAMS, tests)
    except StatisticsError as reason:
        yield Gap("Williams' tests", str(reason))
    left_out, points = list[tuple](), list[tuple]()
    for metric in metrics:
        for coefficient in Coefficient:
            with suppress(StatisticsError):
                found = without_each(human, metric.scores, coefficient, choices)
                left_out += [
                    (metric.name, metric.level, name, coefficient.value, value)
                    for name, value in zip(names, found, strict=True)
                ]
        scores = zip(names, human.tolist(), metric.scores.tolist(), strict=True)
        points += [(metric.name, metric.level, *row) for row in scores]
    if left_out:
        yield Table.of("metric_leave_out", ("metric", "level", "left_out", "coefficient", "value"), left_out)
    if points:
        yield Table.of("metric_scatter", SCATTER, points)


def averages(campaigns: Sequence[Sequence[Mapping[str, str]]]) -> tuple[Table, list[str]]:
    """The table, by falling Pearson's r, and what is left out because some campaign lacks it."""
    lines = [{(row["people"], row["metric"]): row for row in rows} for rows in campaigns]
    shared = set.intersection(*map(set, lines))
    rows = list[tuple]()
    by_r = AVERAGED.index(f"system_{Coefficient.PEARSON}")
    for people, metric in shared:
        cells = [[of[people, metric].get(name, "") for of in lines] for name in AVERAGED]
        values = [None if "" in row else [float(cell) for cell in row] for row in cells]
        found = [(float(np.mean(row)), min(row), max(row)) if row else (None, None, None) for row in values]
        rows.append(
            (people, -(found[by_r][0] or 0), metric, len(lines), *(number for three in found for number in three))
        )
    ordered = [(row[0], *row[2:]) for row in sorted(rows, key=lambda row: row[:3])]
    left_out = sorted(f"{metric} by {people}" for people, metric in set().union(*lines) - shared)
    return Table.of("meta_evaluation_averages", AVERAGES, ordered), left_out


def by_way(table: Table, people: str) -> dict[str, Table]:
    """The correlations by one way of scoring, in the form of the table of correlations, for its chart."""
    names = {f"system_{name}": name.value for name in Coefficient} | {name: name for name in ON_SENTENCES[:2]}
    rows = [
        (row["metric"], SYSTEM, shown, row[name], row[f"{name}_low"], row[f"{name}_high"], row["systems"])
        for row in table.dicts()
        if row["people"] == people
        for name, shown in names.items()
        if row[name] is not None
    ]
    return {"metric_correlations": Table.of("metric_correlations", CORRELATIONS, rows)}


def _without_outliers(people: HumanScores) -> Iterator[HumanScores]:
    known = np.flatnonzero(np.isfinite(people.scores))
    with suppress(StatisticsError):
        if len(far := known[outliers(people.scores[known])]):
            scores = people.scores.copy()
            scores[far] = np.nan
            yield replace(people, name=f"{people.name}{INLIER}", scores=scores)


def _on_sentences(
    people: HumanScores, known: np.ndarray, metrics: Sequence[ScoredSystems], replicates: int, seed: int, level: float
) -> OnSentences:
    pairs: dict[int, ScorePairs] = {}
    for number, metric in enumerate(metrics):
        if people.pairs and metric.sentences is not None:
            with suppress(StatisticsError):
                pairs[number] = people.pairs(np.where(known, metric.sentences, np.nan))
    found = on_decided_pairs(list(pairs.values()), replicates, seed, level) if pairs else []
    decided, cells = dict(zip(pairs, found, strict=True)), dict[int, Cells]()
    for number, one in decided.items():
        cells[number] = {"sentence_pairs": one.pairs} | dict(zip(TIES, calibrate(pairs[number]), strict=True))
        for name, estimate in one.numbers.items():
            cells[number] |= _cells(name, estimate.value, *estimate.interval)
    return decided, cells


def _cells(name: str, value: float, low: float | None, high: float | None) -> Cells:
    return {name: value, f"{name}_low": low, f"{name}_high": high}
