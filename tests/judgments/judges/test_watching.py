"""Alarms while judging goes on, by the way that real answers take: who is noticed, when, and who is not."""

import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from celery import current_app
from django.test import TestCase
from django.utils import timezone

from judgments.actions.judges import DismissAlarm
from judgments.assignment import claiming
from judgments.campaigns import states
from judgments.jobs.attempts import run_now
from judgments.judges import exclusion, watching
from judgments.judges.rules.alarms import AlarmKind
from judgments.judging.submission import submit
from judgments.models import Alarm, Assignment, Campaign, JournalEntry, Membership
from judgments.protocols.rows import shown_slots
from judgments.rules.errors import Refused
from ranking.reports import building
from tests import factory

SENTENCES = [f"This are the sentence number {number} ." for number in range(60)]
VERSIONS = ("is", "was", "were", "are", "be")
Answer = Callable[[Assignment, random.Random], Sequence[object]]


@pytest.fixture(scope="module")
def worker():
    """Runs what is sent to workers at once."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (watching, states):
            patch.setattr(module, "send", lambda message: current_app.tasks[message.task](*message.args))
        yield partial(TestCase.captureOnCommitCallbacks, execute=True)


@pytest.fixture(scope="module")
def at_work(lasting, worker) -> int:
    """A campaign of sixty screens of five versions, for four judges each, three of whom are at work."""
    texts = {word: [line.replace("are", word) for line in SENTENCES] for word in VERSIONS if word != "are"}
    with lasting():
        campaign = factory.open_campaign({"source": SENTENCES, **texts}, redundancy=4, batch_size=30)
        for name in ("ben", "cy", "dee"):
            judge_screens(worker, factory.judge(campaign, name), 30)
    return campaign.pk


@pytest.fixture
def campaign(at_work, db) -> Campaign:
    return Campaign.objects.get(pk=at_work)


def carefully(assignment: Assignment, rng: random.Random) -> list[int]:
    """Ranks by an opinion that all careful judges share, more or less."""
    opinions = [VERSIONS.index(slot.candidate.text.split()[1]) + 1 for slot in shown_slots(assignment)]
    return [min(max(round(one + rng.gauss(0, 0.7)), 1), 5) for one in opinions]


def downwards(assignment: Assignment, _: random.Random) -> list[int]:
    return list(range(1, len(assignment.order) + 1))


def judge_screens(worker, judge: Membership, number: int, answer: Answer = carefully, seconds: float = 9.0) -> None:
    rng = random.Random(judge.pseudonym)
    for _ in range(number):
        assignment = claiming.claim_next_skipping_breaks(judge)
        Assignment.objects.filter(pk=assignment.pk).update(claimed_at=timezone.now() - timedelta(seconds=seconds))
        with worker():
            submit(assignment, key=uuid4(), answers=answer(assignment, rng), active_seconds=seconds)


def kinds_about(judge: Membership) -> set[str]:
    return {alarm.kind for alarm in Alarm.objects.filter(judge=judge)}


@pytest.mark.wide
@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("answer", "seconds", "kind"),
    [
        (lambda screen, rng: [rng.randint(1, len(screen.order)) for _ in screen.order], 0.7, AlarmKind.HASTE),
        (downwards, 9.0, AlarmKind.STRAIGHT_LINE),
        (lambda screen, _: [1] * len(screen.order), 9.0, AlarmKind.TIES),
    ],
)
def test_a_careless_judge_is_noticed_within_twenty_screens(worker, ada, answer, seconds, kind):
    judge_screens(worker, ada, 20, answer, seconds)
    assert kind in kinds_about(ada)


@pytest.mark.wide
def test_a_careful_judge_twice_as_fast_is_not_and_a_look_reads_in_few_queries(
    worker, ada, django_assert_max_num_queries
):
    judge_screens(worker, ada, 60, carefully, 4.0)
    with django_assert_max_num_queries(12):
        watching.check_judge(ada.pk)
    assert not Alarm.objects.exists()


@pytest.mark.wide
def test_the_screens_of_a_dismissed_alarm_raise_no_other_and_later_ones_do(campaign, worker, ada):
    judge_screens(worker, ada, 20, downwards)
    before = list(Alarm.objects.values())
    watching.check_judge(ada.pk)
    assert list(Alarm.objects.values()) == before != [], "a second look finds nothing new"
    for alarm in Alarm.objects.filter(judge=ada):
        factory.act(DismissAlarm, alarm)
    watching.check_judge(ada.pk)
    assert not Alarm.objects.filter(dismissed_at=None).exists()
    judge_screens(worker, ada, 30, downwards)
    later, first = Alarm.objects.filter(judge=ada, kind=AlarmKind.STRAIGHT_LINE)
    assert later.first > first.last
    with pytest.raises(Refused, match="already dismissed"):
        factory.act(DismissAlarm, first)
    assert JournalEntry.objects.filter(what__startswith="dismissed an alarm: ada gives the same order").count() == 1
    # Nobody looks at an excluded judge, and no alarm about one waits.
    assert watching.open_alarms(campaign)
    exclusion.exclude(ada, "answers by place")
    assert not watching.open_alarms(campaign)
    Alarm.objects.all().delete()
    watching.check_judge(ada.pk)
    assert not Alarm.objects.exists()


@pytest.mark.wide
def test_the_rules_begin_anew_after_a_day_of_screens(worker, ada, monkeypatch):
    monkeypatch.setattr(watching, "A_DAY", 20)
    judge_screens(worker, ada, 20, downwards)
    Alarm.objects.all().delete()
    judge_screens(worker, ada, 20)
    assert kinds_about(ada) == set()


def test_all_judges_are_looked_at_when_anybody_finishes_a_batch_at_closing_and_before_a_report(db, worker, monkeypatch):
    looked: list[set[str]] = []
    monkeypatch.setattr(
        watching, "check", lambda campaign, judges: looked.append({judge.pseudonym for judge in judges})
    )
    campaign = factory.open_campaign()
    for name in ("ada", "ben"):
        with worker():
            factory.judge_batch(factory.judge(campaign, name))
    assert looked == [{"ada"}, {"ada"}, {"ben"}, {"ada", "ben"}]
    with worker():
        states.close_campaign(campaign)
    run_now(building.create_report(campaign))
    assert looked[4:] == [{"ada", "ben"}] * 2


@pytest.mark.wide
@pytest.mark.postgresql
def test_the_first_judge_is_looked_at_again_when_others_have_answered(worker, db):
    """Alone, nobody can say that random answers at a plausible pace are wrong."""
    texts = {word: [line.replace("are", word) for line in SENTENCES] for word in VERSIONS if word != "are"}
    campaign = factory.open_campaign({"source": SENTENCES, **texts}, redundancy=4, batch_size=60)
    eve = factory.judge(campaign, "eve")
    judge_screens(worker, eve, 60, lambda screen, rng: [rng.randint(1, 5) for _ in screen.order])
    assert kinds_about(eve) == set()
    for name in ("ben", "cy", "dee"):
        judge_screens(worker, factory.judge(campaign, name), 60)
    with worker():
        states.close_campaign(campaign)
    assert kinds_about(eve) == {AlarmKind.AGREEMENT}
    assert Alarm.objects.count() == 1


def test_a_look_at_all_waits_while_the_last_one_is_recent(db, monkeypatch):
    campaign = factory.open_campaign()
    factory.judge_batch(factory.judge(campaign, "ada"))
    looked = []
    monkeypatch.setattr(watching, "check", lambda campaign, judges: looked.append(1))
    monkeypatch.setattr(watching, "JUDGMENTS_A_SECOND", 1 / 3600)
    for again in (False, False, True):
        watching.check_all(campaign, again=again)
    assert len(looked) == 2


def test_a_judge_who_leaves_an_open_screen_for_a_day_is_idle(campaign, ada):
    claiming.claim_next(ada)
    assert not watching.open_alarms(campaign)
    Assignment.objects.filter(judge=ada).update(leased_until=timezone.now() - timedelta(hours=30) + campaign.lease)
    (alarm,) = watching.open_alarms(campaign)
    assert watching.sentence_of(alarm) == "ada has not touched an open batch for 30 hours; screens that wait in it: 1."


@pytest.mark.wide
@pytest.mark.postgresql
@pytest.mark.parametrize("make", [factory.open_verdicts, factory.open_correction, factory.open_campaign])
def test_judges_of_every_protocol_can_be_looked_at(db, worker, make):
    campaign = make()
    for judge in [factory.judge(campaign, name) for name in ("ada", "ben")]:
        while assignment := claiming.claim_next_skipping_breaks(judge):
            answers = [] if campaign.protocol == "correction" else factory.answers_for(assignment)
            submit(assignment, key=uuid4(), answers=answers)
        watching.check_judge(judge.pk)
    assert not Alarm.objects.exists()
