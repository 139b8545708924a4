"""A campaign of verdicts: usages imported, assigned with controls, judged, and careless judges dismissed."""

import re
from uuid import uuid4

import pytest

from judgments.assignment import assigning, claiming
from judgments.exchange.exporters import EXPORTS
from judgments.judges import people
from judgments.judging.submission import submit
from judgments.material import storing_usages
from judgments.material.rules.usages import read_usage_files
from judgments.models import (
    Assignment,
    Campaign,
    Classification,
    Judgment,
    Screen,
    Segment,
    Slot,
    Usage,
    Verdict,
)
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import UploadedFile
from tests import factory


@pytest.fixture
def campaign(db) -> Campaign:
    return factory.open_verdicts()


def find(assignment: Assignment, finding: str) -> Judgment:
    return submit(assignment, key=uuid4(), answers=[finding])


def wrongly(assignment: Assignment) -> str:
    """A finding that fails a control."""
    return "error" if assignment.screen.usage.gold is False else "ok"


class TestIntake:
    def test_usages_are_stored_with_their_sentences_and_what_systems_say(self, campaign):
        assert Usage.objects.filter(campaign=campaign).count() == 7
        usage = Usage.objects.get(campaign=campaign, name="u3")
        assert usage.segment.text[usage.start : usage.end] == "the"
        classifications = Classification.objects.filter(usage=usage).values_list("system__name", "probability")
        assert dict(classifications) == {"Heron": 1.0, "Wren": 0.0}
        assert not Classification.objects.filter(usage__name="g1").exists()

    def test_a_sentence_with_two_usages_is_one_segment(self, db):
        rows = "id,sentence,start,end\na,He likes the the cat .,9,12\nb,He likes the the cat .,13,16\n"
        campaign = factory.make_verdicts(factory.usage_files(rows, {}))
        assert Segment.objects.filter(campaign=campaign).count() == 1
        assert Usage.objects.filter(campaign=campaign).count() == 2

    def test_more_may_come_and_what_is_there_may_come_again(self, campaign):
        more = factory.USAGES + "u6,two,It was a bad day .,7,8,\n"
        material = read_usage_files(
            factory.usage_files(more, {"Wren.csv": "id,class\nu6,1\n"}), storing_usages.known_usages(campaign)
        )
        assert material.notes == ("7 usages exist already and stay unchanged",)
        assert storing_usages.store_usages(campaign, material) == (1, 1, 0, 1)
        classifications = Classification.objects.filter(system__name="Wren", system__campaign=campaign)
        assert list(classifications.values_list("usage__name", flat=True)) == ["u6"]

    def test_a_usage_that_was_otherwise_is_refused(self, campaign):
        changed = factory.USAGES.replace("u1,one,He likes the music .,9,12,", "u1,one,He likes the music .,0,2,")
        with pytest.raises(Problems, match="has a usage 'u1' that differs from the one already known"):
            read_usage_files(factory.usage_files(changed, {}), storing_usages.known_usages(campaign))

    def test_a_campaign_of_another_protocol_takes_none(self, db):
        with pytest.raises(Refused, match="Usages belong in verdict campaigns"):
            storing_usages.store_usages(factory.make_campaign(), read_usage_files(factory.usage_files(), {}))

    def test_a_system_too_much_like_another_is_refused(self, campaign):
        material = read_usage_files(factory.usage_files(classes={"heron.csv": "id,class\nu1,1\n"}), {})
        with pytest.raises(Refused, match="There is a system Heron already"):
            storing_usages.store_usages(campaign, material)


class TestAssigning:
    def test_every_usage_has_a_screen_and_controls_are_strewn_among_them(self, campaign):
        screens = Screen.objects.filter(campaign=campaign)
        plain = screens.filter(has_control=False).values_list("usage__name", flat=True)
        assert sorted(plain) == ["u1", "u2", "u3", "u4", "u5"]
        for batch in {screen.batch for screen in screens}:
            names = screens.filter(batch=batch, has_control=True).values_list("usage__name", flat=True)
            assert sorted(names) == ["g1", "g2"]
        assert not Slot.objects.filter(screen__campaign=campaign).exists()

    def test_without_a_share_of_controls_all_are_assigned_alike(self, db):
        campaign = factory.open_verdicts(control_share=0)
        screens = Screen.objects.filter(campaign=campaign)
        assert screens.count() == 7
        assert not screens.filter(has_control=True).exists()

    def test_later_material_is_assigned_later_and_nothing_twice(self, campaign):
        with pytest.raises(Refused, match="Everything is already assigned"):
            assigning.assign(campaign)
        material = read_usage_files(factory.usage_files("id,sentence,start,end\nu9,A cat sat .,0,1\n", {}), {})
        storing_usages.store_usages(campaign, material)
        assigning.assign(campaign)
        newest = Screen.objects.filter(campaign=campaign, has_control=False).latest("pk")
        assert newest.usage.name == "u9"

    def test_the_same_seed_assigns_the_same(self, db):
        orders = [
            list(
                Assignment.objects.filter(campaign=factory.open_verdicts(seed=5))
                .order_by("batch__number", "round", "position")
                .values_list("screen__usage__name", flat=True)
            )
            for _ in range(2)
        ]
        assert orders[0] == orders[1]

    def test_having_nothing_to_assign_is_reported(self, db):
        campaign = factory.make_verdicts(factory.usage_files("id,sentence,start,end\na,A cat .,0,1\n", {}))
        Usage.objects.filter(campaign=campaign).delete()
        with pytest.raises(Refused, match="There is nothing to judge yet"):
            assigning.assign(campaign)


class TestJudging:
    def test_a_verdict_is_stored_and_a_revision_counts(self, campaign):
        ada = factory.judge(campaign, "ada")
        assignment = claiming.claim_next(ada)
        find(assignment, "unknown")
        judgment = find(assignment, "ok")
        assert judgment.revision == 2
        assert Verdict.objects.get(judgment=judgment).finding == "ok"

    @pytest.mark.postgresql
    def test_two_judges_see_every_usage(self, campaign):
        for name in ("ada", "ben"):
            factory.answer_all(factory.judge(campaign, name))
        counted = Verdict.objects.filter(judgment__screen__has_control=False)
        assert counted.count() == 10
        assert not claiming.is_anything_left(factory.judge(campaign, "chloe"))

    def test_a_page_shows_the_usage_marked_and_nothing_of_what_is_known(self, campaign, browser_of):
        ada = factory.judge(campaign, "ada")
        assignment = claiming.claim_next(ada)
        page = browser_of(ada.user).get(f"/assignments/{assignment.pk}/").content.decode()
        usage = assignment.screen.usage
        assert f"<mark>{usage.segment.text[usage.start : usage.end]}</mark>" in page
        assert not re.search(rf"Heron|Wren|\b{usage.name}\b|\bgold\b|\bcontrols?\b", page)

    @pytest.mark.postgresql
    def test_previous_answers_are_found_again(self, campaign, browser_of):
        ada = factory.judge(campaign, "ada")
        find(claiming.claim_next(ada), "unknown")
        submit(claiming.claim_next(ada), key=uuid4(), skip_reason="broken sentence")
        page = browser_of(ada.user).get(f"/campaigns/{campaign.slug}/answers/").content.decode()
        assert ">Unknown</td>" in page
        assert ">The sentence is broken</td>" in page

    def test_nobody_skips_because_it_cannot_be_told(self, campaign, browser_of):
        ada = factory.judge(campaign, "ada")
        page = browser_of(ada.user).get(f"/assignments/{claiming.claim_next(ada).pk}/").content.decode()
        assert "I cannot tell" not in page

    def test_a_page_of_a_control_is_that_of_any_other(self, campaign, browser_of):
        ada = factory.judge(campaign, "ada")
        browser, pages = browser_of(ada.user), {}
        while assignment := claiming.claim_next(ada):
            usage, text = assignment.screen.usage, assignment.screen.segment.text
            shown = f"{text[: usage.start]}<mark>{text[usage.start : usage.end]}</mark>{text[usage.end :]}"
            page = browser.get(f"/assignments/{assignment.pk}/").content.decode()
            assert shown in page
            page = re.sub(r'<span class="session">.*?</header>', "", page, flags=re.DOTALL)
            pages[usage.name] = re.sub(r"/assignments/\d+/|[\w-]{32,}|\d of \d", "", page.replace(shown, ""))
            factory.answer(assignment)
        assert {"g1", "g2"} < pages.keys()
        assert len(set(pages.values())) == 1


def test_experts_are_judges_marked_so(campaign):
    ada = factory.judge(campaign, "ada")
    people.mark(ada, True)
    ada.refresh_from_db()
    assert ada.is_expert


@pytest.mark.postgresql
def test_verdicts_leave_as_a_table(campaign):
    factory.answer_all(factory.judge(campaign, "ada"))
    lines = "".join(EXPORTS["judgments.csv"].parts(campaign)).splitlines()
    assert lines[0].startswith("campaign,judge,screen,segment,document,instance,gold,control,finding,skip_reason,")
    assert sum(",g1,error,yes,error," in line for line in lines) == Screen.objects.filter(usage__name="g1").count()
    assert any(",u1,,no,error," in line for line in lines)


@pytest.mark.parametrize("name", ["pairs-expanded.csv", "appraise.xml", "gmeg-corpus.csv"])
def test_a_format_of_comparisons_says_that_it_is_not_for_verdicts(campaign, name):
    assert "campaigns, and" in EXPORTS[name].fault(campaign)


def test_assigning_only_controls_is_refused_with_advice(db):
    known = [UploadedFile("i.csv", b"id,sentence,start,end,gold\na,x y,0,1,ok\n")]
    with pytest.raises(Refused, match="Set the share of controls to 0, or upload usages without gold"):
        assigning.assign(factory.make_verdicts(known))


def test_domains_of_usages_are_stored_with_their_documents(db):
    rows = "id,document,domain,sentence,start,end\na,d1,essays,A cat .,0,1\nb,,mails,A dog .,0,1\n"
    campaign = factory.make_verdicts(factory.usage_files(rows, {}))
    assert list(campaign.document_set.values_list("name", "domain")) == [("d1", "essays"), ("mails", "mails")]
    material = read_usage_files(factory.usage_files(rows, {}), storing_usages.known_usages(campaign))
    assert not material.usages
