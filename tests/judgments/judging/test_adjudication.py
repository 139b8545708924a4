"""Disputed screens, and an organiser's answers to them beside those of the judges."""

import csv
import io
from uuid import uuid4

import pytest
from django.urls import reverse

from judgments.archive.importing import import_campaign
from judgments.campaigns import states
from judgments.exchange.exporters import EXPORTS, ExportOptions
from judgments.judges import exclusion
from judgments.judging import adjudication
from judgments.judging.adjudication import adjudicate
from judgments.judging.differences import Contested
from judgments.judging.submission import submit
from judgments.models import Campaign, JournalEntry, Judgment, Membership, Screen
from judgments.protocols.rows import shown_slots
from judgments.rules.errors import Refused
from tests import factory
from tests.judgments.judging.opinions import answers_of, judge_all


@pytest.fixture
def disputed(campaign, ada, ben) -> Campaign:
    """Ada and Ben answered the opposite everywhere."""
    judge_all(ada)
    judge_all(ben, is_contrary=True)
    return campaign


def found(campaign: Campaign) -> list[Contested]:
    part = adjudication.parts_of(campaign, None)
    return adjudication.disputes_in(campaign, part, None)[1]


def decide(screen: Screen, is_contrary: bool = False) -> Judgment:
    return adjudicate(screen, key=uuid4(), answers=answers_of(adjudication.assignment_of(screen), is_contrary))


def form_for(screen: Screen) -> dict[str, object]:
    places = range(1, len(shown_slots(adjudication.assignment_of(screen))) + 1)
    return {"key": str(uuid4())} | {f"rank_{place}": place for place in places}


class TestFinding:
    def test_the_most_disputed_come_first_and_adjudicated_ones_last(self, disputed, ada):
        *_, milder = found(disputed)
        assignment = ada.assignment_set.get(screen=milder.assignment.screen)
        ranks = answers_of(assignment)  # the two best change places as Ben has it
        ranks = [{1: 2, 2: 1}.get(rank, rank) for rank in ranks]
        submit(assignment, key=uuid4(), answers=ranks)
        others = found(disputed)
        assert others[-1].assignment.screen == milder.assignment.screen
        assert 0 < others[-1].share < others[0].share == 1
        decide(others[0].assignment.screen)
        assert [one.assignment.pk is not None for one in found(disputed)] == [False] * (len(others) - 1) + [True]

    def test_all_answers_stand_side_by_side(self, disputed, ben):
        dispute = found(disputed)[0]
        assert [judge for judge, _ in dispute.said] == ["ada", "ben"]
        ranks = range(1, len(dispute.versions) + 1)
        assert {tuple(version.values) for version in dispute.versions} == set(zip(ranks, reversed(ranks), strict=True))
        control = dispute.assignment.screen  # controls and excluded judges make no dispute
        Screen.objects.filter(pk=control.pk).update(has_control=True)
        assert control not in [one.assignment.screen for one in found(disputed)]
        exclusion.exclude(ben, "careless")
        assert found(disputed) == []

    @pytest.mark.postgresql
    def test_verdicts_are_disputed_too_and_corrections_never(self, db, browser_of):
        campaign = factory.open_verdicts(control_share=0.0)
        for number, name in enumerate(("ada", "ben")):
            judge_all(factory.judge(campaign, name), is_contrary=number > 0)
        assert {said for dispute in found(campaign) for said in dispute.said} == {("ada", "Error"), ("ben", "OK")}
        campaign = factory.open_correction()
        olga = browser_of(factory.organiser(campaign, "olga"))
        assert "no two answers are opposite" in olga.get(reverse("disputes", args=[campaign.slug])).content.decode()
        with pytest.raises(Refused, match="no two answers"):
            adjudicate(Screen.objects.filter(campaign=campaign)[0], key=uuid4(), answers=[[]])

    @pytest.mark.postgresql
    def test_long_texts_are_sorted_part_by_part(self, disputed, monkeypatch):
        judgments = Judgment.objects.count()
        monkeypatch.setattr(adjudication, "MOST_READ", judgments // 2)
        parts = [adjudication.parts_of(disputed, str(number)) for number in range(1, 10)]
        ranges = {(part.start_index(), part.end_index()) for part in parts}
        assert len(ranges) > 1
        shown = [one for part in {part.number: part for part in parts}.values() for one in
                 adjudication.disputes_in(disputed, part, None)[1]]  # fmt: skip
        screens = Screen.objects.filter(automatic=False).values_list("pk", flat=True)
        assert sorted(one.assignment.screen.pk for one in shown) == sorted(screens)


class TestAdjudicating:
    @pytest.mark.postgresql
    def test_the_answers_of_judges_stay_and_one_adjudicator_answers_for_all_organisers(self, disputed):
        answers = Judgment.objects.filter(pk__in=list(Judgment.objects.values_list("pk", flat=True)))
        before = list(answers.values("pk", "current", "revision"))
        first, second = (dispute.assignment.screen for dispute in found(disputed)[:2])
        decide(first)
        decide(second)
        assert list(answers.values("pk", "current", "revision")) == before
        adjudicator = Membership.objects.get(role=Membership.Role.ADJUDICATOR)
        assert (adjudicator.pseudonym, adjudicator.user) == ("adjudicator", None)
        assert Judgment.objects.filter(assignment__judge=adjudicator).count() == 2

    def test_answering_again_is_a_revision_in_the_same_order_even_if_a_judge_is_called_adjudicator(self, disputed):
        factory.judge(disputed, "adjudicator")
        screen = found(disputed)[0].assignment.screen
        orders = {adjudication.assignment_of(screen).order for _ in range(3)}
        decide(screen)
        assert orders == {adjudication.assignment_of(screen).order}
        again = decide(screen, is_contrary=True)
        assert (again.revision, again.current, again.after_feedback) == (2, True, False)
        assert Membership.objects.get(role=Membership.Role.ADJUDICATOR).pseudonym == "adjudicator-2"

    def test_it_works_when_the_campaign_is_closed_and_the_journal_says_who_did_it(self, disputed, olga, browser_of):
        states.close_campaign(disputed)
        client, screen = browser_of(olga), found(disputed)[0].assignment.screen
        address = reverse("adjudicate", args=[disputed.slug, screen.pk])
        assert address in client.get(reverse("disputes", args=[disputed.slug])).content.decode()
        page = client.get(address).content.decode()
        assert not [name for name in (*factory.SYSTEMS, "Skip this screen", "nothing is stored") if name in page]
        # A skip and an incomplete answer are refused.
        for given in (form_for(screen) | {"rank_1": ""}, {"key": uuid4(), "skip": "1", "skip_reason": "cannot tell"}):
            assert client.post(address, given).status_code == 200
        assert not Membership.objects.filter(role=Membership.Role.ADJUDICATOR).exists()
        assert client.post(address, form_for(screen)).url == reverse("disputes", args=[disputed.slug])
        assert "Change your answers" in client.get(reverse("disputes", args=[disputed.slug])).content.decode()
        entry = JournalEntry.objects.first()
        assert (entry.actor, entry.what) == ("olga", f"adjudicated a screen of sentence {screen.segment.position + 1}")


class TestExports:
    @pytest.mark.postgresql
    def test_exports_say_which_answers_are_adjudicated_or_leave_them_out(self, disputed):
        everything = ExportOptions(with_programs=True)
        before = b"".join(EXPORTS["pairs-expanded.csv"].blocks(disputed, everything))
        screen = found(disputed)[0].assignment.screen
        decide(screen)
        assert b"".join(EXPORTS["pairs-expanded.csv"].blocks(disputed, everything)) == before
        rows = csv.DictReader(io.StringIO(b"".join(EXPORTS["judgments.csv"].blocks(disputed)).decode()))
        of_screen = [(row["judge"], row["adjudicator"]) for row in rows if int(row["screen"]) == screen.pk]
        assert set(of_screen) == {("ada", "no"), ("ben", "no"), ("adjudicator", "yes")}
        bundle = io.BytesIO(b"".join(EXPORTS["campaign.zip"].blocks(disputed)))
        copy = import_campaign("campaign.zip", bundle, "copy").campaign
        assert Judgment.objects.filter(assignment__campaign=copy, assignment__judge__role="adjudicator").count() == 1
