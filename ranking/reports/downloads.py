"""Files of a report: a CSV for each table, an SVG for each chart, all numbers as JSON, everything as one ZIP."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import Http404

from ranking.charts.drawing.standalone import to_svg
from ranking.models import Report
from ranking.numbers.tables import Table, to_csv, to_latex, to_markdown
from ranking.reports.inputs import zipped
from ranking.reports.kinds.registry import kind_of
from ranking.stats.analysis import texts_of

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "md": "text/markdown; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
}
WRITERS = {"csv": to_csv, "md": to_markdown, "tex": to_latex}


@dataclass(frozen=True)
class ReportFile:
    name: str
    text: str

    @property
    def content_type(self) -> str:
        return TYPES[self.name.rsplit(".", 1)[1]]


def tables_of(report: Report) -> dict[str, Table]:
    return {row.name: row.table() for row in report.reporttable_set.all()}


def tables_named(report: Report, names: Iterable[str]) -> dict[str, Table]:
    """Read some tables by name, because those of many judges take long to read."""
    return {row.name: row.table() for row in report.reporttable_set.filter(name__in=names)}


def report_file(report: Report, name: str) -> ReportFile:
    """Return one file by its name: a table in any format, a chart, the signature, or everything as JSON."""
    stem, _, kind = name.rpartition(".")
    tables = tables_of(report)
    if stem in tables and kind in WRITERS:
        return ReportFile(name, WRITERS[kind](tables[stem]))
    for file in _drawn(report, tables) if kind == "svg" else _written(report, tables):
        if file.name == name:
            return file
    raise Http404(f"There is no file {name} in this report.")


def report_files(report: Report) -> list[ReportFile]:
    """Return the files of the ZIP, which `build_report --out` writes too."""
    tables = tables_of(report)
    return [*_written(report, tables), *_drawn(report, tables)]


def report_zip(report: Report) -> bytes:
    return zipped({file.name: file.text for file in report_files(report)})


def texts(report: Report, tables: dict[str, Table]) -> dict[str, str]:
    """Format the numbers: a CSV for each table, everything as JSON, and the signature."""
    return texts_of(tables, report.gaps, report.signature, report.about())


def _drawn(report: Report, tables: dict[str, Table]) -> list[ReportFile]:
    return [
        ReportFile(f"{chart.name}.svg", to_svg(chart))
        for chart in kind_of(report).charts_of(tables).values()
        if chart.svg
    ]


def _written(report: Report, tables: dict[str, Table]) -> list[ReportFile]:
    return [ReportFile(name, text) for name, text in texts(report, tables).items()]
