"""Alarms while judging goes on, by the way that real answers take: who is noticed, when, and who is not."""

import random
from collections.abc import Callable, Sequence
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from judgments.assignment import claiming
from judgments.judges import exclusion, watching
from judgments.judges.rules.alarms import Kind
from judgments.judging.submission import shown_slots, submit
from judgments.models import Alarm, Assignment, Campaign, JournalEntry, Membership
from judgments.rules.errors import Refused
from tests import factory

pytestmark = pytest.mark.postgresql

SENTENCES = [f"This are the sentence number {number} ." for number in range(60)]
VERSIONS = ("is", "was", "be", "were")
Answer = Callable[[Assignment, random.Random], Sequence[object]]


@pytest.fixture
def campaign(db) -> Campaign:
    """A campaign of sixty screens of five versions, for four judges each."""
    texts = {word: [line.replace("are", word) for line in SENTENCES] for word in VERSIONS}
    return factory.open_campaign({"source": SENTENCES, **texts}, redundancy=4, batch_size=30)


@pytest.fixture
def worker(monkeypatch, django_capture_on_commit_callbacks):
    """Runs what is sent to workers at once."""
    monkeypatch.setattr(watching, "send", lambda message: watching.look_at_judge(*message.args))
    return lambda: django_capture_on_commit_callbacks(execute=True)


def carefully(assignment: Assignment, rng: random.Random) -> list[int]:
    """Ranks by an opinion that all careful judges share, more or less."""
    opinions = [VERSIONS.index(word) if (word := slot.candidate.text.split()[1]) in VERSIONS else 9
                for slot in shown_slots(assignment)]  # fmt: skip
    return [round(one + rng.gauss(0, 0.7)) % 5 + 1 for one in opinions]


def randomly(assignment: Assignment, rng: random.Random) -> list[int]:
    return [rng.randint(1, len(assignment.order)) for _ in assignment.order]


def downwards(assignment: Assignment, _: random.Random) -> list[int]:
    return list(range(1, len(assignment.order) + 1))


def always_equal(assignment: Assignment, _: random.Random) -> list[int]:
    return [1] * len(assignment.order)


def judge_screens(worker, judge: Membership, number: int, answer: Answer = carefully, seconds: float = 9.0) -> None:
    rng = random.Random(judge.pseudonym)
    for _ in range(number):
        assignment = claiming.claim_straight_on(judge)
        Assignment.objects.filter(pk=assignment.pk).update(claimed_at=timezone.now() - timedelta(seconds=seconds))
        with worker():
            submit(assignment, key=uuid4(), answers=answer(assignment, rng), active_seconds=seconds)


@pytest.fixture
def others(campaign, worker) -> list[Membership]:
    """Three careful judges at work."""
    judges = [factory.judge(campaign, name) for name in ("ben", "cy", "dee")]
    for judge in judges:
        judge_screens(worker, judge, 30)
    return judges


@pytest.fixture
def ada(campaign, others) -> Membership:
    return factory.judge(campaign, "ada")


def kinds_about(judge: Membership) -> set[str]:
    return {alarm.kind for alarm in Alarm.objects.filter(judge=judge)}


@pytest.mark.parametrize(
    ("answer", "seconds", "kind"),
    [(randomly, 0.7, Kind.HASTE), (downwards, 9.0, Kind.STRAIGHT_LINE), (always_equal, 9.0, Kind.COPYING)],
)
def test_a_careless_judge_is_noticed_within_twenty_screens(worker, ada, answer, seconds, kind):
    judge_screens(worker, ada, 20, answer, seconds)
    assert kind in kinds_about(ada)


def test_a_careful_judge_who_is_twice_as_fast_is_not(worker, ada, others):
    judge_screens(worker, ada, 60, carefully, 4.0)
    for judge in (ada, *others):
        assert kinds_about(judge) == set()
