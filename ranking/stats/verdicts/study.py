"""What a report on verdicts concludes from: verdicts, covariates and parameters."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import ClassVar, NamedTuple

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.code import code_version
from ranking.stats.days import Day
from ranking.stats.verdicts.crowd import Crowd, Verdicts, crowd_of
from ranking.stats.verdicts.dawid_skene import Model, dawid_skene
from ranking.stats.verdicts.parameters import VerdictParameters


class Document(NamedTuple):
    """A text of which instances are."""

    name: str
    domain: str


@dataclass(frozen=True)
class VerdictNames:
    """What the numbers stand for."""

    systems: tuple[str, ...]
    judges: tuple[str, ...]
    instances: tuple[str, ...]
    documents: tuple[Document, ...]


@dataclass(frozen=True)
class VerdictStudy:
    """Verdicts to conclude from, by which parameters.

    `said` has every verdict that counts, and `seconds`, `is_repeat` and `is_control` go with its rows: a repeat is a
    judge's second verdict on one screen, and verdicts on controls say something of judges alone. `gold` (1, 0 or NaN)
    and `document` go with instances, `is_expert` and `skipped` with judges. `classes` has a row a system and a column
    an instance, NaN where the system says nothing.
    """

    kind: ClassVar[str] = "verdicts"

    said: Verdicts
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
        """All verdicts but repeats."""
        return self.said.choose(~self.is_repeat)

    @cached_property
    def of_crowd(self) -> Verdicts:
        """What the crowd is made of: no repeats, no controls, no experts."""
        return self.said.choose(~self.is_repeat & ~self.is_control & ~self.is_expert[self.said.judge])

    @cached_property
    def of_experts(self) -> Verdicts:
        """What experts found in what is no control."""
        return self.said.choose(~self.is_repeat & ~self.is_control & self.is_expert[self.said.judge])

    @cached_property
    def crowd(self) -> Crowd:
        """What the crowd says of each instance."""
        return crowd_of(self.of_crowd)

    @cached_property
    def model(self) -> Model:
        """What the crowd says where judges differ in skill."""
        return dawid_skene(self.of_crowd)

    @property
    def judgments(self) -> int:
        """How many judgments were made, skips and controls among them."""
        return len(self.said) + int(self.skipped.sum())

    def check_usable(self) -> None:
        """Refuse what has no crowd."""
        if not self.judgments:
            raise StatisticsError("There are no judgments yet. Judge some screens, then make the report again.")
        if not self.crowd.known.any():
            raise StatisticsError(
                "Nobody of the crowd has told of any instance yet: there are only verdicts of experts, on controls, or "
                "unknown, and skips. Have others judge too, or take the mark of an expert off some judges."
            )

    def signature(self) -> str:
        """The recipe that travels with the numbers."""
        made_of = [
            f"verdicts:{len(self.of_crowd)}", f"judgments:{self.judgments}", f"judges:{len(self.names.judges)}",
            f"of-them-experts:{int(self.is_expert.sum())}", f"instances:{len(self.names.instances)}",
            f"data:{self.fingerprint()}",
        ]  # fmt: skip
        return "|".join([*made_of, *self.parameters.recipe(), f"code:{code_version()}"])

    def fingerprint(self) -> str:
        """Twelve digits that change with anything the numbers are made of; what judges are called is no part of it."""
        names = self.names
        digest = sha256(repr((names.systems, names.instances, names.documents, self.days)).encode())
        columns = (
            self.said.instance, self.said.judge, self.said.finding, self.seconds, self.is_repeat, self.is_control,
            self.gold, self.document, self.is_expert, self.skipped, self.classes,
        )  # fmt: skip
        for column in columns:
            digest.update(np.ascontiguousarray(column, dtype="<f8").tobytes())
        return digest.hexdigest()[:12]
