"""Each benchmark in its small form: that it runs and prints its table, not how fast."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from benchmarks import large, pages
from benchmarks.__main__ import BENCHMARKS
from tests.services.judges import kind_of
from benchmarks.judging import agree
from benchmarks.maker import multiplicities, write_material
from benchmarks.processes import apart
from benchmarks.table import Row, median_rows, table
from benchmarks.web import cpu_seconds
from judgments.faults import Refused
from judgments.models import Campaign, Completion, Judgment, Seat
from judgments.submission import shown_slots
from tests.judgments.test_access import ADDRESSES, DONE, SEEN
from tests.judgments.test_overview import QUERIES
from tests.judgments.test_overview import agrees as agrees_with_counting
from tests.services.servers import PostgresServer, ServerUnavailable

ROOT = Path(__file__).resolve().parents[2]


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "benchmarks", *words], cwd=ROOT, capture_output=True, text=True)


needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what processes compute")


TABLES = {
    "import_outputs": ["make the texts", "reference: bare rows", "manage.py import_outputs  1,000 x 10"],
    "sampling": ["reference: listing sets", "100 x 6", "200 x 8"],
    "exports": ["reference: bare answers", "judgments.csv", "everything.jsonl", "manage.py import_campaign"],
    "pages": ["SQLite: make the campaign", "SQLite: board  ", "reference: the page to sign in", "campaign.zip"],
    "claiming": ["claim and submit: all       200 seats", "reference: the first", "claim and submit: the last"],
    "extraction": ["write the rows", "reference: read them bare", "collect ballots"],
    "expected_wins": ["reference: one by one", "Expected Wins, pairs drawn", "Expected Wins, sentences drawn"],
    "trueskill": ["reference: the package", "published TrueSkill"],
    "reports": ["reference: count one by one", "grundkiewicz2015, no folds", "recommended", "  accuracy"],
    "verdicts": ["reference: count one by one", "madnani2011", "  how many judgments are enough"],
    "scoring": ["reference: splitting", "i-measure", "all of them", "mixtures, from counts"],
    "maxmatch": ["reference: every arc listed", "M2: count, ", "M2: count long lines", "M2: ratios, all subsets"],
    "ngrams": ["reference: sacrebleu", "reference: NLTK", "charGLEU: ", "chrF++: ", "METEOR: ", "mixed systems"],
    "imeasure": ["reference: a table of all cells", "without mixing: ", "with mixing: ", "20 x 4, 4 references"],
    "corrections": ["reference: count the edits", "`recommended`", "of which people and systems", "`bryant2015`"],
    "growth": ["of their own  ", "equal ones together  ", "100 rankings", "200 rankings"],
}
SERVED = {
    "judging": ["reference: CPU of an empty page", "8 judges: server's time, p95", "nearly full: begin a batch"],
    "load": ["reference: 4 judges: claim, p50", "8 judges: submit, p99", "guessed passwords: ", "the report was done"],
}


@cache
def printed(*names: str) -> dict[str, list[str]]:
    """The lines of each table; one process runs the benchmarks, as an empty platform is made but once in it."""
    ran = run("--small", *names)
    tables: dict[str, list[str]] = {}
    for line in ran.stdout.splitlines():
        if not line.startswith(" "):
            lines = tables[line] = []
        else:
            lines.append(line)
    assert ran.returncode == 0, ran.stderr
    return tables


def check(tables: dict[str, list[str]], name: str, says: list[str]) -> None:
    headings, *rows = tables[name]
    assert headings.split() == ["what", "size", "seconds", "peak", "MB", "ratio"]
    assert all(any(words in row for row in rows) for words in says), rows


@pytest.mark.parametrize("name", TABLES)
def test_a_small_run_prints_its_table(name):
    check(printed(*TABLES), name, TABLES[name])


def test_a_small_run_of_errant_prints_its_table():
    pytest.importorskip("errant")
    says = ["reference: texts parsed one by one", "ERRANT: align, ", "ERRANT: scores of mixtures"]
    check(printed("errant"), "errant", says)


def test_all_of_them_are_run_here():
    assert {*TABLES, *SERVED, "errant"} == set(BENCHMARKS)


@needs_linux
@pytest.mark.parametrize("name", SERVED)
def test_a_small_run_with_servers_prints_its_table(name):
    try:
        PostgresServer()
    except ServerUnavailable as reason:
        pytest.skip(str(reason))
    check(printed(*SERVED), name, SERVED[name])


def test_every_page_of_an_organiser_is_visited():
    mine = {name for (name, verb), asked in ADDRESSES.items() if verb == "get" and asked["olga"] in (SEEN, DONE)}
    not_an_organisers = {"join", "join_shared", "export", "your_data_file", "forgotten"}
    assert set(QUERIES) == {name for name in mine - not_an_organisers if not name.startswith("api_")} | {
        "report_bundle"
    }
    source = Path(pages.__file__).read_text()
    assert [name for name in QUERIES if f'"{name}"' not in source] == []


def test_a_large_campaign_is_one_that_judges_might_have_made(db):
    User.objects.create_user("olga")
    assert large.make("large", large.Shape(judgments=400, judges=10, systems=4), "olga") == 400
    campaign = Campaign.objects.get(slug="large")
    agrees_with_counting(campaign)
    seats = Seat.objects.filter(campaign=campaign)
    assert all(seat.repeats.judge == seat.judge for seat in seats.done().exclude(repeats=None))
    for judgment in Judgment.objects.select_related("seat"):
        slots = {slot.candidate_id: slot for slot in shown_slots(judgment.seat)}
        ranks = dict(judgment.placement_set.values_list("candidate", "rank"))
        assert ranks.keys() == (set() if judgment.skipped else set(slots))
        assert list(judgment.placement_set.order_by("pk").values_list("candidate", flat=True)) in ([], list(slots))
        assert judgment.submitted_at == judgment.seat.submitted_at > judgment.seat.claimed_at
    assert Completion.objects.count() == 400 / large.BATCH_SIZE
    with pytest.raises(Refused, match="choose another name"):
        large.make("large", large.Shape(judgments=400, judges=10, systems=4))
    with pytest.raises(Refused, match="10 judges or more"):
        large.make("other", large.Shape(judgments=400, judges=9, systems=4))


@pytest.mark.parametrize("kept", [[], [("one", 1)], [("one", 1), ("two", 1)], [("one", 1), ("one", 2)]])
def test_a_lost_or_doubled_judgment_stops_the_benchmark(kept):
    agree(["one", "two"], [("two", 2), ("one", 1)])
    with pytest.raises(SystemExit):
        agree(["one", "two"], kept)


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("GET", "/seats/7/", "page"),
        ("POST", "/seats/7/", "answer"),
        ("POST", "/seats/7/next/", "next"),
        ("POST", "/campaigns/demo/begin/", "begin"),
        ("GET", "/healthz", "other"),
    ],
)
def test_requests_are_told_apart(method, path, kind):
    assert kind_of(method, path) == kind


@needs_linux
def test_what_a_process_and_its_children_computed_is_known():
    before = cpu_seconds(os.getpid())
    subprocess.run([sys.executable, "-c", "sum(range(10**6))"], check=True)
    assert cpu_seconds(os.getpid()) > before


def test_an_unknown_name_is_refused():
    ran = run("nonsense")
    assert ran.returncode == 2
    assert "there is no benchmark 'nonsense'" in ran.stderr


def test_several_runs_are_told_as_medians():
    runs = [[Row("this", "1", seconds, 10.0, ratio)] for seconds, ratio in ((3.0, 1.0), (1.0, 9.0), (2.0, 2.0))]
    assert median_rows(runs) == [Row("this", "1", 2.0, 10.0, 2.0)]


def test_a_row_without_a_ratio_leaves_its_column_empty():
    printed = table("title", [Row("this", "1", 1234.5, 10.0)])
    assert printed.splitlines()[-1].split() == ["this", "1", "1,234.500", "10"]


def test_a_call_apart_gives_its_value_and_what_it_took():
    value, seconds, megabytes = apart(sum, [1, 2, 3])
    assert value == 6
    assert seconds >= 0
    assert megabytes > 1


def test_material_is_the_same_for_the_same_seed_and_other_for_another(tmp_path):
    for name, seed in (("one", 1), ("same", 1), ("other", 2)):
        write_material(tmp_path / name, 50, 3, seed)
    one, same, other = (
        [file.read_text() for file in sorted((tmp_path / n).iterdir())] for n in ("one", "same", "other")
    )
    assert one == same != other
    assert [text.count("\n") for text in one] == [52] * 4  # two documents end in a blank line


def test_ten_systems_make_about_five_distinct_outputs():
    behind = multiplicities(2000, 10)
    assert all(sum(of) == 10 for of in behind)
    assert 4.5 < sum(map(len, behind)) / len(behind) < 5.5
