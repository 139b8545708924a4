"""Simulated judges whose systems, texts and tastes are known, and who answer the screens of a real plan.

What organisers assume about systems and judges, in words they can check, and what follows for a simulation.

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

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from math import pi, sin, sqrt
from statistics import NormalDist

import numpy as np
import scipy as sp

from ranking.stats.ballots import Ballots
from ranking.stats.rankings.bradley_terry import bradley_terry
from ranking.stats.rankings.expected_wins import expected_wins
from ranking.stats.rankings.hierarchical import WARM_UP, design_of, run, start_of
from ranking.stats.rankings.hierarchical_chain import ABILITY, NOISE, TASTE
from ranking.stats.resampling import generator
from ranking.stats.tally import Tally, tally

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
        abilities = 1.0 if self.spread else 0.0
        if self.spread and spread_at(HIGHEST_ABILITIES, margin) >= self.spread:
            abilities = _root(lambda a: spread_at(a, margin) - self.spread, HIGHEST_ABILITIES)
        # The correlation of two judges' differences at which they agree so often.
        common = sin(2 * pi * (self.agreement / 2 - 0.25))
        if margin:
            common = _root(lambda r: agreement_at(r, margin) - self.agreement, 1 - 1e-9)
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


def spread_at(abilities: float, margin: float) -> float:
    """The standard deviation of scores if abilities have this share of the variance of differences."""
    at, weight = np.polynomial.hermite_e.hermegauss(40)
    weight, at = weight / weight.sum(), at * sqrt(abilities / 2)
    apart, error = at[:, None] - at, sqrt(1 - abilities)
    won, lost = sp.special.ndtr((apart - margin) / error), sp.special.ndtr((-apart - margin) / error)
    scores = (won / (won + lost)) @ weight
    return float(np.sqrt(weight @ (scores - 0.5) ** 2))


def _root(function: Callable[[float], float], highest: float) -> float:
    return float(sp.optimize.brentq(function, 0, highest))


def agreement_at(correlation: float, margin: float) -> float:
    """How often two judges who both prefer one of two candidates agree, if some tie."""
    below = NORMAL.cdf(-margin)
    joint = sp.stats.multivariate_normal(cov=[[1, correlation], [correlation, 1]], allow_singular=True)
    alike = float(joint.cdf([-margin, -margin]))
    opposite = below - float(joint.cdf([-margin, margin]))
    return alike / (alike + opposite)


# Steps of the sampler between two worlds that a pilot suggests, so that they differ.
STEPS_APART = 10
# In which the true scores count sentences; only ratios matter.
LARGE = 1e6
# The taste of each judge (row) for each system, and the effect of each text.
Minds = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class World:
    """Abilities of systems, and the deviations of everything else.

    `turns` is what is added to the abilities for each sentence (row) and system, if abilities depend on the sentence.
    """

    abilities: np.ndarray
    deviations: Deviations
    turns: np.ndarray | float = 0.0

    def of_sentences(self, sentences: int) -> np.ndarray:
        """The abilities for each sentence (row)."""
        return np.broadcast_to(self.abilities + self.turns, (sentences, len(self.abilities)))

    def judge(self, blank: Ballots, random: np.random.Generator, minds: Minds | None = None) -> Ballots:
        """The same ballots with answers, by new judges on new texts unless their minds are given.

        Those that tie have the utility of the best of them.
        """
        noise = self.deviations.noise * random.standard_normal(len(blank.candidate))
        tastes, effects = minds or self.minds(blank, random)
        row, member = blank.systems_behind()
        ballot, sizes = blank.ballot_of[row], blank.candidates.sizes[blank.candidate]
        abilities = self.of_sentences(blank.segments)
        of_member = tastes[blank.judge[ballot], member] + abilities[blank.segment[ballot], member]
        utilities = np.bincount(row, of_member, len(sizes)) / sizes + effects[blank.candidate] + noise
        order = np.lexsort((-utilities, blank.ballot_of))
        ordered = utilities[order]
        is_worse = np.append(np.inf, -np.diff(ordered)) >= self.deviations.margin
        is_worse[blank.starts[:-1][blank.sizes > 0]] = True
        merit = np.empty(len(utilities))
        merit[order] = ordered[is_worse][np.cumsum(is_worse) - 1]
        return replace(blank, merit=merit)

    def minds(self, blank: Ballots, random: np.random.Generator) -> Minds:
        tastes = self.deviations.tastes * random.standard_normal((blank.judges, blank.systems))
        return tastes, self.deviations.effects * random.standard_normal(len(blank.candidates.sizes))

    def true_scores(self, groups: np.ndarray, for_ratings: bool = False) -> np.ndarray:
        """Expected Wins, or z-scores, of endless judgments of sentences with these texts (see `texts_of`)."""
        # The mean ability of the systems behind each text.
        alike = (groups[:, :, None] == groups[:, None, :]) & (groups[:, None, :] >= 0)
        abilities = np.einsum("nij,nj->ni", alike, self.of_sentences(len(groups))) / np.maximum(alike.sum(axis=2), 1)
        apart = self.deviations
        if for_ratings:
            known = np.where(groups >= 0, abilities, np.nan)
            parts = (float(np.nanstd(known)), apart.tastes, apart.effects, apart.noise)
            return (np.nanmean(known, axis=0) - np.nanmean(known)) / np.linalg.norm(parts)
        error = np.sqrt(2 * (apart.tastes**2 + apart.effects**2 + apart.noise**2))
        wins = np.zeros((len(self.abilities),) * 2)
        for system in range(len(self.abilities)):
            differs = (groups != groups[:, [system]]) & (groups >= 0) & (groups[:, [system]] >= 0)
            won = sp.special.ndtr((abilities[:, [system]] - abilities - apart.margin) / error)
            wins[system] = np.where(differs, won, 0).sum(axis=0)
        nothing, unknown = np.zeros_like(wins), np.zeros(len(self.abilities))
        return expected_wins(Tally(wins * LARGE, nothing, nothing, unknown, unknown))


def texts_of(blank: Ballots) -> np.ndarray:
    """For each sentence (row) and system, the candidate that is shown for it; -1 if none is."""
    groups = np.full((blank.segments, blank.systems), -1)
    row, member = blank.systems_behind()
    groups[blank.segment[blank.ballot_of][row], member] = blank.candidate[row]
    return groups


def assumed_worlds(assumptions: Assumptions, systems: int, seed: int) -> Iterator[World]:
    """Worlds in which the systems are drawn anew, endlessly; their abilities have exactly the assumed deviation."""
    deviations = assumptions.deviations()
    for number in count():
        drawn = generator(seed, number).standard_normal(systems)
        drawn = (drawn - drawn.mean()) / drawn.std()
        yield World(deviations.abilities * drawn, deviations)


def worlds_like(pilot: Ballots, seed: int) -> Iterator[World]:
    """Worlds in which the pilot might have come about, endlessly: draws from the hierarchical model's posterior."""
    counted = tally(pilot)
    design = design_of(pilot, counted)
    state, random = start_of(design, counted, bradley_terry(counted)), generator(seed, 0)
    steps, no_scores = WARM_UP, np.empty((0, pilot.systems))
    while True:
        run(random, design, state, steps, False, no_scores)
        steps = STEPS_APART
        ability, taste, noise = (float(state.variances[part]) for part in (ABILITY, TASTE, NOISE))
        effects = float(state.share[0]) * noise
        deviations = Deviations(ability**0.5, taste**0.5, effects**0.5, (noise - effects) ** 0.5, design.margin)
        yield World(state.abilities.copy(), deviations)
