"""One table of metrics against people's scores of systems: what papers on metrics print.

People's scores may be several, such as Expected Wins and TrueSkill, by edits and by sentences. Intervals draw sentences
where people's scores of sentences are known, otherwise systems: would it hold for other systems of this kind?
`better_than` counts the metrics over which Williams' test finds this one better (one-sided p below .05).

Outliers by people's scores (`correlations.outliers`) are left out in rows of their own.

Toy: people 1 2 3 4 and a metric 1 2 3 5 order all pairs alike: accuracy, rho and tau are 1.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

import numpy as np

from ranking.numbers.intervals import LEVEL, Estimate
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.metaevaluation.correlations import (
    RECOMMENDED,
    Choices,
    Coefficient,
    by_sentences,
    by_systems,
    outliers,
)
from ranking.stats.metaevaluation.pairwise_accuracy import pairwise_accuracy
from ranking.stats.metaevaluation.tables import CORRELATIONS, FEWEST_TO_TEST, SYSTEM, ScoredSystems, williams_tests

NAME = "meta_evaluation"
COLUMNS = (
    "people", "metric", "systems", "accuracy",
    *(f"{coefficient}{end}" for coefficient in Coefficient for end in ("", "_low", "_high")), "better_than",
)  # fmt: skip
REPLICATES, SIGNIFICANT = 1000, 0.05


class People(NamedTuple):
    """People's scores of systems under a name, NaN without; replicates by sentence, a row each, if they are known."""

    name: str
    scores: np.ndarray
    replicates: np.ndarray | None = None


def overview(
    people: Sequence[People], metrics: Sequence[ScoredSystems], seed: int, choices: Choices = RECOMMENDED
) -> Iterator[Table | Gap]:
    rows = []
    for one in chain.from_iterable(map(_with_and_without_outliers, people)):
        known = np.isfinite(one.scores)
        scored = [
            replace(metric, scores=metric.scores[known], replicates=_columns(metric.replicates, known))
            for metric in metrics
        ]
        better = _better(one.scores[known], scored)
        for number, metric in enumerate(scored):
            try:
                numbers = list(_numbers(one, known, metric, seed, choices))
                accuracy = pairwise_accuracy(one.scores[known], metric.scores)
            except StatisticsError as reason:
                yield Gap(f"{metric.name}, {one.name}", str(reason))
                continue
            cells = [cell for found in numbers for cell in (found.value, *found.interval)]
            rows.append((one.name, metric.name, int(known.sum()), accuracy, *cells, better.get(number)))
    if rows:
        yield Table.of(NAME, COLUMNS, rows)


def by_way(table: Table, people: str) -> dict[str, Table]:
    """The correlations by one way of scoring, in the form of the table of correlations, for its chart."""
    rows = [
        (row["metric"], SYSTEM, name.value, row[name.value], row[f"{name}_low"], row[f"{name}_high"], row["systems"])
        for row in table.dicts()
        if row["people"] == people
        for name in Coefficient
    ]
    return {"metric_correlations": Table.of("metric_correlations", CORRELATIONS, rows)}


def _with_and_without_outliers(people: People) -> Iterator[People]:
    yield people
    known = np.flatnonzero(np.isfinite(people.scores))
    with suppress(StatisticsError):
        if len(far := known[outliers(people.scores[known])]):
            scores = people.scores.copy()
            scores[far] = np.nan
            yield people._replace(name=f"{people.name}, without outliers", scores=scores)


def _columns(replicates: np.ndarray | None, known: np.ndarray) -> np.ndarray | None:
    return None if replicates is None else replicates[:, known]


def _numbers(
    people: People, known: np.ndarray, metric: ScoredSystems, seed: int, choices: Choices
) -> Iterator[Estimate]:
    scores = people.scores[known]
    for coefficient in Coefficient:
        if people.replicates is None:
            yield by_systems(scores, metric.scores, coefficient, REPLICATES, seed, LEVEL, choices)
        else:
            drawn = people.replicates[:, known]
            yield by_sentences(scores, metric.scores, drawn, coefficient, metric.replicates, LEVEL, choices)


def _better(scores: np.ndarray, metrics: Sequence[ScoredSystems]) -> dict[int, int]:
    """How many others each metric is better than, of those with varied scores."""
    varied = [number for number, metric in enumerate(metrics) if np.ptp(metric.scores) > 0]
    if len(varied) < 2 or len(scores) < FEWEST_TO_TEST:
        return {}
    tests = williams_tests(scores, np.array([metrics[number].scores for number in varied]))
    found = Counter(varied[test.metric] for test in tests if test.p_value < SIGNIFICANT)
    return {number: found[number] for number in varied}
