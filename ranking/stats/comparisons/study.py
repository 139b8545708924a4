"""The study behind a report on comparisons: ballots, the names of systems and judges, covariates, and parameters.

Several workers can draw its replicates in parts. The seed of every replicate is derived from the report's seed and its
number, so no replicate depends on another and the split does not affect the numbers.
"""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.analysis import Day
from ranking.stats.ballots import Ballots
from ranking.stats.code import code_version, fingerprint_of
from ranking.stats.comparisons.parameters import Parameters
from ranking.stats.metaevaluation.ceiling import splits_of
from ranking.stats.metaevaluation.scores import MetricScores
from ranking.stats.prediction.accuracy import RECIPES
from ranking.stats.rankings.head_to_head import HeadToHead, sentence_tests
from ranking.stats.rankings.methods import METHODS, Method, as_they_are
from ranking.stats.rankings.ranges import complete
from ranking.stats.resampling import Unit, resample
from ranking.stats.tally import Tally, tally

NOBODY = "automatic ties"


@dataclass(frozen=True)
class Names:
    """Names of systems and judges by number; a judge without a name stands for automatic ties."""

    systems: tuple[str, ...]
    judges: tuple[str, ...]


@dataclass(frozen=True)
class Covariates:
    """Number of distinct outputs of each sentence, judgments by day, metrics, and why other metrics do not fit."""

    distinct: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    days: tuple[Day, ...] = ()
    metrics: tuple[MetricScores, ...] = ()
    lacking: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Study:
    """Ballots and the parameters of their analysis; `drawn` caches replicates by method and unit, from any worker."""

    kind: ClassVar[str] = "comparisons"

    ballots: Ballots
    names: Names
    parameters: Parameters
    are_ratings: bool = False
    covariates: Covariates = Covariates()
    drawn: dict[tuple[str, str], np.ndarray] = field(default_factory=dict, repr=False, compare=False)
    _resampled: dict[Unit, Tally] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parameters", self.parameters.fitted(self.judges))

    @property
    def judges(self) -> int:
        """The number of judges with a ballot."""
        return int((np.unique(self.ballots.judge) < len(self.names.judges)).sum())

    @cached_property
    def counted(self) -> Tally:
        return tally(self.ballots)

    @cached_property
    def sentence_tests(self) -> list[HeadToHead]:
        return sentence_tests(self.ballots, self.counted)

    @property
    def judgments(self) -> int:
        return int((self.ballots.judge < len(self.names.judges)).sum())

    def judge(self, number: int, everybody: str) -> str:
        """Return a judge's name; `everybody` for a number below 0."""
        if number < 0:
            return everybody
        return self.names.judges[number] if number < len(self.names.judges) else NOBODY

    def scores(self, method: Method) -> np.ndarray:
        self.check(method)
        if self.parameters.scores == "replicates":
            return complete(self.replicates(method, Unit(self.parameters.unit))).mean(axis=0)
        if method.of_tally and method.prepare is as_they_are:
            return method.of_tally(self.counted)
        return method.scores(self.ballots)

    def replicates(self, method: Method, unit: Unit) -> np.ndarray:
        self.check(method)
        chosen, key = self.parameters, (method.name, unit.value)
        if key not in self.drawn:
            if method.of_tally and method.prepare is as_they_are:
                self.drawn[key] = method.of_tally(self.resampled(unit))
            else:
                self.drawn[key] = method.replicates(self.ballots, unit, chosen.replicates, chosen.seed, 0)
        return self.drawn[key]

    def resampled(self, unit: Unit) -> Tally:
        """Return the tallies of all replicates, drawn once for all methods that use only counts."""
        if unit not in self._resampled:
            self._resampled[unit] = resample(self.ballots, unit, self.parameters.replicates, self.parameters.seed)
        return self._resampled[unit]

    def check_usable(self) -> None:
        if not len(self.ballots):
            raise StatisticsError("There are no judgments yet. Judge some screens, then request the report again.")
        if self.ballots.systems < 2:
            raise StatisticsError("There is only one system, so there is nothing to compare it with.")

    def check(self, method: Method) -> None:
        if method.for_ratings and not self.are_ratings:
            raise StatisticsError("This method is for ratings; means of ranks are meaningless.")

    def signature(self) -> str:
        chosen = self.parameters
        methods = [f"{name}({METHODS[name].recipe})" for name in chosen.methods]
        made_of = [f"judgments:{self.judgments}", f"judges:{len(self.names.judges)}", f"data:{self.fingerprint()}"]
        fixed = [f"agreement-replicates:{chosen.agreement_replicates}"]
        if chosen.folds in RECIPES:
            recipe = RECIPES[chosen.folds]
            fixed.append(f"accuracy:{recipe.folds}-folds*{recipe.replicates}-replicates")
        if self.covariates.metrics:
            fixed.append(f"halves-of-people:{splits_of(len(self.ballots))}-splits")
        return "|".join([*methods, *made_of, *chosen.recipe()[1:], *fixed, f"code:{code_version()}"])

    def fingerprint(self) -> str:
        """Return a digest of all inputs that affect the numbers, hence without judges' names."""
        ballots, covariates = self.ballots, self.covariates
        return fingerprint_of(
            (self.names.systems, self.are_ratings, covariates.days, sorted(covariates.lacking.items())),
            ballots.judge, ballots.segment, ballots.seconds, ballots.starts, ballots.candidate, ballots.merit,
            ballots.candidates.starts, ballots.candidates.members, ballots.document_of, covariates.distinct,
            *(metric.scores for metric in covariates.metrics),
            [(metric.metric, metric.level.value) for metric in covariates.metrics],
        )  # fmt: skip


class Part(NamedTuple):
    """Replicates first .. first + number - 1 of a method, drawn by a unit."""

    method: str
    unit: str
    first: int
    number: int


def parts_of(parameters: Parameters, workers: int) -> list[Part]:
    """Split the replicates of each method evenly over the workers."""
    ends = [parameters.replicates * number // workers for number in range(workers + 1)]
    spans = [(first, after - first) for first, after in pairwise(ends) if after > first]
    return [Part(method, parameters.unit, *span) for method in parameters.methods for span in spans]


def drawn(study: Study, part: Part) -> np.ndarray:
    method = METHODS[part.method]
    study.check(method)
    return method.replicates(study.ballots, Unit(part.unit), part.number, study.parameters.seed, part.first)


def joined(parts: dict[Part, np.ndarray], replicates: int) -> dict[tuple[str, str], np.ndarray]:
    """Concatenate the replicates of each method and unit, in order; leave out those with a part missing."""
    found: dict[tuple[str, str], list[np.ndarray]] = {}
    for part in sorted(parts, key=lambda part: part.first):
        found.setdefault((part.method, part.unit), []).append(parts[part])
    together = {key: np.concatenate(scores) for key, scores in found.items()}
    return {key: scores for key, scores in together.items() if len(scores) == replicates}
