"""A release says what was judged, to whoever has nothing else, and nothing of who judged."""

import csv
import io
import json
import logging
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from uuid import uuid4

import mlcroissant
import pytest
import yaml
from django.core.management import CommandError, call_command
from django.urls import reverse
from markdown_it import MarkdownIt

from judgments.judges import exclusion
from judgments.judging.submission import submit
from judgments.models import Assignment, Document, Judgment
from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.publishing.facts import LICENCES, ReleaseChoices
from tests import factory
from tests.judgments.web.test_hostile_texts import check_cells, harm
from tests.ranking.publishing import cast
from tests.ranking.publishing.cast import PROTOCOLS, files_of, report_on, told, with_program

pytestmark = pytest.mark.django_db

CLOCK = re.compile(rb"\d{2}:\d{2}:\d{2}|\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
HOSTILE = (
    "=1+1 \"quoted\" 'x' {a: [b]} #c &d *e | --- \\n <script>alert(1)</script> [x](javascript:alert(1)) ``` % @f: !g"
)


def rows_of(files: dict[str, bytes], name: str = "judgments.csv") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files[name].decode())))


def header_of(files: dict[str, bytes]) -> dict:
    _, header, _ = files["README.md"].decode().split("---\n", 2)
    return yaml.safe_load(header)


def every_byte(files: dict[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Names and contents of files, and of those in archives among them."""
    for name, content in files.items():
        yield name, name.encode() + content
        if zipfile.is_zipfile(io.BytesIO(content)):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                yield from every_byte({f"{name}/{one}": archive.read(one) for one in archive.namelist()})


@pytest.mark.wide
@pytest.mark.parametrize("with_texts", [False, True])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_name_address_comment_or_time_of_day_is_in_any_file(protocol, with_texts):
    report = told(protocol)
    written = list(every_byte(files_of(report, with_texts=with_texts)))
    assert len(written) > 10
    for name, content in written:
        assert not [word for word in cast.TELLING if word.encode().lower() in content.lower()], name
        if not name.endswith(".py"):
            assert not CLOCK.search(content), name


@pytest.mark.wide
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_texts_are_in_it_only_if_they_may_be_given_away_and_lines_of_json_hold_the_same_as_the_table(protocol):
    report = told(protocol)
    candidates = report.campaign.segment_set.filter(candidate__text__isnull=False)
    outputs = set(candidates.values_list("candidate__text", flat=True)) if protocol in ("ranking", "rating") else set()
    sources = set(report.campaign.segment_set.values_list("text", flat=True))
    replaced = {cast.REPLACED} if protocol == "correction" else set()

    files = files_of(report)
    without = dict(every_byte(files))
    for text in sources | outputs | replaced:
        assert not [name for name, content in without.items() if text.encode() in content]
    judged = files_of(report, with_texts=True)["judgments.csv"].decode()
    assert all(text in judged for text in sources | outputs | replaced)
    lines = [json.loads(line) for line in files["judgments.jsonl"].decode().splitlines()]
    rows = rows_of(files)
    flat = [
        {key: value for key, value in {**line, **answer}.items() if key != "answers"}
        for line in lines
        for answer in line["answers"] or [{}]
    ]
    assert [{key: "" if value is None else str(value) for key, value in one.items()} for one in flat] == [
        {key: row[key] for key in one} for one, row in zip(flat, rows, strict=True)
    ]
    assert all(isinstance(line["segment"], int) for line in lines)


@pytest.mark.wide
def test_a_release_of_corrections_without_texts_has_nothing_to_compute_from_and_says_so():
    report = told("correction")
    assert not [name for name in files_of(report) if name.startswith("reproduction/")]
    assert "no script that computes them again" in files_of(report)["README.md"].decode()
    assert "reproduction/make_again.py" in files_of(report, with_texts=True)


@pytest.mark.wide
@pytest.mark.parametrize("with_texts", [False, True])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_croissant_is_valid_and_programs_read_every_row_through_it(protocol, with_texts, tmp_path, caplog):
    folder = cast.unpacked(told(protocol), tmp_path, with_texts=with_texts, contact="https://example.org/paper")
    with caplog.at_level(logging.WARNING):
        dataset = mlcroissant.Dataset(jsonld=folder / "croissant.json")
    assert (dataset.metadata.issues.errors, dataset.metadata.issues.warnings) == (set(), set())
    assert caplog.messages == []
    with (folder / "judgments.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    read = list(dataset.records("judgments"))
    assert len(read) == len(rows)
    assert {name.removeprefix("judgments/") for name in read[0]} == set(rows[0])
    assert [one["judgments/judge"].decode() for one in read] == [row["judge"] for row in rows]
    assert [one["judgments/segment"] for one in read] == [int(row["segment"]) for row in rows]


@pytest.mark.wide
def test_wins_and_the_ranking_are_computed_again_from_judgments_alone():
    """Wins by rank in each judgment, of each system behind a version; the score is the mean share of wins."""
    report = report_on(told("ranking").campaign, methods=("expected-wins-published",))
    files = files_of(report)
    standings = {line["system"]: float(line["score"]) for line in rows_of(files, "tables/standings.csv")}

    screens: dict[str, list[tuple[str, int]]] = {}
    for row in rows_of(files):
        shown = screens.setdefault(row["judgment"], [])
        shown += [(system, int(row["rank"])) for system in row["systems"].split() if system in standings]
    wins: Counter[tuple[str, str]] = Counter()
    ties = 0
    for shown in screens.values():
        for (one, rank), (other, its_rank) in combinations(shown, 2):
            wins[(one, other) if rank < its_rank else (other, one)] += rank != its_rank
            ties += rank == its_rank
    total = next(line for line in rows_of(files, "tables/comparison_counts.csv") if line["judge"] == "total")
    assert (wins.total() + ties, ties) == (int(total["expanded"]), int(total["expanded_ties"]))
    assert wins.total() > 20
    for line in rows_of(files, "tables/head_to_head.csv"):
        pair = line["system"], line["opponent"]
        assert (wins[pair], wins[pair[::-1]]) == (int(line["wins"]), int(line["losses"]))
    for system, score in standings.items():
        shares = [wins[system, other] / met for other in standings if other != system
                  if (met := wins[system, other] + wins[other, system])]  # fmt: skip
        assert sum(shares) / len(shares) == pytest.approx(score)


@pytest.mark.wide
def test_answers_are_those_that_counted_in_the_report():
    """Not those revised, added or excluded since."""
    report = told("ranking", redundancy=3)
    before = files_of(report)
    assert before["README.md"].decode().count("No judge was excluded.") == 1
    assert list(before.items()) == list(files_of(Report.objects.get(pk=report.pk)).items()), "the same bytes"
    campaign = report.campaign
    first = Assignment.objects.filter(campaign=campaign, judge__pseudonym="Yorick").order_by("pk")[0]
    factory.answer_all(factory.judge(campaign, "newcomer"))
    submit(first, key=uuid4(), answers=factory.answers_for(first)[::-1])
    assert Judgment.objects.filter(assignment=first).count() == 2
    exclusion.exclude(campaign.membership_set.get(pseudonym="Xanthippe"), "too quick")
    assert files_of(report) == before

    after = files_of(report_on(campaign))
    assert {row["judge"] for row in rows_of(after)} == {"judge 1", "judge 2"}
    assert "Judges excluded: 1; their judgments are not in these data." in after["README.md"].decode()


@pytest.mark.wide
def test_a_skip_has_its_reason_and_no_judgment_a_day():
    report = told("verdict", redundancy=3)
    assignment = factory.claiming.claim_next(factory.judge(report.campaign, "carl"))
    skipped = submit(assignment, key=uuid4(), skip_reason="broken sentence")
    Judgment.objects.filter(pk=skipped.pk).update(active_seconds=7.6)
    rows = rows_of(files_of(with_program(report)))
    (skip,) = [row for row in rows if row["skipped"] == "yes"]
    assert (skip["skip_reason"], skip["finding"], skip["seconds"]) == ("broken sentence", "", "8")
    assert skip["usage"]
    assert "program 1" in {row["judge"] for row in rows}
    assert "day" not in rows[0]


@pytest.mark.wide
def test_hostile_texts_do_no_harm():
    report = told("ranking")
    Document.objects.filter(campaign=report.campaign).update(name=HOSTILE)
    given = {"title": HOSTILE, "description": f"---\n{HOSTILE}\n", "creators": (HOSTILE, f"{HOSTILE}, Ada")}
    files = files_of(report, contact=HOSTILE, with_texts=True, **given)
    for name, content in files.items():
        if name.endswith(".csv"):
            check_cells(content.decode())
    assert rows_of(files)[0]["document"] == f"'{HOSTILE}"
    assert json.loads(files["judgments.jsonl"].decode().splitlines()[0])["document"] == HOSTILE

    assert header_of(files)["pretty_name"] == HOSTILE
    _, _, text = files["README.md"].decode().split("---\n", 2)
    page = MarkdownIt("commonmark").render(text)
    assert not harm(page)
    assert "alert(1)" in page
    cited = yaml.safe_load(files["CITATION.cff"])
    assert (cited["title"], cited["abstract"]) == (HOSTILE, f"---\n{HOSTILE}")
    assert "url" not in cited
    assert json.loads(files["croissant.json"])["name"] == HOSTILE


@pytest.mark.wide
@pytest.mark.parametrize("licence", LICENCES)
def test_every_file_names_the_licence(licence):
    files = files_of(told("verdict"), licence=licence)
    chosen = LICENCES[licence]
    assert header_of(files)["license"] == licence
    assert chosen.address in files["LICENSE"].decode()
    assert yaml.safe_load(files["CITATION.cff"])["license"] == chosen.spdx
    assert json.loads(files["croissant.json"])["license"] == chosen.address
    assert chosen.name in files["README.md"].decode()


@pytest.mark.wide
def test_a_person_and_an_institution_are_cited_as_what_they_are_and_an_own_licence_needs_its_text():
    report = told("verdict")
    files = files_of(report, licence="other", own_licence="Ask us first.")
    assert files["LICENSE"] == b"Ask us first.\n"
    assert header_of(files)["license_link"] == "LICENSE"
    assert "license" not in yaml.safe_load(files["CITATION.cff"])
    for wrong in ({"licence": "other"}, {"licence": "cc0-1.0", "own_licence": "Ask us."}, {"licence": "free"}):
        with pytest.raises(Refused):
            ReleaseChoices(**wrong)
    files = files_of(report, creators=("Lovelace, Ada", "Institute of Error"), contact="https://example.org/paper")
    cited = yaml.safe_load(files["CITATION.cff"])
    assert cited["authors"] == [{"family-names": "Lovelace", "given-names": "Ada"}, {"name": "Institute of Error"}]
    assert cited["url"] == "https://example.org/paper"
    assert cited["date-released"] == report.finished_at.date().isoformat()
    assert "author = {Lovelace, Ada and {Institute of Error}}" in files["README.md"].decode()


@pytest.mark.wide
def test_the_page_and_the_command_give_the_same_release(browser_of, tmp_path):
    report = told("ranking")
    client = browser_of(factory.organiser(report.campaign, "olga"))
    address = reverse("release_data", args=[report.pk])
    assert "Source texts may have a licence of their own" in client.get(address).content.decode()
    for wrong in ({}, {"licence": "other"}, {"licence": "cc0-1.0", "own_licence": "Ask us."}):
        assert 'class="errorlist"' in client.post(address, wrong).content.decode()
    sent = client.post(address, {"licence": "cc0-1.0", "with_texts": "on", "creators": "Lovelace, Ada\r\nUs"})
    assert sent.headers["Content-Disposition"] == f'attachment; filename="{report.campaign.slug}-release.zip"'

    out = tmp_path / "release.zip"
    creators = "--creator", "Lovelace, Ada", "Us"
    call_command("release_data", str(report.pk), "--licence", "cc0-1.0", "--texts", *creators, "--out", str(out))
    assert out.read_bytes() == sent.content


@pytest.mark.wide
def test_an_unfinished_report_cannot_be_released(browser_of, tmp_path):
    report = told("ranking")
    Report.objects.filter(pk=report.pk).update(state=Report.State.RUNNING)
    client = browser_of(factory.organiser(report.campaign, "olga"))
    answer = client.post(reverse("release_data", args=[report.pk]), {"licence": "cc0-1.0"})
    assert answer.status_code == 404
    with pytest.raises(CommandError, match="Only a finished report can be released"):
        call_command("release_data", str(report.pk), "--licence", "cc0-1.0", "--out", str(tmp_path / "x.zip"))
    with pytest.raises(CommandError, match="There is no report 0"):
        call_command("release_data", "0", "--licence", "cc0-1.0", "--out", str(tmp_path / "x.zip"))
