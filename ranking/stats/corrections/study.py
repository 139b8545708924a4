"""The study behind a report on corrections."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

from ranking.numbers.tables import StatisticsError
from ranking.stats.analysis import Day, Study
from ranking.stats.code import fingerprint_of
from ranking.stats.corrections.corrections import Corrections
from ranking.stats.corrections.parameters import CorrectionParameters
from ranking.stats.corrections.scoring import DrawnBy, Rows, Units


class Label(NamedTuple):
    """How often a judge left a sentence unchanged for this reason."""

    judge: int
    label: str
    sentences: int


@dataclass(frozen=True)
class CorrectionStudy(Study):
    """Corrections, the parameters of their analysis, the number of judgments, and reasons for not correcting."""

    kind: ClassVar[str] = "corrections"
    holds_texts: ClassVar[bool] = True

    corrections: Corrections
    parameters: CorrectionParameters
    judgments: int
    labels: tuple[Label, ...] = ()
    days: tuple[Day, ...] = ()

    @cached_property
    def compared(self) -> Corrections:
        """Judges who can be compared, on the sentences that all of them judged."""
        return self.corrections.compared(self.parameters.least_share)

    @cached_property
    def compared_rows(self) -> Rows:
        return Rows.of(self.compared, self.parameters.beta)

    @cached_property
    def units(self) -> Units:
        chosen = self.parameters
        return Units.drawn(self.compared, DrawnBy(chosen.unit), chosen.replicates, chosen.seed)

    def how_much(self) -> dict[str, int]:
        judged = self.corrections.judged
        sentences, judges = (int(judged.any(axis=axis).sum()) for axis in (0, 1))
        return {
            "systems": len(self.corrections.systems), "sentences": sentences, "judges": judges,
            "judgments": self.judgments,
        }  # fmt: skip

    def check_usable(self) -> None:
        if not self.corrections.judged.any():
            raise StatisticsError(
                "Nobody has corrected a sentence yet. Judge some screens, then request the report again."
            )

    def made_of(self) -> list[str]:
        judges = len(self.corrections.judges)
        return ["corrections|m2|unchanged:2", f"judgments:{self.judgments}", f"judges:{judges}"]

    def fingerprint(self) -> str:
        nameless = replace(self.corrections, judges=tuple("" for _ in self.corrections.judges))
        return fingerprint_of((nameless, self.labels))
