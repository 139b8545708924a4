"""Programs that judge: assignments of their own, and never among people unless asked."""

import csv
import io

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from rest_framework.authtoken.models import Token

from judgments.archive import importing
from judgments.campaigns import deleting, overview, states
from judgments.exchange.exporters import EXPORTS, ExportOptions
from judgments.judges import invitations, people, programs
from judgments.models import Assignment, Campaign, Judgment, Membership, Screen
from judgments.rules.errors import Refused
from ranking.reports.boards import GLANCE
from ranking.reports.kinds.comparisons.extraction import collect
from ranking.reports.rows import counted_now
from ranking.stats.choices import EVERYBODY, PEOPLE, PROGRAMS
from tests import factory

pytestmark = pytest.mark.postgresql


@pytest.fixture
def robin(campaign) -> Membership:
    """It judges."""
    programs.enrol(campaign, "robin")
    return Membership.objects.select_related("campaign").get(campaign=campaign, pseudonym="robin")


def judge_everything(program: Membership) -> list[Judgment]:
    return [factory.answer(assignment) for assignment in programs.claim(program, programs.MOST_AT_ONCE)]


def test_a_program_sees_every_screen_once_and_takes_no_place_from_a_judge(campaign, robin, ada, ben):
    before = overview.progress(campaign)
    judge_everything(robin)
    assert set(Assignment.objects.held_by(robin).values_list("screen", flat=True)) == set(
        Screen.objects.filter(campaign=campaign, automatic=False).values_list("pk", flat=True)
    )
    assert programs.claim(robin, 5) == []
    assert overview.progress(campaign) == before
    assert len(factory.judge_all(ada)) == len(factory.judge_all(ben)) == before.screens


def test_assignments_requested_again_are_the_same_until_they_are_answered(robin):
    first = programs.claim(robin, 2)
    assert programs.claim(robin, 2) == first
    assert programs.claim(robin, 3)[:2] == first
    factory.answer(first[0])
    assert first[0] not in programs.claim(robin, 3)


def test_the_order_shown_is_the_programs_own_and_follows_from_the_seed(campaign, robin):
    orders = {assignment.screen_id: assignment.order for assignment in programs.claim(robin, 5)}
    Assignment.objects.held_by(robin).delete()
    assert {assignment.screen_id: assignment.order for assignment in programs.claim(robin, 5)} == orders
    for assignment in programs.claim(robin, 5):
        places = assignment.screen.slot_set.values_list("position", flat=True)
        assert sorted(assignment.shown_positions()) == sorted(places)


def test_reports_count_programs_only_if_chosen(campaign, robin, ada):
    factory.judge_batch(ada)
    judge_everything(robin)
    people, machines, everybody = (collect(campaign, by) for by in (PEOPLE, PROGRAMS, EVERYBODY))
    assert (len(people.ballots), len(machines.ballots), len(everybody.ballots)) == (3, 5, 8)
    assert (people.names.judges, machines.names.judges) == (("ada",), ("robin",))
    assert counted_now(campaign) == 3
    assert counted_now(campaign, EVERYBODY) == 8
    assert GLANCE.judged_by == PEOPLE


def test_programs_are_nobody_among_judges(campaign, robin, ada):
    judge_everything(robin)
    assert list(people.judges(campaign)) == [ada]
    assert [program.done for program in people.programs(campaign)] == [5]
    assert deleting.contents(campaign).judges == 1


def test_exports_mark_programs_or_leave_them_out(campaign, robin, ada):
    factory.judge_batch(ada)
    judge_everything(robin)

    def exported(name: str, *wishes: bool) -> str:
        return "".join(map(str, EXPORTS[name].parts(campaign, ExportOptions(*wishes))))

    rows = list(csv.DictReader(exported("judgments.csv").splitlines()))
    assert {(row["judge"], row["program"]) for row in rows} == {("ada", "no"), ("robin", "yes")}
    for name in ("pairs-expanded.csv", "pairs-unexpanded.csv", "appraise.xml"):
        assert "robin" not in exported(name)
        assert "robin" in exported(name, False, False, True)


def test_means_of_people_are_not_mixed_with_programs(db):
    campaign = factory.open_campaign(protocol="rating")
    ada = factory.judge(campaign, "ada")
    factory.judge_all(ada)
    programs.enrol(campaign, "robin")
    before = "".join(map(str, EXPORTS["gmeg-corpus.csv"].parts(campaign)))
    judge_everything(Membership.objects.get(pseudonym="robin"))
    assert "".join(map(str, EXPORTS["gmeg-corpus.csv"].parts(campaign))) == before
    assert "".join(map(str, EXPORTS["gmeg-corpus.csv"].parts(campaign, ExportOptions(with_programs=True)))) != before


def test_programs_judge_while_a_campaign_is_open_and_after_it_closed(campaign, robin):
    (assignment,) = programs.claim(robin, 1)
    states.close_campaign(campaign)
    factory.answer(assignment)
    assert programs.claim(robin, 1)
    states.archive_campaign(campaign)
    with pytest.raises(Refused, match="is archived"):
        programs.claim(robin, 1)
    Campaign.objects.update(state=Campaign.State.DRAFT)
    with pytest.raises(Refused, match="being prepared"):
        programs.claim(robin, 1)


def test_a_program_has_one_token_and_none_after_its_dismissal(campaign, robin):
    old = Token.objects.get(user=robin.user).key
    new = programs.enrol(campaign, "robin")
    assert [token.key for token in Token.objects.filter(user=robin.user)] == [new] != [old]
    assert Membership.objects.filter(role=Membership.Role.PROGRAM).count() == 1
    programs.dismiss(robin)
    assert not User.objects.get(pk=robin.user_id).is_active
    with pytest.raises(Refused, match="already been dismissed"):
        programs.dismiss(robin)
    programs.enrol(campaign, "robin")
    assert User.objects.get(pk=robin.user_id).is_active


def test_a_program_cannot_have_the_name_of_somebody_else(campaign, ada):
    invitations.invite(campaign, ["dan"])
    for name in ("ada", "dan"):
        with pytest.raises(Refused, match="choose another name"):
            programs.enrol(campaign, name)
    with pytest.raises(Refused):
        programs.enrol(campaign, "")


def test_the_user_of_a_program_goes_with_its_campaign(campaign, robin):
    judge_everything(robin)
    states.close_campaign(campaign)
    deleting.delete_campaign(Campaign.objects.get(), campaign.slug)
    assert not User.objects.filter(pk=robin.user_id).exists()


class TestThePage:
    """Where an organiser lets programs in and ends their access."""

    @pytest.fixture
    def page(self, campaign, olga, browser_of):
        return browser_of(olga), reverse("programs", args=[campaign.slug])

    def test_a_token_is_shown_once(self, page):
        client, address = page
        assert "No program judges here" in client.get(address).content.decode()
        content = client.post(address, {"name": "robin"}, follow=True).content.decode()
        token = Token.objects.get(user__membership__pseudonym="robin").key
        assert token in content
        assert token not in client.get(address).content.decode()

    def test_a_name_that_is_taken_is_reported(self, page, ada):
        client, address = page
        assert (
            "There is already a member or an invited judge called ada"
            in client.post(address, {"name": "ada"}).content.decode()
        )

    def test_access_is_ended(self, page, campaign, robin):
        client, address = page
        end = reverse("dismiss_program", args=[campaign.slug, robin.pk])
        assert "was dismissed" in client.post(end, follow=True).content.decode()
        assert "has already been dismissed" in client.post(end, follow=True).content.decode()
        assert "ended" in client.get(address).content.decode()


def test_a_bundle_carries_what_programs_judged_and_not_what_they_hold(campaign, robin, ada):
    factory.judge_batch(ada)
    for assignment in programs.claim(robin, 2):
        factory.answer(assignment)
    programs.claim(robin, 3)
    content = b"".join(EXPORTS["campaign.zip"].blocks(campaign))
    restored = importing.import_campaign("bundle.zip", io.BytesIO(content), slug="elsewhere").campaign
    there = Membership.objects.get(campaign=restored, pseudonym="robin")
    assert (there.role, there.user) == (Membership.Role.PROGRAM, None)
    assert Assignment.objects.filter(campaign=restored, batch=None).count() == 2
    assert len(collect(restored, PROGRAMS).ballots) == 2
    programs.enrol(restored, "robin")
    assert len(programs.claim(Membership.objects.get(pk=there.pk), 10)) == 3
