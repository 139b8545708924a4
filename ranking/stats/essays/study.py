"""The study behind a report on whole texts: ratings, the names of systems and judges, and parameters."""

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import ClassVar

import numpy as np

from ranking.numbers.intervals import Interval
from ranking.numbers.tables import StatisticsError
from ranking.stats.analysis import Day, Study
from ranking.stats.ballots import Ballots
from ranking.stats.code import fingerprint_of
from ranking.stats.essays.estimates import MEAN, STANDARDISED, Measured, measured
from ranking.stats.essays.parameters import EssayParameters
from ranking.stats.essays.ratings import EssayRatings
from ranking.stats.rankings.methods import METHODS


@dataclass(frozen=True)
class EssayStudy(Study):
    """`is_repeat` has a value for each ballot."""

    kind: ClassVar[str] = "essays"

    ratings: EssayRatings
    is_repeat: np.ndarray
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    parameters: EssayParameters
    days: tuple[Day, ...] = ()

    @cached_property
    def first(self) -> EssayRatings:
        """Without repeats."""
        return self.ratings.choose(~self.is_repeat) if self.is_repeat.any() else self.ratings

    @property
    def families(self) -> int:
        """The number of scales with answers, errors among them, on which pairs of systems are tested."""
        used = np.isfinite(self.first.numbers).any(axis=0).sum()
        return int(used) + bool(self.ratings.severities)

    def on(self, scale: int, measure: str) -> Measured:
        """z-scores have no ends."""
        _, low, high = self.ratings.scales[scale]
        if measure == STANDARDISED:
            spread, ends = METHODS[measure].spread, Interval(-inf, inf)
        else:
            spread, ends = (high - low) / 2, Interval(low, high)
        return measured(self.first.on(scale), measure, self.parameters, spread, ends)

    def of_errors(self, ballots: Ballots, weight: float) -> Measured:
        """Means; errors have no upper end, so the most that one text can deviate is half of the most that was seen."""
        spread = max(float(ballots.merit.max(initial=0)), weight) / 2
        return measured(ballots, MEAN, self.parameters, spread, Interval(0, inf))

    def how_much(self) -> dict[str, int]:
        ballots = self.ratings.ballots
        judged = ballots.sizes > 0
        return {
            "systems": len(self.systems), "texts": len(np.unique(ballots.segment[judged])),
            "judges": len(np.unique(ballots.judge[judged])), "judgments": int(judged.sum()),
            "skipped": int((~judged).sum()), "ratings": int(np.isfinite(self.first.numbers).sum()),
        }  # fmt: skip

    @property
    def judgments(self) -> int:
        return len(self.ratings.ballots)

    def check_usable(self) -> None:
        super().check_usable()
        if not np.isfinite(self.ratings.numbers).any():
            raise StatisticsError("No judge has given a number yet; all skipped their screens or could not say.")

    def made_of(self) -> list[str]:
        return ["essays", f"judgments:{self.judgments}", f"judges:{len(self.judges)}"]

    def fingerprint(self) -> str:
        given, ballots = self.ratings, self.ratings.ballots
        return fingerprint_of(
            (self.systems, given.scales, given.severities),
            ballots.judge, ballots.segment, ballots.seconds, ballots.starts, ballots.candidate, ballots.merit,
            ballots.candidates.starts, ballots.candidates.members, given.numbers, given.unsaid, given.errors,
            self.is_repeat,
        )  # fmt: skip
