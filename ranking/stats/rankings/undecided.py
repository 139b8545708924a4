"""What another comparison of two systems is worth while judging goes on.

With T the difference of two scores in standard errors, and c what T must reach to be resolved among all pairs
(Bonferroni), a little more evidence moves the probability of resolving the pair by about

    g = T phi(T - c),

phi the normal density: nothing for pairs long decided (T far above c) or hopeless (T near 0), most just below c. Where
the first ranks matter most, g is multiplied by the larger of the two systems' chances to be the best, and at least a
tenth of the largest chance of all.

Toy: c = 3: T = 2.5 gives 2.5 phi(-.5) = .880, T = .5 gives .009, T = 6 gives .027.
"""

import numpy as np
import scipy as sp

LEAST_CHANCE = 0.1


def worth_of_pairs(scores: np.ndarray, replicates: np.ndarray, level: float, first_ranks: bool = False) -> np.ndarray:
    systems = len(scores)
    covariance = np.cov(replicates.T)
    variance = np.diagonal(covariance)
    error = np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariance, 0))
    apart = np.abs(scores[:, None] - scores).astype(float)
    reached = np.divide(apart, error, out=np.zeros_like(apart), where=error > 0)
    needed = sp.special.ndtri(1 - (1 - level) / (systems * (systems - 1)))
    worth = reached * np.exp(-((reached - needed) ** 2) / 2) / np.sqrt(2 * np.pi)
    if first_ranks:
        chance = np.bincount(replicates.argmax(axis=1), minlength=systems) / len(replicates)
        worth *= np.maximum(np.maximum(chance[:, None], chance), LEAST_CHANCE * chance.max())
    return np.asarray(worth)
