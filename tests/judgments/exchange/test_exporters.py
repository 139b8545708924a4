"""Exports: readable by programs, harmless in spreadsheets, unchanged by a round trip."""

import csv
import gc
import json
import tracemalloc
import zipfile
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from io import BytesIO, StringIO
from itertools import combinations
from types import GeneratorType
from uuid import uuid4

import numpy as np
import pytest
from defusedxml import ElementTree
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judgments.assignment import claiming
from judgments.exchange import downloads as streams
from judgments.exchange.exporters import EXPORTS, NO_OPTIONS, ExportOptions
from judgments.exchange.exporters.appraise_xml import duration_of
from judgments.exchange.importers.rules.rankings import read_appraise_xml
from judgments.judging.submission import submit
from judgments.material.rules.reading import Roles
from judgments.models import Assignment, Campaign, Judgment, Membership, Placement, Rating, Screen, Slot, System
from judgments.models.database import snapshot
from judgments.protocols.rows import shown_slots
from judgments.rules.errors import Refused
from judgments.rules.files.csv_tables import defuse, undo_defusing
from ranking.reports.ballots import collect
from tests import factory
from tests.chance import campaign_by_chance, copy_of_material
from tests.judgments.exchange.corrections import bring, correction_campaign
from tests.judgments.exchange.importing import ballots_of, bring_in
from tests.judgments.exchange.marked import FIRST, marked_campaign
from tests.judgments.exchange.marked import bring as bring_marks
from tests.judgments.exchange.test_importing_rankings import XML
from tests.shared_data import shared


def exported(campaign, name: str, wishes: ExportOptions = NO_OPTIONS) -> str:
    return b"".join(EXPORTS[name].blocks(campaign, wishes)).decode()


def table(campaign, name: str, wishes: ExportOptions = NO_OPTIONS) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(exported(campaign, name, wishes), newline="")))


def rows(campaign) -> list[dict[str, str]]:
    return table(campaign, "judgments.csv")


def test_an_answer_is_a_row_a_candidate_in_the_order_shown_and_a_skip_a_row_without(campaign, ada):
    assignment = claiming.claim_next(ada)
    factory.answer(assignment)
    submit(assignment, key=uuid4(), answers=factory.answers_for(assignment), comment="=1+1")
    found = rows(campaign)
    assert [row["candidate"] for row in found] == [str(slot.candidate_id) for slot in shown_slots(assignment)]
    assert [row["shown_position"] for row in found] == [row["rank"] for row in found] == ["1", "2", "3"][: len(found)]
    same = ("judge", "segment", "revision", "comment", "excluded")
    line = str(assignment.screen.segment.position + 1)
    assert {tuple(row[name] for name in same) for row in found} == {("ada", line, "2", "'=1+1", "no")}
    submit(claiming.claim_next(ada), key=uuid4(), skip_reason="cannot tell")
    Membership.objects.filter(pk=ada.pk).update(excluded_at=timezone.now())
    *answered, skip = found = rows(campaign)
    assert (skip["skip_reason"], skip["candidate"], skip["rank"]) == ("cannot tell", "", "")
    assert ({row["judgment"] for row in answered}, skip["judgment"]) == ({"1"}, "2")
    assert {row["excluded"] for row in found} == {"yes"}


def test_the_systems_behind_a_candidate_are_named(campaign, ada):
    factory.answer_all(ada)
    systems = {row["systems"] for row in rows(campaign) if row["segment"] == "1"}
    assert systems == {"Heron", "Magpie", "Wren source"}


def test_only_judgments_made_here_have_a_time(campaign, ada):
    """Imported judgments are stored with the time of the import; the revision of one is made here."""
    judgment = factory.answer(claiming.claim_next(ada))
    assert {row["submitted_at"] for row in rows(campaign)} == {judgment.submitted_at.isoformat()}
    imported = factory.make_campaign()
    bring_in(imported, "judgments.xml", XML.encode(), "appraise-xml")
    assert {row["submitted_at"] for row in rows(imported)} == {""}
    assert {row["wall_seconds"] for row in rows(imported)} == {"30.5", "20.0", "5.0"}
    Judgment.objects.filter(assignment__judge__pseudonym="ben").update(revision=2)
    assert {row["judge"] for row in rows(imported) if row["submitted_at"]} == {"ben"}
    Membership.objects.filter(campaign=imported).update(role=Membership.Role.PROGRAM)
    assert all(row["submitted_at"] for row in rows(imported))


def test_names_are_exported_only_on_request(campaign, ada):
    Membership.objects.filter(pk=ada.pk).update(worker="W7")
    factory.answer(claiming.claim_next(ada))
    for name, export in EXPORTS.items():
        if not export.fault(campaign):  # judges.csv says that it is about worker numbers
            assert (b"W7" in content_of(b"".join(export.blocks(campaign)))) == (name == "judges.csv"), name
    named = table(campaign, "judgments.csv", ExportOptions(with_names=True))
    assert {(row["judge"], row["user"], row["worker"]) for row in named} == {("ada", "ada", "W7")}
    lines = map(json.loads, exported(campaign, "everything.jsonl", ExportOptions(with_names=True)).splitlines())
    (judge,) = [line for line in lines if line["what"] == "judge"]
    assert (judge["pseudonym"], judge["user"], judge["worker"]) == ("ada", "ada", "W7")
    with pytest.raises(Refused, match="cannot contain names; use"):
        EXPORTS["appraise.xml"].parts(campaign, ExportOptions(with_names=True))


def content_of(file: bytes) -> bytes:
    """A file, or all files of a ZIP: compressed ones may hold any two letters by chance."""
    if not file.startswith(b"PK"):
        return file
    archive = zipfile.ZipFile(BytesIO(file))
    return b"".join(map(archive.read, archive.namelist()))


# How many questions each format asks, however many judgments there are.
QUERIES = {
    "judgments.csv": 5, "pairs-expanded.csv": 5, "pairs-unexpanded.csv": 5, "appraise.xml": 5, "gmeg-corpus.csv": 4,
    "gmeg-segments.csv": 5, "everything.jsonl": 24, "campaign.zip": 24, "corrections.m2": 5, "corrections.zip": 9,
    "corrections.jsonl": 4, "pearmut-answers.jsonl": 7, "pearmut-campaign.json": 5, "edits.jsonl": 7,
    "edits.zip": 7, "edits-m2.zip": 13,
}  # fmt: skip


@pytest.mark.postgresql
@pytest.mark.parametrize("name", QUERIES)  # judges.csv asks about each judge
def test_the_number_of_queries_is_fixed_and_none_comes_before_the_first_block(db, name, django_assert_num_queries):
    if "correction" in name:
        campaign = correction_campaign()
        rounds = [lambda: bring(campaign), lambda: bring(campaign, {("ada", 3): [], ("ben", 2): []})]
    elif "edits" in name:
        campaign = marked_campaign()
        rounds = [lambda: bring_marks(campaign, {"ada/1.txt": FIRST}), lambda: bring_marks(campaign)]
    else:
        campaign = factory.open_campaign(protocol="rating")
        rounds = [lambda judge=judge: factory.judge_batch(factory.judge(campaign, judge)) for judge in ("ada", "ben")]
    with django_assert_num_queries(0):
        assert isinstance(EXPORTS[name].blocks(campaign), GeneratorType)
    for judge_some in rounds:
        judge_some()
        with django_assert_num_queries(QUERIES[name]):
            list(EXPORTS[name].blocks(campaign))


@pytest.mark.long
def test_many_judgments_are_not_held_at_once(campaign, ada, monkeypatch):
    """Twice as many take no more memory, but for eight bytes for each assignment and screen in an index of them."""
    monkeypatch.setattr("judgments.protocols.stream.ROWS_AT_ONCE", 200)  # so that few rows are many times as many
    names = ["judgments.csv", "pairs-expanded.csv", "appraise.xml", "campaign.zip"]
    for name in names:
        list(EXPORTS[name].blocks(campaign))  # what is remembered from the first time on is no growth
    rank_in_bulk(ada, 1500)
    few = {name: size_and_peak(campaign, name)[1] for name in names}
    rank_in_bulk(ada, 1500)
    for name in names:
        size, peak = size_and_peak(campaign, name)
        assert peak < 1.3 * few[name], name
        assert name == "campaign.zip" or size > 250_000, name


def size_and_peak(campaign: Campaign, name: str) -> tuple[int, int]:
    """The bytes of an export, and the most bytes in memory while it was made."""
    gc.collect()  # it empties the interpreter's lists of free tuples, whose reuse is not counted as memory
    tracemalloc.start()
    size = sum(len(block) for block in EXPORTS[name].blocks(campaign))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return size, peak


def rank_in_bulk(judge: Membership, number: int) -> None:
    """So many screens of one sentence, all of them judged."""
    campaign, now = judge.campaign, timezone.now()
    segment = campaign.segment_set.get(position=0)
    candidates = list(segment.candidate_set.order_by("pk"))
    screens = Screen.objects.bulk_create(Screen(campaign=campaign, segment=segment) for _ in range(number))
    Slot.objects.bulk_create(
        Slot(screen=screen, candidate=candidate, position=place)
        for screen in screens
        for place, candidate in enumerate(candidates)
    )
    assignments = Assignment.objects.bulk_create(
        Assignment(campaign=campaign, screen=screen, judge=judge, submitted_at=now, order="012") for screen in screens
    )
    judgments = Judgment.objects.bulk_create(
        Judgment(assignment=assignment, screen_id=assignment.screen_id) for assignment in assignments
    )
    Placement.objects.bulk_create(
        Placement(judgment=judgment, screen_id=judgment.screen_id, candidate=candidate, rank=rank)
        for judgment in judgments
        for rank, candidate in enumerate(candidates, 1)
    )


@given(st.text() | st.text(alphabet="'=+-@\t\ra"))
def test_no_cell_begins_like_a_formula_and_each_can_be_read_as_it_was(text):
    safe = str(defuse(text))
    assert not safe.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert safe in (text, f"'{text}")
    assert undo_defusing(safe) == text


# --- pairs ------------------------------------------------------------------------------------------------------------

PUBLISHED = [
    "srclang", "trglang", "srcIndex", "segmentId", "judgeID", "system1Id", "system1rank", "system2Id", "system2rank",
    "rankingID",
]  # fmt: skip


@pytest.fixture
def judged(db) -> Campaign:
    """One ranking of a sentence: Heron 1, Magpie 2, and 3 for Wren and the source, which are equal."""
    campaign = factory.make_campaign(slug="test")
    campaign.slug = "test"
    campaign.save()
    xml = b"""<r><ranking-item user="ada" src-id="0" id="0" doc-id="d" duration="00:01:07.524000">
      <translation rank="3" system="Wren source"/><translation rank="1" system="Heron"/>
      <translation rank="2" system="Magpie"/></ranking-item></r>"""
    bring_in(campaign, "judgments.xml", xml, "appraise-xml", numbered_from=0)
    return campaign


def test_files_for_statistics_have_what_scripts_look_for(judged):
    found = table(judged, "pairs-expanded.csv")
    assert list(found[0]) == PUBLISHED
    assert [tuple(row.values())[4:] for row in found] == [
        ("ada", "test.Heron.src-trg", "1", "test.Magpie.src-trg", "2", "1"),
        ("ada", "test.Heron.src-trg", "1", "test.Wren.src-trg", "3", "1"),
        ("ada", "test.Heron.src-trg", "1", "test.source.src-trg", "3", "1"),
        ("ada", "test.Magpie.src-trg", "2", "test.Wren.src-trg", "3", "1"),
        ("ada", "test.Magpie.src-trg", "2", "test.source.src-trg", "3", "1"),
        ("ada", "test.Wren.src-trg", "3", "test.source.src-trg", "3", "1"),
    ]
    assert {tuple(row.values())[:4] for row in found} == {("src", "trg", "0", "0")}
    together = "test.Wren.src-trg test.source.src-trg"
    assert [(row["system1Id"], row["system2Id"]) for row in table(judged, "pairs-unexpanded.csv")] == [
        ("test.Heron.src-trg", "test.Magpie.src-trg"),
        ("test.Heron.src-trg", together),
        ("test.Magpie.src-trg", together),
    ]
    root = ElementTree.fromstring(exported(judged, "appraise.xml"))
    assert [(one.tag, len(one), one.attrib) for one in root.iter()] == [
        ("appraise-results", 1, {}),
        ("error-correction-ranking-result", 1, {"id": "test", "source-language": "err", "target-language": "cor"}),
        ("ranking-item", 3,
         {"doc-id": "document-1", "duration": "00:01:07.524000", "id": "0", "src-id": "0", "user": "ada"}),
        ("translation", 0, {"rank": "3", "system": "Wren source"}),
        ("translation", 0, {"rank": "1", "system": "Heron"}),
        ("translation", 0, {"rank": "2", "system": "Magpie"}),
    ]  # fmt: skip


def test_ratings_are_exported_with_meaning_and_a_higher_score_is_a_smaller_rank(db):
    campaign = factory.open_campaign(protocol="rating")
    factory.answer(claiming.claim_next(factory.judge(campaign, "ada")))
    found = rows(campaign)
    assert [row["score"] for row in found] == ["100", "90", "80"][: len(found)]
    assert {row["meaning_changed"] for row in found} == {"no"}
    scores = {row["systems"].split()[0]: int(row["score"]) for row in found}
    for row in table(campaign, "pairs-unexpanded.csv"):
        first, second = (row[f"system{side}Id"].split(".")[1] for side in (1, 2))
        better = scores[first] > scores[second]
        assert better == (int(row["system1rank"]) < int(row["system2rank"]))
        assert {int(row["system1rank"]), int(row["system2rank"])} <= {1, 2, 3}


# --- out and in -------------------------------------------------------------------------------------------------------


def seconds_of(campaign: Campaign) -> list[float]:
    """In the order of the judges' names, as those of a copy have other lots."""
    found = collect(campaign)
    ballots, names = found.ballots, [*found.names.judges, "nobody"]
    compares = np.flatnonzero((ballots.starts[1:] > ballots.starts[:-1]) & (ballots.seconds == ballots.seconds))
    in_order = sorted(compares, key=lambda one: (names[ballots.judge[one]], ballots.segment[one]))
    return ballots.seconds[in_order].tolist()


def skips(campaign: Campaign) -> Counter:
    counted = Judgment.objects.current().filter(
        assignment__campaign=campaign, skipped=True, assignment__judge__excluded_at=None
    )
    return Counter(counted.values_list("assignment__judge__pseudonym", "screen__segment__position"))


@pytest.mark.long
def test_published_judgments_come_back_as_they_were(db):
    published = shared("data/gjg15/judgments.xml").read_bytes()
    first, second = (Campaign.objects.create(slug=slug, name=slug) for slug in ("first", "second"))
    bring_in(first, "judgments.xml", published, "appraise-xml", without_texts=True)
    ours = exported(first, "appraise.xml").encode()
    bring_in(second, "judgments.xml", ours, "appraise-xml", without_texts=True)
    assert ballots_of(second) == ballots_of(first)
    assert skips(second) == skips(first)
    theirs, again = (read_appraise_xml("judgments.xml", content) for content in (published, ours))
    assert [(row.judge, row.about, row.groups, row.is_skipped, row.seconds) for row in again] == [
        (row.judge, row.about, row.groups, row.is_skipped, row.seconds) for row in theirs
    ]


def test_controls_are_nobody_in_files_for_statistics_and_equal_outputs_have_equal_scores(db):
    worse = [f"{line} and and" for line in factory.SOURCE]
    texts = {"source": factory.SOURCE, **factory.SYSTEMS, "gold": factory.SYSTEMS["Heron"], "worse": worse}
    roles = Roles(references=frozenset({"gold"}), controls=frozenset({"worse"}))
    campaign = factory.open_campaign(texts, roles, control_share=1.0)
    factory.answer_all(factory.judge(campaign, "ada"))
    assert "worse" in exported(campaign, "judgments.csv")
    for name in ("appraise.xml", "pairs-expanded.csv", "pairs-unexpanded.csv"):
        assert [word for word in ("worse", "gold", ".source.") if word in exported(campaign, name)] == [], name
    campaign = factory.open_campaign(protocol="rating", roles=Roles())
    for name in ("ada", "ben"):
        factory.answer(claiming.claim_next(factory.judge(campaign, name)))
    found = table(campaign, "gmeg-segments.csv")
    assert [line for line in found if any(line.values())]
    assert [line for line in found if not any(line.values())]
    for line, (first, second) in zip(
        found, zip(factory.SYSTEMS["Heron"], factory.SYSTEMS["Wren"], strict=True), strict=True
    ):
        assert first != second or line["Heron"] == line["Wren"]


@pytest.mark.parametrize(
    ("seconds", "written"),
    [(0, "00:00:00.000000"), (67.524, "00:01:07.524000"), (0.9999999, "00:00:01.000000"), (1e12, "9999:59:59.000000")],
)
def test_a_duration_is_hours_minutes_and_seconds(seconds, written):
    assert duration_of(seconds) == written


# --- any campaign -----------------------------------------------------------------------------------------------------

# Making a campaign takes longer than all that is asked of it, so everything is asked of the same ones.


@pytest.mark.wide
@pytest.mark.parametrize("protocol", ["ranking", "rating"])
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**31 - 1))
def test_what_holds_of_any_campaign(db, protocol, seed):
    with transaction.atomic():
        campaign = campaign_by_chance(seed, protocol)
        there_is_a_row_for_each_answer_and_each_skip(campaign)
        answers_stand_in_the_order_shown(campaign)
        a_pair_is_in_the_table_for_each_two_systems_of_a_ballot(campaign)
        if protocol == "rating":
            a_system_has_the_mean_of_its_sentences(campaign)
            a_row_is_a_line_of_the_uploaded_files(campaign)
        copy = copy_of_material(campaign)
        for comes_back in (appraise_xml_comes_back_as_it_was, expanded_pairs_come_back, unexpanded_pairs_come_back):
            with transaction.atomic():
                comes_back(campaign, copy)
                transaction.set_rollback(True)
        transaction.set_rollback(True)


def there_is_a_row_for_each_answer_and_each_skip(campaign: Campaign) -> None:
    found = rows(campaign)
    current = Judgment.objects.current().filter(assignment__campaign=campaign)
    answers = (Placement if campaign.protocol == "ranking" else Rating).objects.filter(judgment__in=current)
    assert len(found) == answers.count() + current.filter(skipped=True).count()
    assert [row["candidate"] for row in found if not row["candidate"]] == [""] * current.filter(skipped=True).count()


def answers_stand_in_the_order_shown(campaign: Campaign) -> None:
    shown = [
        str(slot.candidate_id)
        for judgment in Judgment.objects.current().filter(assignment__campaign=campaign, skipped=False).order_by("pk")
        for slot in shown_slots(judgment.assignment)
    ]
    assert [row["candidate"] for row in rows(campaign) if row["candidate"]] == shown


def a_pair_is_in_the_table_for_each_two_systems_of_a_ballot(campaign: Campaign) -> None:
    pairs = sum(
        len(list(combinations([name for _, names in groups for name in names], 2)))
        for _, _, groups in ballots_of(campaign)
    )
    assert len(table(campaign, "pairs-expanded.csv")) == pairs


def a_system_has_the_mean_of_its_sentences(campaign: Campaign) -> None:
    sentences = table(campaign, "gmeg-segments.csv")
    for row in table(campaign, "gmeg-corpus.csv"):
        cells = [Fraction(line[row["system"]]) for line in sentences if line[row["system"]]]
        assert bool(cells) == bool(row["score"])
        assert not cells or float(row["score"]) == pytest.approx(float(sum(cells) / len(cells)), rel=1e-12)


def a_row_is_a_line_of_the_uploaded_files(campaign: Campaign) -> None:
    lines = list(csv.reader(StringIO(exported(campaign, "gmeg-segments.csv"))))
    systems = sorted(System.objects.filter(campaign=campaign, takes_part=True).values_list("name", flat=True))
    assert lines[0] == systems
    last = campaign.segment_set.order_by("position").last().position
    assert len(lines) == last + 2
    assert {len(line) for line in lines} == {len(systems)}
    scored = {int(row["segment"]) for row in rows(campaign) if row["score"] and row["excluded"] == "no"}
    assert {number for number, line in enumerate(lines[1:], 1) if any(line)} <= scored


def appraise_xml_comes_back_as_it_was(campaign: Campaign, copy: Campaign) -> None:
    xml = exported(campaign, "appraise.xml").encode()
    if b"<ranking-item" in xml:
        bring_in(copy, "judgments.xml", xml, "appraise-xml", numbered_from=0)
    assert ballots_of(copy) == ballots_of(campaign)
    assert seconds_of(copy) == pytest.approx(seconds_of(campaign), abs=1e-6)
    assert skips(copy) == skips(campaign)


def expanded_pairs_come_back(campaign: Campaign, copy: Campaign) -> None:
    pairs_come_back(campaign, copy, "pairs-expanded.csv", lambda groups: len(groups) > 1 or len(groups[0][1]) > 1)


def unexpanded_pairs_come_back(campaign: Campaign, copy: Campaign) -> None:
    pairs_come_back(campaign, copy, "pairs-unexpanded.csv", lambda groups: len(groups) > 1)


def pairs_come_back(campaign: Campaign, copy: Campaign, name: str, holds_a_pair: Callable[[list], bool]) -> None:
    """Except the time, the order on the screen, and rankings without a pair."""
    content = exported(campaign, name)
    if content.count("\n") > 1:
        bring_in(copy, "pairs.csv", content.encode(), "pairs-csv", numbered_from=0)
    expected = [
        (judge, segment, sorted(groups)) for judge, segment, groups in ballots_of(campaign) if holds_a_pair(groups)
    ]
    assert [(judge, segment, sorted(groups)) for judge, segment, groups in ballots_of(copy)] == expected


# --- everything -------------------------------------------------------------------------------------------------------


def test_everything_is_there_line_by_line(campaign, ada):
    assignment = claiming.claim_next(ada)
    factory.answer(assignment)
    submit(assignment, key=uuid4(), skip_reason="cannot tell", comment="odd")
    lines = list(map(json.loads, exported(campaign, "everything.jsonl").splitlines()))
    counted = Counter(line["what"] for line in lines)
    assert counted["campaign"] == counted["judge"] == 1
    assert (counted["system"], counted["segment"], counted["output"]) == (4, 5, 20)
    assert counted["assignment"] == Assignment.objects.filter(campaign=campaign).count()
    first, second = (line for line in lines if line["what"] == "judgment")
    assert [(line["revision"], line["current"], line["skip_reason"]) for line in (first, second)] == [
        (1, False, ""),
        (2, True, "cannot tell"),
    ]
    assert [answer["rank"] for answer in first["answers"]] == list(range(1, len(first["answers"]) + 1))
    (settings_line,) = (line for line in lines if line["what"] == "campaign")
    assert (settings_line["slug"], settings_line["seed"]) == (campaign.slug, 7)


# --- at one moment ----------------------------------------------------------------------------------------------------


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_an_export_holds_nobody_up_and_sees_one_moment():
    campaign = factory.open_campaign()
    ada = factory.judge(campaign, "ada")
    factory.answer(claiming.claim_next(ada))
    parts = EXPORTS["everything.jsonl"].parts(campaign)
    first = next(parts)
    with CaptureQueriesContext(connection) as queries:
        rest = list(parts)
    assert first
    assert rest
    assert queries[-1]["sql"] == "ROLLBACK"
    with snapshot():
        assert Judgment.objects.count() == 1
    factory.answer(claiming.claim_next(ada))
    assert Judgment.objects.count() == 2


# --- pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_an_organiser_takes_every_format_along(campaign, ada, olga, browser_of):
    factory.answer(claiming.claim_next(ada))
    client = browser_of(olga)
    page = client.get(reverse("exports", args=[campaign.slug])).content.decode()
    for name, export in EXPORTS.items():
        address = reverse("export", args=[campaign.slug, name])
        assert (f'href="{address}"' in page) == (export.fault(campaign) is None)
        if export.fault(campaign) is None:
            answer = client.get(address)
            assert answer.streaming
            assert answer.headers["Content-Type"] == export.content_type
            assert f'filename="{campaign.slug}-{name}"' in answer.headers["Content-Disposition"]
            assert b"".join(answer.streaming_content) == b"".join(export.blocks(campaign))


def test_wishes_stand_in_the_address_and_an_export_that_does_not_fit_is_explained(campaign, ada, olga, browser_of):
    factory.answer(claiming.claim_next(ada))
    Membership.objects.filter(pk=ada.pk).update(excluded_at=timezone.now(), worker="W7")
    client = browser_of(olga)
    pairs = reverse("export", args=[campaign.slug, "pairs-expanded.csv"])
    assert len(client.get(pairs).getvalue().splitlines()) == 1
    assert len(client.get(f"{pairs}?with_excluded=on").getvalue().splitlines()) > 1
    named = reverse("export", args=[campaign.slug, "judgments.csv"]) + "?with_names=on"
    assert b"W7" in client.get(named).getvalue()
    page = client.get(reverse("exports", args=[campaign.slug])).content.decode()
    assert f'href="{named}"' in page
    assert f'href="{pairs}?with_excluded=on"' in page
    page = client.get(reverse("export", args=[campaign.slug, "gmeg-corpus.csv"]), follow=True).content.decode()
    assert f"gmeg-corpus.csv is for rating campaigns, and {campaign.slug} is a ranking campaign" in page
    assert client.get(reverse("export", args=[campaign.slug, "nothing.csv"])).status_code == 404


def test_files_leave_some_threads_to_judges(campaign, olga, browser_of):
    client, page = browser_of(olga), reverse("export", args=[campaign.slug, "judgments.csv"])
    streaming = [client.get(page) for _ in range(streams.MOST)]
    assert "Try again in a minute." in client.get(page, follow=True).content.decode()
    refused = client.get(reverse("api_export", args=[campaign.slug, "judgments.csv"]))
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "60")
    assert "Try again in a minute." in refused.json()["detail"]
    assert b"".join(streaming.pop().streaming_content).startswith(b"campaign,")
    assert client.get(page).streaming


def test_a_file_that_breaks_or_that_nobody_waits_for_keeps_no_place():
    def broken():
        yield "one line\n"
        raise RuntimeError("the database went away")

    for _ in range(streams.MOST + 1):
        streams.Stream(["one line\n", "another\n"]).close()
        with pytest.raises(RuntimeError, match="went away"):
            list(streams.Stream(broken()))
