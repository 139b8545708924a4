"""A kind of report: one object that holds all differences between kinds."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from judgments.charts.svg import Chart
from judgments.models import Campaign
from ranking.charts.shown_tables import SentencesLink
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer
from ranking.reports.kinds.form import ReportForm
from ranking.stats.analysis import Sections, Study
from ranking.stats.choices import RECOMMENDED, Choices, ParametersError

Answering = Callable[[Mapping[str, Table], Mapping[str, Any]], Answer | None]
ChartMaker = Callable[[Mapping[str, Table]], list[Chart]]


class SystemScore(NamedTuple):
    """A score of a system, the higher the better, as other programs compare it; `interval` says how that was made."""

    system: str
    metric: str
    label: str
    bounds: tuple[float, float]
    score: float | None
    low: float | None
    high: float | None
    interval: str
    details: Mapping[str, Any] = {}


Scoring = Callable[[Mapping[str, Table], Mapping[str, Any]], Iterable[SystemScore]]


class Extracted(NamedTuple):
    """A study, the newest judgment that counts in it, and how many count, of which the study may analyse fewer.

    A report is out of date when another number of judgments counts in the campaign.
    """

    study: Any
    newest: int
    judgments: int


class Chapter(NamedTuple):
    """The charts of a chapter, which bring their tables, and its tables without a chart.

    Its words appear if any figure named in `about` exists; always if `about` is empty. `sentences` is the part of the
    address at which the sentences behind its numbers are.
    """

    key: str
    title: str
    words: str
    charts: tuple[str, ...]
    tables: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    has_other_rankings: bool = False
    sentences: str = ""


@dataclass(frozen=True, repr=False, eq=False)
class ReportKind:
    """A kind of report, from the rows of a campaign to the page.

    Its numbers are a list of functions, the `sections`, of a study, `at_a_glance` the few, fast ones of the live
    board; all of them are independent of Django. `does` completes the sentence "A report ..."; `headline` is the
    most important table, and `presets_say` names the presets. `extract` builds a study from the judgments that
    count now; `other_inputs` summarises the other inputs, to detect that a report is out of date. `answer` gives
    the first screenful from tables and parameters, or nothing before these suffice. `charts` and `chapters` are in
    the order of the page; `titles` name tables and gaps whose own names are unclear, and `links` lead from rows of
    tables to their sentences. `output_scores` packs what people thought of each output, for pages on sentences, and
    `system_scores` gives those of systems to other programs, if the kind has any. A kind on programs is offered where
    one judges. `for_papers` names the tables in the ZIP for a paper, all if it is empty. Several workers may draw the
    replicates of a splittable kind; reports of a comparable kind can be compared.
    """

    study: type[Study]
    presets: Mapping[str, Any]
    presets_say: Mapping[str, str]
    sections: Sections
    does: str
    headline: str
    extract: Callable[[Campaign, Any], Extracted]
    charts: tuple[ChartMaker, ...]
    chapters: tuple[Chapter, ...]
    form: type[ReportForm] = ReportForm
    at_a_glance: Sections = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, SentencesLink] = field(default_factory=dict)
    answer: Answering = lambda tables, parameters: None
    other_inputs: Callable[[Campaign], dict[str, Any]] = lambda campaign: {}
    output_scores: Callable[[Any], bytes] | None = None
    system_scores: Scoring = lambda tables, parameters: ()
    for_papers: tuple[str, ...] = ()
    needs_programs: bool = False
    is_splittable: bool = False
    is_comparable: bool = False

    def __post_init__(self) -> None:
        if self.links and self.output_scores is None:
            raise TypeError(
                "Rows link to their sentences, but the kind keeps no output_scores, which these pages show."
            )

    @property
    def name(self) -> str:
        return self.study.kind

    @property
    def parameters(self) -> type[Choices]:
        return type(self.presets[RECOMMENDED])

    @property
    def module(self) -> str:
        """Where the study and the sections are, for the script that reproduces a report."""
        return self.study.__module__.removesuffix(".study")

    def preset(self, name: str) -> Any:
        if name not in self.presets:
            names = ", ".join(self.presets)
            raise ParametersError(f"There is no preset {name!r} for reports on {self.name}; choose from {names}.")
        return self.presets[name]

    def preset_for(self, campaign: Campaign, name: str) -> Any:
        """Where screens were drawn by what judgments left undecided, recommended numbers are about the collection."""
        chosen = self.preset(name)
        if campaign.is_adaptive and name == RECOMMENDED and "weights" in {one.name for one in fields(chosen)}:
            return chosen.with_changes(weights="design")
        return chosen

    def form_for(self, campaign: Campaign, *given: Any) -> ReportForm:
        return self.form(self, campaign, *given)

    def charts_of(self, tables: Mapping[str, Table]) -> dict[str, Chart]:
        """Draw the charts whose tables exist, by name."""
        return {chart.name: chart for make in self.charts for chart in make(tables)}

    def title_of(self, name: str) -> str:
        """Return the title of a table or a section."""
        return self.titles.get(name, name[:1].upper() + name[1:].replace("_", " "))
