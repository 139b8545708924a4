"""Ridge regression: the weights w and constant c that make the sum of (y - X w - c)^2 + alpha |w|^2 least.

Toy: X = (0, 1, 2), y = (0, 1, 2) and alpha = 2 give w = 2 / (2 + 2) = 1/2 and c = 1 - 1/2 = 1/2.
"""

from typing import NamedTuple

import numpy as np

ALPHA = 0.001


class Fit(NamedTuple):
    """What multiplies each feature, and what is added."""

    weights: np.ndarray
    constant: float

    def foretell(self, features: np.ndarray) -> np.ndarray:
        """One number a row."""
        return features @ self.weights + self.constant


def fit(features: np.ndarray, wanted: np.ndarray, alpha: float = ALPHA) -> Fit:
    """A row of features for each number that is wanted; the constant is not held small."""
    center, mean = features.mean(axis=0), wanted.mean()
    spread = features - center
    held = spread.T @ spread + alpha * np.eye(features.shape[1])
    weights = np.linalg.solve(held, spread.T @ (wanted - mean))
    return Fit(weights, float(mean - center @ weights))
