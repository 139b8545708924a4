"""Simulated judges whose systems, texts and tastes are known, and who answer the screens of a real plan."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import scipy as sp

from ranking.stats.ballots import Ballots
from ranking.stats.power.assumptions import Assumptions, Deviations
from ranking.stats.rankings.bradley_terry import bradley_terry
from ranking.stats.rankings.expected_wins import expected_wins
from ranking.stats.rankings.hierarchical import WARM_UP, design_of, start_of
from ranking.stats.rankings.hierarchical.chain import step
from ranking.stats.rankings.hierarchical.state import ABILITY, NOISE, TASTE
from ranking.stats.resampling import generator
from ranking.stats.tally import Tally, tally

# Steps of the sampler between two worlds that a pilot suggests, so that they differ.
STEPS_APART = 10
# In which the true scores count sentences; only ratios matter.
LARGE = 1e6


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

    def judged(self, blank: Ballots, random: np.random.Generator, minds: "Minds | None" = None) -> Ballots:
        """The same ballots with answers, by new judges on new texts unless their minds are given.

        Those that tie have the utility of the best of them.
        """
        noise = self.deviations.noise * random.standard_normal(len(blank.candidate))
        utilities = self._utilities(blank, minds or self.minds(blank, random)) + noise
        order = np.lexsort((-utilities, blank.ballot_of))
        ordered = utilities[order]
        is_worse = np.append(np.inf, -np.diff(ordered)) >= self.deviations.margin
        is_worse[blank.starts[:-1][blank.sizes > 0]] = True
        merit = np.empty(len(utilities))
        merit[order] = ordered[is_worse][np.cumsum(is_worse) - 1]
        return replace(blank, merit=merit)

    def minds(self, blank: Ballots, random: np.random.Generator) -> "Minds":
        tastes = self.deviations.tastes * random.standard_normal((blank.judges, blank.systems))
        return Minds(tastes, self.deviations.effects * random.standard_normal(len(blank.candidates.sizes)))

    def _utilities(self, blank: Ballots, minds: "Minds") -> np.ndarray:
        """What each judge would think of each text without noise."""
        row, member = _members(blank)
        ballot = blank.ballot_of[row]
        abilities = self.of_sentences(blank.segments)
        of_member = minds.tastes[blank.judge[ballot], member] + abilities[blank.segment[ballot], member]
        sizes = blank.candidates.sizes[blank.candidate]
        return np.bincount(row, of_member, len(sizes)) / sizes + minds.effects[blank.candidate]

    def true_scores(self, groups: np.ndarray, for_ratings: bool = False) -> np.ndarray:
        """Expected Wins, or z-scores, of endless judgments of sentences with these texts (see `texts_of`)."""
        abilities = _means_of_groups(groups, self.of_sentences(len(groups)))
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


@dataclass(frozen=True)
class Minds:
    """The taste of each judge (row) for each system, and the effect of each text."""

    tastes: np.ndarray
    effects: np.ndarray


def texts_of(blank: Ballots) -> np.ndarray:
    """For each sentence (row) and system, the candidate that is shown for it; -1 if none is."""
    groups = np.full((blank.segments, blank.systems), -1)
    row, member = _members(blank)
    groups[blank.segment[blank.ballot_of][row], member] = blank.candidate[row]
    return groups


def _members(blank: Ballots) -> tuple[np.ndarray, np.ndarray]:
    """The systems behind the candidates of all rows, and the row of each."""
    sizes = blank.candidates.sizes[blank.candidate]
    row = np.repeat(np.arange(len(sizes)), sizes)
    first = blank.candidates.starts[blank.candidate] - np.cumsum(sizes) + sizes
    return row, blank.candidates.members[first[row] + np.arange(len(row))]


def _means_of_groups(groups: np.ndarray, abilities: np.ndarray) -> np.ndarray:
    """The mean ability of the systems behind each text; abilities have a row for each sentence."""
    alike = (groups[:, :, None] == groups[:, None, :]) & (groups[:, None, :] >= 0)
    return np.einsum("nij,nj->ni", alike, abilities) / np.maximum(alike.sum(axis=2), 1)


def assumed(assumptions: Assumptions, systems: int, seed: int) -> Iterator[World]:
    """Worlds in which the systems are drawn anew, endlessly; their abilities have exactly the assumed deviation."""
    deviations = assumptions.deviations()
    number = 0
    while True:
        drawn = generator(seed, number).standard_normal(systems)
        drawn = (drawn - drawn.mean()) / drawn.std()
        yield World(deviations.abilities * drawn, deviations)
        number += 1


def suggested(pilot: Ballots, seed: int) -> Iterator[World]:
    """Worlds in which the pilot might have come about, endlessly: draws from the hierarchical model's posterior."""
    counted = tally(pilot)
    design = design_of(pilot, counted)
    state, random = start_of(design, counted, bradley_terry(counted)), generator(seed, 0)
    for _ in range(WARM_UP - STEPS_APART):
        step(random, design, state)
    while True:
        for _ in range(STEPS_APART):
            step(random, design, state)
        ability, taste, noise = (float(state.variances[part]) for part in (ABILITY, TASTE, NOISE))
        effects = float(state.share[0]) * noise
        deviations = Deviations(ability**0.5, taste**0.5, effects**0.5, (noise - effects) ** 0.5, design.margin)
        yield World(state.abilities.copy(), deviations)
