"""A campaign of verdicts: usages imported, assigned with controls, judged; by page, program, command and bundle."""

import io
import json
import re
import zipfile
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from judgments.actions.judges import MarkExpert
from judgments.archive.importing import import_campaign
from judgments.assignment import assigning, claiming
from judgments.campaigns import settings
from judgments.exchange.exporters import EXPORTS
from judgments.judges import programs
from judgments.judges.programs import token_of
from judgments.judging.submission import submit
from judgments.material import storing_usages
from judgments.material.rules.usages import read_usage_files
from judgments.models import Assignment, Campaign, Classification, Judgment, Screen, Slot, Upload, Usage, Verdict
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import UploadedFile
from tests import factory
from tests.judgments.jobs.running import run_job
from tests.program import Program


@pytest.fixture
def campaign(db) -> Campaign:
    return factory.open_verdicts()


def find(assignment: Assignment, finding: str) -> Judgment:
    return submit(assignment, key=uuid4(), answers=[finding])


class TestIntake:
    def test_usages_are_stored_with_their_sentences_and_what_systems_say(self, campaign):
        assert Usage.objects.filter(campaign=campaign).count() == 7
        usage = Usage.objects.get(campaign=campaign, name="u3")
        assert usage.segment.text[usage.start : usage.end] == "the"
        classifications = Classification.objects.filter(usage=usage).values_list("system__name", "probability")
        assert dict(classifications) == {"Heron": 1.0, "Wren": 0.0}
        assert not Classification.objects.filter(usage__name="g1").exists()

    def test_a_sentence_with_two_usages_is_one_segment_and_documents_have_domains(self, db):
        rows = "id,sentence,start,end\na,He likes the the cat .,9,12\nb,He likes the the cat .,13,16\n"
        campaign = factory.make_verdicts(factory.usage_files(rows, {}))
        assert (campaign.segment_set.count(), campaign.usage_set.count()) == (1, 2)
        rows = "id,document,domain,sentence,start,end\na,d1,essays,A cat .,0,1\nb,,mails,A dog .,0,1\n"
        campaign = factory.make_verdicts(factory.usage_files(rows, {}))
        assert list(campaign.document_set.values_list("name", "domain")) == [("d1", "essays"), ("mails", "mails")]
        material = read_usage_files(factory.usage_files(rows, {}), storing_usages.known_usages(campaign))
        assert not material.usages

    def test_more_may_come_and_what_is_there_may_come_again_unless_it_differs(self, campaign):
        more = factory.USAGES + "u6,two,It was a bad day .,7,8,\n"
        material = read_usage_files(
            factory.usage_files(more, {"Wren.csv": "id,class\nu6,1\n"}), storing_usages.known_usages(campaign)
        )
        assert material.notes == ("7 usages exist already and stay unchanged",)
        assert storing_usages.store_usages(campaign, material) == (1, 1, 0, 1)
        classifications = Classification.objects.filter(system__name="Wren", system__campaign=campaign)
        assert list(classifications.values_list("usage__name", flat=True)) == ["u6"]
        changed = factory.USAGES.replace("u1,one,He likes the music .,9,12,", "u1,one,He likes the music .,0,2,")
        with pytest.raises(Problems, match="has a usage 'u1' that differs from the one already known"):
            read_usage_files(factory.usage_files(changed, {}), storing_usages.known_usages(campaign))

    def test_a_campaign_of_another_protocol_and_a_system_too_much_like_another_are_refused(self, campaign):
        with pytest.raises(Refused, match="Usages belong in verdict campaigns"):
            storing_usages.store_usages(factory.make_campaign(), read_usage_files(factory.usage_files(), {}))
        material = read_usage_files(factory.usage_files(classes={"heron.csv": "id,class\nu1,1\n"}), {})
        with pytest.raises(Refused, match="There is a system Heron already"):
            storing_usages.store_usages(campaign, material)


class TestAssigning:
    @pytest.mark.postgresql
    def test_every_usage_has_a_screen_and_two_judges_see_it(self, campaign):
        screens = Screen.objects.filter(campaign=campaign)
        plain = screens.filter(has_control=False).values_list("usage__name", flat=True)
        assert sorted(plain) == ["u1", "u2", "u3", "u4", "u5"]
        for batch in {screen.batch for screen in screens}:
            names = screens.filter(batch=batch, has_control=True).values_list("usage__name", flat=True)
            assert sorted(names) == ["g1", "g2"]
        assert not Slot.objects.filter(screen__campaign=campaign).exists()
        for name in ("ada", "ben"):
            factory.answer_all(factory.judge(campaign, name))
        counted = Verdict.objects.filter(judgment__screen__has_control=False)
        assert counted.count() == 10
        assert claiming.what_comes_next(factory.judge(campaign, "chloe")) is None

    def test_the_same_seed_assigns_the_same_and_without_a_share_of_controls_all_alike(self, db):
        orders = []
        for _ in range(2):
            dealt = Assignment.objects.filter(campaign=factory.open_verdicts(seed=5))
            in_order = dealt.order_by("batch__number", "round", "position")
            orders.append(list(in_order.values_list("screen__usage__name", flat=True)))
        assert orders[0] == orders[1]
        screens = Screen.objects.filter(campaign=factory.open_verdicts(control_share=0))
        assert list(screens.values_list("has_control", flat=True)) == [False] * 7

    def test_later_material_is_assigned_later_and_nothing_twice(self, campaign):
        with pytest.raises(Refused, match="Everything is already assigned"):
            assigning.assign(campaign)
        material = read_usage_files(factory.usage_files("id,sentence,start,end\nu9,A cat sat .,0,1\n", {}), {})
        storing_usages.store_usages(campaign, material)
        assigning.assign(campaign)
        newest = Screen.objects.filter(campaign=campaign, has_control=False).latest("pk")
        assert newest.usage.name == "u9"

    def test_having_nothing_or_only_controls_to_assign_is_reported(self, db):
        campaign = factory.make_verdicts(factory.usage_files("id,sentence,start,end\na,A cat .,0,1\n", {}))
        Usage.objects.filter(campaign=campaign).delete()
        with pytest.raises(Refused, match="There is nothing to judge yet"):
            assigning.assign(campaign)
        known = [UploadedFile("i.csv", b"id,sentence,start,end,gold\na,x y,0,1,ok\n")]
        with pytest.raises(Refused, match="Set the share of controls to 0, or upload usages without gold"):
            assigning.assign(factory.make_verdicts(known))


class TestJudging:
    @pytest.mark.postgresql
    def test_a_verdict_is_stored_a_revision_counts_and_previous_answers_are_found_again(self, campaign, browser_of):
        ada = factory.judge(campaign, "ada")
        assignment = claiming.claim_next(ada)
        find(assignment, "ok")
        judgment = find(assignment, "unknown")
        assert judgment.revision == 2
        assert Verdict.objects.get(judgment=judgment).finding == "unknown"
        submit(claiming.claim_next(ada), key=uuid4(), skip_reason="broken sentence")
        page = browser_of(ada.user).get(f"/campaigns/{campaign.slug}/answers/").content.decode()
        assert ">Unknown</span>" in page
        assert ">The sentence is broken</span>" in page

    def test_a_page_shows_the_usage_marked_and_nothing_of_what_is_known(self, campaign, browser_of):
        ada = factory.judge(campaign, "ada")
        assignment = claiming.claim_next(ada)
        page = browser_of(ada.user).get(f"/assignments/{assignment.pk}/").content.decode()
        usage = assignment.screen.usage
        assert f"<mark>{usage.segment.text[usage.start : usage.end]}</mark>" in page
        assert re.findall(r'type="radio" name="finding_1" value="(\w+)"', page) == ["error", "ok", "unknown"]
        assert not re.search(rf"Heron|Wren|\b{usage.name}\b|\bgold\b|\bcontrols?\b|I cannot tell", page)

    def test_a_page_of_a_control_is_that_of_any_other(self, campaign, browser_of):
        ada = factory.judge(campaign, "ada")
        browser, pages = browser_of(ada.user), {}
        while assignment := claiming.claim_next(ada):
            usage, text = assignment.screen.usage, assignment.screen.segment.text
            shown = f"{text[: usage.start]}<mark>{text[usage.start : usage.end]}</mark>{text[usage.end :]}"
            page = browser.get(f"/assignments/{assignment.pk}/").content.decode()
            assert shown in page
            page = re.sub(r'<span class="place">.*?</header>|<p class="faded">.*?</p>', "", page, flags=re.DOTALL)
            pages[usage.name] = re.sub(r"/assignments/\d+/|[\w-]{32,}|\d of \d", "", page.replace(shown, ""))
            factory.answer(assignment)
        assert {"g1", "g2"} < pages.keys()
        assert len(set(pages.values())) == 1


@pytest.mark.postgresql
def test_verdicts_leave_as_a_table_and_in_no_format_of_comparisons(campaign):
    factory.answer_all(factory.judge(campaign, "ada"))
    lines = "".join(EXPORTS["judgments.csv"].parts(campaign)).splitlines()
    assert lines[0].startswith("campaign,judge,screen,segment,document,usage,gold,control,finding,skip_reason,")
    assert sum(",g1,error,yes,error," in line for line in lines) == Screen.objects.filter(usage__name="g1").count()
    assert any(",u1,,no,error," in line for line in lines)
    for name in ("pairs-expanded.csv", "appraise.xml", "gmeg-corpus.csv"):
        assert "campaigns, and" in EXPORTS[name].fault(campaign), name


def run(name: str, *words: str) -> str:
    out = io.StringIO()
    call_command(name, *words, stdout=out, stderr=io.StringIO())
    return out.getvalue().strip()


class TestPrograms:
    def test_an_organiser_reads_usages_and_says_who_is_an_expert(self, campaign):
        api = Program(token_of(factory.organiser(campaign, "olga").username))
        usages = api.get(f"/api/campaigns/{campaign.slug}/usages/").json()["results"]
        assert usages[0] | {"id": 0} == {
            "id": 0, "name": "u1", "line": 1, "document": "one", "sentence": "He likes the music .", "start": 9,
            "end": 12, "gold": None, "classifications": {"Heron": 0.9, "Wren": 1.0},
        }  # fmt: skip
        ada = factory.judge(campaign, "ada")
        address = f"/api/campaigns/{campaign.slug}/judges/{ada.pk}/expert/"
        assert api.post(address, {"is_expert": True}).status_code == 200
        ada.refresh_from_db()
        assert ada.is_expert

    def test_a_program_gives_verdicts(self, campaign):
        robin = Program(programs.enrol(campaign, "robin"))
        (assignment,) = robin.post(f"/api/campaigns/{campaign.slug}/assignments/", {"number": 1}).json()["assignments"]
        usage, address = assignment["usage"], f"{assignment['url']}judgment/"
        assert assignment["source"][usage["start"] : usage["end"]] in {"the", "a", "The"}
        assert assignment["candidates"] == []
        assert "gold" not in assignment
        for invalid in ([], [{"finding": "wrong"}], [{"rank": 1}], [{"finding": "ok"}] * 2):
            assert robin.post(address, {"answers": invalid}).status_code == 400, invalid
        assert robin.post(address, {"answers": [{"finding": "error"}]}).status_code == 201
        assert Verdict.objects.get().finding == "error"


class TestCommands:
    def test_usages_come_from_a_folder_into_a_verdict_campaign_that_is_made(self, db, tmp_path):
        for file in factory.usage_files():
            tmp_path.joinpath(file.name).write_bytes(file.content)
        output = run("import_outputs", "articles", str(tmp_path), "--preset", "madnani2011")
        assert output.startswith("articles: 7 usages in 7 new sentences, 2 new systems, 9 classifications.\nNext: ")
        campaign = Campaign.objects.get(slug="articles")
        assert (campaign.protocol, campaign.redundancy, campaign.preset) == ("verdict", 20, "madnani2011")


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
        page = browser.get(f"/campaigns/{campaign.slug}/uploads/{upload.pk}/", follow=True).content.decode()
        assert "Stored: 7 usages in 7 new sentences, 2 new systems, 9 classifications." in page

    def test_no_page_of_an_organiser_speaks_of_candidates(self, campaign, browser_of):
        factory.judge_batch(factory.judge(campaign, "ada"))
        browser = browser_of(factory.organiser(campaign, "olga"))
        for name in ("organise", "material", "screens", "judges", "settings", "exports", "board", "preview"):
            page = browser.get(reverse(name, args=[campaign.slug]))
            assert (page.status_code, "candidates on one screen" in page.content.decode()) == (200, False), name

    def test_a_plan_says_when_its_rule_can_exclude_nobody(self, db, browser_of):
        campaign = factory.make_verdicts(control_pass_share=0.7, least_controls=9)
        browser = browser_of(factory.organiser(campaign, "olga"))
        plan = {"design": "complete", "redundancy": 2, "batch_size": 5, "repeat_share": 0, "control_share": 0.4}
        page = browser.get(f"/campaigns/{campaign.slug}/screens/", plan | {"seed": 7}).content.decode()
        assert "will exclude nobody: a judge sees at most 4 controls, and the rule needs 9." in page
        assert "assumes 8 seconds per screen," in page
        assert "comparisons of a pair" not in page

    def test_a_tutorial_marks_its_usage_and_says_what_was_expected(self, db, browser_of):
        campaign = factory.open_verdicts(tutorial="> He likes [the] music .\nerror:\n! Music has no article here.\n")
        browser = browser_of(factory.judge(campaign, "ada").user)
        address = f"/campaigns/{campaign.slug}/tutorial/1/"
        assert "He likes <mark>the</mark> music ." in browser.get(address).content.decode()
        content = browser.post(address, {"key": str(uuid4()), "finding_1": "ok"}).content.decode()
        assert "You: OK. We: Error." in content
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
    factory.act(MarkExpert, ada, is_expert=True)
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
