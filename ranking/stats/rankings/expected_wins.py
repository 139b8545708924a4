"""Expected Wins: the probability that a system beats another one drawn at random.

With w(i, j) the number of times i beat j and ties left out,

    EW(i) = mean over the other systems j of  w(i, j) / (w(i, j) + w(j, i)).

Bojar et al. (2013) and Grundkiewicz et al. (2015) do not define the score of a pair without a decisive comparison, and
used two programs that differ. `expected_wins` counts such a pair as 0 and averages over all opponents (Table 3b).
`expected_wins_of_judge` averages only over the opponents that the system beat at least once, so that an opponent that
always won is ignored; it rounds to four decimals and gives no score to a system that never won (Tables 6 and 7).

Toy: A beats B three times of four and was never compared with C; EW(A) = (3/4 + 0) / 2, or 3/4 by the second program.
"""

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.tally import Tally

DECIMALS = 4


def expected_wins(counted: Tally) -> np.ndarray:
    if counted.systems < 2:
        raise StatisticsError("There is only one system, so there is nothing to compare it with.")
    if not counted.wins.any():
        raise StatisticsError("No judge preferred any output to another, so the systems cannot be told apart.")
    return shares(counted).sum(axis=-1) / (counted.systems - 1)


def expected_wins_of_judge(counted: Tally) -> np.ndarray:
    """Scores as in the published tables of single judges; NaN where a system beat no other."""
    beaten = (counted.wins > 0).sum(axis=-1)
    summed = shares(counted).sum(axis=-1)
    return np.round(np.divide(summed, beaten, out=np.full(summed.shape, np.nan), where=beaten > 0), DECIMALS)


def shares(counted: Tally) -> np.ndarray:
    """Return the share of decisive comparisons in which i beat j; 0 where there are none."""
    decisive = counted.decisive
    return np.divide(counted.wins, decisive, out=np.zeros(decisive.shape), where=decisive > 0)
