"""Correlation without each system in turn: does it hang on one of them?

The scores stay as they are, by people and by the metric; only the point of one system is taken out.

Toy: people 1 2 3 10 and a metric 3 2 1 10 have r = .92; without the last system r = -1.
"""

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


def without_each(
    human: np.ndarray, metric: np.ndarray, coefficient: Coefficient, choices: Choices = RECOMMENDED
) -> list[float | None]:
    """The correlation without each system, in their order; None where the scores left are all equal."""
    check_scores(human, metric)
    if len(human) <= FEWEST_SYSTEMS:
        raise StatisticsError(f"Leaving one out needs more than {FEWEST_SYSTEMS} systems, not {len(human)}.")
    others = np.array([np.delete(np.arange(len(human)), system) for system in range(len(human))])
    found = correlations(np.asarray(human)[others], np.asarray(metric)[others], coefficient, choices)
    return [None if np.isnan(value) else float(value) for value in found]
