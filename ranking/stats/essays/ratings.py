"""Ratings of whole texts on several scales, and the errors marked in them, as ballots of one number each.

A scale is judged like a campaign of its own: the versions on which a judge gave no number are no answers. The penalty
of a version is the sum of the weights of the errors marked in it.

Toy: two minor errors (1) and a major one (5) make the penalty 7.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ranking.stats.ballots import Ballots, Candidates, starts_of


class ScaleName(NamedTuple):
    name: str
    low: int
    high: int


class SeverityName(NamedTuple):
    name: str
    weight: float


@dataclass(frozen=True)
class EssayRatings:
    """Ballots with the mean of the scales as merit; by row, numbers on each scale and errors of each severity.

    NaN stands for a scale without a number; `unsaid` tells where the judge could not say.
    """

    ballots: Ballots
    scales: tuple[ScaleName, ...]
    numbers: np.ndarray
    unsaid: np.ndarray
    severities: tuple[SeverityName, ...]
    errors: np.ndarray

    def choose(self, wanted: np.ndarray) -> "EssayRatings":
        """Select ballots by a mask."""
        rows = wanted[self.ballots.ballot_of]
        return replace(
            self, ballots=self.ballots.choose(wanted), numbers=self.numbers[rows], unsaid=self.unsaid[rows],
            errors=self.errors[rows],
        )  # fmt: skip

    def on(self, scale: int) -> Ballots:
        return answered(self.ballots, self.numbers[:, scale])

    def with_errors(self, severity: int) -> Ballots:
        """Ballots with the number of errors of one severity as merit, of which less is better."""
        return answered(self.ballots, self.errors[:, severity])

    def penalties(self) -> Ballots:
        return answered(self.ballots, self.errors @ np.array([one.weight for one in self.severities]))


def answered(ballots: Ballots, merits: np.ndarray) -> Ballots:
    """The ballots that have a merit that is known, with these merits alone."""
    kept = ~np.isnan(merits)
    sizes = np.bincount(ballots.ballot_of[kept], minlength=len(ballots))
    there = sizes > 0
    return replace(
        ballots, judge=ballots.judge[there], segment=ballots.segment[there], seconds=ballots.seconds[there],
        starts=starts_of(sizes[there]), candidate=ballots.candidate[kept], merit=merits[kept],
    )  # fmt: skip


def of_rated(ballots: Ballots) -> tuple[np.ndarray, Ballots]:
    """The systems behind some answer, and ballots that know of these alone."""
    systems = np.unique(system_of_rows(ballots)[1])
    number = np.full(ballots.systems, -1)
    number[systems] = np.arange(len(systems))
    behind = ballots.candidates
    renamed = number[behind.members]
    owner = np.repeat(np.arange(len(behind.sizes)), behind.sizes)
    sizes = np.bincount(owner[renamed >= 0], minlength=len(behind.sizes))
    candidates = Candidates(starts_of(sizes), renamed[renamed >= 0].astype(behind.members.dtype))
    return systems, replace(ballots, systems=len(systems), candidates=candidates)


def system_of_rows(ballots: Ballots) -> tuple[np.ndarray, np.ndarray]:
    """For each system behind each answer, the row of the answer, and the system."""
    behind = ballots.candidates
    sizes = behind.sizes[ballots.candidate]
    rows = np.repeat(np.arange(len(ballots.candidate)), sizes)
    firsts = np.repeat(behind.starts[ballots.candidate] - starts_of(sizes)[:-1], sizes)
    return rows, behind.members[firsts + np.arange(len(rows))]


def texts_of(ballots: Ballots) -> np.ndarray:
    """The number of texts in which each system was rated."""
    rows, systems = system_of_rows(ballots)
    text = ballots.segment[ballots.ballot_of[rows]].astype(np.int64)
    return np.bincount(np.unique(text * ballots.systems + systems) % ballots.systems, minlength=ballots.systems)
