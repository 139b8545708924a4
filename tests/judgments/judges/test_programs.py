"""Programs that judge: assignments of their own, and never among people unless asked."""

import csv
import io
import zipfile

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from rest_framework.authtoken.models import Token

from judgments.archive import deleting, importing
from judgments.campaigns import overview, states
from judgments.exchange.exporters import EXPORTS, ExportOptions
from judgments.judges import invitations, people, programs
from judgments.models import Assignment, Campaign, Judgment, Membership, ProgramAnswer, Screen
from judgments.programs import storing
from judgments.rules.errors import Refused
from ranking.reports.ballots import collect
from ranking.reports.boards import GLANCE
from ranking.reports.rows import counted_now
from ranking.stats.choices import EVERYBODY, PEOPLE, PROGRAMS
from tests import factory


@pytest.fixture
def robin(campaign) -> Membership:
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
    assert len(factory.answer_all(ada)) == len(factory.answer_all(ben)) == before.screens


def test_assignments_requested_again_are_the_same_until_they_are_answered(robin, campaign):
    first = programs.claim(robin, 2)
    assert programs.claim(robin, 2) == first
    assert programs.claim(robin, 3)[:2] == first
    orders = {assignment.screen_id: assignment.order for assignment in programs.claim(robin, 5)}
    Assignment.objects.held_by(robin).delete()
    assert {assignment.screen_id: assignment.order for assignment in programs.claim(robin, 5)} == orders
    for assignment in programs.claim(robin, 5):
        places = assignment.screen.slot_set.values_list("position", flat=True)
        assert sorted(assignment.shown_positions()) == sorted(places)
    factory.answer(assignment)
    assert assignment not in programs.claim(robin, 5)


def test_reports_count_programs_only_if_chosen_and_exports_mark_them_or_leave_them_out(campaign, robin, ada):
    factory.judge_batch(ada)
    judge_everything(robin)
    humans, machines, everybody = (collect(campaign, by) for by in (PEOPLE, PROGRAMS, EVERYBODY))
    assert (len(humans.ballots), len(machines.ballots), len(everybody.ballots)) == (3, 5, 8)
    assert (humans.names.judges, machines.names.judges) == (("ada",), ("robin",))
    assert counted_now(campaign) == 3
    assert counted_now(campaign, EVERYBODY) == 8
    assert GLANCE.judged_by == PEOPLE

    def exported(name: str, *wishes: bool) -> str:
        return "".join(map(str, EXPORTS[name].parts(campaign, ExportOptions(*wishes))))

    rows = list(csv.DictReader(exported("judgments.csv").splitlines()))
    assert {(row["judge"], row["program"]) for row in rows} == {("ada", "no"), ("robin", "yes")}
    storing.stored_prompt(campaign)
    said = {"prompt": 1, "model": "m", "raw": "so", "seed": 17, "tokens_in": 9}
    judged = Judgment.objects.filter(assignment__judge=robin).latest("pk")
    storing.keep(judged.assignment, "judgment", 0, said, [], judged)
    with pytest.raises(Refused, match=r"no version 2 of the prompt\. Give the one that came"):
        storing.keep(judged.assignment, "judgment", 0, said | {"prompt": 2}, [], judged)
    rows = list(csv.DictReader(exported("judgments.csv", False, False, True).splitlines()))
    how = {tuple(row[name] for name in ("judge", "model", "seed", "tokens_in", "cost")) for row in rows}
    assert how == {("ada", "", "", "", ""), ("robin", "", "", "", ""), ("robin", "m", "17", "9", "")}
    for name in ("pairs-expanded.csv", "pairs-unexpanded.csv", "appraise.xml"):
        assert "robin" not in exported(name)
        assert "robin" in exported(name, False, False, True)


@pytest.mark.postgresql
def test_programs_are_nobody_among_judges_and_go_with_their_campaign(campaign, robin, ada):
    judge_everything(robin)
    assert list(people.judges(campaign)) == [ada]
    assert [program.done for program in people.programs(campaign)] == [5]
    assert deleting.contents(campaign).judges == 1
    states.close_campaign(campaign)
    deleting.delete_campaign(Campaign.objects.get(), campaign.slug)
    assert not User.objects.filter(pk=robin.user_id).exists()


@pytest.mark.postgresql
def test_means_of_people_are_not_mixed_with_programs(db):
    campaign = factory.open_campaign(protocol="rating")
    ada = factory.judge(campaign, "ada")
    factory.answer_all(ada)
    programs.enrol(campaign, "robin")
    before = "".join(map(str, EXPORTS["gmeg-corpus.csv"].parts(campaign)))
    judge_everything(Membership.objects.get(pseudonym="robin"))
    assert "".join(map(str, EXPORTS["gmeg-corpus.csv"].parts(campaign))) == before
    assert "".join(map(str, EXPORTS["gmeg-corpus.csv"].parts(campaign, ExportOptions(with_programs=True)))) != before


def test_programs_judge_while_a_campaign_is_open_and_after_it_closed(campaign, robin):
    (assignment,) = programs.claim(robin, 1)
    states.close_campaign(campaign)
    factory.answer(assignment)
    (assignment,) = programs.claim(robin, 1)
    states.archive_campaign(campaign)
    with pytest.raises(Refused, match="is archived"):
        programs.claim(robin, 1)
    assignment.campaign.refresh_from_db()
    with pytest.raises(Refused, match="is archived"):
        factory.answer(assignment)
    Campaign.objects.update(state=Campaign.State.DRAFT)
    with pytest.raises(Refused, match="being prepared"):
        programs.claim(robin, 1)


@pytest.mark.postgresql
def test_a_program_has_one_token_a_name_of_its_own_and_none_after_its_dismissal(campaign, robin, ada):
    old = Token.objects.get(user=robin.user).key
    new = programs.enrol(campaign, "robin")
    assert [token.key for token in Token.objects.filter(user=robin.user)] == [new] != [old]
    assert Membership.objects.filter(role=Membership.Role.PROGRAM).count() == 1
    programs.dismiss(robin)
    assert not User.objects.get(pk=robin.user_id).is_active
    with pytest.raises(Refused, match="has ended already"):
        programs.dismiss(robin)
    programs.enrol(campaign, "robin")
    assert User.objects.get(pk=robin.user_id).is_active
    invitations.invite(campaign, ["dan"])
    for name in ("ada", "dan"):
        with pytest.raises(Refused, match="choose another name"):
            programs.enrol(campaign, name)
    with pytest.raises(Refused):
        programs.enrol(campaign, "")


@pytest.mark.postgresql
def test_a_bundle_carries_what_programs_judged_and_not_what_they_hold(campaign, robin, ada):
    factory.judge_batch(ada)
    first, second = programs.claim(robin, 2)
    storing.stored_prompt(campaign)
    prompt = storing.change_prompt(campaign, "Judge well.")
    how = {"prompt": prompt.version, "model": "m", "raw": "so", "cost": 0.5}
    storing.keep(first, "judgment", 0, how, [{"rank": 1}], factory.answer(first))
    storing.keep(second, "sample", 1, how, None, None)
    factory.answer(second)
    programs.claim(robin, 3)
    content = b"".join(EXPORTS["campaign.zip"].blocks(campaign))
    restored = importing.import_campaign("bundle.zip", io.BytesIO(content), slug="elsewhere").campaign
    there = Membership.objects.get(campaign=restored, pseudonym="robin")
    assert (there.role, there.user) == (Membership.Role.PROGRAM, None)
    assert Assignment.objects.filter(campaign=restored, batch=None).count() == 2
    assert len(collect(restored, PROGRAMS).ballots) == 2
    said = ProgramAnswer.objects.filter(assignment__campaign=restored).order_by("pk")
    assert [(one.purpose, one.prompt.text, one.answers, one.cost) for one in said] == [
        ("judgment", "Judge well.", [{"rank": 1}], 0.5), ("sample", "Judge well.", None, 0.5),
    ]  # fmt: skip
    assert (said[0].judgment.assignment, said[1].judgment) == (said[0].assignment, None)
    again = b"".join(EXPORTS["campaign.zip"].blocks(restored))
    for file in ("prompts.jsonl", "program_answers.jsonl"):
        one, other = (zipfile.ZipFile(io.BytesIO(zipped)).read(file) for zipped in (content, again))
        assert one == other
    programs.enrol(restored, "robin")
    assert len(programs.claim(Membership.objects.get(pk=there.pk), 10)) == 3


@pytest.mark.postgresql
@pytest.mark.parametrize("cost", [1.7e308, -1.0, float("inf")])
def test_no_answer_costs_more_than_can_be_added_up(campaign, robin, cost):
    (assignment,) = programs.claim(robin, 1)
    how = {"prompt": storing.stored_prompt(campaign).version, "model": "m", "raw": "so", "cost": cost}
    with pytest.raises(IntegrityError), transaction.atomic():
        storing.keep(assignment, "sample", 1, how, None, None)
