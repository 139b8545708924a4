"""Queries for judges: their campaigns, and their progress in each."""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, QuerySet

from judgments.models import Assignment, Campaign, Completion, Membership


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
