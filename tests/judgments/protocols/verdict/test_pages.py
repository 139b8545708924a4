"""Campaigns of verdicts by page, program, command and bundle."""

import io
import json
import zipfile
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse

from judgments.archive.importing import import_campaign
from judgments.campaigns import settings
from judgments.exchange.exporters import EXPORTS
from judgments.judges import people, programs
from judgments.judges.programs import token_of
from judgments.models import Campaign, Upload, Verdict
from judgments.rules.files.problems import Problems
from tests import factory
from tests.judgments.jobs.running import run_job
from tests.program import Program


@pytest.fixture
def campaign(db) -> Campaign:
    return factory.open_verdicts()


def run(name: str, *words: str) -> str:
    out = io.StringIO()
    call_command(name, *words, stdout=out, stderr=io.StringIO())
    return out.getvalue().strip()


class TestPrograms:
    def test_an_organiser_reads_usages_and_what_systems_say(self, campaign):
        olga = factory.organiser(campaign, "olga")
        api = Program(token_of(olga.username))
        usages = api.get(f"/api/campaigns/{campaign.slug}/usages/").json()["results"]
        assert usages[0] | {"id": 0} == {
            "id": 0, "name": "u1", "line": 1, "document": "one", "sentence": "He likes the music .", "start": 9,
            "end": 12, "gold": None, "classifications": {"Heron": 0.9, "Wren": 1.0},
        }  # fmt: skip

    def test_a_program_gives_verdicts(self, campaign):
        robin = Program(programs.enrol(campaign, "robin"))
        (assignment,) = robin.post(f"/api/campaigns/{campaign.slug}/assignments/", {"number": 1}).json()["assignments"]
        usage = assignment["usage"]
        assert assignment["source"][usage["start"] : usage["end"]] in {"the", "a", "The"}
        assert assignment["candidates"] == []
        assert "gold" not in assignment
        assert robin.post(f"{assignment['url']}judgment/", {"answers": [{"finding": "error"}]}).status_code == 201
        assert Verdict.objects.get().finding == "error"

    @pytest.mark.parametrize("answers", [[], [{"finding": "wrong"}], [{"rank": 1}], [{"finding": "ok"}] * 2])
    def test_invalid_verdicts_are_refused(self, campaign, answers):
        robin = Program(programs.enrol(campaign, "robin"))
        (assignment,) = robin.post(f"/api/campaigns/{campaign.slug}/assignments/", {"number": 1}).json()["assignments"]
        assert robin.post(f"{assignment['url']}judgment/", {"answers": answers}).status_code == 400

    def test_an_organiser_says_who_is_an_expert(self, campaign):
        api = Program(token_of(factory.organiser(campaign, "olga").username))
        ada = factory.judge(campaign, "ada")
        address = f"/api/campaigns/{campaign.slug}/judges/{ada.pk}/expert/"
        assert api.post(address, {"is_expert": True}).status_code == 204
        ada.refresh_from_db()
        assert ada.is_expert


class TestCommands:
    def test_usages_come_from_a_folder_into_a_campaign_that_is_made(self, db, tmp_path):
        for file in factory.usage_files():
            tmp_path.joinpath(file.name).write_bytes(file.content)
        output = run("import_instances", "articles", str(tmp_path), "--preset", "madnani2011")
        assert output == "articles: 7 usages in 7 new sentences, 2 new systems, 9 classifications."
        campaign = Campaign.objects.get(slug="articles")
        assert (campaign.protocol, campaign.redundancy, campaign.preset) == ("verdict", 20, "madnani2011")

    def test_a_campaign_of_another_protocol_is_refused(self, db, tmp_path):
        tmp_path.joinpath("i.csv").write_text(factory.USAGES)
        with pytest.raises(CommandError, match="Usages belong in verdict campaigns"):
            run("import_instances", factory.make_campaign().slug, str(tmp_path))

    def test_an_expert_is_marked_and_unmarked(self, campaign):
        factory.judge(campaign, "ada")
        assert run("mark_expert", campaign.slug, "ada") == "ada is an expert."
        assert run("mark_expert", campaign.slug, "ada", "--no-expert") == "ada is not an expert."


class TestPages:
    def test_files_are_looked_at_then_stored(self, db, browser_of, no_worker):
        campaign = factory.make_verdicts(factory.usage_files("id,sentence,start,end\nold,A cat .,0,1\n", {}))
        browser = browser_of(factory.organiser(campaign, "olga"))
        files = [SimpleUploadedFile(file.name, file.content) for file in factory.usage_files()]
        browser.post(f"/campaigns/{campaign.slug}/uploads/", {"texts": files})
        upload = Upload.objects.get()
        run_job("upload", upload.pk)
        page = browser.get(f"/campaigns/{campaign.slug}/uploads/{upload.pk}/").content.decode()
        assert "<mark>the</mark>" in page
        assert "Store 7 usages and 2 systems" in page
        browser.post(f"/campaigns/{campaign.slug}/uploads/{upload.pk}/store/", {"request_number": 1})
        run_job("upload", upload.pk)
        page = browser.get(f"/campaigns/{campaign.slug}/uploads/{upload.pk}/").content.decode()
        assert "Stored: 7 usages in 7 new sentences, 2 new systems, 9 classifications." in page

    @pytest.mark.parametrize(
        "name", ["organise", "material", "screens", "judges", "settings", "exports", "board", "preview"]
    )
    def test_every_page_of_an_organiser_is_there(self, campaign, name, browser_of):
        factory.judge_batch(factory.judge(campaign, "ada"))
        browser = browser_of(factory.organiser(campaign, "olga"))
        page = browser.get(reverse(name, args=[campaign.slug]))
        assert page.status_code == 200
        assert "candidates on one screen" not in page.content.decode()

    def test_a_plan_says_when_its_rule_can_exclude_nobody(self, db, browser_of):
        campaign = factory.make_verdicts(control_pass_share=0.7, least_controls=9)
        browser = browser_of(factory.organiser(campaign, "olga"))
        plan = {
            "design": "complete",
            "redundancy": 2,
            "batch_size": 5,
            "repeat_share": 0,
            "control_share": 0.4,
            "seed": 7,
        }
        page = browser.get(f"/campaigns/{campaign.slug}/screens/", plan | {"seed": 7}).content.decode()
        assert (
            "The rule about controls will exclude nobody: a judge sees at most 4 controls, and the rule needs 9."
            in page
        )
        assert "assumes 8 seconds per screen," in page
        assert "comparisons of a pair" not in page

    def test_a_tutorial_marks_its_usage_and_says_what_was_expected(self, db, browser_of):
        campaign = factory.open_verdicts(tutorial="> He likes [the] music .\nerror:\n! Music has no article here.\n")
        browser = browser_of(factory.judge(campaign, "ada").user)
        address = f"/campaigns/{campaign.slug}/tutorial/1/"
        assert "He likes <mark>the</mark> music ." in browser.get(address).content.decode()
        content = browser.post(address, {"key": str(uuid4()), "finding_1": "ok"}).content.decode()
        assert "Your answer: <strong>OK</strong>; expected: <strong>Error</strong>" in content
        assert "Music has no article here." in content

    @pytest.mark.parametrize(
        ("tutorial", "what"),
        [
            ("> He likes the music .\nerror:\n", "mark one usage with square brackets"),
            ("> He likes [the] music .\nwrong:\n", "is not a verdict; write error: or ok: or unknown:"),
            ("> He likes [the] music .\nerror:\nok:\n", "needs one expected answer"),
        ],
    )
    def test_a_tutorial_that_cannot_be_is_refused(self, campaign, tutorial, what):
        with pytest.raises(Problems, match=what):
            settings.configure(campaign, tutorial=tutorial)


def test_a_campaign_goes_elsewhere_and_is_the_same(campaign):
    ada = factory.judge(campaign, "ada")
    people.mark(ada, True)
    factory.judge_batch(ada)
    content = b"".join(EXPORTS["campaign.zip"].blocks(campaign))
    made = import_campaign("c.zip", io.BytesIO(content), slug="copy").campaign
    there, here = (dict(_rows(one)) for one in (made, campaign))
    assert there == here


def _rows(campaign: Campaign):
    lines = "".join(EXPORTS["everything.jsonl"].parts(campaign)).splitlines()
    for number, row in enumerate(map(json.loads, lines)):
        yield number, {name: value for name, value in row.items() if name not in ("slug", "key", "closed_at")}


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('"end":12', '"end":99', "has a span that is empty or outside its sentence"),
        ('"name":"u2"', '"name":"u1"', "usages.jsonl, line 2: contradicts itself or an earlier line"),
        ('"probability":0.9', '"probability":1.9', "line 1: probability must lie between 0 and 1"),
        ('"finding":"error"', '"finding":"perhaps"', "is none of"),
    ],
)
def test_a_bundle_that_contradicts_itself_is_refused(campaign, old, new, what):
    factory.judge_batch(factory.judge(campaign, "ada"))
    content = b"".join(EXPORTS["campaign.zip"].blocks(campaign))
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as bundle, zipfile.ZipFile(changed, "w") as other:
        for name in bundle.namelist():
            other.writestr(name, bundle.read(name).decode().replace(old, new, 1))
    changed.seek(0)
    with pytest.raises(Problems, match=what):
        import_campaign("c.zip", changed, slug="copy")
