"""What judges see of their own work: campaigns, progress in each, what comes next, and the time and pay of today."""

from enum import StrEnum
from typing import Any, NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import cache
from django.db.models import Count, Max, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from judgments.assignment import claiming
from judgments.assignment.planning import pace
from judgments.judges import onboarding
from judgments.models import Assignment, Campaign, Completion, Judgment, Membership, Screen
from judgments.protocols.registry import examples_of, questions_of
from judgments.rules.authored.pay import PayUnit, read_pay

SECONDS_A_MINUTE = 60
# Counting the screens of a large campaign takes longer than a judge should wait for each page.
COUNTED_FOR = 60


class NextStep(StrEnum):
    """What a judge can expect in a campaign; the page says it in the judge's words."""

    TURNED_AWAY = "turned away"
    NOT_YET = "not yet"
    OVER = "over"
    DISMISSED = "dismissed"
    PAUSED = "paused"
    READY = "ready"
    ENOUGH = "enough"
    LATER = "later"
    ALL_DONE = "all done"


def next_step_of(judge: Membership) -> NextStep:
    if judge.is_turned_away:
        return NextStep.TURNED_AWAY
    if judge.is_dismissed:
        return NextStep.DISMISSED
    if not judge.campaign.is_open:
        return NextStep.OVER if judge.campaign.opened_at else NextStep.NOT_YET
    if judge.paused_at:
        return NextStep.PAUSED
    if claiming.what_comes_next(judge):
        return NextStep.READY
    if judge.has_reached_quota():
        return NextStep.ENOUGH
    return NextStep.LATER if claiming.may_get_more(judge) else NextStep.ALL_DONE


def progress_of(judge: Membership) -> dict[str, int]:
    """How many screens a judge has judged, in total and in the current batch of so many `places`."""
    mine = Assignment.objects.held_by(judge)
    last = mine.planned().order_by("-claimed_at").first()
    same_batch = Assignment.objects.filter(batch=last.batch_id, round=last.round) if last else Assignment.objects.none()
    return {
        "done": mine.done().count(),
        "done_in_batch": same_batch.held_by(judge).done().count(),
        "places": same_batch.count(),
    }


def pending_work(judge: Membership, step: NextStep) -> dict[str, Any] | None:
    """What a judge who has not begun can expect: steps of onboarding, and the first batch.

    None once the judge has begun, or if nothing will come.
    """
    if step not in (NextStep.READY, NextStep.NOT_YET) or Assignment.objects.held_by(judge).done().exists():
        return None
    campaign = judge.campaign
    if first := claiming.what_comes_next(judge):
        screens = Assignment.objects.in_round_of(first).count()
    else:  # it is not open yet
        screens = min(campaign.batch_size, Screen.objects.filter(campaign=campaign, automatic=False).count())
    minutes = screens * pace(campaign).seconds / SECONDS_A_MINUTE
    return {
        "steps": onboarding.steps(judge),
        "examples": len(examples_of(campaign)),
        "questions": len(questions_of(campaign)),
        "screens": screens,
        "minutes": max(1, round(minutes)),
    }


def completions(judge: Membership) -> QuerySet[Completion]:
    return Completion.objects.filter(judge=judge).select_related("judge__campaign", "batch").order_by("-finished_at")


def parts_of(user: User | AnonymousUser) -> list[dict[str, Any]]:
    """The campaigns in which a user judges, each with the number of judgments and of finished batches."""
    judges = Membership.objects.filter(user=user.pk, role=Membership.Role.JUDGE, removed_at=None)
    done = Assignment.objects.filter(judge__in=judges).done().order_by()
    judged = dict(done.values_list("campaign").annotate(Count("pk")))
    completed = Completion.objects.filter(judge__in=judges).order_by()
    batches = dict(completed.values_list("judge__campaign").annotate(Count("pk")))
    campaigns = Campaign.objects.filter(pk__in=judges.values("campaign"))
    return [{"campaign": one, "judged": judged.get(one.pk, 0), "batches": batches.get(one.pk, 0)} for one in campaigns]


class Session(NamedTuple):
    """The screens a judge has judged, the most that can follow, the work of today, and what was earned if it is paid.

    The pace is in seconds a screen, and 0 before the first of today.
    """

    judged: int
    left: int
    minutes_today: int
    pace: int
    earned: str


def session_of(judge: Membership, shown: Assignment) -> Session:
    """A page may be fetched before the answers to the screens before it are sent; those count as judged, because the
    judge sees the page after them.
    """
    campaign, mine = shown.campaign, Assignment.objects.held_by(judge)
    before = Q(submitted_at=None, batch__isnull=False, claimed_at__lt=shown.claimed_at or timezone.now())
    judged = mine.filter(before | Q(submitted_at__isnull=False)).count()
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    answers = Judgment.objects.current().filter(assignment__judge=judge)
    screens, seconds = _work(answers.filter(assignment__submitted_at__gte=midnight))
    earned = ""
    if pay := read_pay(campaign.pay):
        batches = Completion.objects.filter(judge=judge, earns_code=True).exclude(passed=False)
        earned = pay.for_work(
            judged,
            batches.count() if pay.unit == PayUnit.BATCH else 0,
            _work(answers)[1] if pay.unit == PayUnit.HOUR else 0.0,
        )
    pace_today = round(seconds / screens) if screens else 0
    return Session(judged, _left(judge, campaign, judged), round(seconds / SECONDS_A_MINUTE), pace_today, earned)


def _work(answers: QuerySet[Judgment]) -> tuple[int, float]:
    """The number of answers, and the seconds that they took."""
    seconds = Coalesce(Sum(Coalesce("active_seconds", "wall_seconds")), 0.0)
    work = answers.order_by().aggregate(screens=Count("pk"), seconds=seconds)
    return work["screens"], work["seconds"]


def _left(judge: Membership, campaign: Campaign, judged: int) -> int:
    """The most screens that the judge can still get: each once, as long as they are free and their quota allows."""
    key = f"left-in-{campaign.slug}"
    # The assignments that wait, those that one judge can get, with repeats, and those of the longest batch.
    if (counted := cache.get(key)) is None:
        planned = Assignment.objects.filter(campaign=campaign).planned()
        screens = Screen.objects.filter(campaign=campaign, automatic=False).count()
        repeats = planned.exclude(repeats=None).order_by().values("batch", "position").distinct().count()
        last = campaign.batch_size - 1
        if campaign.document_mode:  # a batch holds whole documents
            last = planned.aggregate(last=Max("position"))["last"] or 0
        counted = planned.waiting().count(), screens + repeats, last + 1
        cache.add(key, counted, COUNTED_FOR)
    waiting, once, longest = counted
    most = campaign.batches_per_judge if judge.quota is None else judge.quota
    in_quota = [most * longest - judged] if most is not None else []
    return max(0, min(waiting, once - judged, *in_quota))
