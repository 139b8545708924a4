"""The study behind a report on verdicts: verdicts, covariates and parameters."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np

from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.analysis import Day, counts
from ranking.stats.code import code_version, fingerprint_of
from ranking.stats.verdicts.crowd import Crowd, Model, Verdicts, crowd_of, dawid_skene
from ranking.stats.verdicts.parameters import VerdictParameters


class Document(NamedTuple):
    name: str
    domain: str


@dataclass(frozen=True)
class VerdictNames:
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    usages: tuple[str, ...]
    documents: tuple[Document, ...]


@dataclass(frozen=True)
class VerdictStudy:
    """Verdicts and the parameters of their analysis.

    `seconds`, `is_repeat` and `is_control` are parallel to `verdicts`: a repeat is a judge's second verdict on one
    screen, and verdicts on controls describe judges only. `gold` (1, 0 or NaN) and `document` have one value for each
    usage, `is_expert` and `skipped` one for each judge. `classes` has a row a system and a column a usage, NaN
    where the system does not cover it.
    """

    kind: ClassVar[str] = "verdicts"

    verdicts: Verdicts
    seconds: np.ndarray
    is_repeat: np.ndarray
    is_control: np.ndarray
    gold: np.ndarray
    document: np.ndarray
    is_expert: np.ndarray
    skipped: np.ndarray
    classes: np.ndarray
    names: VerdictNames
    parameters: VerdictParameters
    days: tuple[Day, ...] = ()

    @cached_property
    def first(self) -> Verdicts:
        return self.verdicts.choose(~self.is_repeat)

    @cached_property
    def crowd_verdicts(self) -> Verdicts:
        """No repeats, no controls, no experts."""
        return self.verdicts.choose(~self.is_repeat & ~self.is_control & ~self.is_expert[self.verdicts.judge])

    @cached_property
    def expert_verdicts(self) -> Verdicts:
        """No repeats, no controls."""
        return self.verdicts.choose(~self.is_repeat & ~self.is_control & self.is_expert[self.verdicts.judge])

    @cached_property
    def crowd(self) -> Crowd:
        return crowd_of(self.crowd_verdicts)

    @cached_property
    def model(self) -> Model:
        return dawid_skene(self.crowd_verdicts)

    def counts(self) -> Iterator[Table]:
        usages, judges = (len(np.unique(each)) for each in (self.verdicts.usage, self.verdicts.judge))
        return counts(systems=len(self.names.systems), usages=usages, judges=judges, verdicts=len(self.verdicts))

    @property
    def judgments(self) -> int:
        return len(self.verdicts) + int(self.skipped.sum())

    def check_usable(self) -> None:
        if not self.judgments:
            raise StatisticsError("There are no judgments yet. Judge some screens, then request the report again.")
        if not self.crowd.known.any():
            raise StatisticsError(
                "The crowd has not decided on any usage yet: there are only verdicts of experts, verdicts on "
                "controls, unknown ones, and skips. Have others judge too, or unmark some experts."
            )

    def signature(self) -> str:
        made_of = [
            f"verdicts:{len(self.crowd_verdicts)}", f"judgments:{self.judgments}", f"judges:{len(self.names.judges)}",
            f"of-them-experts:{int(self.is_expert.sum())}", f"instances:{len(self.names.usages)}",
            f"data:{self.fingerprint()}",
        ]  # fmt: skip
        return "|".join([*made_of, *self.parameters.recipe(), f"code:{code_version()}"])

    def fingerprint(self) -> str:
        """Return a digest of all inputs that affect the numbers, hence without judges' names."""
        names = self.names
        return fingerprint_of(
            (names.systems, names.usages, names.documents),
            self.verdicts.usage, self.verdicts.judge, self.verdicts.finding, self.seconds, self.is_repeat,
            self.is_control, self.gold, self.document, self.is_expert, self.skipped, self.classes,
        )  # fmt: skip
