"""Bundles that reproduce a report: its inputs, its code, and a short script."""

import platform
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.http import Http404

from ranking.charts.drawing.standalone import to_svg
from ranking.models import Report, ReportInputs
from ranking.reports import downloads
from ranking.reports.inputs import unzipped, zipped
from ranking.reports.kinds.registry import ReportKind, kind_of
from ranking.stats.analysis import INPUTS, REPORT
from ranking.stats.code import PACKAGES

CODE = settings.BASE_DIR / "ranking"
LIBRARIES = ("numpy", "scipy", "numba", "trueskill", "rapidfuzz")

SCRIPT = """from pathlib import Path

from {module} import {name}
from ranking.stats.analysis import make_again

print(make_again({name}, Path(__file__).parent))
"""

README = """Everything that makes the numbers of this report again.

report/             the numbers, as they were downloaded
plots/              the charts of the report
inputs/             the judgments that counted, what else was known, all choices and the seed
ranking/            the part of the platform's code that computes, as it was
requirements.txt    the libraries, in the versions that were used, with Python {python}

    python -m venv .venv
    .venv/bin/pip install -r requirements.txt
    .venv/bin/python make_again.py

writes the numbers into again/ and says whether each file is the same, byte for byte. It computes as long as the report
took, and a minute more for compiling. What each number means stands in docs/statistics.md of the platform.

{signature}
"""


def bundle(report: Report) -> bytes:
    """Build the ZIP of a finished report."""
    inputs = ReportInputs.objects.filter(report=report).first()
    if inputs is None:
        raise Http404("This report was not made, so there is nothing to make again.")
    tables, kind = downloads.tables_of(report), kind_of(report)
    files: dict[str, str | bytes] = {
        "README.txt": README.format(python=platform.python_version(), signature=report.signature),
        "make_again.py": _script(kind),
        "requirements.txt": "".join(f"{name}=={version(name)}\n" for name in LIBRARIES),
    }
    files |= {f"{REPORT}/{name}": text for name, text in downloads.texts(report, tables).items()}
    files |= {f"plots/{chart.name}.svg": to_svg(chart) for chart in kind.charts_of(tables).values() if chart.svg}
    files |= {f"{INPUTS}/{name}": text for name, text in unzipped(bytes(inputs.content)).items()}
    files |= {str(file.relative_to(settings.BASE_DIR)): file.read_bytes() for file in _code()}
    files["LICENSE"] = (settings.BASE_DIR / "LICENSE").read_bytes()
    return zipped(files)


def _script(kind: ReportKind) -> str:
    module, name = kind.study.place.split(":")
    return SCRIPT.format(module=module, name=name)


def _code() -> Iterator[Path]:
    """Yield the packages that compute, unchanged."""
    yield CODE / "__init__.py"
    for package in PACKAGES:
        yield from sorted((CODE / package).rglob("*.py"))
