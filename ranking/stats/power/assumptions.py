"""What organisers assume about systems and judges, in words they can check, and what follows for a simulation.

A judge orders candidates by utility, as in the hierarchical model (ranking.stats.rankings.hierarchical):

    mean over the systems behind it of [ability + taste of this judge]  +  effect of the text  +  noise,

each normal around 0; neighbours that differ by less than a margin tie. Variances are chosen so that the difference of
two candidates by two systems has variance 1, of which abilities have a, effects e, tastes t and noise the rest:

    spread     the standard deviation of scores of many systems; against another one with an ability lower by d, a
               system wins the share W(d) / (W(d) + W(-d)) of what does not tie, W(d) = Phi((d - margin) / sqrt(1 - a))
    ties       2 Phi(margin) - 1
    agreement  of two judges who both prefer one of two candidates: with r = a + e, the correlation of their
               differences, L = P(both < -margin) and O = P(one < -margin, the other > margin): L / (L + O)

Toy: no ties, agreement 3/4: the orthant probability 1/4 + arcsin(r) / (2 pi) is 3/8, so r = sin(pi / 4) = .707.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import asin, pi, sin, sqrt
from statistics import NormalDist

import numpy as np
import scipy as sp

NORMAL = NormalDist()
HIGHEST_TIES, LOWEST_AGREEMENT, HIGHEST_AGREEMENT = 0.95, 0.5, 0.99
HIGHEST_SPREAD, HIGHEST_TASTES = 0.3, 0.5
HIGHEST_ABILITIES = 0.95


class AssumptionError(ValueError):
    """An assumption is impossible, or contradicts another one; the message says what to change."""


@dataclass(frozen=True)
class Deviations:
    """Standard deviations of the parts of a utility, and the margin within which neighbours tie."""

    abilities: float
    tastes: float
    effects: float
    noise: float
    margin: float


@dataclass(frozen=True)
class Assumptions:
    """The defaults are estimates from the published rankings of the CoNLL-2014 systems (docs/statistics.md).

    `spread` is the standard deviation of the systems' Expected Wins, `ties` the share of compared pairs that tie,
    `agreement` how often two judges who both prefer one of two versions prefer the same, and `tastes` the share of what
    sets two versions apart that is one judge's liking for a system.
    """

    spread: float = 0.076
    ties: float = 0.278
    agreement: float = 0.82
    tastes: float = 0.03

    def __post_init__(self) -> None:
        check_within("The spread of systems", self.spread, 0, HIGHEST_SPREAD)
        check_within("The share of ties", self.ties, 0, HIGHEST_TIES)
        check_within("The agreement of judges", self.agreement, LOWEST_AGREEMENT, HIGHEST_AGREEMENT)
        check_within("The share of tastes", self.tastes, 0, HIGHEST_TASTES)

    def deviations(self) -> Deviations:
        margin = NORMAL.inv_cdf((1 + self.ties) / 2)
        abilities = _variance_of_abilities(self.spread, margin)
        common = _correlation(self.agreement, margin)
        if common < abilities or common + self.tastes > 1:
            raise AssumptionError(
                "These assumptions contradict each other: judges who agree so little could not tell systems so far "
                "apart, or judges who agree so much have no tastes. Change the spread, the agreement or the tastes."
            )
        # Each variance is half of that of a difference.
        effects, noise = common - abilities, 1 - common - self.tastes
        return Deviations(sqrt(abilities / 2), sqrt(self.tastes / 2), sqrt(effects / 2), sqrt(noise / 2), margin)


def check_within(what: str, value: float, lowest: float, highest: float) -> None:
    if not lowest <= value <= highest:
        raise AssumptionError(f"{what} must lie between {lowest} and {highest}.")


def _variance_of_abilities(spread: float, margin: float) -> float:
    if spread_at(HIGHEST_ABILITIES, margin) < spread:
        return 1.0
    return _root(lambda a: spread_at(a, margin) - spread, HIGHEST_ABILITIES) if spread else 0.0


def spread_at(abilities: float, margin: float) -> float:
    """The standard deviation of scores if abilities have this share of the variance of differences."""
    at, weight = np.polynomial.hermite_e.hermegauss(40)
    weight, at = weight / weight.sum(), at * sqrt(abilities / 2)
    apart, error = at[:, None] - at, sqrt(1 - abilities)
    won, lost = sp.special.ndtr((apart - margin) / error), sp.special.ndtr((-apart - margin) / error)
    scores = (won / (won + lost)) @ weight
    return float(np.sqrt(weight @ (scores - 0.5) ** 2))


def _correlation(agreement: float, margin: float) -> float:
    """The correlation of two judges' differences at which they agree so often."""
    if not margin:
        return sin(2 * pi * (agreement / 2 - 0.25))
    return _root(lambda r: agreement_at(r, margin) - agreement, 1 - 1e-9)


def _root(function: Callable[[float], float], highest: float) -> float:
    return float(sp.optimize.brentq(function, 0, highest))


def agreement_at(correlation: float, margin: float) -> float:
    if not margin:
        return 0.5 + asin(correlation) / pi
    below = NORMAL.cdf(-margin)
    joint = sp.stats.multivariate_normal(cov=[[1, correlation], [correlation, 1]], allow_singular=True)
    alike = float(joint.cdf([-margin, -margin]))
    opposite = below - float(joint.cdf([-margin, margin]))
    return alike / (alike + opposite)
