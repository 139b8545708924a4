"""A report as a page: the answer first, then chapters of charts and tables in the order of its kind."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from judgments.charts.svg import Chart
from ranking.charts.lines import group_by, lines_of
from ranking.charts.rankings import standing_bars, standings_of
from ranking.charts.shown_tables import ShownTable
from ranking.models import Report
from ranking.numbers.tables import Table
from ranking.reports import plans
from ranking.reports.answers import counts_of, describe_excluded
from ranking.reports.kinds.kind import ReportKind, answer_of, kind_of
from ranking.stats.rankings.methods import METHODS

SHOWN_FIRST = ("counts", "standings", "standings_refused")


class Figure(NamedTuple):
    """A chart with its tables, or a table alone."""

    title: str
    chart: Chart | None
    tables: tuple[ShownTable, ...]


class ShownChapter(NamedTuple):
    """Figures about one question."""

    key: str
    title: str
    words: str
    figures: tuple[Figure, ...]
    rankings: tuple[dict[str, Any], ...] = ()
    sentences: str = ""


def page_of(report: Report, tables: Mapping[str, Table], is_public: bool) -> dict[str, Any]:
    """What templates show of a report; for the public without links to sentences."""
    kind = kind_of(report)
    charts = kind.charts_of(tables)
    answer = answer_of(report, tables)
    return {
        "report": report,
        "campaign": report.campaign,
        "kind": kind,
        "answer": answer,
        "rankings": rankings_of(tables),
        "level": f"{100 * report.parameters['level']:g}%",
        "excluded": describe_excluded(report.exclusion, counts_of(tables).get("judges", 0)),
        "is_of_preset": _cites_preset(kind, report),
        "kept": plans.kept_plan_of(report, tables),
        "paper": answer.paper.files() if answer and answer.paper else {},
        "missing": missing_of(kind, report.gaps),
        "chapters": chapters_of(kind, tables, charts),
        "tables": tables,
        "charts": charts,
        "stale": False,
        "has_bundle": True,
        "is_public": is_public,
    }


def _cites_preset(kind: ReportKind, report: Report) -> bool:
    """Whether the method to cite is that of the preset, and not another that was chosen for this report."""
    methods = getattr(kind.presets.get(report.preset), "methods", ())
    return list(methods[:1]) == list(report.parameters.get("methods", ())[:1])


def rankings_of(tables: Mapping[str, Table]) -> list[dict[str, Any]]:
    """The rankings by all methods, the one to cite first: standings, best first, with clusters or with letters."""
    found = []
    for name in group_by("method", lines_of(tables, "standings")):
        lines, has_letters = standings_of(tables, name)
        found.append({"label": METHODS[name].label, "bars": standing_bars(lines), "has_letters": has_letters})
    return found


def chapters_of(kind: ReportKind, tables: Mapping[str, Table], charts: Mapping[str, Chart]) -> list[ShownChapter]:
    """Return the chapters with content; tables without a chapter go into a last one."""

    def shown(table: Table) -> ShownTable:
        return ShownTable.of(table, kind.links.get(table.name))

    def figure(name: str) -> Figure:
        return Figure(kind.title_of(name), None, (shown(tables[name]),))

    made = []
    for plan in kind.chapters:
        figures = [
            Figure(chart.title, chart, tuple(shown(tables[name]) for name in chart.tables))
            for chart in (charts[name] for name in plan.charts if name in charts)
        ]
        figures += [figure(name) for name in plan.tables if name in tables]
        applies = any(name in charts or (name in plan.tables and name in tables) for name in plan.about)
        words = plan.words if applies or not plan.about else ""
        rankings = tuple(rankings_of(tables)[1:]) if plan.has_other_rankings else ()
        made.append(ShownChapter(plan.key, plan.title, words, tuple(figures), rankings, plan.sentences))
    titled = {table.name for chapter in made for one in chapter.figures for table in one.tables}
    others = tuple(figure(name) for name in tables if name not in {*titled, *SHOWN_FIRST})
    made.append(ShownChapter("others", "Other numbers", "", others))
    return [chapter for chapter in made if chapter.figures or chapter.rankings]


def missing_of(kind: ReportKind, gaps: Mapping[str, str]) -> list[tuple[str, str]]:
    """List what a report could not compute, by title, once per reason; the order does not depend on the database."""
    titles: dict[str, list[str]] = {}
    for name in sorted(gaps, key=kind.title_of):
        titles.setdefault(gaps[name], []).append(kind.title_of(name))
    return [(", ".join(named), reason) for reason, named in titles.items()]
