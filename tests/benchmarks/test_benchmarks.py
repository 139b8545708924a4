"""What benchmarks are made of; tests/long runs them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from benchmarks import large, organising
from benchmarks.crowd import agree
from benchmarks.harness import Row, apart, median_rows, table
from judgments.models import Assignment, Campaign, Completion, Judgment
from judgments.protocols.candidates import shown_slots
from judgments.rules.errors import Refused
from tests.judgments.campaigns.test_access import ADDRESSES, DONE, SEEN
from tests.judgments.campaigns.test_overview import agrees as agrees_with_counting
from tests.judgments.campaigns.test_queries import QUERIES
from tests.services.family import cpu_seconds
from tests.services.house import ROOT
from tests.services.judges import kind_of
from tests.services.texts import multiplicities, write_material


def test_every_page_of_an_organiser_is_visited():
    mine = {name for (name, verb), statuses in ADDRESSES.items() if verb == "get" and statuses["olga"] in (SEEN, DONE)}
    not_an_organisers = {
        "join", "join_shared", "export", "your_data_file", "forgotten", "public_page", "public_site", "public_file",
        "team", "team_source", "submission_file", "guide",
    }  # fmt: skip
    assert set(QUERIES) == {name for name in mine - not_an_organisers if not name.startswith("api_")} | {
        "report_bundle"
    }
    source = Path(organising.__file__).read_text()
    assert [name for name in QUERIES if f'"{name}"' not in source] == []


@pytest.mark.wide
def test_a_large_campaign_is_one_that_judges_might_have_made(db):
    User.objects.create_user("olga")
    assert large.make("large", large.Shape(judgments=400, judges=10, systems=4), "olga") == 400
    campaign = Campaign.objects.get(slug="large")
    agrees_with_counting(campaign)
    assignments = Assignment.objects.filter(campaign=campaign)
    assert all(assignment.repeats.judge == assignment.judge for assignment in assignments.done().exclude(repeats=None))
    for judgment in Judgment.objects.select_related("assignment"):
        slots = {slot.candidate_id: slot for slot in shown_slots(judgment.assignment)}
        ranks = dict(judgment.placement_set.values_list("candidate", "rank"))
        assert ranks.keys() == (set() if judgment.skipped else set(slots))
        assert list(judgment.placement_set.order_by("pk").values_list("candidate", flat=True)) in ([], list(slots))
        assert judgment.submitted_at == judgment.assignment.submitted_at > judgment.assignment.claimed_at
    assert Completion.objects.count() == 400 / large.BATCH_SIZE
    with pytest.raises(Refused, match="choose another name"):
        large.make("large", large.Shape(judgments=400, judges=10, systems=4))
    with pytest.raises(Refused, match="10 judges or more"):
        large.make("other", large.Shape(judgments=400, judges=9, systems=4))


@pytest.mark.parametrize("stored", [[], [("one", 1)], [("one", 1), ("two", 1)], [("one", 1), ("one", 2)]])
def test_a_lost_or_doubled_judgment_stops_the_benchmark(stored):
    agree(["one", "two"], [("two", 2), ("one", 1)])
    with pytest.raises(SystemExit):
        agree(["one", "two"], stored)


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("GET", "/assignments/7/", "page"),
        ("POST", "/assignments/7/", "answer"),
        ("POST", "/assignments/7/next/", "next"),
        ("POST", "/campaigns/demo/begin/", "begin"),
        ("GET", "/healthz", "other"),
    ],
)
def test_requests_are_kept_apart(method, path, kind):
    assert kind_of(method, path) == kind


@pytest.mark.skipif(sys.platform != "linux", reason="reads CPU times from /proc, which only Linux has")
def test_processor_time_of_a_process_and_its_children_is_known():
    before = cpu_seconds(os.getpid())
    subprocess.run([sys.executable, "-c", "sum(range(10**6))"], check=True)
    assert cpu_seconds(os.getpid()) > before


def test_an_unknown_name_is_refused():
    command = [sys.executable, "-m", "benchmarks", "nonsense"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "there is no benchmark 'nonsense'" in ran.stderr


def test_several_runs_are_reported_as_medians():
    runs = [[Row("this", "1", seconds, 10.0, ratio)] for seconds, ratio in ((3.0, 1.0), (1.0, 9.0), (2.0, 2.0))]
    assert median_rows(runs) == [Row("this", "1", 2.0, 10.0, 2.0)]


def test_a_row_without_a_ratio_leaves_its_column_empty():
    printed = table("title", [Row("this", "1", 1234.5, 10.0)])
    assert printed.splitlines()[-1].split() == ["this", "1", "1,234.500", "10"]


def test_a_call_apart_gives_its_value_and_what_it_took():
    value, seconds, megabytes, _ = apart(sum, [1, 2, 3])
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
