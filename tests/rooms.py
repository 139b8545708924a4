"""The rooms of the project, and which of them a change touches: `make test` runs the wide tests of those alone.

A test that costs more than half a second of CPU is marked `wide`. The folders of tests mirror those of the source, so
tests/judgments/web is the room of judgments/web. What looks at several rooms is listed in LOOK_AT; and a file of tests
looks at the modules that it imports.
"""

import ast
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path, PurePosixPath

import grimp

ROOT = Path(__file__).parents[1]
PACKAGES = ("appraise_gec", "judgments", "ranking")
# Holds the last commit with which CI passed.
PASSED = ROOT / ".ci/passed"
PAGES = ("judgments/web", "ranking/web", "templates")
# Rooms and files of tests whose name no folder of the source has, and what they look at.
LOOK_AT = {
    "attack": (*PAGES, "judgments/api", "ranking/api", "judgments/judges", "appraise_gec"),
    "browser": (*PAGES, "judgments/protocols", "judgments/judging", "static"),
    "judgments/web": ("templates",),
    "ranking/web": ("templates",),
    "fuzz": ("judgments/rules", "judgments/material", "judgments/exchange"),
    "services": ("appraise_gec",),
    "test_description.py": ("judgments/api", "ranking/api"),
    "test_documents.py": ("docs", "ranking/stats"),
    "test_settings.py": ("appraise_gec",),
    "test_deployment.py": ("appraise_gec", "docs"),
    "test_translations.py": ("locale",),
    "long/test_studies.py": ("ranking/stats", "ranking/power", "studies"),
    "long/test_benchmarks.py": ("benchmarks",),
    "long/test_maxmatch.py": ("ranking/metrics",),
    "long/test_package.py": ("ranking/metrics", "ranking/stats", "ranking/management"),
}
# Uses of kernels by which tests that are not wide reach them (ranking/management/warming.py). All others take a minute
# to compile, and are needed when one of these rooms changed.
KERNELS = ("gleu", "reports")
ROOMS_OF_KERNELS = {"ranking/metrics", "ranking/stats"}
# On these everything depends.
FOUNDATIONS = {
    "requirements.txt", "requirements-errant.txt", "requirements-dev.txt", "appraise_gec/settings.py", "pyproject.toml",
    "tests/conftest.py", "tests/factory.py",
}  # fmt: skip


def room_of(path: str) -> str:
    """A file's package and its folder in it, or else its folder at the top."""
    parts = PurePosixPath(path).parts
    return "/".join(parts[: 2 if parts[0] in PACKAGES and len(parts) > 2 else 1])


def changed_files() -> set[str] | None:
    """The files changed since CI last passed, and helpers of tests that import such ones.

    None where git cannot tell, or if all depends on one of them.
    """

    def git(*words: str) -> list[str]:
        done = subprocess.run(
            ["git", "-c", "core.quotePath=no", *words], cwd=ROOT, capture_output=True, text=True, check=True
        )
        return done.stdout.splitlines()

    try:
        passed = PASSED.read_text(encoding="utf-8").strip()
        files = {*git("diff", "--name-only", passed), *git("ls-files", "--others", "--exclude-standard")}
    except (OSError, ValueError, subprocess.CalledProcessError):
        return None
    helpers = {str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("*.py") if path.name[:5] != "test_"}
    while more := {file for file in helpers - files if imported_by(file) & set(map(module_of, files & helpers))}:
        files |= more
    return files if FOUNDATIONS.isdisjoint(files) else None


def touched_by(files: Iterable[str]) -> set[str]:
    """The rooms of these files and those that import from them, with these modules and the files of tests among them.

    A file of tests is no part of its room, but what several of them import is, wherever they are.
    """
    files = set(files)
    tests = {file for file in files if file.startswith("tests/") and PurePosixPath(file).name.startswith("test_")}
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    touched = {room_of(file.removeprefix("tests/")) for file in files - tests}
    for module in map(module_of, files):
        touched.add(module)
        if module in graph.modules:
            importers = graph.find_modules_that_directly_import(module)
            touched |= {room_of(importer.replace(".", "/") + ".py") for importer in importers}
    return touched | tests


def module_of(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def is_touched(test: str, touched: set[str]) -> bool:
    """Whether a file of tests, by its path in the project, looks at one of these rooms, imports from one of these
    modules, or is itself among them.
    """
    within = test.removeprefix("tests/")
    seen = LOOK_AT.get(within) or LOOK_AT.get(room_of(within), ())
    return not touched.isdisjoint((test, room_of(within), *seen, *imported_by(test)))


@cache
def imported_by(test: str) -> set[str]:
    """The modules that a file of tests imports, or imports from."""
    tree = ast.parse((ROOT / test).read_text(encoding="utf-8"))
    found = [(str(node.module), node.names) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return {module for module, _ in found} | {f"{module}.{one.name}" for module, names in found for one in names}
