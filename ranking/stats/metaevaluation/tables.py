"""Tables on metrics from scores of systems alone: Williams' tests, windows, correlations without each system.

Windows show whether a metric still separates systems that people find nearly equal. Systems are sorted by human score,
the best first. A window is a number of neighbours in that order and slides down by one system at a time; a top is a
window that begins at the best system (Mathur et al. 2020, section 4.1: over all systems a correlation is high as soon
as good and bad systems are separated).

Toy: four systems have two windows of three: the first to third, and the second to fourth.

Correlation without each system in turn shows whether it depends on a single one. The scores do not change; only the
point of one system is removed.

Toy: people 1 2 3 10 and a metric 3 2 1 10 have r = .92; without the last system r = -1.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

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
from ranking.stats.metaevaluation.scores import ScorePairs
from ranking.stats.metaevaluation.sentence_level import Grouping, Variant, calibrate, estimate
from ranking.stats.metaevaluation.williams import williams_tests

SYSTEM = "system"
ALL_SYSTEMS, DIFFERENT_TEXTS = "sentence, all systems", "sentence, systems that differ"
CALIBRATED = "acc-eq, ties calibrated"
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


def label(metric: ScoredSystems, among: Iterable[ScoredSystems]) -> str:
    """A metric's name, with its level if it was given at both."""
    twice = sum(other.name == metric.name for other in among) > 1
    return f"{metric.name} ({metric.level})" if twice else metric.name


def windows_of(human: np.ndarray, metrics: Iterable[ScoredSystems], choices: Choices = RECOMMENDED) -> Iterator[Table]:
    size = max(4, (len(human) + 1) // 2)
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
    """The best three systems, the best four, and so on to all."""
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
    """The correlation without each system, in order; None if the remaining scores are all equal."""
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
