"""The documentation is complete: every column of a report is explained in docs/statistics.md."""

import ast
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import yaml
from django.urls import get_resolver
from django.utils.text import slugify

from judgments.web.templatetags.pages import HELP
from ranking.metrics import catalogue
from ranking.numbers.tables import Table
from ranking.numbers.version import VERSION
from ranking.reports.answers import works
from ranking.stats.analysis import BY_DAY, Day, analyse
from ranking.stats.comparisons import SECTIONS as OF_COMPARISONS
from ranking.stats.comparisons.standings import precision
from ranking.stats.comparisons.study import ComparisonStudy, Covariates, Names, Parameters
from ranking.stats.corrections import SECTIONS as OF_CORRECTIONS
from ranking.stats.edits import SECTIONS as OF_EDITS
from ranking.stats.essays import SECTIONS as OF_ESSAYS
from ranking.stats.metaevaluation import overview
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel
from ranking.stats.programs import SECTIONS as OF_PROGRAMS
from ranking.stats.rankings.methods import METHODS
from ranking.stats.verdicts import SECTIONS as OF_VERDICTS
from ranking.stats.verdicts.usages import CLASS_OF
from tests.ranking.stats.ballots import Ballot, Group, columns
from tests.ranking.stats.corrections.test_study import study as study_of_corrections
from tests.ranking.stats.edits.cast import whole_study as study_of_edits
from tests.ranking.stats.essays.cast import whole_study as study_of_essays
from tests.ranking.stats.programs.cast import ratings, study, verdicts
from tests.ranking.stats.verdicts.cast import whole_study

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "docs" / "statistics.md").read_text(encoding="utf-8")
CITING = (ROOT / "docs" / "citing.md").read_text(encoding="utf-8")


def of_comparisons() -> dict[str, Table]:
    """Those of ratings by two judges, one of whom repeats some, by a method that cannot rank them, and with metrics."""
    ballots = [
        Ballot(
            judge, segment % 12, tuple(Group((system,), 10.0 * (system == segment % 5) + system) for system in range(4))
        )
        for judge in range(2)
        for segment in range(12 + 4 * judge)
    ]
    methods = ("expected-wins", "z-score", "trueskill-published")
    chosen = Parameters(methods=methods, replicates=200, folds="honest")
    names = Names(("AMU", "CAMB", "RAC", "UFC"), ("ada", "ben"))
    metrics = (
        MetricScores("m2 P", ScoreLevel.SYSTEM, np.array([0.4, 0.3, 0.2, 0.1])),
        MetricScores("m2 R", ScoreLevel.SYSTEM, np.array([0.1, 0.3, 0.2, 0.2])),
        MetricScores("gleu", ScoreLevel.SENTENCE, np.array([[0.1, 0.2, 0.3, 0.4]] * 12)),
    )
    weights = np.arange(1.0, 29)
    covariates = Covariates(np.array([4] * 12), metrics, weights=weights)
    days = (Day("2015-09-17", 12, 1),)
    found = ComparisonStudy(columns(ballots, 4, 2), names, chosen, are_ratings=True, covariates=covariates, days=days)
    of_judges = precision(found.with_parameters(unit="sentence-and-judge"))
    return analyse(found, OF_COMPARISONS).tables | {table.name: table for table in of_judges}


# Toys by what they are about: how their tables are made, the modules that make tables of them, and which of those are
# not made of a toy.
TOYS: dict[str, tuple[Callable[[], dict[str, Table]], str, set[str]]] = {
    "comparisons": (
        of_comparisons, "comparisons/*.py metaevaluation/overview.py analysis.py",
        {"changes", "changed_pairs", "meta_evaluation_averages"},
    ),
    "verdicts": (lambda: analyse(whole_study(), OF_VERDICTS).tables, "verdicts/*.py analysis.py", set()),
    "corrections": (
        lambda: analyse(study_of_corrections(), OF_CORRECTIONS).tables, "corrections/*.py analysis.py", set(),
    ),
    "edits": (
        lambda: analyse(study_of_edits(), OF_EDITS).tables, "edits/*.py analysis.py",
        {"judgments_over_time"},
    ),
    "essays": (
        lambda: analyse(study_of_essays(), OF_ESSAYS).tables, "essays/*.py analysis.py", {"judgments_over_time"},
    ),
    "programs": (
        lambda: analyse(study(ratings()), OF_PROGRAMS).tables | analyse(verdicts(), OF_PROGRAMS).tables,
        "programs/*.py analysis.py",
        {"judgments_over_time"},
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def tables() -> dict[str, dict[str, Table]]:
    return {about: make() for about, (make, _, _) in TOYS.items()}


@pytest.mark.parametrize("about", TOYS)
def test_the_toy_makes_every_table_that_there_is(tables, about):
    _, modules, left_out = TOYS[about]
    files = [file for pattern in modules.split() for file in (ROOT / "ranking" / "stats").glob(pattern)]
    written = "".join(file.read_text(encoding="utf-8") for file in files)
    there = (
        set(re.findall(r'Table\.of\(\s*"(\w+)"', written))
        | ({overview.NAME, overview.COMPARED} if about == "comparisons" else set())
        | {BY_DAY}
    )
    assert tables[about].keys() | left_out == there


def test_every_column_of_a_report_is_explained(tables):
    parts = [(part.splitlines()[0], part) for part in GUIDE.split("\n## ")]
    assert not [
        f"{name}: {column}"
        for made in tables.values()
        for name, table in made.items()
        for column in (CLASS_OF + "NAME" if of.startswith(CLASS_OF) else of for of in table.columns)
        if not any(f"`{name}.csv`" in heading and f"`{column}`" in part for heading, part in parts)
    ]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_a_part_of_its_own_and_works_that_papers_cite(method):
    assert f"`{method}`" in "".join(re.findall("^### .*$", GUIDE, re.MULTILINE))
    assert set(METHODS[method].sources.replace("@", "").split("; ")) <= works().keys()


@pytest.mark.parametrize("metric", catalogue.METRICS)
def test_every_metric_is_explained(metric):
    assert f"`{metric}" in (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")


MODULES = sorted(set(re.findall(r"\]\(\.\./([^)#]+)\)", GUIDE)))


@pytest.mark.parametrize("module", MODULES)
def test_every_module_that_has_a_formula_exists_and_says_what_it_does(module):
    file = ROOT / module / "__init__.py" if module.endswith("/") else ROOT / module
    assert ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))


def test_what_to_cite_names_tables_and_columns_that_exist(tables):
    columns: dict[str, set[str]] = {}
    for name, table in (both for made in tables.values() for both in made.items()):
        columns.setdefault(name, set()).update(table.columns)
    assert set(re.findall(r"`(\w+)\.csv`", CITING)) <= columns.keys()
    named = re.findall(r"((?:`\w+`(?:,\s+|\s+and\s+)?)+)\s+(?:of|in)\s+`(\w+)\.csv`", CITING)
    assert len(named) > 20
    assert [(of, name) for of, name in named if not set(re.findall(r"`(\w+)`", of)) <= columns[name]] == []
    assert set(re.findall(r"`(\w+)`", CITING)) <= set(re.findall(r"`([^`]+)`", GUIDE))


ANCHOR = re.compile(r"\]\((?:([\w-]+)\.md)?#([\w-]+)\)")


@pytest.mark.parametrize("page", [path.name for path in ROOT.glob("docs/*.md")])
def test_every_heading_that_is_linked_exists(page):
    for name, anchor in ANCHOR.findall((ROOT / "docs" / page).read_text(encoding="utf-8")):
        linked = (ROOT / "docs" / f"{name or page[:-3]}.md").read_text(encoding="utf-8")
        assert anchor in map(slugify, re.findall(r"^#+ (.*)$", linked, re.MULTILINE)), f"{name}#{anchor}"


def test_the_help_of_every_page_begins_at_a_heading():
    for name, place in HELP.items():
        guide, _, heading = place.partition("#")
        text = (ROOT / "docs" / f"{guide}.md").read_text(encoding="utf-8")
        headings = map(slugify, re.findall(r"^#+ (.*)$", text, re.MULTILINE))
        assert name in get_resolver().reverse_dict, name
        assert not heading or heading in headings, f"{name}: {place}"


PATH = re.compile(
    r"(?<![\w/])(?:tests|docs|benchmarks|studies|judgments|ranking|appraise_gec)/[\w/]+\.\w+|\btest_\w+\.py"
)


@pytest.mark.parametrize(
    "page", ["README.md", "SECURITY.md", *(f"docs/{path.name}" for path in ROOT.glob("docs/*.md"))]
)
def test_every_file_of_the_project_that_is_named_exists(page):
    """In reliability.md, files without a folder are in tests/attack, or in the folder named before them."""
    named = PATH.findall((ROOT / page).read_text(encoding="utf-8"))
    tests = {path.name for path in ROOT.glob("tests/**/*.py")}
    missing = [name for name in named if not ((ROOT / name).exists() or name in tests)]
    assert [name for name in missing if "KIND" not in name] == []


def test_the_citation_names_the_version_and_the_authors_of_the_project():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == VERSION
    (author,) = cited["authors"]
    assert f"(c) 2026 {author['name']}" in (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert cited["license"] == "MIT"
