"""A kind of report of its own: how many judgments each judge gave, and nothing else."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from judgments.charts.svg import NO_CHART, Chart
from judgments.models import Campaign, Judgment
from ranking.numbers.tables import StatisticsError, Table
from ranking.reports.kinds.kind import Chapter, Extracted, ReportKind
from ranking.stats.analysis import Sections, Study
from ranking.stats.choices import PEOPLE, Choices


@dataclass(frozen=True)
class ToyParameters(Choices):
    replicates: int = 1000
    level: float = 0.95
    seed: int = 0
    judged_by: str = PEOPLE


@dataclass(frozen=True)
class ToyStudy(Study):
    """How many judgments there are of each judge."""

    kind: ClassVar[str] = "toys"

    of_judges: dict[str, int]
    parameters: ToyParameters

    @property
    def judgments(self) -> int:
        return sum(self.of_judges.values())

    def how_much(self) -> dict[str, int]:
        return {"judges": len(self.of_judges), "judgments": self.judgments}

    def made_of(self) -> list[str]:
        return ["toy", f"judgments:{self.judgments}"]

    def fingerprint(self) -> str:
        return "-".join(str(self.of_judges[name]) for name in sorted(self.of_judges))


def counts(study: ToyStudy) -> Iterator[Table]:
    yield Table.of("toy_counts", ("judge", "judgments"), study.of_judges.items())


def never(study: ToyStudy) -> Iterator[Table]:
    raise StatisticsError("It never is.")
    yield


SECTIONS: Sections = {"toy counts": counts, "never": never}


def extract(campaign: Campaign, chosen: ToyParameters) -> Extracted:
    judged = Judgment.objects.current().filter(assignment__campaign=campaign).order_by("pk")
    found: dict[str, int] = {}
    for name in judged.values_list("assignment__judge__pseudonym", flat=True):
        found[name] = found.get(name, 0) + 1
    study = ToyStudy(found, chosen)
    return Extracted(study, max(judged.values_list("pk", flat=True), default=0), study.judgments)


def toy_chart(tables: Mapping[str, Table]) -> list[Chart]:
    return [Chart("toys", "Toys", "There are toys.", NO_CHART, ("toy_counts",))] if "toy_counts" in tables else []


TOY = ReportKind(
    study=ToyStudy,
    presets={"recommended": ToyParameters(), "louder": ToyParameters(level=0.99)},
    presets_say={"recommended": "Recommended: count", "louder": "Louder: count loudly"},
    sections=SECTIONS,
    at_a_glance={"toy counts": counts},
    does="counts the toys",
    headline="toy_counts",
    extract=extract,
    charts=(toy_chart,),
    chapters=(Chapter("toys", "All toys", "Who has how many.", ("toys",)),),
    titles={"never": "What never is"},
)
