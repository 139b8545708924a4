"""A report as files: a CSV a table, an SVG a plot, all numbers as JSON, everything as one ZIP."""

import io
import json
import zipfile
from dataclasses import dataclass

from django.http import Http404

from ranking.models import Report
from ranking.plots.gallery import plots_of
from ranking.plots.standalone import to_svg
from ranking.stats.tables import Table, to_csv, to_latex, to_markdown

SIGNATURE = "signature.txt"
REPORT = "report.json"
TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "md": "text/markdown; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
}
WRITERS = {"csv": to_csv, "md": to_markdown, "tex": to_latex}
# All files in a ZIP have one date, so that the same numbers are the same bytes.
NO_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class ReportFile:
    """One file of a report."""

    name: str
    text: str

    @property
    def content_type(self) -> str:
        """What kind of file it is, for a browser."""
        return TYPES[self.name.rsplit(".", 1)[1]]


def tables_of(report: Report) -> dict[str, Table]:
    """All tables by name."""
    return {row.name: row.table() for row in report.reporttable_set.all()}


def report_file(report: Report, name: str) -> ReportFile:
    """One file by its name: a table in any of its dresses, a plot, the signature, or everything as JSON."""
    stem, _, kind = name.rpartition(".")
    tables = tables_of(report)
    if stem in tables and kind in WRITERS:
        return ReportFile(name, WRITERS[kind](tables[stem]))
    for file in _drawn(tables) if kind == "svg" else _whole(report, tables):
        if file.name == name:
            return file
    raise Http404(f"There is no file {name} in this report.")


def report_files(report: Report) -> list[ReportFile]:
    """What the ZIP holds, and what `build_report --out` writes."""
    tables = tables_of(report)
    numbers = [ReportFile(f"{name}.csv", to_csv(table)) for name, table in tables.items()]
    return [*_whole(report, tables), *numbers, *_drawn(tables)]


def report_zip(report: Report) -> bytes:
    """All files in one."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in report_files(report):
            archive.writestr(zipfile.ZipInfo(file.name, NO_DATE), file.text, zipfile.ZIP_DEFLATED)
    return content.getvalue()


def _drawn(tables: dict[str, Table]) -> list[ReportFile]:
    """Every plot that has a picture."""
    return [ReportFile(f"{plot.name}.svg", to_svg(plot)) for plot in plots_of(tables).values() if plot.svg]


def _whole(report: Report, tables: dict[str, Table]) -> list[ReportFile]:
    told = {
        "campaign": report.campaign.slug,
        "preset": report.preset,
        "parameters": report.parameters,
        "signature": report.signature,
        "gaps": report.gaps,
        "tables": {name: table.dicts() for name, table in tables.items()},
    }
    text = json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    return [ReportFile(SIGNATURE, report.signature + "\n"), ReportFile(REPORT, text)]
