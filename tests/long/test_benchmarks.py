"""Each benchmark in its small form: that it runs and prints its table, not how fast."""

import subprocess
import sys
from pathlib import Path
from shutil import copy

import pytest

from benchmarks.__main__ import BENCHMARKS
from tests.services.house import ROOT

pytestmark = [
    pytest.mark.wide,
    pytest.mark.skipif(sys.platform != "linux", reason="reads CPU times from /proc, which only Linux has"),
]

TABLES = {
    "starting": ["reference: a bare project, check", "score 1 x 100, m2, checkout", "an idle platform, all processes"],
    "import_outputs": ["reference: bare rows", "import_outputs, SQLite  ", "PostgreSQL  "],
    "sampling": ["reference: listing sets", "100 x 6", "200 x 8"],
    "judging": ["reference: CPU of a bare insert", "CPU to take an answer", "nearly full: begin a batch"],
    "load": ["reference: 4 bare inserts: submit, p95", "reference: 4 judges: claim, p95", "8 judges: submit, p95",
             "guessed passwords: ", "the report was done"],
    "pages": ["SQLite: make the campaign", " other pages", "reference: the page to sign in", "campaign.zip"],
    "exports": ["reference: bare answers", "judgments.csv", "everything.jsonl", "manage.py import_campaign"],
    "backups": ["reference: SQLite's own copy", "back_up", "restore  ", "restore --check"],
    "expected_wins": ["reference: one by one", "Expected Wins, pairs drawn", "Expected Wins, sentences drawn"],
    "trueskill": ["reference: the package", "published TrueSkill"],
    "reports": ["reference: count one by one", "grundkiewicz2015", "recommended", "  accuracy"],
    "growth": ["of their own  ", "equal ones together  ", "100 rankings"],
    "verdicts": ["reference: count one by one", "madnani2011", "  how many judgments are enough"],
    "corrections": ["reference: count the edits", "recommended", "  people and systems", "bryant2015"],
    "edits": ["reference: count one by one", "recommended", "  what an edit is worth"],
    "essays": ["reference: count one by one", "recommended", "  agreement on scales"],
    "metrics": ["reference: sacrebleu", "reference: NLTK", "every arc listed", "a table of all cells", "GREEN F2: ",
                "CLEME F0.5: ", "charGLEU: ", "chrF++: ", "METEOR: ", "I-measure (mixing=yes): ",
                "a scoring by 7 metrics", "mixtures", "subsets"],
    "errant": ["reference: texts parsed one by one", "ERRANT: align and join, ", "ERRANT F0.5: mixtures"],
    "commands": ["sacrebleu, bleu", "reference: score --metrics bleu", "NLTK, meteor"],
}  # fmt: skip


def test_small_runs_print_their_tables_and_write_them_into_the_page(tmp_path):
    """One command runs them all, as `make bench ARGS=--small` does, each in its process."""
    pytest.importorskip("errant")
    page = Path(copy(ROOT / "docs" / "performance.md", tmp_path))
    command = [sys.executable, "-m", "benchmarks", "--small", "--write", str(page)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    tables = {name: rows for name, *rows in (part.split("\n  ") for part in ran.stdout.rstrip().split("\n\n"))}
    assert set(TABLES) == set(tables) == set(BENCHMARKS)
    written = page.read_text(encoding="utf-8")
    for name, wanted in TABLES.items():
        headings, *rows = tables[name]
        assert headings.split() == ["what", "size", "seconds", "MB", "ratio"]
        assert [words for words in wanted if not any(words in row for row in rows)] == [], (name, rows)
        _, _, below = written.partition(f"<!-- {name} -->\n")
        first = next(row for row in rows if not row.startswith(" "))
        assert below.split("\n")[2].startswith(f"| {first.split('  ')[0]} |")
