"""Simulated campaigns whose truth is known.

A system has an ability, and on each sentence its output has a quality around that ability. Some outputs leave the
sentence as it is, and some make the correction that everybody makes; such outputs are one candidate. A judge has a
taste for each system, sees up to five candidates of a sentence with some noise, and calls nearly equal ones a tie.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ranking.stats.ballots import BallotCandidates, Ballots, starts_of
from ranking.stats.comparisons.study import ComparisonStudy, Names, Parameters

# Sentences and judges from which the truth is taken: its own error is a sixth of that of a campaign.
FOR_TRUTH, MANY_JUDGES = 20_000, 400


@dataclass(frozen=True)
class World:
    """Systems, sentences and judges, and how a campaign samples them."""

    abilities: tuple[float, ...]
    sentence_spread: float = 1.0
    taste_spread: float = 0.0
    direction_spread: float = 0.0
    directions: int = 1
    noise: float = 1.0
    tie: float = 0.5
    unchanged: float = 0.3
    common: float = 0.2
    sentences: int = 600
    judges: int = 8
    redundancy: int = 1
    shown: int = 5
    seldom: tuple[tuple[int, int], ...] = ()  # a system and the few screens it is on

    @property
    def systems(self) -> int:
        return len(self.abilities)

    def tastes(self, rng: np.random.Generator) -> np.ndarray:
        """What each judge (row) adds to each system (column): for each its own, and in directions that all share.

        Judges who value kinds of edits differently, of which systems make more or fewer, have one for each kind.
        """
        tastes = self.taste_spread * rng.standard_normal((self.judges, self.systems))
        if not self.direction_spread:
            return tastes
        fixed, even = np.random.default_rng(3), np.linspace(-1, 1, self.systems)
        directions = np.array([fixed.permutation(even) for _ in range(self.directions)])
        along = rng.standard_normal((self.judges, self.directions)) @ directions
        return tastes + self.direction_spread * along / (self.directions * (even**2).mean()) ** 0.5

    def campaign(self, tastes: np.ndarray, rng: np.random.Generator) -> Ballots:
        quality, present, label = self._texts(rng)
        keys = np.where(present, rng.random(present.shape), np.inf)
        for system, screens in self.seldom:
            on = rng.choice(self.sentences, screens, replace=False)
            keys[on, label[on, system]] = -1
            off = np.setdiff1d(np.arange(self.sentences), on)
            alone = (label[off] == label[off, system][:, None]).sum(axis=1) == 1
            keys[off[alone], label[off[alone], system]] = np.inf
            present[off[alone], label[off[alone], system]] = False
            label[off, system] = -1
        slots = np.argsort(keys, axis=1)[:, : self.shown]
        is_shown = np.take_along_axis(present, slots, 1)
        judged = np.flatnonzero(is_shown.sum(axis=1) > 1)
        slots, is_shown = slots[judged], is_shown[judged]
        number = np.where(is_shown, np.cumsum(is_shown).reshape(is_shown.shape) - 1, -1)
        candidate_of = np.full((len(judged), present.shape[1]), -1)
        np.put_along_axis(candidate_of, slots, number, 1)
        of_system = np.where(label[judged] < 0, -1, np.take_along_axis(candidate_of, label[judged], 1))
        row, system = np.nonzero(of_system >= 0)
        order = np.argsort(of_system[row, system], kind="stable")
        members, behind = system[order].astype(np.int32), np.bincount(of_system[row, system])
        candidates = BallotCandidates(starts_of(behind), members)
        judge = np.argsort(rng.random((len(judged), self.judges)), axis=1)[:, : self.redundancy]
        liked = quality[judged][:, None, :] + self._of_texts(tastes[judge], label[judged])
        seen = np.where(is_shown[:, None, :], np.take_along_axis(liked, slots[:, None, :], 2), -np.inf)
        seen = (seen + self.noise * rng.standard_normal(seen.shape)).reshape(-1, slots.shape[1])
        merit = _with_ties(seen, self.tie)
        is_row = np.isfinite(seen)
        sizes = is_row.sum(axis=1)
        each = np.repeat(number, judge.shape[1], axis=0)
        return Ballots(
            systems=self.systems, judges=self.judges, documents=len(judged),
            judge=judge.ravel().astype(np.int32),
            segment=np.repeat(np.arange(len(judged)), judge.shape[1]).astype(np.int32),
            seconds=np.full(len(sizes), 30.0), starts=starts_of(sizes), candidate=each[is_row].astype(np.int32),
            merit=merit[is_row], candidates=candidates, document_of=np.arange(len(judged), dtype=np.int32),
        )  # fmt: skip

    def _texts(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each sentence, the quality of each text and whether there is such a text; and the text of each system."""
        size = self.sentences, self.systems
        kind = rng.random(size)
        label = np.where(kind < self.unchanged, self.systems, self.systems + 1)
        label = np.where(kind < self.unchanged + self.common, label, np.arange(self.systems))
        present = (label[:, :, None] == np.arange(self.systems + 2)).any(axis=1)
        middle = np.append(self.abilities, [np.mean(self.abilities)] * 2)
        return middle + self.sentence_spread * rng.standard_normal(present.shape), present, label

    def _of_texts(self, tastes: np.ndarray, label: np.ndarray) -> np.ndarray:
        """The taste for each text of a sentence: the mean of those for the systems that wrote it."""
        shared = np.stack([label == self.systems, label == self.systems + 1], axis=1)
        wrote = np.maximum(shared.sum(axis=2), 1)[:, None, :]
        return np.concatenate([tastes, np.einsum("njs,nks->njk", tastes, shared) / wrote], axis=2)

    def endless(self, rng: np.random.Generator, tastes: np.ndarray | None = None) -> Ballots:
        """Very many sentences, judged by judges of these tastes, or by very many judges."""
        many = replace(self, sentences=FOR_TRUTH, redundancy=1, seldom=())
        if tastes is None:
            many = replace(many, judges=MANY_JUDGES)
            tastes = many.tastes(rng)
        return many.campaign(tastes, rng)

    @cached_property
    def groups(self) -> np.ndarray:
        """The number of the group of equals of each system, 0 for the best."""
        _, group = np.unique(-np.array(self.abilities), return_inverse=True)
        return group

    @cached_property
    def ranks(self) -> tuple[np.ndarray, np.ndarray]:
        """The best and the worst true rank of each system; equals share theirs."""
        groups = self.groups
        return 1 + (groups < groups[:, None]).sum(axis=1), (groups <= groups[:, None]).sum(axis=1)

    def study(self, ballots: Ballots, replicates: int, **chosen: str) -> ComparisonStudy:
        """A report on a campaign in this world."""
        names = Names(tuple(f"s{number}" for number in range(self.systems)), tuple(map(str, range(self.judges))))
        return ComparisonStudy(ballots, names, Parameters(replicates=replicates, **chosen))  # type: ignore[arg-type]


def _with_ties(seen: np.ndarray, tie: float) -> np.ndarray:
    """Merits of what was seen: one is as good as the next better one if it is worse by less than this."""
    order = np.argsort(-seen, axis=1)
    ordered = np.take_along_axis(seen, order, 1)
    with np.errstate(invalid="ignore"):
        steps = np.cumsum(ordered[:, :-1] - ordered[:, 1:] >= tie, axis=1)
    merit = np.zeros(seen.shape)
    np.put_along_axis(merit, order, -np.concatenate([np.zeros((len(seen), 1)), steps], axis=1), 1)
    return merit


# Twelve systems in groups of equals.
TWELVE = World(abilities=(0.9, 0.45, 0.45, 0.45, 0.2, 0.2, 0.0, 0.0, 0.0, 0.0, -0.5, -0.5))
# Fifty systems that differ a little, each pair compared about five times.
FIFTY = World(abilities=tuple(np.linspace(0.9, -0.9, 50).tolist()), unchanged=0.1, common=0.1)
