"""Tables on metrics from scores of systems alone: Williams' tests, windows, correlations without each system.

Windows show whether a metric still separates systems that people find nearly equal. Systems are sorted by human score,
the best first. A window is a number of neighbours in that order and slides down by one system at a time; a top is a
window that begins at the best system (Mathur et al. 2020, section 4.1: over all systems a correlation is high as soon
as good and bad systems are separated).

Toy: four systems have two windows of three: the first to third, and the second to fourth.

Correlation without each system in turn shows whether it depends on a single one. The scores do not change; only the
point of one system is removed.

Toy: people 1 2 3 10 and a metric 3 2 1 10 have r = .92; without the last system r = -1.

Williams' test shows whether one metric correlates better than another (Williams 1959; Graham and Baldwin 2014).
Two metrics scored the same n systems, so their correlations with people are not independent. With r12 and r13 their
correlations (Pearson) with the human scores and r23 that with each other,

    K = 1 - r12^2 - r13^2 - r23^2 + 2 r12 r13 r23,
    t = (r12 - r13) sqrt( (n - 1)(1 + r23) / (2 K (n - 1) / (n - 3) + (r12 + r13)^2 / 4 (1 - r23)^3) )

has Student's distribution with n - 3 degrees of freedom if the correlations are equal. p is one-sided: the probability
of a t at least as high, so a small p means that the first metric is better. The second against the first has 1 - p.

Toy: n = 103, r12 = .5, r13 = .4 and r23 = .1 have t = .89 and a two-sided p of .37 (Steiger 1980).
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import permutations
from math import sqrt

import numpy as np
import scipy as sp

from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.metaevaluation.correlations import (
    FEWEST_SYSTEMS,
    RECOMMENDED,
    Coefficient,
    CorrelationChoices,
    check_scores,
    correlation,
    correlations,
)
from ranking.stats.metaevaluation.scores import ScoredSystems

SYSTEM = "system"
FEWEST_TO_TEST = 4
# A determinant of correlations no larger than this is 0 up to rounding.
NOTHING = 1e-12
ALL_SYSTEMS, DIFFERENT_TEXTS = "sentence, all systems", "sentence, systems that differ"
ON_SENTENCES = ("sentence_accuracy", "sentence_tau")
CORRELATIONS = ("metric", "level", "coefficient", "value", "low", "high", "systems")
WINDOWS = ("metric", "kind", "first", "last", "coefficient", "value")
WILLIAMS = ("metric", "other", "t", "p_value")
LEAVE_OUT = ("metric", "level", "left_out", "coefficient", "value")
SCATTER = ("metric", "level", "system", "people", "score")


def label(metric: ScoredSystems, among: Iterable[ScoredSystems]) -> str:
    """A metric's name, with its level if it was given at both."""
    twice = sum(other.name == metric.name for other in among) > 1
    return f"{metric.name} ({metric.level})" if twice else metric.name


def williams_rows(human: np.ndarray, metrics: Iterable[ScoredSystems]) -> list[tuple]:
    """Every metric against every other one, among those with a defined correlation."""
    varied = []
    for metric in metrics:
        with suppress(StatisticsError):
            correlation(human, metric.scores, Coefficient.PEARSON)
            varied.append(metric)
    if len(varied) < 2:
        return []
    names = [label(metric, varied) for metric in varied]
    tests = williams_tests(human, np.array([metric.scores for metric in varied]))
    return [(names[one], names[other], t, p_value) for one, other, t, p_value in tests]


def williams_tests(human: np.ndarray, metrics: np.ndarray) -> list[tuple[int, int, float, float]]:
    """Every metric (row of scores) against every other one, with t and p; pairs that cannot be tested are left out."""
    for metric in metrics:
        check_scores(human, metric)
    together = np.corrcoef(np.vstack([human, metrics]))
    tests = []
    for metric, other in permutations(range(len(metrics)), 2):
        r12, r13, r23 = (float(together[at]) for at in ((0, metric + 1), (0, other + 1), (metric + 1, other + 1)))
        try:
            tests.append((metric, other, *williams_test(r12, r13, r23, len(human))))
        except StatisticsError:
            if len(human) < FEWEST_TO_TEST:
                raise
    return tests


def williams_test(r12: float, r13: float, r23: float, number: int) -> tuple[float, float]:
    """t and the one-sided p, from correlations over `number` systems."""
    if number < FEWEST_TO_TEST:
        raise StatisticsError(f"Williams' test needs {FEWEST_TO_TEST} systems or more, not {number}.")
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    determinant = determinant if determinant > NOTHING else 0.0
    below = 2 * determinant * (number - 1) / (number - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if r23 <= NOTHING - 1:
        raise StatisticsError("One metric is the negative of the other; reverse one so that higher scores are better.")
    if abs(r12 - r13) <= NOTHING:
        return 0.0, 0.5
    if below <= NOTHING:
        raise StatisticsError("The two metrics and the human scores depend on each other, so they cannot be tested.")
    t = (r12 - r13) * sqrt((number - 1) * (1 + r23) / below)
    return t, float(sp.special.stdtr(number - 3, -t))


def window_rows(human: np.ndarray, metrics: Iterable[ScoredSystems], choices: CorrelationChoices) -> list[tuple]:
    """Rows of the tables of windows: a metric, and its correlations among the best systems and among neighbours."""
    size = choices.window or max(4, (len(human) + 1) // 2)
    rows = []
    for metric in metrics:
        for coefficient in Coefficient:
            with suppress(StatisticsError):
                found = windows(human, metric.scores, size, coefficient, choices)
                rows += [(metric.name, *places, coefficient.value, value) for *places, value in found]
    return rows


def windows(
    human: np.ndarray,
    metric: np.ndarray,
    size: int,
    coefficient: Coefficient,
    choices: CorrelationChoices = RECOMMENDED,
) -> list[tuple[str, int, int, float | None]]:
    """The correlations in every top, of three systems or more, and in every window, of `size` if there are as many.

    They come with the places of their first and last system from 1, by human score; None if scores are equal.
    """
    check_scores(human, metric)
    order = np.argsort(-np.asarray(human, dtype=float), kind="stable")
    human, metric = np.asarray(human)[order], np.asarray(metric)[order]
    places = [("top", 0, after) for after in range(FEWEST_SYSTEMS, len(human) + 1)]
    places += [("window", first, first + size) for first in range(len(human) - size + 1)]
    found = [float(correlations(human[at:to], metric[at:to], coefficient, choices)) for _, at, to in places]
    return [(kind, at + 1, to, _value(value)) for (kind, at, to), value in zip(places, found, strict=True)]


def leave_out_of(
    names: Sequence[str], human: np.ndarray, metrics: Iterable[ScoredSystems], choices: CorrelationChoices
) -> Iterator[Table]:
    rows = []
    for metric in metrics:
        for coefficient in Coefficient:
            with suppress(StatisticsError):
                found = without_each(human, metric.scores, coefficient, choices)
                numbered = zip(names, found, strict=True)
                rows += [(metric.name, metric.level, name, coefficient.value, value) for name, value in numbered]
    if rows:
        yield Table.of("metric_leave_out", LEAVE_OUT, rows)


def without_each(
    human: np.ndarray, metric: np.ndarray, coefficient: Coefficient, choices: CorrelationChoices = RECOMMENDED
) -> list[float | None]:
    """Return the correlation without each system, in order; None if the remaining scores are all equal."""
    check_scores(human, metric)
    if len(human) <= FEWEST_SYSTEMS:
        raise StatisticsError(f"Leaving one out needs more than {FEWEST_SYSTEMS} systems, not {len(human)}.")
    others = np.array([np.delete(np.arange(len(human)), system) for system in range(len(human))])
    return [*map(_value, correlations(np.asarray(human)[others], np.asarray(metric)[others], coefficient, choices))]


def _value(correlation_or_nan: float) -> float | None:
    return None if np.isnan(correlation_or_nan) else float(correlation_or_nan)


def scatter_of(names: Sequence[str], human: np.ndarray, metrics: Iterable[ScoredSystems]) -> Iterator[Table]:
    rows = [
        (metric.name, metric.level, name, people, score)
        for metric in metrics
        for name, people, score in zip(names, human.tolist(), metric.scores.tolist(), strict=True)
    ]
    if rows:
        yield Table.of("metric_scatter", SCATTER, rows)
