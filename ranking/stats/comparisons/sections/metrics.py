"""Comparisons of metrics: with each other, among neighbouring systems, with calibrated ties, with other betas.

    F_beta = (1 + beta^2) P R / (beta^2 P + R),   0 where P or R is 0.

With beta below 1 precision counts more. The sweep of Grundkiewicz et al. (2015, Figure 3) goes from 1.00 down to 0.01
in steps of 0.01.

Toy: P = 1/2 and R = 1/4 have F_1 = 1/3, F_0.5 = (5/4)(1/8) / (1/8 + 1/4) = 5/12, and F approaches P as beta goes to 0.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import wraps

import numpy as np

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.comparisons.sections.metric_correlations import are_few
from ranking.stats.comparisons.sections.people import People, people_of
from ranking.stats.comparisons.study import ComparisonStudy
from ranking.stats.metaevaluation import overview
from ranking.stats.metaevaluation.correlations import RECOMMENDED, Choices, Coefficient, correlation
from ranking.stats.metaevaluation.scores import Level, pairs_of_ballots, pairs_of_systems
from ranking.stats.metaevaluation.sentence_level import calibrate
from ranking.stats.metaevaluation.tables import ScoredSystems, label, leave_out_of, scatter_of, williams_of, windows_of
from ranking.stats.rankings.methods import METHODS

BETAS = np.arange(100, 0, -1) / 100
PRECISION, RECALL = (" p", " precision"), (" r", " recall")
Tables = Iterator[Table | Gap]


def of_metrics(least: int) -> Callable[[Callable[[People], Tables]], Callable[[ComparisonStudy], Tables]]:
    """Turn tables into a section, empty without enough metrics or a human ranking; `metric_correlations` says why."""

    def section_of(tables: Callable[[People], Tables]) -> Callable[[ComparisonStudy], Tables]:
        @wraps(tables)
        def section(study: ComparisonStudy) -> Tables:
            people = people_of(study) if len(study.covariates.metrics) >= least else None
            if people:
                yield from tables(people)

        return section

    return section_of


@of_metrics(2)
def williams(people: People) -> Tables:
    """Test whether one metric correlates better than another on these systems."""
    decimals = people.choices.decimals
    yield from williams_of(np.round(people.scores, decimals) if decimals else people.scores, people.metrics)


@of_metrics(1)
def metric_windows(people: People) -> Tables:
    """Correlation among the best systems, and among neighbours."""
    yield from windows_of(people.scores, people.metrics, people.choices)


@of_metrics(1)
def metric_leave_out(people: People) -> Tables:
    yield from leave_out_of(people.study.names.systems, people.scores, people.metrics, people.choices)


@of_metrics(1)
def metric_scatter(people: People) -> Tables:
    yield from scatter_of(people.study.names.systems, people.scores, people.metrics)


@of_metrics(1)
def meta_evaluation(people: People) -> Iterator[Table | Gap]:
    """Every metric against the ranking by each method of the report, in the one table that papers print."""
    study, ways = people.study, []
    pairs = (lambda scores: pairs_of_systems(study.ballots, scores, distinct=True)) if are_few(people) else None
    for method in (METHODS[name] for name in study.parameters.methods):
        with suppress(StatisticsError):
            ways.append(
                overview.People(method.label, study.scores(method), study.replicates(method), pairs, people.judged)
            )
    named = [replace(metric, name=label(metric, people.metrics)) for metric in people.metrics]
    chosen = study.parameters
    for part in overview.overview(ways, named, chosen.seed, people.choices, chosen.level):
        if isinstance(part, Gap) or part.name == overview.NAME:  # windows and ties have tables of their own
            yield part


def tie_calibration(study: ComparisonStudy) -> Iterator[Table]:
    """Largest difference of a metric's scores that counts as a tie, fitted to the ties of people."""
    rows = []
    for metric in study.covariates.metrics:
        if metric.level is Level.SENTENCE:
            try:
                found = calibrate(pairs_of_ballots(study.ballots, metric.scores))
            except StatisticsError:
                continue
            rows.append((metric.metric, found.epsilon, found.accuracy, found.uncalibrated))
    if rows:
        yield Table.of("tie_calibration", ("metric", "epsilon", "accuracy", "uncalibrated"), rows)


@of_metrics(2)
def f_beta(people: People) -> Tables:
    """Correlation of F with people for every beta, for metrics with known precision and recall (Figure 3)."""
    rows = []
    for name, precision, recall in _precision_and_recall(people.metrics):
        found = curves(people.scores, precision, recall, choices=people.choices)
        rows += [(name, *values) for values in zip(BETAS, *found.values(), strict=True)]
    if rows:
        yield Table.of("f_beta", ("metric", "beta", *(coefficient.value for coefficient in Coefficient)), rows)


def f_score(precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
    precision, recall, square = np.broadcast_arrays(precision, recall, np.square(beta, dtype=float))
    below = square * precision + recall
    both = (precision > 0) & (recall > 0)
    return np.divide((1 + square) * precision * recall, below, out=np.zeros(below.shape), where=both)


def curves(
    human: np.ndarray, precision: np.ndarray, recall: np.ndarray, choices: Choices = RECOMMENDED
) -> dict[Coefficient, np.ndarray]:
    """For each coefficient the correlation of F with people, by beta (Figure 3)."""
    scores = [f_score(precision, recall, beta) for beta in BETAS]
    return {
        coefficient: np.array([correlation(human, score, coefficient, choices) for score in scores])
        for coefficient in Coefficient
    }


def _precision_and_recall(metrics: list[ScoredSystems]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield the metrics named `NAME P` and `NAME R`."""
    recalls = {name: metric.scores for metric in metrics if (name := _before(metric.name, RECALL))}
    for metric in metrics:
        if (name := _before(metric.name, PRECISION)) and name in recalls:
            yield name, metric.scores, recalls[name]


def _before(name: str, ends: tuple[str, ...]) -> str:
    """Strip one of these endings; return an empty string if there is none."""
    return next((name[: -len(end)] for end in ends if name.casefold().endswith(end)), "")
