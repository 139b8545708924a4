"""The study behind a report on corrections, and its parameters."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NamedTuple

from ranking.metrics.f_measure import LEAST_BETA, MOST_BETA
from ranking.metrics.ratio import DRAWN
from ranking.numbers.tables import StatisticsError
from ranking.stats.analysis import Day, Study, fingerprint_of
from ranking.stats.choices import PEOPLE, Choices, ParametersError, option
from ranking.stats.corrections.scoring import Corrections, DrawnBy, Rows, Units

FEWEST_SUBSETS, MOST_SUBSETS = 100, 1 << 16
MOST_DOCUMENTS = 100_000


@dataclass(frozen=True)
class CorrectionParameters(Choices):
    """Parameters of a report on corrections; 0 documents leave out the section on fewer documents."""

    beta: float = option(0.5, "The weight of recall in F; leave blank for 0.5.", least=LEAST_BETA, most=MOST_BETA)
    unit: str = option(
        DrawnBy.SENTENCE.value, "Numbers hold for other sentences, or documents.", DrawnBy, label="Unit of resampling"
    )
    replicates: int = 1000
    level: float = 0.95
    most_subsets: int = option(
        DRAWN,
        "The most subsets of judges used as gold standard; of more, a sample. Leave blank for 4096, all of 12 judges.",
        label="Subsets of judges",
        least=FEWEST_SUBSETS,
        most=MOST_SUBSETS,
    )
    documents: int = option(
        10, "Also compare the first documents alone, up to this many, or none (0).", least=0, most=MOST_DOCUMENTS
    )
    least_edits: int = option(20, "Leave out categories with fewer edits.", label="Edits per category", least=1)
    least_share: float = option(
        0.5, "Compare judges who saw this share of the sentences, such as 0.5 (50%).", label="Share of sentences seen"
    )
    judged_by: str = PEOPLE
    seed: int = 0

    switched_off: ClassVar = {"documents": 0}

    def _check(self) -> None:
        if not 0 < self.least_share <= 1:
            raise ParametersError("The least share of sentences must be more than 0 and at most 1, such as 0.5.")


PRESETS = {
    "recommended": CorrectionParameters(),
    # Bryant and Ng (2015): all judges judged all sentences; ten essays of fifty; every category.
    "bryant2015": CorrectionParameters(unit=DrawnBy.DOCUMENT.value, least_edits=1, least_share=1.0),
}


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
    def comparable(self) -> Corrections:
        """Judges who can be compared, on the sentences that all of them judged."""
        return self.corrections.comparable(self.parameters.least_share)

    @cached_property
    def comparable_rows(self) -> Rows:
        return Rows.of(self.comparable, self.parameters.beta)

    @cached_property
    def units(self) -> Units:
        chosen = self.parameters
        return Units.draw(self.comparable, DrawnBy(chosen.unit), chosen.replicates, chosen.seed)

    def how_much(self) -> dict[str, int]:
        sentences, judges = (int(self.corrections.is_judged.any(axis=axis).sum()) for axis in (0, 1))
        systems = len(self.corrections.systems)
        return {"systems": systems, "sentences": sentences, "judges": judges, "judgments": self.judgments}

    def check_usable(self) -> None:
        if not self.corrections.is_judged.any():
            raise StatisticsError("Nobody has corrected a sentence yet. Judge some screens, then make a new report.")

    def made_of(self) -> list[str]:
        judges = len(self.corrections.judges)
        return ["corrections|m2|unchanged:2", f"judgments:{self.judgments}", f"judges:{judges}"]

    def fingerprint(self) -> str:
        nameless = replace(self.corrections, judges=tuple("" for _ in self.corrections.judges))
        return fingerprint_of((nameless, self.labels))
