"""Bradley-Terry with ties (Davidson 1970): every system has a strength, and one parameter governs ties.

With strengths p and tie parameter v, and s = p_i + p_j + v sqrt(p_i p_j),

    P(i beats j) = p_i / s,   P(tie) = v sqrt(p_i p_j) / s.

Newton's method fits it by maximum likelihood in the logarithms of p and v, in which the likelihood is concave. Every
system also gets half a win and half a loss, spread evenly over all its opponents, so that one that never lost has a
finite strength (stated in the signature as prior:0.5). This is per system, not per pair: with many systems and few
comparisons of each pair, half a win a pair would pull all scores together. Ties of systems that share a candidate are
not comparisons and are left out. The score is the logarithm of the strength, centred on 0; a difference of d means odds
of exp(d) for a win.

Toy: A beats B three times of four, no ties, no prior: the scores differ by log 3.
"""

from typing import NamedTuple

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.tally import Tally

PRIOR = 0.5
MOST_STEPS = 100
LONGEST_STEP = 2.0
CLOSE = 1e-9
# Cells of the tables that are fitted in one step of NumPy, which bounds the memory.
MOST_AT_ONCE = 200_000


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
    shape, systems = judged.shape, counted.systems
    wins, ties = (pairs.reshape(-1, systems, systems).astype(float) for pairs in (counted.wins, counted.ties))
    wins += prior / (systems - 1) * ~np.eye(systems, dtype=bool)
    together = max(1, MOST_AT_ONCE // systems**2)
    found = np.concatenate(
        [_fit(wins[i : i + together], ties[i : i + together]) for i in range(0, len(wins), together)]
    )
    scores = found[:, :-1] - found[:, :-1].mean(axis=1, keepdims=True)
    return Fit(scores.reshape(shape[:-1]), np.exp(found[:, -1]).reshape(shape[:-2]))


def _fit(wins: np.ndarray, ties: np.ndarray) -> np.ndarray:
    """Return the logarithms of the strengths and of v, which is 0 without ties, for each of several tables."""
    has_ties = np.asarray(ties.any(axis=(1, 2)))
    found = np.zeros((len(wins), wins.shape[1] + 1))
    found[:, -1] = np.where(has_ties, np.log(0.5), -np.inf)
    # Each table by itself: a fit must not depend on those beside it.
    moving = np.arange(len(wins))
    for _ in range(MOST_STEPS):
        step = _newton_step(wins[moving], ties[moving], found[moving], has_ties[moving])
        length = np.abs(step).max(axis=1, keepdims=True)
        found[moving] += step * np.minimum(1.0, LONGEST_STEP / np.maximum(length, CLOSE))
        moving = moving[length[:, 0] >= CLOSE]
        if not len(moving):
            return found
    raise StatisticsError("The Bradley-Terry fit did not converge; collect more comparisons of the rarest systems.")


def _newton_step(wins: np.ndarray, ties: np.ndarray, found: np.ndarray, has_ties: np.ndarray) -> np.ndarray:
    """Return the slope of the likelihood divided by its curvature."""
    apart = found[:, :-1, None] - found[:, None, :-1]
    ahead, even = np.exp(apart), np.exp(found[:, -1:, None] + apart / 2)
    win, tie = ahead / (ahead + 1 + even), even / (ahead + 1 + even)
    points, compared = win + tie / 2, wins + wins.swapaxes(1, 2) + ties
    spread, tied = compared * (win + tie / 4 - points**2), compared * tie
    tables, systems = spread.shape[:2]
    slope = np.empty((tables, systems + 1))
    slope[:, :-1] = (wins + ties / 2 - compared * points).sum(axis=2)
    slope[:, -1] = (ties - tied).sum(axis=(1, 2)) / 2
    curve = np.empty((tables, systems + 1, systems + 1))
    rows = spread.sum(axis=2)
    # Scores move freely together; the mean, which is as large as the rest, keeps their sum.
    curve[:, :-1, :-1] = rows.mean(axis=1)[:, None, None] - spread + np.eye(systems) * rows[:, :, None]
    curve[:, :-1, -1] = curve[:, -1, :-1] = (tied * (0.5 - points)).sum(axis=2)
    curve[:, -1, -1] = np.where(has_ties, (tied * (1 - tie)).sum(axis=(1, 2)) / 2, 1)
    return np.linalg.solve(curve, slope[:, :, None])[:, :, 0]
