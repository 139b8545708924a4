"""Deleting a campaign permanently, with everything in it."""

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model
from django.shortcuts import get_object_or_404

from judgments import models
from judgments.campaigns.states import wait_for_answers
from judgments.models import Campaign, Membership, Segment, System
from judgments.models.counts import judges_in, judgments_by
from judgments.models.journal import note
from judgments.rules.errors import Refused

NO_PASSWORD = "!"  # noqa: S105 (Django's prefix for unusable passwords)

# The tables of a campaign, each before those to which it refers, with the lookup of a row's campaign.
TABLES: dict[type[Model], str] = {
    models.Placement: "judgment__assignment__campaign",
    models.Rating: "judgment__assignment__campaign",
    models.EditVerdicts: "judgment__assignment__campaign",
    models.EssayRating: "judgment__assignment__campaign",
    models.Verdict: "judgment__assignment__campaign",
    models.Edit: "judgment__assignment__campaign",
    models.ProgramAnswer: "assignment__campaign",
    models.Prompt: "campaign",
    models.Judgment: "assignment__campaign",
    models.Draft: "assignment__campaign",
    models.Alarm: "judge__campaign",
    models.Completion: "judge__campaign",
    models.JudgeStatistics: "judge__campaign",
    models.StandIn: "assignment__campaign",
    models.Assignment: "campaign",
    models.Slot: "screen__campaign",
    models.Screen: "campaign",
    models.Batch: "campaign",
    models.Classification: "system__campaign",
    models.Usage: "campaign",
    models.SystemOutput: "system__campaign",
    models.RecordedOutput: "system__campaign",
    models.Candidate: "segment__campaign",
    models.System: "campaign",
    models.Segment: "campaign",
    models.Document: "campaign",
    models.Invitation: "campaign",
    models.Membership: "campaign",
    models.SharedLink: "campaign",
    models.Submission: "team__campaign",
    models.Team: "campaign",
}


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
    campaign = get_object_or_404(Campaign.objects.select_for_update(no_key=True), pk=campaign.pk)
    if campaign.is_open:
        raise Refused("The campaign is open and judges may be at work. Close it first.")
    wait_for_answers(campaign)  # programs may judge after it has closed
    note(campaign, f"deleted the campaign with {contents(campaign).judgments} judgments")
    # Users without a password, including programs, cannot sign in to anything else.
    members = Membership.objects.filter(campaign=campaign).exclude(role=Membership.Role.ORGANISER)
    by_link = User.objects.filter(membership__in=members, password__startswith=NO_PASSWORD)
    users = list(by_link.values_list("pk", flat=True))
    for model, path in TABLES.items():
        # In this order no remaining row refers to a deleted one, so Django need not collect related rows.
        rows = model._base_manager.filter(**{path: campaign})
        rows._raw_delete(rows.db)
    campaign.delete()
    User.objects.filter(pk__in=users, membership=None).delete()
