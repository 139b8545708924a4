"""Metrics among themselves, among neighbouring systems, with other ties, and with other weights of their parts."""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from ranking.stats.ballots import StatisticsError
from ranking.stats.metaevaluation.correlations import Coefficient, correlation
from ranking.stats.metaevaluation.fbeta import sweep
from ranking.stats.metaevaluation.files import Level
from ranking.stats.metaevaluation.score_pairs import pairs_of_ballots
from ranking.stats.metaevaluation.tie_calibration import calibrate
from ranking.stats.metaevaluation.williams import williams_tests
from ranking.stats.metaevaluation.windows import Window, sliding, tops
from ranking.stats.sections.people import People, Scored
from ranking.stats.study import Study
from ranking.stats.tables import Table

WINDOWS = ("metric", "kind", "first", "last", "coefficient", "value")
PRECISION, RECALL = (" p", " precision"), (" r", " recall")


def williams(study: Study) -> Iterator[Table]:
    """Does one metric correlate better than another on these systems?"""
    people = _with_metrics(study, 2)
    if not people:
        return
    scored = [metric for metric in people.metrics if _is_testable(people, metric)]
    names = [_label(metric, scored) for metric in scored]
    human = np.round(people.scores, people.choices.decimals) if people.choices.decimals else people.scores
    tests = williams_tests(human, np.array([metric.scores for metric in scored])) if len(scored) > 1 else []
    if tests:
        rows = [(names[test.metric], names[test.other], test.t, test.p_value) for test in tests]
        yield Table.of("williams", ("metric", "other", "t", "p_value"), rows)


def _is_testable(people: People, metric: Scored) -> bool:
    try:
        correlation(people.scores, metric.scores, Coefficient.PEARSON)
    except StatisticsError:
        return False
    return True


def _label(metric: Scored, among: Iterable[Scored]) -> str:
    """A metric's name, with its level where it was given at both."""
    twice = sum(other.name == metric.name for other in among) > 1
    return f"{metric.name} ({metric.level})" if twice else metric.name


def metric_windows(study: Study) -> Iterator[Table]:
    """Correlation among the best systems, and among neighbours."""
    people = _with_metrics(study, 1)
    if not people:
        return
    size = max(4, (len(people.scores) + 1) // 2)
    rows = []
    for metric in people.metrics:
        for coefficient in Coefficient:
            for kind, windows in (
                ("top", lambda human, scores, by=coefficient: tops(human, scores, by, people.choices)),
                ("window", lambda human, scores, by=coefficient: sliding(human, scores, size, by, people.choices)),
            ):
                rows += [
                    (metric.name, kind, window.first, window.last, coefficient.value, window.value)
                    for window in _windows(windows, people.scores, metric.scores)
                ]
    if rows:
        yield Table.of("metric_windows", WINDOWS, rows)


def _windows(make: Callable[..., list[Window]], human: np.ndarray, scores: np.ndarray) -> list[Window]:
    try:
        return make(human, scores)
    except StatisticsError:
        return []


def tie_calibration(study: Study) -> Iterator[Table]:
    """How near two scores of a metric may be to count as a tie, so that it ties as people do."""
    rows = []
    for metric in study.besides.metrics:
        if metric.level is Level.SENTENCE:
            try:
                found = calibrate(pairs_of_ballots(study.ballots, metric.scores))
            except StatisticsError:
                continue
            rows.append((metric.metric, found.epsilon, found.accuracy, found.uncalibrated))
    if rows:
        yield Table.of("tie_calibration", ("metric", "epsilon", "accuracy", "uncalibrated"), rows)


def f_beta(study: Study) -> Iterator[Table]:
    """The correlation of F with people for every beta, of metrics whose precision and recall are known (Figure 3)."""
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


def _precision_and_recall(metrics: list[Scored]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Pairs of metrics called `NAME P` and `NAME R`."""
    recalls = {name: metric.scores for metric in metrics if (name := _before(metric.name, RECALL))}
    for metric in metrics:
        if (name := _before(metric.name, PRECISION)) and name in recalls:
            yield name, metric.scores, recalls[name]


def _before(name: str, ends: tuple[str, ...]) -> str:
    """A name without one of these ends, nothing if it has none."""
    return next((name[: -len(end)] for end in ends if name.casefold().endswith(end)), "")


def _with_metrics(study: Study, least: int) -> People | None:
    """The human side, if there are metrics for it; what is missing is told with the correlations."""
    if len(study.besides.metrics) < least:
        return None
    people = People(study)
    try:
        people.check()
    except StatisticsError:
        return None
    return people
