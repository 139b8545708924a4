"""Whole texts by a rubric: from files to the answers of judges and programs, in pages, exports, bundles and reports."""

import csv
import gzip
import io
import json
import re
from uuid import uuid4

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judgments.archive.importing import import_campaign
from judgments.assignment import assigning, claiming, planning
from judgments.campaigns import settings
from judgments.exchange.exporters import EXPORTS
from judgments.jobs.attempts import run_now
from judgments.judges import programs
from judgments.judging.submission import submit
from judgments.models import (
    Assignment,
    Campaign,
    Draft,
    EssayRating,
    Judgment,
    Membership,
    Screen,
    SystemOutput,
    Upload,
)
from judgments.protocols.essays.form import RatedVersion
from judgments.protocols.registry import rubric_of
from judgments.protocols.rows import shown_slots
from judgments.rules.authored.rubrics import COLUMNS
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from judgments.rules.texts.marking import Span
from ranking.models import Report
from ranking.reports import building
from tests import factory
from tests.chance import forget_judgments
from tests.program import Program, refused
from tests.services.texts import made_texts

WITH_SPANS = "? Quality\n0: bad\n100: good\n\n! Errors\nminor\nmajor = 5\n"


@pytest.fixture
def campaign(db) -> Campaign:
    """Two texts in the versions of two systems, side by side."""
    return factory.open_essays(redundancy=1)


@pytest.fixture
def marking(db) -> Campaign:
    """The same, with one scale to 100 and errors to mark."""
    return factory.open_essays(redundancy=1, rubric=WITH_SPANS)


def home_of(campaign: Campaign, browser_of) -> tuple[Membership, Client]:
    ada = factory.judge(campaign, "ada")
    return ada, browser_of(ada.user)


def fields(assignment: Assignment, number: object = 3) -> dict[str, object]:
    scales = range(1, len(rubric_of(assignment.campaign).scales) + 1)
    places = range(1, len(assignment.order) + 1)
    return {"key": str(uuid4())} | {f"scores_{place}-{scale}": number for place in places for scale in scales}


def page_of(home: Client, assignment: Assignment) -> str:
    return home.get(reverse("assignment", args=[assignment.pk])).content.decode()


class TestMaterial:
    def test_line_breaks_are_kept_and_outputs_that_differ_in_space_share_a_candidate(self, db):
        texts = {name: dict(essays) for name, essays in factory.ESSAYS.items()}
        texts["Wren"]["e1"] = texts["Heron"]["e1"].replace(" ", "  ").replace("\n\n", "\n\n\n")
        campaign = factory.make_essays(texts)
        outputs = SystemOutput.objects.filter(system__campaign=campaign, segment__document__name="e1")
        shared = {one.candidate_id for one in outputs.filter(system__name__in=["Heron", "Wren"])}
        assert len(shared) == 1
        assert outputs.get(system__name="Wren").candidate.text == texts["Heron"]["e1"]
        assert outputs.get(system__name="Wren").text == texts["Wren"]["e1"]

    def test_files_are_uploaded_checked_and_stored_in_the_browser(self, admin_client, no_worker):
        campaign = settings.create("admin", "recommended", slug="essays", name="Essays", protocol="essays")
        files = [io.BytesIO(file.content) for file in factory.essay_files()]
        for file, name in zip(files, factory.ESSAYS, strict=True):
            file.name = f"{name}.md"
        sent = admin_client.post(reverse("new_upload", args=["essays"]), {"texts": files, "empty_line": "error"})
        upload = Upload.objects.get(campaign=campaign)
        assert sent.url == reverse("upload", args=["essays", upload.pk])
        run_now(upload)
        page = admin_client.get(sent.url).content.decode()
        assert "Heron" in page
        upload.refresh_from_db()
        assert upload.problems == []
        admin_client.post(reverse("store_upload", args=["essays", upload.pk]), {"request_number": 1})
        upload.refresh_from_db()
        run_now(upload)
        assert SystemOutput.objects.filter(system__campaign=campaign).count() == 6

    def test_a_control_has_an_error_in_every_sentence_and_its_source_beside_it(self, db):
        campaign = factory.make_essays(screen_size=1, control_share=1.0)
        planning.make_controls(campaign)
        control = SystemOutput.objects.get(system__kind="control", segment__document__name="e1")
        lines = zip(control.text.split("\n"), factory.ESSAYS["source"]["e1"].split("\n"), strict=True)
        assert all(worse != line for worse, line in lines if line)
        assigning.assign(campaign)
        sizes = {(screen.has_control, screen.slot_set.count()) for screen in Screen.objects.filter(campaign=campaign)}
        assert sizes == {(True, 2), (False, 1)}


class TestSettings:
    def test_a_campaign_has_the_ready_made_rubric_that_of_its_preset_or_one_without_faults(self, olga, db, campaign):
        assert [scale.name for scale in rubric_of(Campaign(protocol="essays")).scales] == [
            "Grammaticality", "Fluency", "Meaning",
        ]  # fmt: skip
        made = settings.create("olga", "kocmi2024", slug="esa", name="ESA")
        assert (made.protocol, made.screen_size) == ("essays", 1)
        assert [one.name for one in rubric_of(made).severities] == ["minor", "major"]
        assert "Mark the errors" in made.instructions
        with pytest.raises(Refused, match="rubric: rubric, line 1: a scale needs words"):
            factory.make_essays(rubric="? A\n1: x")
        with pytest.raises(Refused, match="rubric cannot be changed"):
            settings.configure(campaign, rubric=WITH_SPANS)
        with pytest.raises(Refused, match="Judges of a ranking campaign compare versions; show at least two"):
            factory.make_campaign(screen_size=1)


class TestJudging:
    def test_a_form_without_a_script_is_taken_comes_back_and_is_revised(self, campaign, browser_of):
        ada, home = home_of(campaign, browser_of)
        assignment = claiming.claim_next(ada)
        address, page = reverse("assignment", args=[assignment.pk]), page_of(home, assignment)
        rows = page.count('<div class="row">')
        assert rows == sum(map(bool, assignment.screen.segment.text.split("\n"))), "paragraphs beside each other"
        assert page.count('data-version="2"') == rows
        assert "Comprehensible: a few minor errors" in page
        assert not any(name in page for name in ("Heron", "Wren"))
        home.post(reverse("draft", args=[assignment.pk]), {"scores_1-2": "2", "scores_2-1": "9"})
        assert Draft.objects.get().answers == {"scores_1": {"Fluency": "2"}}
        assert page_of(home, assignment).count(" checked") == 1
        given = fields(assignment) | {"scores_1-2": "-"}
        assert home.post(address, given).status_code == 302
        first = EssayRating.objects.order_by("pk").first()
        assert first.scores == {"Grammaticality": 3, "Fluency": None, "Meaning": 3}
        assert first.score == pytest.approx(200 / 3)
        page = page_of(home, assignment)
        assert page.count(' value="3" checked') == 5
        assert page.count(' value="-" checked') == 1
        home.post(address, fields(assignment, 4))
        assert set(Judgment.objects.current().values_list("revision", "essayrating__score")) == {(2, 100)}
        home.post(address, {"key": uuid4(), "skip": 1, "skip_reason": "broken sentence"})
        assert Judgment.objects.current().get().skipped
        with pytest.raises(IntegrityError), transaction.atomic():
            EssayRating.objects.update(score=101)

    @pytest.mark.parametrize(
        ("change", "complaint"),
        [
            ({"scores_2-1": ""}, "Rate version B: Grammaticality."),
            ({"scores_2-1": "5"}, "Grammaticality of version B is a whole number from 1 to 4."),
            ({"scores_2-1": "²"}, "Grammaticality of version B is a whole number from 1 to 4."),
            (dict.fromkeys(["scores_1-1", "scores_1-2", "scores_1-3"], "-"), "Rate version A on one scale at least"),
        ],
    )
    def test_what_is_missing_or_impossible_is_said_on_the_page(self, campaign, browser_of, change, complaint):
        ada, home = home_of(campaign, browser_of)
        assignment = claiming.claim_next(ada)
        page = home.post(reverse("assignment", args=[assignment.pk]), fields(assignment) | change).content.decode()
        assert complaint in page
        assert not EssayRating.objects.exists()

    def test_marked_errors_come_back_in_order_and_those_that_cannot_be_are_refused(self, marking, browser_of):
        ada, home = home_of(marking, browser_of)
        assignment = claiming.claim_next(ada)
        address, given = reverse("assignment", args=[assignment.pk]), fields(assignment, 70)
        for unreadable in (
            "[", "[1]", '[{"start": 0, "end": 2, "severity": "huge"}]', '[{"start": 2, "end": 1, "severity": "minor"}]'
        ):  # fmt: skip
            page = home.post(address, given | {"spans_1": unreadable}).content.decode()
            assert "cannot be read" in page, unreadable
        outside = RatedVersion({"Quality": 3}, 3, (Span(0, 9999, "minor"),))
        with pytest.raises(Refused, match="outside its text"):
            submit(assignment, key=uuid4(), answers=[outside, outside])
        spans = [{"start": 3, "end": 6, "severity": "major"}, {"start": 0, "end": 2, "severity": "minor"}]
        home.post(address, given | {"spans_1": json.dumps(spans)})
        assert [one.spans for one in EssayRating.objects.order_by("pk")] == [spans[::-1], []]
        shown = json.dumps(spans[::-1], sort_keys=True).replace('"', "&quot;")
        assert shown in page_of(home, assignment)


class TestPages:
    @pytest.mark.wide
    def test_every_page_of_an_organiser_shows_such_a_campaign(self, campaign, olga, browser_of):
        office = browser_of(olga)
        ada = factory.judge(campaign, "ada")
        factory.answer_all(ada)
        for page in (
            "organise", "material", "screens", "judges", "board", "disputes", "metrics", "report_list", "exports",
            "settings", "journal", "preview",
        ):  # fmt: skip
            shown = office.get(reverse(page, args=[campaign.slug]))
            assert shown.status_code == 200, page
            assert "every sentence" not in shown.content.decode(), page
        assert office.get(reverse("judge", args=[campaign.slug, ada.pk])).status_code == 200
        assert "rubric" in office.get(reverse("settings", args=[campaign.slug])).content.decode()

    def test_who_cannot_say_leaves_out_a_number_from_0_to_100(self, db, browser_of):
        rubric = "? Quality\n0: bad\n100: good\n-: cannot say\n\n? Form\n1: bad\n4: good\n"
        ada, home = home_of(factory.open_essays(redundancy=1, rubric=rubric), browser_of)
        assignment = claiming.claim_next(ada)
        unsaid = {f"scores_{place}-1": ["", "-"] for place in range(1, len(assignment.order) + 1)}
        assert 'type="checkbox" name="scores_1-1" value="-"' in page_of(home, assignment)
        home.post(reverse("assignment", args=[assignment.pk]), fields(assignment) | unsaid)
        assert {tuple(one.scores.values()) for one in EssayRating.objects.all()} == {(None, 3)}

    def test_judges_see_where_others_differ_and_organisers_adjudicate(self, db, browser_of):
        campaign = factory.open_essays(redundancy=2, majority_feedback=True, batch_size=2)
        ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
        factory.judge_batch(ada)
        while assignment := claiming.claim_next(ben):
            numbers = range(1, len(assignment.order) + 1)
            submit(assignment, key=uuid4(), answers=[RatedVersion({"Fluency": n}, 25 * n) for n in numbers])
        office = browser_of(factory.organiser(campaign, "olga"))
        page = office.get(reverse("disputes", args=[campaign.slug])).content.decode()
        disputed = re.search(r'href="(/campaigns/[^"]*/disputes/\d+/)"', page)
        assert disputed
        shown = office.get(disputed[1])
        assert 'data-version="2"' in shown.content.decode()

    def test_a_screen_asks_as_many_questions_however_many_versions_and_paragraphs_it_has(self, db, browser_of):
        counted = []
        for many in (1, 4):
            essay = {"e1": "\n\n".join(["It rain ."] * many)}
            names = ["source", *(f"S{number}" for number in range(many))]
            texts = {name: {"e1": f"{essay['e1']} {name}"} for name in names}
            ada = factory.judge(factory.open_essays(texts, redundancy=1), f"ada{many}")
            home, assignment = browser_of(ada.user), claiming.claim_next(ada)
            with CaptureQueriesContext(connection) as asked:
                page = page_of(home, assignment)
            assert page.count('class="candidate"') == many
            counted.append(len(asked))
        assert counted[0] == counted[1]

    @pytest.mark.wide
    def test_the_page_of_five_versions_of_1600_words_is_light_when_compressed(self, db, browser_of):
        source, _, outputs = made_texts(72, 5, 0)
        lines = {"source": source} | {f"S{place}": output for place, output in enumerate(outputs)}
        paragraphs = {name: [" ".join(text[at : at + 6]) for at in range(0, 72, 6)] for name, text in lines.items()}
        texts = {name: {"e1": "\n\n".join(of_text)} for name, of_text in paragraphs.items()}
        ada = factory.judge(factory.open_essays(texts, redundancy=1, screen_size=5), "ada")
        page = page_of(browser_of(ada.user), claiming.claim_next(ada)).encode()
        assert page.count(b'class="candidate"') == 5
        assert len(gzip.compress(page)) < 15_000


class TestPrograms:
    def test_a_program_reads_the_rubric_and_answers_with_objects(self, marking):
        robin = Program(programs.enrol(marking, "robin"))
        (claimed,) = robin.post(f"/api/campaigns/{marking.slug}/assignments/").json()["assignments"]
        assert claimed["scales"][0]["name"] == "Quality"
        assert (claimed["scales"][0]["lowest"], claimed["scales"][0]["highest"]) == (0, 100)
        assert claimed["severities"] == ["minor", "major"]
        assert "\n" in claimed["source"]
        address, places = f"{claimed['url']}judgment/", len(claimed["candidates"])
        said = {"scores": {"Quality": 80}, "spans": [{"start": 0, "end": 2, "severity": "minor"}]}
        wrong = robin.post(address, {"answers": [{"scores": {"Fluency": 80}}] * places})
        assert "There is no scale Fluency." in refused(wrong, 400)
        assert robin.post(address, {"answers": [said] * places}).status_code == 201
        assert set(EssayRating.objects.values_list("score", flat=True)) == {80}


class TestFiles:
    @pytest.fixture
    def judged(self, marking) -> Campaign:
        """Ada has marked the first word of every version as a minor error."""
        ada = factory.judge(marking, "ada")
        while assignment := claiming.claim_next_skipping_breaks(ada):
            places = len(shown_slots(assignment))
            numbers = [90 - 10 * place for place in range(places)]
            said = [RatedVersion({"Quality": number}, number, (Span(0, 2, "minor"),)) for number in numbers]
            submit(assignment, key=uuid4(), answers=said)
        return marking

    def test_the_table_has_a_column_for_each_scale_and_severity(self, judged):
        lines = b"".join(EXPORTS["judgments.csv"].blocks(judged)).decode()
        rows = list(csv.DictReader(io.StringIO(lines)))
        assert list(rows[0])[5:15] == [
            "candidate", "systems", "shown_position", "score", "Quality", "reasons", "minor", "major", "errors",
            "error_words",
        ]  # fmt: skip
        assert set(rows[0]) - {"Quality", "minor", "major"} == COLUMNS - {"user", "worker"}
        assert {row["minor"] for row in rows} == {"1"}
        assert {row["errors"] for row in rows} == {"minor 0-2"}
        assert {row["error_words"] for row in rows} == {"My", "Th"}
        for name, export in EXPORTS.items():  # which takes it or says for which it is
            fault = export.fault(judged)
            assert "campaigns, and" in fault if fault else b"".join(export.blocks(judged)), name

    def test_it_travels_in_a_bundle_but_for_impossible_spans(self, judged):
        content = b"".join(EXPORTS["campaign.zip"].blocks(judged))
        forget_judgments(judged)
        judged.delete()
        restored = import_campaign("campaign.zip", io.BytesIO(content)).campaign
        assert b"".join(EXPORTS["campaign.zip"].blocks(restored)) == content
        EssayRating.objects.update(spans=[{"start": 5, "end": 1, "severity": "minor"}])
        content = b"".join(EXPORTS["campaign.zip"].blocks(restored))
        with pytest.raises(Problems, match="spans has a span that is empty"):
            import_campaign("campaign.zip", io.BytesIO(content), slug="copy")


@pytest.mark.wide
def test_its_systems_are_ranked_by_the_mean_of_the_scales(campaign):
    for name in ("ada", "ben"):
        factory.answer_all(factory.judge(campaign, name))
    report = building.request_report(campaign, preset="recommended")
    run_now(report)
    report.refresh_from_db()
    assert report.state == Report.State.DONE, report.error
