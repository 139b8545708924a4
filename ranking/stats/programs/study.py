"""The study behind a report on programs: the judgments of people and of programs, probes, and parameters.

A probe shows the same versions in the opposite order, one version twice, or the same question for another sample. If
both orders of each screen are counted, it does not matter which version is better: the one shown earlier wins half of
the comparisons, unless the order matters.
"""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.analysis import Day, Study, fingerprint_of
from ranking.stats.answers import Answers
from ranking.stats.ballots import Ballots, pairs_within
from ranking.stats.choices import EVERYBODY, ParametersError, option
from ranking.stats.programs.corrected import ERRORS, MEAN, RIGHT, WINS, Measure, PeopleAndProgram
from ranking.stats.resampling import UnitChoices

RANKING, RATING, VERDICT, EDITS = "ranking", "rating", "verdict", "edits"
MEASURES = {RANKING: (WINS,), RATING: (MEAN, WINS), VERDICT: (ERRORS,), EDITS: (RIGHT,)}
# Where verdicts are given, beside the systems: every usage or edit, whichever they mark or make.
EVERY = {VERDICT: "all usages", EDITS: "all edits"}
REVERSED, IDENTICAL, SAMPLE = PURPOSES = ("reversed", "identical", "sample")
NO_PROGRAM = "No program has judged. Let a program judge in this campaign, or make another kind of report."
NO_PEOPLE = "No person has judged. A program's judgments say nothing of what people think; have people judge some."
# How much worse than a person a program may be, by what a person's work costs.
EPSILON = {"experts": 0.2, "skilled": 0.15, "crowd": 0.1}


@dataclass(frozen=True)
class ProgramParameters(UnitChoices):
    """`people` says who they are, which sets how much worse than they a program may be."""

    judged_by: str = EVERYBODY
    people: str = option(
        "skilled", "The more their work costs, the less a program must reach.", EPSILON, label="Kind of judges"
    )

    def _check(self) -> None:
        if self.judged_by != EVERYBODY:
            raise ParametersError("A report on programs compares them with people; leave judged_by as everybody.")

    def seconds(self, judgments: int) -> float:
        """Of means, win rates and Expected Wins, each of people, and of programs twice."""
        return 9 * super().seconds(judgments)


PRESETS = {"recommended": ProgramParameters()}


class Probes(NamedTuple):
    """Ballots that do not count, with the same numbers as those that do, in the order shown.

    `purpose` counts in PURPOSES; `first` is the number of the ballot that a probe asks again.
    """

    ballots: Ballots
    purpose: np.ndarray
    first: np.ndarray

    def beside_first(self, program: int, purpose: str, ballots: Ballots) -> tuple[Ballots, Ballots]:
        """The ballots that these probes ask again, and the probes; the two of a pair share a number as judge."""
        wanted = np.flatnonzero((self.ballots.judge == program) & (self.purpose == PURPOSES.index(purpose)))
        pair, first, again = np.arange(len(wanted)), ballots.choose(self.first[wanted]), self.ballots.choose(wanted)
        return replace(first, judge=pair, judges=len(pair)), replace(again, judge=pair, judges=len(pair))


class Asked(NamedTuple):
    """One way in which a judge that is a program was asked: its model and prompt, how often, and what that cost."""

    program: int
    model: str
    answered_by: str
    prompt: int
    digest: str
    temperature: float | None
    seed: int | None
    judgments: int
    probes: int
    unreadable: int
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None


class Experiment(NamedTuple):
    """A row for each judgment of a person: the sentence or usage, numbered from 0, whether the program was in view,
    seconds (NaN if unknown), how many answers the program gave too, and how many of them are the same.
    """

    sentence: np.ndarray
    is_shown: np.ndarray
    seconds: np.ndarray
    answers: np.ndarray
    same: np.ndarray


NO_EXPERIMENT = Experiment(*(np.empty(0, dtype=kind) for kind in (np.int64, bool, float, np.int64, float)))


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
    _both: dict[int, PeopleAndProgram] = field(default_factory=dict, init=False, repr=False, compare=False)

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
        return self.parameters.for_judges(len(np.unique(self.people.judge)))

    def both(self, program: int) -> PeopleAndProgram:
        if program not in self._both:
            judged = np.unique(self.ballots.segment[self.ballots.sizes > 0])
            self._both[program] = PeopleAndProgram(self.people, self.programs[program], self.fitted, judged)
        return self._both[program]

    def answers(self, ballots: Ballots, of_ratings: bool = False) -> Answers:
        """Answers to compare: verdicts, ratings if these are wanted, and otherwise the order of each two versions."""
        if not self.gives_verdicts and not (of_ratings and self.scale == RATING):
            return orders(ballots)
        judge, segment = (each[ballots.ballot_of].astype(np.int64) for each in (ballots.judge, ballots.segment))
        # What judges gave to each candidate, the units of these answers.
        units, many = ballots.candidate.astype(np.int64), len(ballots.candidates.sizes)
        return Answers(units, judge, ballots.merit, many, ballots.judges, segment, ballots.segments)

    def check_both(self) -> None:
        if not self.programs:
            raise StatisticsError(NO_PROGRAM)
        if not len(self.people):
            raise StatisticsError(NO_PEOPLE)

    def how_much(self) -> dict[str, int]:
        judged, by_program = self.ballots.sizes > 0, self.is_program[self.ballots.judge]
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
        probes = self.probes.ballots
        return fingerprint_of(
            (self.scale, self.systems, self.controls, self.asked), *self.ballots.columns, self.is_repeat,
            self.is_program, self.lengths, *self.experiment, probes.judge, probes.segment, probes.starts,
            probes.candidate, probes.merit, self.probes.purpose, self.probes.first,
        )  # fmt: skip


def orders(ballots: Ballots) -> Answers:
    """In which order judges put each two candidates: 1, 0 or -1. Of n candidates, unit i n + j is i beside j."""
    earlier, later = pairs_within(ballots.ballot_of)
    of, many = ballots.candidate.astype(np.int64), len(ballots.candidates.sizes)
    swapped = of[earlier] > of[later]
    one, other = np.where(swapped, later, earlier), np.where(swapped, earlier, later)
    value, ballot = np.sign(ballots.merit[one] - ballots.merit[other]), ballots.ballot_of[one]
    judge, segment = (each[ballot].astype(np.int64) for each in (ballots.judge, ballots.segment))
    return Answers(of[one] * many + of[other], judge, value, many**2, ballots.judges, segment, ballots.segments)
