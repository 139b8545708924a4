"""Expected Wins: the probability that a system beats another one drawn at random.

With w(i, j) the number of times i beat j, ties left out, and q(i, j) the probability that i beats j by Bradley-Terry,

    EW(i) = mean over the other systems j of  (w(i, j) + 10 q(i, j)) / (w(i, j) + w(j, i) + 10).

Where a pair was compared often, this is the share of comparisons that i won; where it was compared seldom or never,
what all other comparisons lead to expect stands in. Without this, intervals are too narrow where pairs are compared a
few times: a pair compared once always has the same share, in whatever replicate (`make study`).

Bojar et al. (2013) and Grundkiewicz et al. (2015) use the shares alone, do not define the score of a pair without a
decisive comparison, and used two programs that differ. `expected_wins_as_published` counts such a pair as 0 and
averages over all opponents (Table 3b). `expected_wins_of_judge` averages only over the opponents that the system beat
at least once, so that an opponent that always won is ignored; it rounds to four decimals and gives no score to a system
that never won (Tables 6 and 7).

Toy: A beats B three times of four and was never compared with C, all that is known. As published EW(A) = (3/4 + 0) / 2,
or 3/4 by the second program; here a pair of which Bradley-Terry expects 2/3 has (3 + 6.67) / (4 + 10) = 0.690.
"""

import numpy as np
import scipy as sp

from ranking.numbers.tables import StatisticsError
from ranking.stats.rankings.bradley_terry import bradley_terry
from ranking.stats.rankings.method import SHARE, Method
from ranking.stats.tally import Tally

DECIMALS = 4
# How many comparisons of each pair the others stand in for; chosen by simulation of 50 systems on 600 screens of five.
BORROWED = 10


def expected_wins(counted: Tally) -> np.ndarray:
    _check(counted)
    strength = bradley_terry(counted)
    expected = sp.special.expit(strength[..., :, None] - strength[..., None, :])
    share = (counted.wins + BORROWED * expected) / (counted.decisive + BORROWED)
    return (share.sum(axis=-1) - np.diagonal(share, axis1=-2, axis2=-1)) / (counted.systems - 1)


def expected_wins_as_published(counted: Tally) -> np.ndarray:
    _check(counted)
    return shares(counted.wins).sum(axis=-1) / (counted.systems - 1)


def _check(counted: Tally) -> None:
    if counted.systems < 2:
        raise StatisticsError("There is only one system, so there is nothing to compare it with.")
    if not counted.wins.any():
        raise StatisticsError("No judge preferred any output to another, so there is nothing to rank systems by.")


def expected_wins_of_judge(wins: np.ndarray) -> np.ndarray:
    """Scores as in the published tables of single judges; NaN where a system beat no other."""
    beaten = (wins > 0).sum(axis=-1)
    summed = shares(wins).sum(axis=-1)
    return np.round(np.divide(summed, beaten, out=np.full(summed.shape, np.nan), where=beaten > 0), DECIMALS)


def shares(wins: np.ndarray) -> np.ndarray:
    """Return the share of decisive comparisons in which i beat j; 0 where there are none."""
    decisive = wins + wins.swapaxes(-1, -2)
    return np.divide(wins, decisive, out=np.zeros(decisive.shape), where=decisive > 0)


EXPECTED_WINS = Method(
    "expected-wins", "Expected Wins", f"ties:dropped|borrowed:{BORROWED}", "bojar2013", 0.5, expected_wins,
    bounds=SHARE,
)  # fmt: skip
AS_PUBLISHED = Method(
    "expected-wins-published", "Expected Wins (as published)", "ties:dropped|never-compared:0",
    "grundkiewicz2015", 0.5, expected_wins_as_published, bounds=SHARE,
)  # fmt: skip
