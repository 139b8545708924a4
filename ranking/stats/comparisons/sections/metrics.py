"""Comparisons of metrics: with each other, among neighbouring systems, with calibrated ties, with other betas."""

from collections.abc import Callable, Iterator
from functools import wraps

import numpy as np

from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.comparisons.sections.people import People, people_of
from ranking.stats.comparisons.study import Study
from ranking.stats.metaevaluation.correlations import Coefficient
from ranking.stats.metaevaluation.fbeta import BETAS, curves
from ranking.stats.metaevaluation.scores import Level, pairs_of_ballots
from ranking.stats.metaevaluation.sentence_level import calibrate
from ranking.stats.metaevaluation.tables import ScoredSystems, leave_out_of, scatter_of, williams_of, windows_of

PRECISION, RECALL = (" p", " precision"), (" r", " recall")
Tables = Iterator[Table]


def of_metrics(least: int) -> Callable[[Callable[[People], Tables]], Callable[[Study], Tables]]:
    """Make a section of studies with enough metrics and a human ranking; that on correlations says what is missing."""

    def section_of(tables: Callable[[People], Tables]) -> Callable[[Study], Tables]:
        @wraps(tables)
        def section(study: Study) -> Tables:
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


def tie_calibration(study: Study) -> Iterator[Table]:
    """The largest difference of a metric's scores that counts as a tie, fitted to the ties of people."""
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
    """The correlation of F with people for every beta, for metrics with known precision and recall (Figure 3)."""
    rows = []
    for name, precision, recall in _precision_and_recall(people.metrics):
        found = curves(people.scores, precision, recall, choices=people.choices)
        rows += [(name, *values) for values in zip(BETAS, *found.values(), strict=True)]
    if rows:
        yield Table.of("f_beta", ("metric", "beta", *(coefficient.value for coefficient in Coefficient)), rows)


def _precision_and_recall(metrics: list[ScoredSystems]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Pairs of metrics called `NAME P` and `NAME R`."""
    recalls = {name: metric.scores for metric in metrics if (name := _before(metric.name, RECALL))}
    for metric in metrics:
        if (name := _before(metric.name, PRECISION)) and name in recalls:
            yield name, metric.scores, recalls[name]


def _before(name: str, ends: tuple[str, ...]) -> str:
    """A name without one of these endings; empty if it has none."""
    return next((name[: -len(end)] for end in ends if name.casefold().endswith(end)), "")
