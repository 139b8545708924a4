"""Bradley-Terry with ties (Davidson 1970): every system has a strength, and one parameter governs ties.

With strengths p and tie parameter v, and s = p_i + p_j + v sqrt(p_i p_j),

    P(i beats j) = p_i / s,   P(tie) = v sqrt(p_i p_j) / s.

The MM algorithm (Hunter 2004) fits it by maximum likelihood; no step makes the fit worse. Every system also gets half a
win and half a loss, spread evenly over all its opponents, so that one that never lost has a finite strength (stated in
the signature as prior:0.5). This is per system, not per pair: with many systems and few comparisons of each pair, half
a win a pair would pull all scores together. Ties of systems that share a candidate are not comparisons and are left
out. The score is the logarithm of the strength, centred on 0; a difference of d means odds of exp(d) for a win.

Toy: A beats B three times of four, no ties, no prior: the scores differ by log 3.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from ranking.numbers.tables import StatisticsError
from ranking.stats.tally import Tally

PRIOR = 0.5
MOST_STEPS = 5_000
CLOSE = 1e-10


class Fit(NamedTuple):
    """Centred logarithms of the strengths, and the tie parameter; leading axes are those of the tally."""

    scores: np.ndarray
    ties: np.ndarray


def bradley_terry(counted: Tally) -> np.ndarray:
    return fit(counted).scores


def fit(counted: Tally, prior: float = PRIOR) -> Fit:
    if counted.systems < 2:
        raise StatisticsError("There is only one system, so there is nothing to compare it with.")
    judged = counted.decisive + counted.ties
    if not judged.any():
        raise StatisticsError("No judge compared any two outputs, so no system is better than another.")
    shape = judged.shape
    wins, ties = (pairs.reshape(-1, *shape[-2:]).astype(float) for pairs in (counted.wins, counted.ties))
    strength, share = np.ones(wins.shape[:2]), np.full(len(wins), 0.5)
    if not all(
        _settle(*given, prior / (counted.systems - 1))
        for given in zip(wins, ties, strength, share[:, None], strict=True)
    ):
        raise StatisticsError("The Bradley-Terry fit did not converge; collect more comparisons of the rarest systems.")
    return Fit(np.log(strength).reshape(shape[:-1]), share.reshape(shape[:-2]))


@njit(cache=True, nogil=True)
def _settle(wins, ties, strength, share, prior):
    """Take MM steps until nothing moves; the geometric mean of the strengths stays 1. Returns whether it settled."""
    systems = len(strength)
    tied = ties.sum() / 2
    for one in range(systems):
        for other in range(systems):
            if one != other:
                wins[one, other] += prior
    won = wins.sum(axis=1) + ties.sum(axis=1) / 2
    root = np.empty(systems)
    for _ in range(MOST_STEPS):
        root[:] = np.sqrt(strength)
        rates, met = np.zeros(systems), 0.0
        for one in range(systems):
            for other in range(one):
                mean = root[one] * root[other]
                compared = wins[one, other] + wins[other, one] + ties[one, other]
                rate = compared / (strength[one] + strength[other] + share[0] * mean)
                rates[one] += rate * (1 + share[0] * root[other] / root[one] / 2)
                rates[other] += rate * (1 + share[0] * root[one] / root[other] / 2)
                met += rate * mean
        following = won / rates
        following /= np.exp(np.log(following).mean())
        likely = tied / met if met > 0 else 0.0
        moved = max(np.abs(np.log(following / strength)).max(), abs(likely - share[0]))
        strength[:] = following
        share[0] = likely
        if moved < CLOSE:
            return True
    return False
