"""A report as a page: the ranking first, then chapters of charts and tables in the order of its kind."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from judgments.web.charts.drawing import Chart
from ranking.charts.forest import forest_name
from ranking.charts.shown_tables import ShownTable
from ranking.numbers.tables import Table
from ranking.reports.kinds.kind import ChapterPlan, ReportKind
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit

RANKED = ("standings", "standings_refused")


@dataclass(frozen=True)
class Ranking:
    """One method's standings, best first, with its chart."""

    label: str
    lines: list[dict]
    chart: Chart


@dataclass(frozen=True)
class Figure:
    """A chart with its tables, or a table alone."""

    title: str
    chart: Chart | None
    tables: tuple[ShownTable, ...]


@dataclass(frozen=True)
class Chapter:
    """Figures about one question."""

    key: str
    title: str
    words: str
    figures: tuple[Figure, ...]


def rankings_of(tables: Mapping[str, Table], charts: Mapping[str, Chart]) -> list[Ranking]:
    if "standings" not in tables:
        return []
    lines = tables["standings"].dicts()
    methods = dict.fromkeys(str(line["method"]) for line in lines)
    return [
        Ranking(METHODS[name].label, [line for line in lines if line["method"] == name], charts[forest_name(name)])
        for name in methods
    ]


def scope_of(tables: Mapping[str, Table]) -> str:
    """For what sentences and judges the rankings hold; empty without rankings."""
    if "standings" not in tables:
        return ""
    return Unit(str(tables["standings"].column("unit")[0])).generalises_to


def chapters_of(kind: ReportKind, tables: Mapping[str, Table], charts: Mapping[str, Chart]) -> list[Chapter]:
    """Return the chapters with content; tables without a chapter go into a last one."""
    made = [_chapter(kind, plan, tables, charts) for plan in kind.chapters]
    shown = {table.name for chapter in made for figure in chapter.figures for table in figure.tables}
    left = [_without_chart(kind, table) for name, table in tables.items() if name not in {*shown, *RANKED}]
    made.append(Chapter("others", "Other numbers", "", tuple(left)))
    return [chapter for chapter in made if chapter.figures]


def _chapter(kind: ReportKind, plan: ChapterPlan, tables: Mapping[str, Table], charts: Mapping[str, Chart]) -> Chapter:
    applies = not plan.about or any(name in charts or (name in plan.tables and name in tables) for name in plan.about)
    return Chapter(plan.key, plan.title, plan.words if applies else "", tuple(_figures(kind, plan, tables, charts)))


def missing_of(kind: ReportKind, gaps: Mapping[str, str]) -> list[tuple[str, str]]:
    """List what a report could not compute, by title, once per reason; the order does not depend on the database."""
    titles: dict[str, list[str]] = {}
    for name in sorted(gaps, key=kind.title_of):
        titles.setdefault(gaps[name], []).append(kind.title_of(name))
    return [(", ".join(named), reason) for reason, named in titles.items()]


def _figures(
    kind: ReportKind, plan: ChapterPlan, tables: Mapping[str, Table], charts: Mapping[str, Chart]
) -> Iterator[Figure]:
    for name in plan.charts:
        if name in charts:
            chart = charts[name]
            yield Figure(chart.title, chart, tuple(ShownTable.of(tables[table]) for table in chart.tables))
    yield from (_without_chart(kind, tables[name]) for name in plan.tables if name in tables)


def _without_chart(kind: ReportKind, table: Table) -> Figure:
    return Figure(kind.title_of(table.name), None, (ShownTable.of(table),))
