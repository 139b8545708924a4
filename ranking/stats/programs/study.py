"""The study behind a report on programs: the judgments of people and of programs, and parameters."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.analysis import Day, Study
from ranking.stats.ballots import Ballots
from ranking.stats.code import fingerprint_of
from ranking.stats.programs.assistance import NO_EXPERIMENT, Experiment
from ranking.stats.programs.corrected import ERRORS, MEAN, RIGHT, WINS, Both, Measure
from ranking.stats.programs.given import Given, merits, orders
from ranking.stats.programs.parameters import ProgramParameters
from ranking.stats.programs.probes import Asked, Probes

RANKING, RATING, VERDICT, EDITS = "ranking", "rating", "verdict", "edits"
MEASURES = {RANKING: (WINS,), RATING: (MEAN, WINS), VERDICT: (ERRORS,), EDITS: (RIGHT,)}
# Where verdicts are given, beside the systems: every usage or edit, whichever they mark or make.
EVERY = {VERDICT: "all usages", EDITS: "all edits"}
NO_PROGRAM = "No program has judged. Give a program a place in this campaign, or make another kind of report."
NO_PEOPLE = "No person has judged. A program's judgments say nothing of what people think; have people judge some."


@dataclass(frozen=True)
class ProgramStudy(Study):
    """Ballots of people and programs alike; `is_repeat` has a value for each ballot.

    A verdict is a ballot with one candidate, the usage, of merit 1 if it is called an error; the systems behind it
    are those that call it one, and the last stands for all usages. Verdicts on edits are ballots with the edits of
    a screen as candidates, of merit 1 if they are right; the systems behind one are those that make it.
    `is_program` and `controls` (seen, and passed) have a value for each judge, empty for people; `lengths` has one
    for each candidate.
    """

    kind: ClassVar[str] = "programs"

    scale: str
    ballots: Ballots
    is_repeat: np.ndarray
    is_program: np.ndarray
    lengths: np.ndarray
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    controls: tuple[tuple[int, int], ...]
    parameters: ProgramParameters
    probes: Probes
    asked: tuple[Asked, ...] = ()
    days: tuple[Day, ...] = ()
    experiment: Experiment = NO_EXPERIMENT
    _both: dict[int, Both] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def measures(self) -> tuple[Measure, ...]:
        return MEASURES[self.scale]

    @property
    def gives_verdicts(self) -> bool:
        return self.scale in EVERY

    @cached_property
    def people(self) -> Ballots:
        """Without repeats and skipped ones."""
        return self._first(~self.is_program[self.ballots.judge])

    @cached_property
    def programs(self) -> dict[int, Ballots]:
        """Without repeats, by the number of the program; those that judged."""
        found = {number: self._first(self.ballots.judge == number) for number in np.flatnonzero(self.is_program)}
        return {int(number): ballots for number, ballots in found.items() if len(ballots)}

    def _first(self, wanted: np.ndarray) -> Ballots:
        return self.ballots.choose(wanted & ~self.is_repeat & (self.ballots.sizes > 0))

    @cached_property
    def fitted(self) -> ProgramParameters:
        return self.parameters.fitted(len(np.unique(self.people.judge)))

    def both(self, program: int) -> Both:
        if program not in self._both:
            judged = np.unique(self.ballots.segment[self.ballots.sizes > 0])
            self._both[program] = Both(self.people, self.programs[program], self.fitted, judged)
        return self._both[program]

    def given(self, ballots: Ballots, of_ratings: bool = False) -> Given:
        """Answers to compare: verdicts, ratings if these are wanted, and otherwise the order of each two versions."""
        return merits(ballots) if self.gives_verdicts or (of_ratings and self.scale == RATING) else orders(ballots)

    def check_both(self) -> None:
        if not self.programs:
            raise StatisticsError(NO_PROGRAM)
        if not len(self.people):
            raise StatisticsError(NO_PEOPLE)

    def how_much(self) -> dict[str, int]:
        judged = self.ballots.sizes > 0
        by_program = self.is_program[self.ballots.judge]
        return {
            "systems": len(self.systems) - self.gives_verdicts,
            "usages" if self.scale == VERDICT else "sentences": len(np.unique(self.ballots.segment[judged])),
            "judges": len(np.unique(self.people.judge)), "programs": len(self.programs),
            "judgments": int((judged & ~by_program).sum()),
            "judgments of programs": int((judged & by_program).sum()),
        }  # fmt: skip

    @property
    def judgments(self) -> int:
        return len(self.ballots)

    def made_of(self) -> list[str]:
        return [
            "programs", f"scale:{self.scale}", f"judgments:{self.judgments}",
            f"people:{int((~self.is_program).sum())}", f"programs:{int(self.is_program.sum())}",
        ]  # fmt: skip

    def fingerprint(self) -> str:
        ballots, probes = self.ballots, self.probes.ballots
        return fingerprint_of(
            (self.scale, self.systems, self.controls, self.asked),
            ballots.judge, ballots.segment, ballots.seconds, ballots.starts, ballots.candidate, ballots.merit,
            ballots.candidates.starts, ballots.candidates.members, ballots.document_of, self.is_repeat,
            self.is_program, self.lengths, *self.experiment, probes.judge, probes.segment, probes.starts,
            probes.candidate, probes.merit, self.probes.purpose, self.probes.first,
        )  # fmt: skip
