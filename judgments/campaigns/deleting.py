"""Deleting a campaign permanently, with everything in it."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from judgments.models import (
    Assignment,
    Batch,
    Campaign,
    Candidate,
    Classification,
    Completion,
    Document,
    Draft,
    Edit,
    Invitation,
    JudgeStatistics,
    Judgment,
    Membership,
    Placement,
    Rating,
    Screen,
    Segment,
    SharedLink,
    Slot,
    StandIn,
    System,
    SystemOutput,
    Usage,
    Verdict,
)
from judgments.models.counts import judges_in, judgments_by
from judgments.models.journal import note
from judgments.rules.errors import Refused

NO_PASSWORD = "!"  # noqa: S105 - how Django marks a user without one


@dataclass(frozen=True)
class Contents:
    sentences: int
    systems: int
    judgments: int
    judges: int


def contents(campaign: Campaign) -> Contents:
    return Contents(
        Segment.objects.filter(campaign=campaign).count(),
        System.objects.filter(campaign=campaign).count(),
        judgments_by(Membership.objects.filter(campaign=campaign)),
        judges_in(campaign).count(),
    )


@transaction.atomic
def delete_campaign(campaign: Campaign, typed: str) -> None:
    """Delete the campaign if its name was typed, and the users created for its links; the journal stays."""
    if typed.strip() != campaign.slug:
        raise Refused(f"Type {campaign.slug} to delete this campaign. Nothing was deleted.")
    if campaign.is_open:
        raise Refused("The campaign is open and judges may be at work. Close it first.")
    note(campaign, f"deleted the campaign with {contents(campaign).judgments} judgments")
    users = list(_users_of_links(campaign).values_list("pk", flat=True))
    for rows in _in_order(campaign):
        # In this order no remaining row refers to a deleted one, so Django need not collect them row by row.
        rows._raw_delete(rows.db)
    campaign.delete()
    User.objects.filter(pk__in=users, membership=None).delete()


def _users_of_links(campaign: Campaign) -> QuerySet[User]:
    """Users without a password, who cannot sign in otherwise; this includes programs."""
    judges = Membership.objects.filter(campaign=campaign).exclude(role=Membership.Role.ORGANISER)
    return User.objects.filter(membership__in=judges, password__startswith=NO_PASSWORD)


def _in_order(campaign: Campaign) -> list[QuerySet]:
    """All rows of a campaign, each table before those it refers to."""
    judgments = Judgment.objects.filter(assignment__campaign=campaign)
    answers: list[QuerySet] = [
        answer.objects.filter(judgment__in=judgments)  # type: ignore[attr-defined]
        for answer in (Placement, Rating, Verdict, Edit)
    ]
    return [
        *answers,
        judgments,
        Draft.objects.filter(assignment__campaign=campaign),
        Completion.objects.filter(judge__campaign=campaign),
        JudgeStatistics.objects.filter(judge__campaign=campaign),
        StandIn.objects.filter(assignment__campaign=campaign),
        Assignment.objects.filter(campaign=campaign, repeats__isnull=False),
        Assignment.objects.filter(campaign=campaign),
        Slot.objects.filter(screen__campaign=campaign),
        Screen.objects.filter(campaign=campaign),
        Batch.objects.filter(campaign=campaign),
        Classification.objects.filter(system__campaign=campaign),
        Usage.objects.filter(campaign=campaign),
        SystemOutput.objects.filter(system__campaign=campaign),
        Candidate.objects.filter(segment__campaign=campaign),
        System.objects.filter(campaign=campaign),
        Segment.objects.filter(campaign=campaign),
        Document.objects.filter(campaign=campaign),
        Invitation.objects.filter(campaign=campaign),
        Membership.objects.filter(campaign=campaign),
        SharedLink.objects.filter(campaign=campaign),
    ]
