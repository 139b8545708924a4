"""Questions of a judge: in which campaigns, how far in each, and what comes of it."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, QuerySet

from judgments.models import Assignment, Campaign, Completion, Membership


@dataclass(frozen=True)
class JudgeProgress:
    """How far a judge is: screens judged in all, and the place in the batch begun, of so many."""

    done: int
    done_in_batch: int
    places: int


def progress_of(judge: Membership) -> JudgeProgress:
    """How far a judge is in the campaign and in the batch begun last."""
    mine = Assignment.objects.held_by(judge)
    last = mine.planned().order_by("-claimed_at").first()
    of_batch = Assignment.objects.filter(batch=last.batch_id, round=last.round) if last else Assignment.objects.none()
    return JudgeProgress(mine.done().count(), of_batch.held_by(judge).done().count(), of_batch.count())


def completions(judge: Membership) -> QuerySet[Completion]:
    """The batches that a judge finished, newest first."""
    return Completion.objects.filter(judge=judge).select_related("judge__campaign", "batch").order_by("-finished_at")


@dataclass(frozen=True)
class Part:
    """A campaign in which somebody judges, and how much was judged."""

    campaign: Campaign
    judged: int
    batches: int


def parts_of(user: User | AnonymousUser) -> list[Part]:
    """All campaigns in which a user judges, with the progress in each."""
    judges = Membership.objects.filter(user=user.pk, role=Membership.Role.JUDGE, removed_at=None)
    judged = dict(
        Assignment.objects.filter(judge__in=judges).done().order_by().values_list("campaign").annotate(Count("pk"))
    )
    completions = Completion.objects.filter(judge__in=judges).order_by()
    finished = dict(completions.values_list("judge__campaign").annotate(Count("pk")))
    return [
        Part(campaign, judged.get(campaign.pk, 0), finished.get(campaign.pk, 0))
        for campaign in Campaign.objects.filter(pk__in=judges.values("campaign"))
    ]
