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
from dataclasses import dataclass
from itertools import permutations
from math import sqrt
from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.metaevaluation.correlations import (
    FEWEST_SYSTEMS,
    RECOMMENDED,
    Choices,
    Coefficient,
    check_scores,
    correlation,
    correlations,
)
from ranking.stats.metaevaluation.scores import Grouping, ScorePairs, Variant, calibrate, estimate

SYSTEM = "system"
FEWEST_TO_TEST = 4
# A determinant of correlations no larger than this is 0 up to rounding.
NOTHING = 1e-12
ALL_SYSTEMS, DIFFERENT_TEXTS = "sentence, all systems", "sentence, systems that differ"
CALIBRATED = "acc-eq, ties calibrated"
ON_SENTENCES = ("sentence_accuracy", "sentence_tau")
CORRELATIONS = ("metric", "level", "coefficient", "value", "low", "high", "systems")
WINDOWS = ("metric", "kind", "first", "last", "coefficient", "value")
LEAVE_OUT = ("metric", "level", "left_out", "coefficient", "value")
SCATTER = ("metric", "level", "system", "people", "score")


class Window(NamedTuple):
    """Systems from one place to another, by human score, and the correlation; None if scores are equal."""

    first: int
    last: int
    systems: tuple[int, ...]
    value: float | None


@dataclass(frozen=True)
class ScoredSystems:
    name: str
    level: str
    scores: np.ndarray
    replicates: np.ndarray | None = None
    # Scores of sentences, a row each, by this metric or the one it is derived from; None if they are not known.
    sentences: np.ndarray | None = None

    def at(self, systems: np.ndarray) -> "ScoredSystems":
        """The same metric on some of the systems."""
        columns = (None if one is None else one[:, systems] for one in (self.replicates, self.sentences))
        return ScoredSystems(self.name, self.level, self.scores[systems], *columns)


def williams_of(human: np.ndarray, metrics: Iterable[ScoredSystems]) -> Iterator[Table]:
    """Every metric against every other one, among those with a defined correlation."""
    scored = []
    for metric in metrics:
        with suppress(StatisticsError):
            correlation(human, metric.scores, Coefficient.PEARSON)
            scored.append(metric)
    names = [label(metric, scored) for metric in scored]
    tests = williams_tests(human, np.array([metric.scores for metric in scored])) if len(scored) > 1 else []
    if tests:
        rows = [(names[test.metric], names[test.other], test.t, test.p_value) for test in tests]
        yield Table.of("williams", ("metric", "other", "t", "p_value"), rows)


class Williams(NamedTuple):
    metric: int
    other: int
    t: float
    p_value: float


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


def williams_tests(human: np.ndarray, metrics: np.ndarray) -> list[Williams]:
    """Every metric (row of scores) against every other one; pairs that cannot be tested are left out."""
    for metric in metrics:
        check_scores(human, metric)
    together = np.corrcoef(np.vstack([human, metrics]))
    tests = []
    for metric, other in permutations(range(len(metrics)), 2):
        r12, r13, r23 = (float(together[at]) for at in ((0, metric + 1), (0, other + 1), (metric + 1, other + 1)))
        try:
            tests.append(Williams(metric, other, *williams_test(r12, r13, r23, len(human))))
        except StatisticsError:
            if len(human) < FEWEST_TO_TEST:
                raise
    return tests


def label(metric: ScoredSystems, among: Iterable[ScoredSystems]) -> str:
    """A metric's name, with its level if it was given at both."""
    twice = sum(other.name == metric.name for other in among) > 1
    return f"{metric.name} ({metric.level})" if twice else metric.name


def windows_of(human: np.ndarray, metrics: Iterable[ScoredSystems], choices: Choices = RECOMMENDED) -> Iterator[Table]:
    size = choices.window or max(4, (len(human) + 1) // 2)
    rows = []
    for metric in metrics:
        for coefficient in Coefficient:
            found: list[tuple[str, Window]] = []
            with suppress(StatisticsError):
                found += (("top", one) for one in tops(human, metric.scores, coefficient, choices))
                found += (("window", one) for one in sliding(human, metric.scores, size, coefficient, choices))
            rows += [(metric.name, kind, one.first, one.last, coefficient.value, one.value) for kind, one in found]
    if rows:
        yield Table.of("metric_windows", WINDOWS, rows)


def leave_out_of(
    names: Sequence[str], human: np.ndarray, metrics: Iterable[ScoredSystems], choices: Choices = RECOMMENDED
) -> Iterator[Table]:
    rows = []
    for metric in metrics:
        for coefficient in Coefficient:
            with suppress(StatisticsError):
                found = without_each(human, metric.scores, coefficient, choices)
                rows += [
                    (metric.name, metric.level, name, coefficient.value, value)
                    for name, value in zip(names, found, strict=True)
                ]
    if rows:
        yield Table.of("metric_leave_out", LEAVE_OUT, rows)


def scatter_of(names: Sequence[str], human: np.ndarray, metrics: Iterable[ScoredSystems]) -> Iterator[Table]:
    rows = [
        (metric.name, metric.level, name, people, score)
        for metric in metrics
        for name, people, score in zip(names, human.tolist(), metric.scores.tolist(), strict=True)
    ]
    if rows:
        yield Table.of("metric_scatter", SCATTER, rows)


def sliding(
    human: np.ndarray, metric: np.ndarray, size: int, coefficient: Coefficient, choices: Choices = RECOMMENDED
) -> list[Window]:
    check_scores(human, metric)
    if not FEWEST_SYSTEMS <= size <= len(human):
        raise StatisticsError(f"A window holds {FEWEST_SYSTEMS} to {len(human)} of these systems, not {size}.")
    places = ((first, first + size) for first in range(len(human) - size + 1))
    return _windows(human, metric, places, coefficient, choices)


def tops(
    human: np.ndarray, metric: np.ndarray, coefficient: Coefficient, choices: Choices = RECOMMENDED
) -> list[Window]:
    """Correlate the best three systems, the best four, and so on to all."""
    check_scores(human, metric)
    places = ((0, size) for size in range(FEWEST_SYSTEMS, len(human) + 1))
    return _windows(human, metric, places, coefficient, choices)


def _windows(
    human: np.ndarray, metric: np.ndarray, places: Iterable[tuple[int, int]], coefficient: Coefficient, choices: Choices
) -> list[Window]:
    order = np.argsort(-np.asarray(human, dtype=float), kind="stable")
    human, metric = np.asarray(human), np.asarray(metric)
    windows = []
    for first, after in places:
        chosen = order[first:after]
        value = float(correlations(human[chosen], metric[chosen], coefficient, choices))
        windows.append(Window(first + 1, after, tuple(map(int, chosen)), None if np.isnan(value) else value))
    return windows


def without_each(
    human: np.ndarray, metric: np.ndarray, coefficient: Coefficient, choices: Choices = RECOMMENDED
) -> list[float | None]:
    """Return the correlation without each system, in order; None if the remaining scores are all equal."""
    check_scores(human, metric)
    if len(human) <= FEWEST_SYSTEMS:
        raise StatisticsError(f"Leaving one out needs more than {FEWEST_SYSTEMS} systems, not {len(human)}.")
    others = np.array([np.delete(np.arange(len(human)), system) for system in range(len(human))])
    found = correlations(np.asarray(human)[others], np.asarray(metric)[others], coefficient, choices)
    return [None if np.isnan(value) else float(value) for value in found]


def sentence_rows(pairs: ScorePairs, replicates: int, seed: int, level: float) -> Iterator[tuple]:
    numbers = [(variant.value, variant, 0.0) for variant in (Variant.TAU_B, Variant.ACC_EQ)]
    numbers.append((CALIBRATED, Variant.ACC_EQ, calibrate(pairs).epsilon))
    for name, variant, epsilon in numbers:
        found = estimate(pairs, variant, Grouping.BY_SENTENCE, replicates, seed, level, epsilon)
        yield name, found.value, *found.interval
