"""Tables about metrics from scores of systems alone, wherever these come from."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from ranking.stats.ballots import StatisticsError
from ranking.stats.metaevaluation.correlations import RECOMMENDED, Choices, Coefficient, correlation
from ranking.stats.metaevaluation.one_left_out import without_each
from ranking.stats.metaevaluation.williams import williams_tests
from ranking.stats.metaevaluation.windows import Window, sliding, tops
from ranking.stats.sections.people import Scored
from ranking.stats.tables import Table

WINDOWS = ("metric", "kind", "first", "last", "coefficient", "value")
LEAVE_OUT = ("metric", "level", "left_out", "coefficient", "value")
SCATTER = ("metric", "level", "system", "people", "score")


def williams_of(human: np.ndarray, metrics: Iterable[Scored]) -> Iterator[Table]:
    """Every metric against every other one, of those that can correlate."""
    scored = [metric for metric in metrics if _is_testable(human, metric)]
    names = [label(metric, scored) for metric in scored]
    tests = williams_tests(human, np.array([metric.scores for metric in scored])) if len(scored) > 1 else []
    if tests:
        rows = [(names[test.metric], names[test.other], test.t, test.p_value) for test in tests]
        yield Table.of("williams", ("metric", "other", "t", "p_value"), rows)


def _is_testable(human: np.ndarray, metric: Scored) -> bool:
    try:
        correlation(human, metric.scores, Coefficient.PEARSON)
    except StatisticsError:
        return False
    return True


def label(metric: Scored, among: Iterable[Scored]) -> str:
    """A metric's name, with its level where it was given at both."""
    twice = sum(other.name == metric.name for other in among) > 1
    return f"{metric.name} ({metric.level})" if twice else metric.name


def windows_of(human: np.ndarray, metrics: Iterable[Scored], choices: Choices = RECOMMENDED) -> Iterator[Table]:
    """Correlation among the best systems, and among neighbours."""
    size = max(4, (len(human) + 1) // 2)
    rows = []
    for metric in metrics:
        for coefficient in Coefficient:
            for kind, windows in (
                ("top", lambda human, scores, by=coefficient: tops(human, scores, by, choices)),
                ("window", lambda human, scores, by=coefficient: sliding(human, scores, size, by, choices)),
            ):
                rows += [
                    (metric.name, kind, window.first, window.last, coefficient.value, window.value)
                    for window in _windows(windows, human, metric.scores)
                ]
    if rows:
        yield Table.of("metric_windows", WINDOWS, rows)


def _windows(make: Callable[..., list[Window]], human: np.ndarray, scores: np.ndarray) -> list[Window]:
    try:
        return make(human, scores)
    except StatisticsError:
        return []


def leave_out_of(
    names: Sequence[str], human: np.ndarray, metrics: Iterable[Scored], choices: Choices = RECOMMENDED
) -> Iterator[Table]:
    """Every correlation without each system in turn."""
    rows = []
    for metric in metrics:
        for coefficient in Coefficient:
            try:
                found = without_each(human, metric.scores, coefficient, choices)
            except StatisticsError:
                continue
            rows += [
                (metric.name, metric.level, name, coefficient.value, value)
                for name, value in zip(names, found, strict=True)
            ]
    if rows:
        yield Table.of("metric_leave_out", LEAVE_OUT, rows)


def scatter_of(names: Sequence[str], human: np.ndarray, metrics: Iterable[Scored]) -> Iterator[Table]:
    """What people and metrics say of each system, side by side."""
    rows = [
        (metric.name, metric.level, name, people, score)
        for metric in metrics
        for name, people, score in zip(names, human.tolist(), metric.scores.tolist(), strict=True)
    ]
    if rows:
        yield Table.of("metric_scatter", SCATTER, rows)
