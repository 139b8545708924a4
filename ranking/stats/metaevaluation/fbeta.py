"""F-beta of precision and recall, and its correlation with people for every beta.

    F_beta = (1 + beta^2) P R / (beta^2 P + R),   0 where P or R is 0.

With beta below 1 precision counts more. The sweep of Grundkiewicz et al. (2015, Figure 3) goes from 1.00 down to 0.01
in steps of 0.01.

Toy: P = 1/2 and R = 1/4 have F_1 = 1/3, F_0.5 = (5/4)(1/8) / (1/8 + 1/4) = 5/12, and F approaches P as beta goes to 0.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ranking.stats.metaevaluation.correlations import RECOMMENDED, Choices, Coefficient, correlation

BETAS = np.arange(100, 0, -1) / 100


class Peak(NamedTuple):
    """The beta with the highest correlation, the first of equal ones in the sweep, and this correlation."""

    beta: float
    value: float


@dataclass(frozen=True)
class Sweep:
    """For each coefficient the correlation of F_beta with people, by beta."""

    betas: np.ndarray
    curves: dict[Coefficient, np.ndarray]

    def peak(self, coefficient: Coefficient) -> Peak:
        place = int(np.argmax(self.curves[coefficient]))
        return Peak(float(self.betas[place]), float(self.curves[coefficient][place]))


def f_beta(precision: np.ndarray, recall: np.ndarray, beta: float | np.ndarray) -> np.ndarray:
    """F of every precision and recall."""
    precision, recall, square = np.broadcast_arrays(precision, recall, np.square(beta, dtype=float))
    below = square * precision + recall
    both = (precision > 0) & (recall > 0)
    return np.divide((1 + square) * precision * recall, below, out=np.zeros(below.shape), where=both)


def sweep(
    human: np.ndarray, precision: np.ndarray, recall: np.ndarray,
    betas: np.ndarray = BETAS, choices: Choices = RECOMMENDED,
) -> Sweep:  # fmt: skip
    """The curves of Figure 3 for any systems' precision and recall."""
    scores = [f_beta(precision, recall, beta) for beta in betas]
    return Sweep(
        np.asarray(betas, dtype=float),
        {
            coefficient: np.array([correlation(human, score, coefficient, choices) for score in scores])
            for coefficient in Coefficient
        },
    )
