"""Bradley-Terry with ties (Davidson 1970): every system has a strength, and one parameter governs ties.

With strengths p and tie parameter v, and s = p_i + p_j + v sqrt(p_i p_j),

    P(i beats j) = p_i / s,   P(tie) = v sqrt(p_i p_j) / s.

Newton's method fits it by maximum likelihood in the logarithms of p and v, in which the likelihood is concave. Every
system also gets half a win and half a loss, spread evenly over all its opponents, so that one that never lost has a
finite strength (stated in the signature as prior:0.5). This is per system, not per pair: with many systems and few
comparisons of each pair, half a win a pair would pull all scores together. Ties of systems that share a candidate are
not comparisons and are left out. The score is the logarithm of the strength, centred on 0; a difference of d means odds
of exp(d) for a win.

Toy: A beats B three times of four, no ties, no prior: the scores differ by log 3. With the prior the wins are 3.5 and
1.5, and the scores +-0.42. With four ties and no prior p is 3 and 1, v = 4 / sqrt(3), s = 8: 3/8, 1/8 and P(tie) 4/8.
"""

from weakref import WeakKeyDictionary

import numpy as np

from ranking.numbers.kernels import kernel
from ranking.numbers.tables import StatisticsError
from ranking.stats.rankings.method import Method
from ranking.stats.tally import Tally

PRIOR = 0.5
MOST_STEPS = 100
LONGEST_STEP = 2.0
CLOSE = 1e-9


# Expected Wins and Bradley-Terry rank by the same tallies.
_known: WeakKeyDictionary[Tally, np.ndarray] = WeakKeyDictionary()


def bradley_terry(counted: Tally) -> np.ndarray:
    if counted not in _known:
        _known[counted] = fit(counted)[0]
    return _known[counted]


def fit(counted: Tally, prior: float = PRIOR) -> tuple[np.ndarray, np.ndarray]:
    """Centred logarithms of the strengths, and the tie parameter; leading axes are those of the tally."""
    if counted.systems < 2:
        raise StatisticsError("There is only one system, so there is nothing to compare it with.")
    judged = counted.decisive + counted.ties
    if not judged.any():
        raise StatisticsError("No judge compared any two outputs, so no system is better than another.")
    shape, systems = judged.shape, counted.systems
    # In one order, whichever they come in, so that the fit is compiled once.
    wins, ties = (
        pairs.reshape(-1, systems, systems).astype(float, order="C") for pairs in (counted.wins, counted.ties)
    )
    found = np.zeros((len(wins), systems + 1))
    slope, curve = np.empty(systems + 1), np.empty((systems + 1, systems + 1))
    if not all(_settle(*given, prior / (systems - 1), slope, curve) for given in zip(wins, ties, found, strict=True)):
        raise StatisticsError("The Bradley-Terry fit did not converge; collect more comparisons of the rarest systems.")
    scores = found[:, :-1] - found[:, :-1].mean(axis=1, keepdims=True)
    return scores.reshape(shape[:-1]), np.exp(found[:, -1]).reshape(shape[:-2])


@kernel
def _settle(wins, ties, found, prior, slope, curve):
    """Take Newton steps until none moves; returns whether it settled.

    The last parameter is the logarithm of v; without ties v is 0, and it stays out. Plain loops, because slices and
    NumPy's functions take seconds to compile.
    """
    systems, tied = len(wins), 0.0
    for one in range(systems):
        for other in range(one):
            tied += ties[one, other]
    free = systems + (tied > 0)
    found[systems] = np.log(0.5) if tied > 0 else -np.inf
    for _ in range(MOST_STEPS):
        _add_pairs(wins, ties, found, prior, slope, curve, free)
        _solve(curve, slope, free)
        moved = 0.0
        for place in range(free):
            moved = max(moved, abs(slope[place]))
        for place in range(free):
            found[place] += slope[place] * (LONGEST_STEP / moved if moved > LONGEST_STEP else 1.0)
        if moved < CLOSE:
            return True
    return False


@kernel
def _add_pairs(wins, ties, found, prior, slope, curve, free):
    """Write the slope of the likelihood and its curvature, pair by pair."""
    systems = len(wins)
    for one in range(free):
        slope[one] = 0.0
        for other in range(free):
            # Scores move freely together; this keeps their sum.
            curve[one, other] = 1.0 if one < systems and other < systems else 0.0
    for one in range(systems):
        for other in range(one):
            won, lost = wins[one, other] + prior, wins[other, one] + prior
            drawn = ties[one, other]
            ahead = np.exp(found[one] - found[other])
            even = np.exp(found[systems] + (found[one] - found[other]) / 2)
            wins_one, tie = ahead / (ahead + 1 + even), even / (ahead + 1 + even)
            points, compared = wins_one + tie / 2, won + lost + drawn
            missing = won + drawn / 2 - compared * points
            slope[one] += missing
            slope[other] -= missing
            spread = compared * (wins_one + tie / 4 - points**2)
            curve[one, one] += spread
            curve[other, other] += spread
            curve[one, other] -= spread
            curve[other, one] -= spread
            if free > systems:
                slope[systems] += drawn - compared * tie
                together = compared * tie * (0.5 - points)
                curve[one, systems] += together
                curve[systems, one] += together
                curve[other, systems] -= together
                curve[systems, other] -= together
                curve[systems, systems] += compared * tie * (1 - tie)


@kernel
def _solve(curve, slope, free):
    """Divide the slope by the curvature in place, by Cholesky's factors; a concave likelihood has them."""
    for row in range(free):
        for column in range(row + 1):
            rest = curve[row, column]
            for place in range(column):
                rest -= curve[row, place] * curve[column, place]
            curve[row, column] = np.sqrt(rest) if row == column else rest / curve[column, column]
    for row in range(free):
        for place in range(row):
            slope[row] -= curve[row, place] * slope[place]
        slope[row] /= curve[row, row]
    for row in range(free - 1, -1, -1):
        for place in range(row + 1, free):
            slope[row] -= curve[place, row] * slope[place]
        slope[row] /= curve[row, row]


BRADLEY_TERRY = Method(
    "bradley-terry", "Bradley-Terry with ties", "ties:davidson|prior:0.5", "bradley1952; @davidson1970", 2.0,
    bradley_terry,
)  # fmt: skip
