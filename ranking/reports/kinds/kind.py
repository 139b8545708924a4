"""A kind of report: one object that owns all that differs by kind."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from judgments.models import Campaign
from judgments.web.charts.drawing import Chart
from ranking.numbers.tables import Table
from ranking.reports.kinds.form import ReportForm
from ranking.stats.analysis import AnyStudy, StudyKind

ChartMaker = Callable[[Mapping[str, Table]], list[Chart]]


class Extracted(NamedTuple):
    """A study, and the newest judgment that counts in it."""

    study: AnyStudy
    newest: int


@dataclass(frozen=True)
class ChapterPlan:
    """What a chapter may hold: charts with their tables, and tables that have no chart.

    Its words appear if any of the figures that they are about is there; if they name none, they are about all.
    """

    key: str
    title: str
    words: str
    charts: tuple[str, ...]
    tables: tuple[str, ...] = ()
    about: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReportKind:
    """A kind of report, from the rows of a campaign to the page.

    `study` is its pure part: choices, sections, and a study as files. Protocols name the kind of their reports by
    `name`; `does` says what a report does with the judgments, and `headline` is the table that says most. `extract`
    makes a study of the judgments that count now; `other_inputs` says what else a report depends on, in a few numbers
    that show whether it is out of date. `charts` and `chapters` are in the order of the page; `titles` name tables and
    gaps whose names are not clear enough. Several workers may draw the replicates of a splittable kind, and two reports
    of a comparable kind can be compared.
    """

    study: StudyKind
    does: str
    headline: str
    extract: Callable[[Campaign, Any], Extracted]
    form: type[ReportForm]
    charts: tuple[ChartMaker, ...]
    chapters: tuple[ChapterPlan, ...]
    titles: Mapping[str, str] = field(default_factory=dict)
    other_inputs: Callable[[Campaign], dict[str, Any]] = lambda campaign: {}
    is_splittable: bool = False
    is_comparable: bool = False

    @property
    def name(self) -> str:
        return self.study.name

    def charts_of(self, tables: Mapping[str, Table]) -> dict[str, Chart]:
        """Draw the charts whose tables exist, by name."""
        return {chart.name: chart for make in self.charts for chart in make(tables)}

    def title_of(self, name: str) -> str:
        """Return the title of a table or a section."""
        return self.titles.get(name, name[:1].upper() + name[1:].replace("_", " "))
