"""The study behind a report on verdicts: answers error, OK or unknown to usages, and what is known of these."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, NamedTuple

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.analysis import Day, Study, fingerprint_of
from ranking.stats.answers import Answers
from ranking.stats.choices import INDEPENDENT, PEOPLE, Choices, ParametersError, option
from ranking.stats.verdicts.crowd import Crowd, Model, crowd_of, dawid_skene

# The majority of n judges is compared with that of the experts, or with each expert, averaged over experts.
AUTHORITIES = MAJORITY, EACH = "majority", "each"
LEAST_AGREEMENT = 0.5


@dataclass(frozen=True)
class VerdictParameters(Choices):
    cuts: tuple[float, ...] = option(
        (0.5, 0.75, 0.9, 1.0),
        "Upper ends of the bins, from 0.5 to at most 1, separated by commas; leave blank for 0.5, 0.75, 0.9, 1.",
        label="Bins of agreement",
    )
    experts: str = option(
        MAJORITY, "Compare majorities of the crowd with the majority of experts, or with each of them in turn.",
        AUTHORITIES, label="Comparison with experts",
    )  # fmt: skip
    most_judges: int = option(
        20, "How many judges are enough is computed up to this many; leave blank for 20, or as many as there are.",
        label="Most judges considered", least=1, most=1000,
    )  # fmt: skip
    draws: int = option(100, "How often to draw each number of judges; leave blank for 100.", least=1, most=10_000)
    replicates: int = 1000
    level: float = 0.95
    seed: int = 0
    judged_by: str = PEOPLE
    answers: str = INDEPENDENT

    switched_off: ClassVar = {"answers": INDEPENDENT}

    def _check(self) -> None:
        rise = len(self.cuts) > 1 and all(low < high for low, high in pairwise(self.cuts))
        if not rise or self.cuts[0] < LEAST_AGREEMENT or self.cuts[-1] > 1:
            raise ParametersError("The ends of the bins must rise, from 0.5 to 1 at most, such as 0.5, 0.75, 0.9, 1.")


PRESETS: Mapping[str, VerdictParameters] = {
    "recommended": VerdictParameters(),
    # Madnani et al. (2011), section 3: agreement with any one of the experts, on average; bins as in Figure 2.
    "madnani2011": VerdictParameters(experts=EACH),
}


class VerdictDocument(NamedTuple):
    name: str
    domain: str


class VerdictNames(NamedTuple):
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    usages: tuple[str, ...]
    documents: tuple[VerdictDocument, ...]


@dataclass(frozen=True)
class VerdictStudy(Study):
    """Verdicts on usages, the units of these answers.

    `gold` (1, 0 or NaN) and `document` have one value for each usage, `is_expert` and `skipped` one for each judge.
    `classes` has one row per system and one column per usage, NaN where the system does not cover it.
    """

    kind: ClassVar[str] = "verdicts"

    verdicts: Answers
    gold: np.ndarray
    document: np.ndarray
    is_expert: np.ndarray
    skipped: np.ndarray
    classes: np.ndarray
    names: VerdictNames
    parameters: VerdictParameters
    days: tuple[Day, ...] = ()

    @cached_property
    def first(self) -> Answers:
        """Without repeats."""
        return self.verdicts.choose(~self.verdicts.is_repeat)

    @cached_property
    def crowd_verdicts(self) -> Answers:
        """No repeats, no controls, no experts."""
        return self.first.choose(~self.first.is_control & ~self.is_expert[self.first.judge])

    @cached_property
    def expert_verdicts(self) -> Answers:
        """No repeats, no controls."""
        return self.first.choose(~self.first.is_control & self.is_expert[self.first.judge])

    @cached_property
    def crowd(self) -> Crowd:
        return crowd_of(self.crowd_verdicts)

    @cached_property
    def model(self) -> Model:
        return dawid_skene(self.crowd_verdicts)

    @cached_property
    def measurable(self) -> list[int]:
        """The systems with a class for a usage on which the crowd has a majority."""
        return np.flatnonzero((np.isfinite(self.classes) & np.isfinite(self.crowd.majority)).any(axis=1)).tolist()

    @property
    def judgments(self) -> int:
        return len(self.verdicts) + int(self.skipped.sum())

    def how_much(self) -> dict[str, int]:
        usages, judges = (len(np.unique(each)) for each in (self.verdicts.unit, self.verdicts.judge))
        return {
            "systems": len(self.names.systems), "usages": usages, "judges": judges, "verdicts": len(self.verdicts),
        }  # fmt: skip

    def check_usable(self) -> None:
        super().check_usable()
        if not self.crowd.is_decided.any():
            raise StatisticsError(
                "The crowd has not decided on any usage yet: there are only verdicts of experts, verdicts on "
                "controls, unknown ones, and skips. Have others judge too, or unmark some experts."
            )

    def made_of(self) -> list[str]:
        return [
            f"verdicts:{len(self.crowd_verdicts)}", f"judgments:{self.judgments}", f"judges:{len(self.names.judges)}",
            f"of-them-experts:{int(self.is_expert.sum())}", f"usages:{len(self.names.usages)}",
        ]  # fmt: skip

    def fingerprint(self) -> str:
        names, given = self.names, self.verdicts
        return fingerprint_of(
            (names.systems, names.usages, names.documents), given.unit, given.judge, given.value, given.seconds,
            given.is_repeat, given.is_control, self.gold, self.document, self.is_expert, self.skipped, self.classes,
        )  # fmt: skip
