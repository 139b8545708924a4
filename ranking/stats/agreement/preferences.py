"""How often two judges who both prefer one of two versions prefer the same: what predictions assume as agreement.

A pair of versions on which b judges prefer the one and w the other has b (b - 1) / 2 + w (w - 1) / 2 pairs of judges
who agree, and b w who do not; judges without a preference, and second answers of a judge, are left out.

Toy: three judges prefer A to B, one prefers B: 3 pairs of judges agree and 3 do not, so the agreement is 1/2.
"""

from typing import NamedTuple

import numpy as np

from ranking.stats.agreement.pairs import BETTER, EVEN, pairs_of
from ranking.stats.ballots import Ballots


class Preferences(NamedTuple):
    """Pairs of judges who both had a preference between the same two versions, and those who agreed."""

    pairs: int
    agreed: int


def preferences(ballots: Ballots) -> Preferences:
    found = pairs_of(ballots)
    judge = ballots.judge[found.ballot]
    _, first = np.unique(found.key * np.int64(ballots.judges) + judge, return_index=True)
    first = first[found.outcome[first] != EVEN]
    better = np.bincount(found.key[first], found.outcome[first] == BETTER, found.keys)
    worse = np.bincount(found.key[first], minlength=found.keys) - better
    agreed = int((better * (better - 1) + worse * (worse - 1)).sum()) // 2
    return Preferences(agreed + int((better * worse).sum()), agreed)
