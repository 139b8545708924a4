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
    wins, ties = (pairs.reshape(-1, *shape[-2:]) for pairs in (counted.wins, counted.ties))
    strength, share = _settled(wins, ties, prior)
    return Fit(np.log(strength).reshape(shape[:-1]), share.reshape(shape[:-2]))


def _settled(wins: np.ndarray, ties: np.ndarray, prior: float) -> tuple[np.ndarray, np.ndarray]:
    """Iterate the fits of many tallies; each stops as soon as it has converged."""
    systems = wins.shape[-1]
    wins = wins + prior / (systems - 1) * ~np.eye(systems, dtype=bool)
    compared = wins + wins.swapaxes(-1, -2) + ties
    won = wins.sum(axis=-1) + ties.sum(axis=-1) / 2
    tied = ties.sum(axis=(-1, -2)) / 2
    strength, share = np.ones(won.shape), np.full(tied.shape, 0.5)
    going = np.arange(len(won))
    for _ in range(MOST_STEPS):
        before = strength[going], share[going]
        after = _step(*before, compared[going], won[going], tied[going])
        strength[going], share[going] = after
        moved = np.maximum(np.abs(np.log(after[0] / before[0])).max(axis=-1), np.abs(after[1] - before[1]))
        going = going[moved >= CLOSE]
        if not len(going):
            return strength, share
    raise StatisticsError("The Bradley-Terry fit did not converge; collect more comparisons of the rarest systems.")


def _step(
    strength: np.ndarray, share: np.ndarray, compared: np.ndarray, won: np.ndarray, tied: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """One MM step for strengths and tie parameter; the geometric mean of the strengths stays 1."""
    mean = np.sqrt(strength[..., :, None] * strength[..., None, :])
    total = strength[..., :, None] + strength[..., None, :] + share[..., None, None] * mean
    rate = compared / total
    ratio = np.sqrt(strength[..., None, :] / strength[..., :, None])
    following = won / (rate * (1 + share[..., None, None] * ratio / 2)).sum(axis=-1)
    following /= np.exp(np.log(following).mean(axis=-1, keepdims=True))
    met = (rate * mean).sum(axis=(-1, -2)) / 2
    return following, np.divide(tied, met, out=np.zeros_like(met), where=met > 0)
