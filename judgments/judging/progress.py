"""Queries for judges: their campaigns, their progress in each, and what comes next."""

from dataclasses import dataclass
from enum import StrEnum

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, QuerySet

from judgments.assignment import claiming
from judgments.assignment.planning import pace
from judgments.judges import onboarding
from judgments.models import Assignment, Campaign, Completion, Membership
from judgments.protocols.registry import examples_of, questions_of

SECONDS_A_MINUTE = 60


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
    if onboarding.is_turned_away(judge):
        return NextStep.TURNED_AWAY
    if judge.is_dismissed:
        return NextStep.DISMISSED
    if not judge.campaign.is_open:
        return NextStep.OVER if judge.campaign.opened_at else NextStep.NOT_YET
    if judge.paused_at:
        return NextStep.PAUSED
    if claiming.is_anything_left(judge):
        return NextStep.READY
    if claiming.quota_reached(judge):
        return NextStep.ENOUGH
    return NextStep.LATER if claiming.may_get_more(judge) else NextStep.ALL_DONE


@dataclass(frozen=True)
class JudgeProgress:
    """How many screens a judge has judged, in total and in the current batch of `places` screens."""

    done: int
    done_in_batch: int
    places: int


def progress_of(judge: Membership) -> JudgeProgress:
    mine = Assignment.objects.held_by(judge)
    last = mine.planned().order_by("-claimed_at").first()
    same_batch = Assignment.objects.filter(batch=last.batch_id, round=last.round) if last else Assignment.objects.none()
    return JudgeProgress(mine.done().count(), same_batch.held_by(judge).done().count(), same_batch.count())


@dataclass(frozen=True)
class PendingWork:
    """What a judge who has not begun can expect: steps of onboarding, and the first batch."""

    steps: dict[onboarding.Step, bool]
    examples: int
    questions: int
    screens: int
    minutes: int


def pending_work(judge: Membership, step: NextStep) -> PendingWork | None:
    """None once the judge has begun, or if nothing will come."""
    if step not in (NextStep.READY, NextStep.NOT_YET) or Assignment.objects.held_by(judge).done().exists():
        return None
    campaign = judge.campaign
    minutes = campaign.batch_size * pace(campaign).seconds / SECONDS_A_MINUTE
    return PendingWork(
        onboarding.steps(judge),
        len(examples_of(campaign)),
        len(questions_of(campaign)),
        campaign.batch_size,
        max(1, round(minutes)),
    )


def completions(judge: Membership) -> QuerySet[Completion]:
    return Completion.objects.filter(judge=judge).select_related("judge__campaign", "batch").order_by("-finished_at")


@dataclass(frozen=True)
class Part:
    """A campaign in which a user judges, with the number of judgments and finished batches."""

    campaign: Campaign
    judged: int
    batches: int


def parts_of(user: User | AnonymousUser) -> list[Part]:
    judges = Membership.objects.filter(user=user.pk, role=Membership.Role.JUDGE, removed_at=None)
    done = Assignment.objects.filter(judge__in=judges).done().order_by()
    judged = dict(done.values_list("campaign").annotate(Count("pk")))
    completed = Completion.objects.filter(judge__in=judges).order_by()
    batches = dict(completed.values_list("judge__campaign").annotate(Count("pk")))
    campaigns = Campaign.objects.filter(pk__in=judges.values("campaign"))
    return [Part(campaign, judged.get(campaign.pk, 0), batches.get(campaign.pk, 0)) for campaign in campaigns]
