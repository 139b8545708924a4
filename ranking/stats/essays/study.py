"""Ratings of whole texts on several scales, and the errors marked in them, as ballots of one number each.

A scale is judged like a campaign of its own: the versions on which a judge gave no number are no answers.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.analysis import Day, Study, fingerprint_of
from ranking.stats.ballots import Ballots, starts_of
from ranking.stats.resampling import SECONDS_TO_READ_A_JUDGMENT, UnitChoices


@dataclass(frozen=True)
class EssayParameters(UnitChoices):
    def seconds(self, judgments: int) -> float:
        """Of mean scores and z-scores, and of mixed models, which read every judgment of every replicate."""
        return 2 * super().seconds(judgments) + self.replicates * judgments * SECONDS_TO_READ_A_JUDGMENT


PRESETS = {"recommended": EssayParameters()}


class ScaleName(NamedTuple):
    name: str
    low: int
    high: int


class SeverityName(NamedTuple):
    name: str
    weight: float


@dataclass(frozen=True)
class EssayStudy(Study):
    """Ballots with the mean of the scales as merit; by row, numbers on each scale and errors of each severity.

    NaN stands for a scale without a number; `unsaid` tells where the judge could not say. `is_repeat` has a value for
    each ballot.
    """

    kind: ClassVar[str] = "essays"

    ballots: Ballots
    scales: tuple[ScaleName, ...]
    numbers: np.ndarray
    unsaid: np.ndarray
    severities: tuple[SeverityName, ...]
    errors: np.ndarray
    is_repeat: np.ndarray
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    parameters: EssayParameters
    days: tuple[Day, ...] = ()

    @cached_property
    def first(self) -> "EssayStudy":
        """Without repeats."""
        return self.choose(~self.is_repeat) if self.is_repeat.any() else self

    def choose(self, wanted: np.ndarray) -> "EssayStudy":
        """Select ballots by a mask."""
        rows = wanted[self.ballots.ballot_of]
        return replace(
            self, ballots=self.ballots.choose(wanted), numbers=self.numbers[rows], unsaid=self.unsaid[rows],
            errors=self.errors[rows], is_repeat=self.is_repeat[wanted],
        )  # fmt: skip

    def with_merits(self, merits: np.ndarray) -> Ballots:
        """The ballots that have a merit that is known, with these merits alone."""
        ballots, known = self.ballots, ~np.isnan(merits)
        sizes = np.bincount(ballots.ballot_of[known], minlength=len(ballots))
        there = sizes > 0
        return replace(
            ballots, judge=ballots.judge[there], segment=ballots.segment[there], seconds=ballots.seconds[there],
            starts=starts_of(sizes[there]), candidate=ballots.candidate[known], merit=merits[known],
        )  # fmt: skip

    @property
    def families(self) -> int:
        """The number of scales with answers, errors among them, on which pairs of systems are tested."""
        return int(np.isfinite(self.first.numbers).any(axis=0).sum()) + bool(self.severities)

    @property
    def judgments(self) -> int:
        return len(self.ballots)

    def how_much(self) -> dict[str, int]:
        ballots = self.ballots
        judged = ballots.sizes > 0
        return {
            "systems": len(self.systems), "texts": len(np.unique(ballots.segment[judged])),
            "judges": len(np.unique(ballots.judge[judged])), "judgments": int(judged.sum()),
            "skipped": int((~judged).sum()), "ratings": int(np.isfinite(self.first.numbers).sum()),
        }  # fmt: skip

    def check_usable(self) -> None:
        super().check_usable()
        if not np.isfinite(self.numbers).any():
            raise StatisticsError("No judge has given a number yet; all skipped their screens or could not say.")

    def made_of(self) -> list[str]:
        return ["essays", f"judgments:{self.judgments}", f"judges:{len(self.judges)}"]

    def fingerprint(self) -> str:
        names = self.systems, self.scales, self.severities
        return fingerprint_of(
            names, *self.ballots.columns[:-1], self.numbers, self.unsaid, self.errors, self.is_repeat
        )  # fmt: skip
