"""Correlation among neighbours: does a metric still tell systems apart that people find nearly as good?

Systems are sorted by human score, the best first. A window is a number of neighbours in that order, and it slides down
by one system at a time; a top is a window that begins at the best system (Mathur et al. 2020, section 4.1: over all
systems a correlation is high as soon as good and bad are told apart).

Toy: four systems by windows of three: the first to third, and the second to fourth.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ranking.stats.ballots import StatisticsError
from ranking.stats.metaevaluation.correlations import (
    FEWEST_SYSTEMS,
    RECOMMENDED,
    Choices,
    Coefficient,
    check_scores,
    correlations,
)


class Window(NamedTuple):
    """The systems from one place to another, by human score, and the correlation; None where scores are equal."""

    first: int
    last: int
    systems: tuple[int, ...]
    value: float | None


def sliding(
    human: np.ndarray, metric: np.ndarray, size: int, coefficient: Coefficient, choices: Choices = RECOMMENDED
) -> list[Window]:
    """Every window of a size, the best systems first."""
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
    windows = []
    for first, after in places:
        chosen = order[first:after]
        value = float(correlations(np.asarray(human)[chosen], np.asarray(metric)[chosen], coefficient, choices))
        windows.append(Window(first + 1, after, tuple(map(int, chosen)), None if np.isnan(value) else value))
    return windows
