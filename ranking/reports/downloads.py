"""Files of a report: tables, charts, all numbers as JSON, a ZIP of these, and a bundle that reproduces the report."""

import io
import json
import platform
import zipfile
from collections.abc import Collection, Iterable, Mapping
from importlib.metadata import version
from importlib.util import find_spec

from django.conf import settings
from django.http import Http404

from judgments.charts.svg import to_svg
from ranking.models import Report, ReportInputs
from ranking.numbers.kernels import TABLE
from ranking.numbers.tables import Table, to_csv, to_latex, to_markdown, to_typst
from ranking.reports.answers import Answer
from ranking.reports.kinds.kind import answer_of, kind_of
from ranking.stats import study_files
from ranking.stats.analysis import INPUTS, PACKAGES, REPORT, SIGNATURE, Study, texts_of

TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "md": "text/markdown; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
    "typ": "text/plain; charset=utf-8",
    "bib": "application/x-bibtex; charset=utf-8",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
}
WRITERS = {"csv": to_csv, "md": to_markdown, "tex": to_latex, "typ": to_typst}


def tables_of(report: Report, names: Iterable[str] | None = None) -> dict[str, Table]:
    """The tables, or only those named; tables with a row per judge can be slow to read."""
    rows = report.reporttable_set.all() if names is None else report.reporttable_set.filter(name__in=names)
    return {row.name: row.table() for row in rows}


def answer_in(report: Report) -> Answer | None:
    """What a report answers, once it is done."""
    return answer_of(report, tables_of(report)) if report.state == Report.State.DONE else None


def report_file(report: Report, name: str) -> str:
    """Return one file by its name: a table in any format, a chart, the signature, or everything as JSON."""
    stem, _, kind = name.rpartition(".")
    tables = tables_of(report)
    if stem in tables and kind in WRITERS:
        return WRITERS[kind](tables[stem])
    files = chart_files(report, tables) if kind == "svg" else paper_files(report, tables) | texts(report, tables)
    if name not in files:
        raise Http404(f"There is no file {name} in this report.")
    return files[name]


def report_files(report: Report, tables: dict[str, Table] | None = None) -> dict[str, str]:
    """Return all files by name, which are also those that `build_report --out` writes."""
    tables = tables_of(report) if tables is None else tables
    return texts(report, tables) | chart_files(report, tables) | paper_files(report, tables)


def report_zip(report: Report, all_tables: bool) -> bytes:
    """Zip all files, or the tables that a paper needs with their charts, the text to paste, and the signature.

    A kind that names no such tables has few, and a paper may need any of them.
    """
    if report.state != Report.State.DONE:
        raise Http404("This report is not done, so it has no files. Its state says whether to wait or make another.")
    chosen = kind_of(report).for_papers
    if all_tables or not chosen:
        return make_zip(report_files(report))
    tables = tables_of(report)
    names = {SIGNATURE, *(f"{name}.csv" for name in chosen)}
    files = {name: text for name, text in texts(report, tables).items() if name in names}
    return make_zip(files | chart_files(report, tables, chosen) | paper_files(report, tables))


def texts(report: Report, tables: dict[str, Table]) -> dict[str, str]:
    """Format the numbers: a CSV for each table, everything as JSON, and the signature."""
    return texts_of(tables, report.gaps, report.signature, report.metadata())


def chart_files(report: Report, tables: dict[str, Table], chosen: Collection[str] = ()) -> dict[str, str]:
    """Draw the charts, or only those of the tables chosen."""
    charts = [chart for chart in kind_of(report).charts_of(tables).values() if chart.svg]
    shown = [chart for chart in charts if not chosen or any(name in chosen for name in chart.tables)]
    return {f"{chart.name}.svg": to_svg(chart) for chart in shown}


def paper_files(report: Report, tables: dict[str, Table]) -> dict[str, str]:
    """The files to paste into a paper; none before there is an answer."""
    answer = answer_of(report, tables)
    return answer.paper.files() if answer and answer.paper else {}


# A fixed date, so that the same report gives the same bytes.
NO_DATE = (1980, 1, 1, 0, 0, 0)
# Twice as fast as the default level, for files a tenth larger.
LEVEL = 3


def make_zip(files: Mapping[str, str | bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, NO_DATE), text, zipfile.ZIP_DEFLATED, LEVEL)
    return content.getvalue()


def read_zip(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def inputs_of(report: Report) -> dict[str, str]:
    """Read the files from which the report was computed."""
    inputs = ReportInputs.objects.filter(report=report).first()
    if inputs is None:
        raise Http404("This report was never computed, so there is nothing to reproduce.")
    return {name: content.decode() for name, content in read_zip(bytes(inputs.content)).items()}


def stored_study(report: Report) -> Study:
    """Read the study that another worker stored."""
    return study_files.read(kind_of(report).study, inputs_of(report))


CODE = settings.BASE_DIR / "ranking"
LIBRARIES = ("numpy", "scipy", "numba", "trueskill", "rapidfuzz")

SCRIPT = """from pathlib import Path

from {module} import SECTIONS, {study}
from ranking.stats.analysis import make_again

print(make_again({study}, SECTIONS, Path(__file__).parent))
"""

README = """Everything needed to reproduce the numbers of this report.

report/             the numbers, as downloaded
plots/              the charts of the report
paper/              paragraphs and the main table to paste, and the works they cite
inputs/             the judgments that counted, the other inputs, all parameters and the seed
ranking/            the code of the platform that computes the numbers
requirements.txt    the libraries, in the versions used with Python {python}

    python -m venv .venv
    .venv/bin/pip install -r requirements.txt
    .venv/bin/python make_again.py

writes the numbers to again/ and reports whether each file is identical, byte for byte. It takes as long as the report
did, plus a minute for compiling. The platform's docs/statistics.md explains each number, and
docs/citing.md says which to report.

{signature}
"""


def bundle(report: Report) -> bytes:
    """Build the ZIP of a finished report."""
    inputs = inputs_of(report)
    return make_zip(bundle_files(report, tables_of(report), inputs))


def bundle_files(report: Report, tables: dict[str, Table], inputs: Mapping[str, str]) -> dict[str, str | bytes]:
    """The files of the bundle, by name; a release gives a report, tables and inputs that name no judge."""
    kind = kind_of(report)
    code = [CODE / "__init__.py", *(file for package in PACKAGES for file in sorted((CODE / package).rglob("*.py")))]
    versions = {library: version(library) for library in LIBRARIES if find_spec(library)}
    if TABLE.exists():
        versions["numba"] = json.loads(TABLE.read_text(encoding="utf-8"))["numba"]
    files: dict[str, str | bytes] = {
        "README.txt": README.format(python=platform.python_version(), signature=report.signature),
        "make_again.py": SCRIPT.format(module=kind.module, study=kind.study.__name__),
        "requirements.txt": "".join(f"{library}=={number}\n" for library, number in versions.items()),
    }
    folders = {
        REPORT: texts(report, tables),
        "plots": chart_files(report, tables),
        "paper": paper_files(report, tables),
    }
    files |= {f"{folder}/{name}": text for folder, made in folders.items() for name, text in made.items()}
    files |= {f"{INPUTS}/{name}": text for name, text in inputs.items()}
    files |= {str(file.relative_to(settings.BASE_DIR)): file.read_bytes() for file in code}
    files["LICENSE"] = (settings.ASSETS / "LICENSE").read_bytes()
    return files
