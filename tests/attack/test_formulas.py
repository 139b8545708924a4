"""Formulas in files for spreadsheets, and names inside of ZIPs: every place that writes either is known."""

import ast
import csv
import io
import re
import zipfile
from pathlib import Path

import pytest
from django.urls import resolve, reverse

from judgments.exchange.exporters import EXPORTS
from judgments.rules.files.csv_tables import undo_defusing
from ranking.numbers.tables import written_lines
from tests.judgments.web.test_hostile_texts import ada, campaign, check_cells, hostile, made_once, olga  # noqa: F401 (fixtures)

ROOT = Path(__file__).parents[2]
# Each of them defuses what it writes; tests/judgments/web/test_hostile_texts.py reads what comes of it.
WRITERS = {"judgments/rules/files/csv_tables.py", "ranking/numbers/tables.py"}
FORMULAS = ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "'=1", "''=1", "-0.0", "good", "", "'s"]


@pytest.mark.wide
def test_every_module_that_writes_csv_is_known():
    found = set()
    for room in ("appraise_gec", "judgments", "ranking"):
        for path in (ROOT / room).rglob("*.py"):
            nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            names = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
            if names & {"writer", "DictWriter"}:
                found.add(str(path.relative_to(ROOT)))
    assert found == WRITERS


def test_what_a_report_is_made_from_is_no_formula_and_is_read_as_it_was():
    text = written_lines(("one", "other"), [(formula, "x") for formula in FORMULAS])
    check_cells(text)
    assert [undo_defusing(formula) for formula, _ in list(csv.reader(io.StringIO(text)))[1:]] == FORMULAS


@pytest.mark.wide
def test_nothing_in_a_zip_has_a_path_or_is_a_formula(hostile, campaign, olga, browser_of):  # noqa: F811
    client = browser_of(olga)
    names = [name for name in EXPORTS if name.endswith(".zip")]
    places = [reverse("export", args=[campaign.slug, name]) for name in names]
    report = resolve(hostile["report"]).kwargs["pk"]
    places += [reverse(name, args=[report]) for name in ("report_zip", "report_bundle")]
    answers = {place: client.get(place) for place in places}
    answers["release"] = client.post(hostile["release_data"], {"licence": "cc0-1.0", "with_texts": "on"})
    looked = 0
    for place, answer in answers.items():
        if answer.status_code == 302:  # an export of another protocol
            continue
        assert answer.status_code == 200, place
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.namelist():
                assert re.fullmatch(r"[\w+-][\w.+-]*(/[\w+-][\w.+-]*)*", member), member
                if member.endswith(".csv"):
                    check_cells(archive.read(member).decode())
                looked += 1
    assert looked > 10
