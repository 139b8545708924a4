"""Comparisons of metrics: with each other, among neighbouring systems, with calibrated ties, with other betas."""

from collections.abc import Iterator

import numpy as np

from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.comparisons.sections.people import People, people_of
from ranking.stats.comparisons.study import Study
from ranking.stats.metaevaluation.correlations import Coefficient
from ranking.stats.metaevaluation.fbeta import sweep
from ranking.stats.metaevaluation.score_pairs import pairs_of_ballots
from ranking.stats.metaevaluation.score_types import Level
from ranking.stats.metaevaluation.sentence_level import calibrate
from ranking.stats.metaevaluation.tables import ScoredSystems, leave_out_of, scatter_of, williams_of, windows_of

PRECISION, RECALL = (" p", " precision"), (" r", " recall")


def williams(study: Study) -> Iterator[Table]:
    """Test whether one metric correlates better than another on these systems."""
    people = _with_metrics(study, 2)
    if people:
        yield from williams_of(_as_correlated(people), people.metrics)


def metric_windows(study: Study) -> Iterator[Table]:
    """Correlation among the best systems, and among neighbours."""
    people = _with_metrics(study, 1)
    if people:
        yield from windows_of(people.scores, people.metrics, people.choices)


def metric_leave_out(study: Study) -> Iterator[Table]:
    """Correlation without each system in turn."""
    people = _with_metrics(study, 1)
    if people:
        yield from leave_out_of(study.names.systems, people.scores, people.metrics, people.choices)


def metric_scatter(study: Study) -> Iterator[Table]:
    """The scores of each system by people and by metrics."""
    people = _with_metrics(study, 1)
    if people:
        yield from scatter_of(study.names.systems, people.scores, people.metrics)


def _as_correlated(people: People) -> np.ndarray:
    """People's scores, rounded as for correlations."""
    return np.round(people.scores, people.choices.decimals) if people.choices.decimals else people.scores


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


def f_beta(study: Study) -> Iterator[Table]:
    """The correlation of F with people for every beta, for metrics with known precision and recall (Figure 3)."""
    people = _with_metrics(study, 2)
    if not people:
        return
    rows = []
    for name, precision, recall in _precision_and_recall(people.metrics):
        found = sweep(people.scores, precision, recall, choices=people.choices)
        curves = [found.curves[coefficient] for coefficient in Coefficient]
        rows += [(name, *values) for values in zip(found.betas, *curves, strict=True)]
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


def _with_metrics(study: Study, least: int) -> People | None:
    """The human side, if there are enough metrics; the section on correlations reports what is missing."""
    return people_of(study) if len(study.covariates.metrics) >= least else None
