"""F-beta of precision and recall, and its correlation with people for every beta.

    F_beta = (1 + beta^2) P R / (beta^2 P + R),   0 where P or R is 0.

With beta below 1 precision counts more. The sweep of Grundkiewicz et al. (2015, Figure 3) goes from 1.00 down to 0.01
in steps of 0.01.

Toy: P = 1/2 and R = 1/4 have F_1 = 1/3, F_0.5 = (5/4)(1/8) / (1/8 + 1/4) = 5/12, and F approaches P as beta goes to 0.
"""

import numpy as np

from ranking.stats.metaevaluation.correlations import RECOMMENDED, Choices, Coefficient, correlation

BETAS = np.arange(100, 0, -1) / 100


def f_beta(precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
    precision, recall, square = np.broadcast_arrays(precision, recall, np.square(beta, dtype=float))
    below = square * precision + recall
    both = (precision > 0) & (recall > 0)
    return np.divide((1 + square) * precision * recall, below, out=np.zeros(below.shape), where=both)


def curves(
    human: np.ndarray, precision: np.ndarray, recall: np.ndarray, choices: Choices = RECOMMENDED
) -> dict[Coefficient, np.ndarray]:
    """For each coefficient the correlation of F with people, by beta (Figure 3)."""
    scores = [f_beta(precision, recall, beta) for beta in BETAS]
    return {
        coefficient: np.array([correlation(human, score, coefficient, choices) for score in scores])
        for coefficient in Coefficient
    }
