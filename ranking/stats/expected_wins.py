"""Expected Wins: how likely a system is to be judged better than another one drawn at random.

With w(i, j) the number of times i beat j and ties left out,

    EW(i) = mean over the other systems j of  w(i, j) / (w(i, j) + w(j, i)),

where a pair without a decisive comparison counts 0 (Bojar et al. 2013, as in Grundkiewicz et al. 2015, Table 3b).

Toy: A beats B three times of four, and was never compared with C; EW(A) = (3/4 + 0) / 2.
"""

import numpy as np

from ranking.stats.ballots import StatisticsError

VERSION = "1.0"


def expected_wins(wins: np.ndarray) -> np.ndarray:
    """The score of every system, from the matrix of wins."""
    if len(wins) < 2:
        raise StatisticsError("There is only one system, so there is nothing to compare it with.")
    if not wins.any():
        raise StatisticsError("No judge preferred any output to another, so the systems cannot be told apart.")
    decisive = wins + wins.T
    share = np.divide(wins, decisive, out=np.zeros(wins.shape), where=decisive > 0)
    return share.sum(axis=1) / (len(wins) - 1)


def ranks(scores: np.ndarray) -> list[int]:
    """The rank of every score, the highest first; equal scores share the better rank."""
    return [1 + int((scores > score).sum()) for score in scores]
