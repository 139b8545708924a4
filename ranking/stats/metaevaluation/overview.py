"""One table of metrics against people: what papers on metrics print, over systems and on sentences.

People's scores of systems may be several, such as Expected Wins and TrueSkill, by edits and by sentences. Intervals
over systems draw sentences where people's judgments of sentences are known, otherwise systems: would it hold for other
systems of this kind? `system_better_than` counts the metrics over which Williams' test finds this one better (one-sided
p below .05). Soft pairwise accuracy compares people's p, from these replicates or as given, with the metric's, from
permutations of sentences.

On sentences, accuracy and tau are about the pairs that people decided (`sentence_level`), and intervals draw sentences.
`sentence_better_than` counts the metrics that have a lower accuracy on more than 95 % of the draws.

Outliers by people's scores (`correlations.outliers`) are left out in rows of their own, and so are their outputs.

Toy: people 1 2 3 4 and a metric 1 2 3 5 order all pairs alike: accuracy, rho and tau are 1.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import NamedTuple

import numpy as np

from ranking.metrics.scoring import SEED
from ranking.numbers.intervals import LEVEL, Estimate
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.metaevaluation.correlations import (
    RECOMMENDED,
    Choices,
    Coefficient,
    by_sentences,
    by_systems,
    outliers,
    pairwise_accuracy,
    permutation_p,
    replicate_p,
    soft_pairwise_accuracy,
)
from ranking.stats.metaevaluation.scores import ScorePairs, calibrate, on_decided_pairs
from ranking.stats.metaevaluation.tables import (
    CORRELATIONS,
    FEWEST_TO_TEST,
    ON_SENTENCES,
    SYSTEM,
    WINDOWS,
    ScoredSystems,
    williams_tests,
    windows_of,
)

INLIER = ", without outliers"
NAME, WINDOWS_OF, TIES_OF = "meta_evaluation", "meta_evaluation_windows", "meta_evaluation_ties"
WITH_INTERVALS = (*(f"system_{coefficient}" for coefficient in Coefficient), *ON_SENTENCES)
COLUMNS = (
    "people", "metric", "systems", "system_accuracy", "system_soft_accuracy",
    *(f"system_{coefficient}{end}" for coefficient in Coefficient for end in ("", "_low", "_high")),
    "system_better_than", "sentence_pairs", *(f"{name}{end}" for name in ON_SENTENCES for end in ("", "_low", "_high")),
    "sentence_better_than",
)  # fmt: skip
WINDOW, TIE = ("people", *WINDOWS), ("people", "metric", "epsilon", "accuracy", "uncalibrated")
REPLICATES, SIGNIFICANT = 1000, 0.05
Found = dict[str, float | None]


class People(NamedTuple):
    """People's scores of systems under a name, NaN without; replicates by sentence, a row each, if they are known.

    `pairs` sets a metric's scores of sentences (row) by system (column) beside people's judgments; `judged` are the
    sentences on which its certainty is compared with people's. `p_values` has people's one-sided p of "row better than
    column", if not that of the replicates.
    """

    name: str
    scores: np.ndarray
    replicates: np.ndarray | None = None
    pairs: Callable[[np.ndarray], ScorePairs] | None = None
    judged: np.ndarray | None = None
    p_values: np.ndarray | None = None

    def without_outliers(self) -> Iterator["People"]:
        known = np.flatnonzero(np.isfinite(self.scores))
        with suppress(StatisticsError):
            if len(far := known[outliers(self.scores[known])]):
                scores = self.scores.copy()
                scores[far] = np.nan
                yield self._replace(name=f"{self.name}{INLIER}", scores=scores)


def overview(
    people: Sequence[People],
    metrics: Sequence[ScoredSystems],
    seed: int,
    choices: Choices = RECOMMENDED,
    level: float = LEVEL,
) -> Iterator[Table | Gap]:
    """Yield the table, that of windows, that of calibrated ties, and what could not be computed."""
    rows = []
    for one in chain.from_iterable((each, *each.without_outliers()) for each in people):
        known = np.isfinite(one.scores)
        better = _better(one.scores[known], [metric.at(known) for metric in metrics])
        try:
            on_sentences = _on_sentences(one, metrics, seed, choices, level)
        except StatisticsError as reason:
            yield Gap(f"{one.name}, by sentence", str(reason))
            on_sentences = {}
        for number, metric in enumerate(metrics):
            try:
                found = _over_systems(one, known, metric.at(known), seed, choices, level)
            except StatisticsError as reason:
                yield Gap(f"{metric.name}, {one.name}", str(reason))
                continue
            found |= {"system_better_than": better.get(number), **on_sentences.get(number, {})}
            rows.append((one.name, metric.name, int(known.sum()), *(found.get(name) for name in COLUMNS[3:])))
    windows = [(one.name, *row) for one in people for row in _windows(one, metrics, choices)]
    ties = [(one.name, *row) for one in people for row in _calibrated(one, metrics)]
    for name, columns, found_rows in ((NAME, COLUMNS, rows), (WINDOWS_OF, WINDOW, windows), (TIES_OF, TIE, ties)):
        if found_rows:
            yield Table.of(name, columns, found_rows)


def by_way(table: Table, people: str) -> dict[str, Table]:
    """The correlations by one way of scoring, in the form of the table of correlations, for its chart."""
    names = dict(zip(WITH_INTERVALS, (*(name.value for name in Coefficient), *ON_SENTENCES), strict=True))
    rows = [
        (row["metric"], SYSTEM, shown, row[name], row[f"{name}_low"], row[f"{name}_high"], row["systems"])
        for row in table.dicts()
        if row["people"] == people
        for name, shown in names.items()
        if row[name] is not None
    ]
    return {"metric_correlations": Table.of("metric_correlations", CORRELATIONS, rows)}


def _over_systems(
    people: People, known: np.ndarray, metric: ScoredSystems, seed: int, choices: Choices, level: float
) -> Found:
    scores, found = people.scores[known], Found()
    drawn = None if people.replicates is None else people.replicates[:, known]
    for coefficient in Coefficient:
        if drawn is None:
            one = by_systems(scores, metric.scores, coefficient, REPLICATES, seed, level, choices)
        else:
            one = by_sentences(scores, metric.scores, drawn, coefficient, metric.replicates, level, choices)
        found |= _cells(f"system_{coefficient}", one)
    found["system_accuracy"] = pairwise_accuracy(scores, metric.scores)
    if people.judged is not None and metric.sentences is not None:
        complete = metric.sentences[people.judged & np.isfinite(metric.sentences).all(axis=1)]
        if len(complete):
            p_metric = permutation_p(complete, REPLICATES, SEED)
            found["system_soft_accuracy"] = soft_pairwise_accuracy(_p_values(people, known), p_metric)
    return found


def _p_values(people: People, known: np.ndarray) -> np.ndarray:
    if people.p_values is not None:
        return people.p_values[np.ix_(known, known)]
    if people.replicates is None:
        raise StatisticsError("People's certainty is unknown without replicates or p-values.")
    drawn = people.replicates[:, known]
    return replicate_p(drawn[np.isfinite(drawn).all(axis=1)])


def _better(scores: np.ndarray, metrics: Sequence[ScoredSystems]) -> dict[int, int]:
    """How many others each metric is better than, of those with varied scores."""
    varied = [number for number, metric in enumerate(metrics) if np.ptp(metric.scores) > 0]
    if len(varied) < 2 or len(scores) < FEWEST_TO_TEST or not np.ptp(scores):
        return {}
    tests = williams_tests(scores, np.array([metrics[number].scores for number in varied]))
    found = Counter(varied[test.metric] for test in tests if test.p_value < SIGNIFICANT)
    return {number: found[number] for number in varied}


def _on_sentences(
    people: People, metrics: Sequence[ScoredSystems], seed: int, choices: Choices, level: float
) -> dict[int, Found]:
    """The numbers of each metric that scores sentences."""
    pairs = dict(_pairs(people, metrics))
    decided = on_decided_pairs(list(pairs.values()), choices.ties, REPLICATES, seed, level) if pairs else []
    found = {}
    for number, one in zip(pairs, decided, strict=True):
        apart = [one.replicates - other.replicates for other in decided if other is not one]
        better = [np.mean(each < 0) + np.mean(each == 0) / 2 < SIGNIFICANT for each in apart]
        cells = _cells("sentence_accuracy", one.accuracy) | _cells("sentence_tau", one.tau)
        found[number] = {"sentence_pairs": one.pairs, "sentence_better_than": sum(map(int, better)), **cells}
    return found


def _pairs(people: People, metrics: Sequence[ScoredSystems]) -> Iterator[tuple[int, ScorePairs]]:
    """Yield the pairs of each metric that scores sentences, by its number."""
    for number, metric in enumerate(metrics):
        if people.pairs and metric.sentences is not None:
            with suppress(StatisticsError):
                yield number, people.pairs(np.where(np.isfinite(people.scores), metric.sentences, np.nan))


def _windows(people: People, metrics: Sequence[ScoredSystems], choices: Choices) -> Iterator[tuple]:
    known = np.isfinite(people.scores)
    for table in windows_of(people.scores[known], [metric.at(known) for metric in metrics], choices):
        yield from table.rows


def _calibrated(people: People, metrics: Sequence[ScoredSystems]) -> Iterator[tuple]:
    for number, pairs in _pairs(people, metrics):
        yield metrics[number].name, *calibrate(pairs)


def _cells(name: str, found: Estimate) -> Found:
    return {name: found.value, f"{name}_low": found.interval.low, f"{name}_high": found.interval.high}
