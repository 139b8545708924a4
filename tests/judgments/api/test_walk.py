"""From nothing to an export over HTTP: all that an organiser does, and a program that judges."""

import csv
import json

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from judgments.campaigns import settings as campaign_settings
from judgments.exchange.exporters import EXPORTS
from judgments.jobs.attempts import run_now
from judgments.judges import programs
from judgments.judging.context import screen_context
from judgments.models import Assignment, Campaign, Judgment, MailJob, Placement, Upload
from judgments.protocols.rows import shown_slots
from tests import factory
from tests.judgments.jobs.running import run_job
from tests.program import Program, refused


@pytest.fixture
def staff(db) -> User:
    return User.objects.create_user("greta", is_staff=True)


@pytest.fixture
def greta(staff) -> Program:
    return Program(programs.token_of("greta"))


def files() -> list[SimpleUploadedFile]:
    texts = {"source": factory.SOURCE, **factory.SYSTEMS}
    return [SimpleUploadedFile(f"{name}.txt", ("\n".join(lines) + "\n").encode()) for name, lines in texts.items()]


def work() -> Upload:
    """What a worker would do."""
    upload = Upload.objects.latest("pk")
    run_now(upload)
    upload.refresh_from_db()
    return upload


@pytest.mark.walk
def test_a_campaign_from_its_making_to_its_export(greta, no_worker):
    made = greta.post("/api/campaigns/", {"slug": "walk", "name": "A walk", "screen_size": 4, "control_share": 0})
    assert made.status_code == 201
    home = made["Location"]
    assert home == "http://127.0.0.1:8000/api/campaigns/walk/"
    assert (made.json()["preset"], made.json()["screen_size"]) == ("recommended", 4)
    assert [one["slug"] for one in greta.get("/api/campaigns/").json()["results"]] == ["walk"]

    uploaded = greta.client.post(f"{home}uploads/", {"files": files(), "source_takes_part": "true"})
    assert uploaded.status_code == 201
    upload = uploaded["Location"]
    assert greta.get(upload).json()["state"] == "queued"
    work()
    checked = greta.get(upload).json()
    assert (checked["can_be_stored"], checked["problems"], checked["preview"]["sentences"]) == (True, [], 5)
    assert greta.post(f"{upload}store/").json()["stage"] == "store"
    work()
    assert greta.get(upload).json()["is_stored"]

    systems = {system["name"]: system for system in greta.get(f"{home}systems/").json()}
    assert {system["outputs"] for system in systems.values()} == {5}
    assert set(systems) == {"source", *factory.SYSTEMS}
    wren = systems["Wren"]["id"]
    renamed = greta.post(f"{home}systems/{wren}/change/", {"name": "Robin"}).json()
    assert renamed["message"] == "Robin is a system; judges compare it."
    assert greta.get(f"{home}systems/{wren}/").json() == systems["Wren"] | {"name": "Robin"}
    outputs = greta.get(f"{home}systems/{wren}/outputs/").json()["results"]
    assert [output["text"] for output in outputs] == factory.SYSTEMS["Wren"]
    assert [row["line"] for row in greta.get(f"{home}segments/").json()["results"]] == [1, 2, 3, 4, 5]

    wish = {"design": "complete", "redundancy": 1, "batch_size": 5, "repeat_share": 0}
    plan = greta.post(f"{home}screens/plan/", wish).json()["outcome"]
    assigned = greta.post(f"{home}screens/assign/", wish)
    assert "screens were assigned" in assigned.json()["message"]
    for name in ("screens", "assignments"):
        assert assigned.json()["outcome"][name] == plan[name]
    assert greta.post(f"{home}state/", {"state": "open"}).json()["outcome"] == {"state": "open"}
    screens = greta.get(f"{home}screens/").json()["results"]
    assert sum(len(screen["candidates"]) for screen in screens) == sum(len(set(texts)) for texts in zip(
        factory.SOURCE, *factory.SYSTEMS.values(), strict=True
    ))  # fmt: skip

    invited = greta.post(f"{home}links/invite/", {"names": ["ada@example.org", "ben"]}).json()["outcome"]["links"]
    assert list(invited) == ["ada", "ben"]
    assert Client().get(invited["ada"]).status_code == 200

    robin = Program(greta.post(f"{home}programs/enrol/", {"name": "robin"}).json()["outcome"]["token"])
    claimed = robin.post(f"{home}assignments/", {"number": 100}).json()["assignments"]
    assert len(claimed) == assigned.json()["outcome"]["screens"]
    assert "Heron" not in json.dumps(claimed)
    for assignment in claimed:
        ranks = [{"rank": candidate["place"]} for candidate in assignment["candidates"]]
        assert robin.post(f"{assignment['url']}judgment/", {"answers": ranks}).status_code == 201
    assert robin.post(f"{home}assignments/").json()["assignments"] == []
    refused(robin.get(home), 403)

    judgments = greta.get(f"{home}judgments/?per_page=2").json()
    assert len(judgments["results"]) == 2
    assert {(one["judge"], one["is_program"]) for one in judgments["results"]} == {("robin", True)}
    ranks = [answer["rank"] for answer in judgments["results"][0]["answers"]]
    assert ranks == list(range(1, len(ranks) + 1))
    exports = {export["name"]: export for export in greta.get(f"{home}exports/").json()}
    rows = list(csv.DictReader(greta.get(exports["judgments.csv"]["url"]).getvalue().decode().splitlines()))
    assert {row["program"] for row in rows} == {"yes"}
    assert "controls_passed" in greta.get(exports["judges.csv"]["url"]).getvalue().decode()
    assert exports["gmeg-corpus.csv"]["fault"]
    assert "is for rating campaigns" in refused(greta.get(exports["gmeg-corpus.csv"]["url"]), 409)

    entries = greta.get(f"{home}journal/").json()["results"]
    assert entries[0]["what"] == "gave the program robin a token"
    assert {entry["actor"] for entry in entries} == {"greta"}

    assert "Close it first" in refused(greta.post(f"{home}delete/", {"typed": "walk"}), 409)
    greta.post(f"{home}state/", {"state": "closed"})
    assert "Nothing was deleted" in refused(greta.post(f"{home}delete/", {"typed": "stroll"}), 409)
    assert greta.post(f"{home}delete/", {"typed": "walk"}).status_code == 200
    assert not Campaign.objects.exists()


class TestCampaigns:
    """Making and changing them."""

    @pytest.mark.parametrize(
        ("wish", "status", "message"),
        [
            ({}, 400, "slug: This field is required."),
            ({"slug": "two words", "name": "x"}, 400, "slug"),
            ({"slug": "new", "name": "x"}, 409, "cannot be called new"),
            ({"slug": "a", "name": "x", "preset": "none"}, 400, "preset"),
            ({"slug": "a", "name": "x", "screen_size": 10**30}, 400, "screen_size"),
            ({"slug": "a", "name": "x", "redundancy": -1}, 400, "redundancy"),
            ({"slug": "a", "name": "x\x00"}, 400, "name"),
            ({"slug": "a", "name": "x\ud800"}, 400, "is not valid JSON"),
            ({"slug": "a", "name": "x", "state": "open"}, 400, "state: Unknown field"),
            ({"slug": "a", "name": "x", "tutorial": "nonsense"}, 400, "line 1"),
            ({"slug": "a", "name": "x", "protocol": "telepathy"}, 400, "protocol"),
            ({"slug": "a", "name": "x", "protocol": "rating", "preset": "bryant2015"}, 409, "is for correction"),
        ],
    )
    def test_invalid_input_is_reported_and_nothing_is_made(self, greta, wish, status, message):
        assert message in refused(greta.post("/api/campaigns/", wish), status)
        assert not Campaign.objects.exists()

    def test_the_same_key_makes_one_campaign_and_another_one_is_told_that_its_name_is_taken(self, greta):
        wish = {"slug": "a", "name": "x"}
        first, second = (greta.post("/api/campaigns/", wish, **{"Idempotency-Key": "k"}) for _ in range(2))
        assert first.json() == second.json()
        assert Campaign.objects.count() == 1
        assert "There is a campaign a already" in refused(greta.post("/api/campaigns/", wish | {"name": "y"}), 409)

    def test_settings_are_changed_one_by_one(self, campaign, olga):
        program = Program(programs.token_of("olga"))
        home = f"/api/campaigns/{campaign.slug}/"
        wish = {"name": "Another", "batches_per_judge": None, "judge_again": False}
        answer = program.post(f"{home}settings/change/", wish)
        assert answer.json()["message"].endswith(
            ": name set, batches per judge removed, have screens of excluded judges judged again set."
        )
        assert program.get(home).json()["name"] == "Another"
        assert "cannot be changed" in refused(program.post(f"{home}settings/change/", {"screen_size": 3}), 409)
        for value in ("many", 0, None):
            assert "screen_size" in refused(program.post(f"{home}settings/change/", {"screen_size": value}), 400)

    def test_strangers_learn_nothing_from_a_bad_request(self, zoe, campaign):
        stranger = Program(programs.token_of("zoe"))
        for place in ("programs/enrol", "uploads", "metrics/add", "judges/1/quota", "links/revoke"):
            assert stranger.client.post(f"/api/campaigns/{campaign.slug}/{place}/", {}).status_code == 404, place
        assert "Only organisers" in refused(stranger.post("/api/campaigns/", {}), 403)


class TestUploads:
    """Uploads of material and what can be wrong with them."""

    @pytest.fixture
    def address(self, campaign, olga) -> str:
        return f"/api/campaigns/{campaign.slug}/uploads/"

    @pytest.fixture
    def program(self, olga) -> Program:
        return Program(programs.token_of("olga"))

    def test_the_same_key_uploads_once(self, program, address, no_worker):
        def hand_in(text: bytes = b"a\n"):
            sent = {"files": [SimpleUploadedFile("Plover", text)]}
            return program.client.post(address, sent, headers={"Idempotency-Key": "k"})

        assert hand_in().json() == hand_in().json()
        assert Upload.objects.count() == 1
        refused(hand_in(b"b\n"), 409)

    def test_invalid_uploads_and_too_much_are_refused(self, program, address, settings, monkeypatch):
        assert "files" in refused(program.client.post(address, {}), 400)
        assert "files" in refused(program.client.post(address, {"files": "text"}), 400)
        assert "Send Content-Type: multipart/form-data." in refused(program.post(address, {}), 415)
        sent = {"files": [SimpleUploadedFile("Plover", b"a")], "empty_line": "perhaps"}
        assert "empty_line" in refused(program.client.post(address, sent), 400)
        broken = program.client.post(address, b"--x\r\nnonsense", content_type="multipart/form-data; boundary=x")
        refused(broken, 400)
        assert not Upload.objects.exists()
        settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
        refused(program.client.post(address, {"files": files()}), 400)
        monkeypatch.setattr("judgments.api.base.views.MOST_BYTES", -(2**20))
        assert "larger than" in refused(program.client.post(address, {"files": files()}), 413)

    def test_an_unchecked_upload_is_not_stored(self, program, address, no_worker):
        upload = program.client.post(address, {"files": files()[1:]})["Location"]
        cancel = f"/api/jobs/upload/{Upload.objects.get().pk}/cancel/"
        assert "cannot be stored yet" in refused(program.post(f"{upload}store/"), 409)
        assert program.post(cancel).json()["state"] == "cancelled"
        assert "already finished" in refused(program.post(cancel), 409)
        assert program.post(f"{upload}discard/").json()["message"]
        refused(program.get(upload), 404)

    def test_files_are_renamed_and_left_out(self, program, address, no_worker):
        sent = {"files": [SimpleUploadedFile("Plo ver.txt", b"a\n" * 5), SimpleUploadedFile("Short", b"a\n")]}
        upload = program.client.post(address, sent)["Location"]
        work()
        checked = program.get(upload).json()
        assert checked["can_be_stored"] is False
        assert sorted(problem["file"] for problem in checked["problems"]) == ["Plo ver.txt", "Short"]
        as_json = {"content_type": "application/json"}
        assert "names" in refused(program.client.patch(upload, {"names": {"Plo\0ver": "Plover"}}, **as_json), 400)
        program.client.patch(upload, {"names": {"Plo ver.txt": "Plover"}, "dropped": ["Short"]}, **as_json)
        work()
        checked = program.get(upload).json()
        assert checked["can_be_stored"]
        assert [(file["name"], file["is_dropped"]) for file in checked["preview"]["files"]] == [
            ("Plover", False), ("Short", True)
        ]  # fmt: skip


class TestJudging:
    """What a program says from its assignment."""

    @pytest.fixture
    def robin(self, campaign, olga) -> Program:
        home = f"/api/campaigns/{campaign.slug}"
        answer = Program(programs.token_of("olga")).post(f"{home}/programs/enrol/", {"name": "robin"})
        return Program(answer.json()["outcome"]["token"])

    @pytest.fixture
    def assignment(self, campaign, robin) -> dict:
        return robin.post(f"/api/campaigns/{campaign.slug}/assignments/").json()["assignments"][0]

    def test_ranks_go_to_the_candidates_in_the_order_shown_and_another_key_is_a_revision(self, robin, assignment):
        ranks = list(range(len(assignment["candidates"]), 0, -1))
        answer = robin.post(f"{assignment['url']}judgment/", {"answers": [{"rank": rank} for rank in ranks]})
        judgment = Judgment.objects.get(pk=answer.json()["id"])
        placed = dict(Placement.objects.filter(judgment=judgment).values_list("candidate__text", "rank"))
        assert placed == {shown["text"]: rank for shown, rank in zip(assignment["candidates"], ranks, strict=True)}
        assert robin.get(assignment["url"]).json()["is_submitted"]
        address, body = f"{assignment['url']}judgment/", {"answers": [{"rank": 1}] * len(assignment["candidates"])}
        answers = [robin.post(address, body, **{"Idempotency-Key": key}) for key in ("a", "a", "b", "")]
        assert [answer.json()["revision"] for answer in answers] == [2, 2, 3, 4]
        assert robin.post(address, {"skip_reason": "cannot tell"}).status_code == 201
        assert Judgment.objects.current().get().skip_reason == "cannot tell"

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ({}, "candidates and 0 answers; give one for each."),
            ({"answers": [{"rank": 1}]}, "candidates and 1 answers"),
            ({"answers": [{"rank": 1}] * 50}, "candidates and 50 answers"),
            ({"answers": [{"rank": 99}] * 3}, "answers/0/rank: Select a valid choice."),
            ({"answers": [{"rank": -1}] * 3}, "answers/0/rank"),
            ({"answers": [{}] * 3}, "answers/0/rank: Give version A a rank."),
            ({"answers": [{"score": 5}] * 3}, "Answers in this campaign have no score"),
            ({"answers": [{"skip": 5}] * 3}, "Unknown field"),
            ({"answers": [{"rank": 1}] * 3, "skip_reason": "cannot tell"}, "either skipped or answered"),
            ({"skip_reason": "lazy"}, "skip_reason"),
            ({"answers": [{"rank": 1}] * 3, "active_seconds": -1}, "active_seconds"),
            ({"answers": [{"rank": 1}] * 3, "comment": "x" * 1001}, "comment"),
        ],
    )
    def test_invalid_judgments_are_reported(self, robin, campaign, body, message):
        assignments = robin.post(f"/api/campaigns/{campaign.slug}/assignments/", {"number": 100}).json()["assignments"]
        assignment = next(assignment for assignment in assignments if len(assignment["candidates"]) == 3)
        assert message in refused(robin.post(f"{assignment['url']}judgment/", body), 400)
        assert not Judgment.objects.exists()

    def test_ratings_have_a_score_and_a_box(self, db):
        campaign = factory.open_campaign(protocol="rating")
        factory.organiser(campaign, "olga")
        olga = Program(programs.token_of("olga"))
        home = f"/api/campaigns/{campaign.slug}"
        robin = Program(olga.post(f"{home}/programs/enrol/", {"name": "robin"}).json()["outcome"]["token"])
        assignment = robin.post(f"{home}/assignments/").json()["assignments"][0]
        body = {"answers": [{"score": 40, "changed": True}] * len(assignment["candidates"])}
        assert robin.post(f"{assignment['url']}judgment/", body).status_code == 201
        (judgment,) = olga.get(f"{home}/judgments/").json()["results"]
        assert {(answer["score"], answer["meaning_changed"]) for answer in judgment["answers"]} == {(40, True)}

    def test_so_many_assignments_are_not_given_and_none_to_a_dismissed_program(self, campaign, robin, olga):
        home = f"/api/campaigns/{campaign.slug}"
        for number in (0, -1, 101, 10**30, "many", None):
            refused(robin.post(f"{home}/assignments/", {"number": number}), 400)
        (assignment,) = robin.post(f"{home}/assignments/").json()["assignments"]
        program = Program(programs.token_of("olga"))
        (robins,) = program.get(f"{home}/programs/").json()
        program.post(f"{home}/programs/{robins['id']}/dismiss/")
        refused(robin.get(assignment["url"]), 401)


class TestPeople:
    """Who is invited, who counts."""

    @pytest.mark.wide
    def test_judges_are_invited_excluded_and_included(self, campaign, ada, olga):
        program, home = Program(programs.token_of("olga")), f"/api/campaigns/{campaign.slug}"
        factory.judge_batch(ada)
        (judge,) = program.get(f"{home}/judges/").json()["results"]
        assert (judge["pseudonym"], judge["done"], judge["batches"], judge["statistics"]["screens"]) == ("ada", 3, 1, 3)
        assert program.post(f"{home}/judges/{ada.pk}/exclude/", {"reason": "asleep"}).status_code == 200
        assert program.get(f"{home}/judgments/").json()["results"][0]["is_excluded"]
        refused(program.post(f"{home}/judges/{ada.pk}/exclude/", {"reason": "asleep"}), 409)
        assert program.post(f"{home}/judges/{ada.pk}/include/", {"reason": "awake"}).status_code == 200
        assert program.post(f"{home}/judges/{ada.pk}/quota/", {"quota": 3}).status_code == 200
        assert program.get(f"{home}/judges/").json()["results"][0]["quota"] == 3
        assert program.post(f"{home}/judges/{ada.pk}/quota/", {"quota": None}).status_code == 200
        assert program.post(f"{home}/judges/apply-rule/").json()["outcome"] == {"excluded": 0, "included": 0}

    def test_links_are_made_and_revoked(self, campaign, olga):
        program, home = Program(programs.token_of("olga")), f"/api/campaigns/{campaign.slug}"
        link = program.post(f"{home}/links/share/", {"most_judges": 5, "days": 3}).json()["outcome"]["link"]
        assert [shared["link"] for shared in program.get(f"{home}/shared-links/").json()] == [link]
        token = link.rstrip("/").rpartition("/")[2]
        assert program.post(f"{home}/links/revoke/", {"token": token}).status_code == 200
        assert program.get(f"{home}/shared-links/").json() == []
        refused(program.post(f"{home}/links/revoke/", {"token": "none"}), 404)
        program.post(f"{home}/links/invite/", {"names": ["dan"]})
        assert [guest["pseudonym"] for guest in program.get(f"{home}/invitations/").json()["results"]] == ["dan"]


@pytest.mark.wide
def test_lists_ask_a_fixed_number_of_questions_and_have_an_end(campaign, ada, ben, olga, django_assert_max_num_queries):
    program, home = Program(programs.token_of("olga")), f"/api/campaigns/{campaign.slug}"
    for judge in (ada, ben):
        factory.answer_all(judge)
    for name in [
        "judgments",
        "screens",
        "assignments",
        "segments",
        "judges",
        "systems",
        "journal",
        "programs",
        "exports",
    ]:
        with django_assert_max_num_queries(12):
            assert program.get(f"{home}/{name}/").status_code == 200
    for per_page in ("0", "-1", "9" * 30, "x", "%00"):
        assert program.get(f"{home}/judgments/?per_page={per_page}").status_code == 200
    assert len(program.get(f"{home}/judgments/?per_page=2").json()["results"]) == 2


class TestLongWork:
    """What a worker does for a program."""

    @pytest.fixture
    def program(self, olga) -> Program:
        return Program(programs.token_of("olga"))

    def test_very_many_assignments_are_made_by_a_worker(self, campaign, olga, program, no_worker, monkeypatch):
        draft = factory.make_campaign()
        campaign_settings.make_organiser(draft, "olga")
        monkeypatch.setattr("judgments.assignment.planning.MOST_ASSIGNMENTS_AT_ONCE", 3)
        home = f"/api/campaigns/{draft.slug}"
        response = program.post(f"{home}/screens/assign/", {"seed": 5})
        assert response.status_code == 202
        assert (response.json()["state"], response.json()["assigned"]) == ("queued", None)
        assert "already being assigned" in refused(program.post(f"{home}/screens/assign/", {"seed": 5}), 409)
        run_job("assignment", response.json()["id"])
        job = program.get(response["Location"]).json()
        assert (job["state"], job["assigned"]["screens"]) == ("done", 5)
        assert "already finished" in refused(program.post(f"{response['Location']}cancel/"), 409)

    def test_a_bundle_becomes_a_campaign(self, campaign, ada, program, no_worker):
        factory.judge_batch(ada)
        content = b"".join(EXPORTS["campaign.zip"].blocks(campaign))
        sent = {"bundle": SimpleUploadedFile("bundle.zip", content), "slug": "copy"}
        response = program.client.post("/api/imports/", sent)
        assert response.status_code == 201
        run_job("import", response.json()["id"])
        job = program.get(response["Location"]).json()
        assert (job["state"], job["campaign"]) == ("done", "copy")
        assert program.get("/api/campaigns/copy/").json()["progress"]["done"] == 3
        broken = program.client.post("/api/imports/", {"bundle": SimpleUploadedFile("bundle.zip", b"PK")}).json()
        run_job("import", broken["id"])
        assert program.get(broken["url"]).json()["state"] == "failed"

    def test_links_are_mailed(self, campaign, program, no_worker, settings, mailoutbox):
        settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.example.org", "site@example.org"
        address = f"/api/campaigns/{campaign.slug}/invitations/mail/"
        assert "No mail has been sent" in refused(program.get(address), 404)
        program.post(f"/api/campaigns/{campaign.slug}/links/invite/", {"names": ["ben@example.org"]})
        send = f"/api/campaigns/{campaign.slug}/links/mail/"
        without = program.post(send, {"subject": "x", "text": "y"})
        assert "text: The text does not contain {link}" in refused(without, 400)
        assert program.post(send, {"subject": "x", "text": "{link}"}).status_code == 202
        run_now(MailJob.objects.get())
        assert (program.get(address).json()["sent"], len(mailoutbox)) == (1, 1)


def test_many_assignments_are_claimed_in_as_many_queries_as_one(campaign, olga):
    home = f"/api/campaigns/{campaign.slug}"
    robin = Program(
        Program(programs.token_of("olga")).post(f"{home}/programs/enrol/", {"name": "robin"}).json()["outcome"]["token"]
    )
    robin.post(f"{home}/assignments/", {"number": 100})
    counts = []
    for number in (1, 5):
        with CaptureQueriesContext(connection) as queries:
            shown = robin.post(f"{home}/assignments/", {"number": number}).json()["assignments"]
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assignment = Assignment.objects.get(pk=shown[1]["id"])
    page = screen_context(assignment, shown_slots(assignment))
    assert shown[1]["before"] == [segment.text for segment in page.before]
    assert shown[1]["after"] == [segment.text for segment in page.after]
    assert [one["text"] for one in shown[1]["candidates"]] == [slot.candidate.text for slot in shown_slots(assignment)]
