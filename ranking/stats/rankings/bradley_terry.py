"""Bradley-Terry with ties (Davidson 1970): every system has a strength, and ties have a share of their own.

With strengths p and tie parameter v, and s = p_i + p_j + v sqrt(p_i p_j),

    P(i beats j) = p_i / s,   P(tie) = v sqrt(p_i p_j) / s.

Fitted by maximum likelihood with the MM algorithm (Hunter 2004), which never makes the fit worse. Half a win each way
is added between every pair that was compared, so that a system that never lost has a finite strength (stated in the
signature as prior:0.5). Ties of systems that share a candidate are not comparisons and are left out. The score is the
logarithm of the strength, centred on 0; a difference of d means odds of exp(d) for a win.

Toy: A beats B three times of four, no ties, no prior: the scores differ by log 3.
"""

from typing import NamedTuple

import numpy as np

from ranking.stats.ballots import StatisticsError
from ranking.stats.tally import Tally

PRIOR = 0.5
MOST_STEPS = 5_000
CLOSE = 1e-10


class Fit(NamedTuple):
    """Centred logarithms of the strengths, and the tie parameter; leading axes as in the tally."""

    scores: np.ndarray
    ties: np.ndarray


def bradley_terry(counted: Tally) -> np.ndarray:
    """The score of every system, along the last axis."""
    return fit(counted).scores


def fit(counted: Tally, prior: float = PRIOR) -> Fit:
    """The most likely strengths."""
    if counted.systems < 2:
        raise StatisticsError("There is only one system, so there is nothing to compare it with.")
    judged = counted.decisive + counted.ties
    if not judged.any():
        raise StatisticsError("No judge compared any two outputs, so the systems cannot be told apart.")
    _check_connected(judged.reshape(-1, *judged.shape[-2:]).sum(axis=0) > 0)
    if not judged.any(axis=-1).all():
        raise StatisticsError("Drawn again, some systems are not compared with any other; collect more judgments.")
    wins = counted.wins + prior * (judged > 0)
    decisive = wins + wins.swapaxes(-1, -2)
    won = wins.sum(axis=-1) + counted.ties.sum(axis=-1) / 2
    tied = counted.ties.sum(axis=(-1, -2)) / 2
    strength = np.ones(won.shape)
    share = np.full(tied.shape, 0.5)
    for _ in range(MOST_STEPS):
        following, following_share = _step(strength, share, decisive + counted.ties, won, tied)
        moved = max(np.abs(np.log(following / strength)).max(), np.abs(following_share - share).max())
        strength, share = following, following_share
        if moved < CLOSE:
            return Fit(np.log(strength), share)
    raise StatisticsError("The strengths of Bradley-Terry did not settle; are some systems hardly compared?")


def _step(
    strength: np.ndarray, share: np.ndarray, compared: np.ndarray, won: np.ndarray, tied: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """One step of the MM algorithm for strengths and tie parameter, with the geometric mean of strengths kept at 1."""
    mean = np.sqrt(strength[..., :, None] * strength[..., None, :])
    total = strength[..., :, None] + strength[..., None, :] + share[..., None, None] * mean
    rate = compared / total
    ratio = np.sqrt(strength[..., None, :] / strength[..., :, None])
    following = won / (rate * (1 + share[..., None, None] * ratio / 2)).sum(axis=-1)
    following /= np.exp(np.log(following).mean(axis=-1, keepdims=True))
    met = (rate * mean).sum(axis=(-1, -2)) / 2
    return following, np.divide(tied, met, out=np.zeros_like(met), where=met > 0)


def _check_connected(compared: np.ndarray) -> None:
    """Strengths of systems can be set against each other only along a chain of comparisons."""
    reached = compared[0] | (np.arange(len(compared)) == 0)
    for _ in compared:
        reached = reached | compared[reached].any(axis=0)
    if not reached.all():
        raise StatisticsError("Some systems were never compared with the others, not even by way of a third one.")
