"""Everything that makes a report's numbers again: what it was made from, its code, and a script of a few lines."""

import ast
import platform
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.http import Http404

from ranking import exports
from ranking.archives import unzipped, zipped
from ranking.models import Report, ReportInputs
from ranking.plots.gallery import plots_of
from ranking.plots.standalone import to_svg
from ranking.stats.again import INPUTS, REPORT

STATISTICS, ENTRY = "ranking/stats", "ranking.stats.again"
OURS = ("ranking", "judgments")
LIBRARIES = ("numpy", "scipy", "numba", "trueskill", "rapidfuzz")

SCRIPT = """from pathlib import Path

from ranking.stats.again import make_again

print(make_again(Path(__file__).parent))
"""

README = """Everything that makes the numbers of this report again.

report/             the numbers, as they were downloaded
plots/              the plots of the report
inputs/             the judgments that counted, what else was known, all choices and the seed
ranking/, judgments/   the part of the platform's code that computes, as it was
requirements.txt    the libraries, in the versions that were used, with Python {python}

    python -m venv .venv
    .venv/bin/pip install -r requirements.txt
    .venv/bin/python make_again.py

writes the numbers into again/ and says whether each file is the same, byte for byte. It computes as long as the report
took, and a minute more for compiling. What each number means stands in docs/statistics.md of the platform.

{signature}
"""


def bundle(report: Report) -> bytes:
    """The ZIP; only a report that was made has one."""
    inputs = ReportInputs.objects.filter(report=report).first()
    if inputs is None:
        raise Http404("This report was not made, so there is nothing to make again.")
    tables = exports.tables_of(report)
    files: dict[str, str | bytes] = {
        "README.txt": README.format(python=platform.python_version(), signature=report.signature),
        "make_again.py": SCRIPT,
        "requirements.txt": "".join(f"{name}=={version(name)}\n" for name in LIBRARIES),
    }
    files |= {f"{REPORT}/{name}": text for name, text in exports.texts(report, tables).items()}
    files |= {f"plots/{plot.name}.svg": to_svg(plot) for plot in plots_of(tables).values() if plot.svg}
    files |= {f"{INPUTS}/{name}": text for name, text in unzipped(bytes(inputs.content)).items()}
    files |= {str(file.relative_to(settings.BASE_DIR)): file.read_bytes() for file in _code()}
    files["LICENSE"] = (settings.BASE_DIR / "LICENSE").read_bytes()
    return zipped(files)


def _code() -> list[Path]:
    """The files of all statistics, and of what they import elsewhere."""
    statistics = (settings.BASE_DIR / STATISTICS).rglob("*.py")
    return sorted({*statistics, *_imported(ENTRY, set())})


def _imported(module: str, seen: set[str]) -> Iterator[Path]:
    """The files of a module of ours and of all that it imports."""
    if module in seen or module.split(".")[0] not in OURS:
        return
    seen.add(module)
    if parent := module.rpartition(".")[0]:
        yield from _imported(parent, seen)
    place: Path = settings.BASE_DIR.joinpath(*module.split("."))
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    if not file.is_file():
        return
    yield file
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in (node.module, *(f"{node.module}.{name.name}" for name in node.names)):
                yield from _imported(name, seen)
