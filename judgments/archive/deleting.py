"""Deleting a campaign permanently, with everything in it."""

from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.shortcuts import get_object_or_404

from judgments.archive import tables
from judgments.campaigns.states import wait_for_answers
from judgments.models import Campaign, Membership, Segment, System
from judgments.models.assignments import judges_in, judgments_by
from judgments.models.journal import note
from judgments.rules.errors import Refused

NO_PASSWORD = "!"  # noqa: S105 (Django's prefix for unusable passwords)

# Each before those to which it refers, so that no remaining row refers to a deleted one.
TABLES = [table for table in reversed(tables.TABLES.values()) if table.campaign]


class CampaignContents(NamedTuple):
    sentences: int
    systems: int
    judgments: int
    judges: int


def contents(campaign: Campaign) -> CampaignContents:
    return CampaignContents(
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
    for table in TABLES:
        # Django need not collect related rows; the few tables without a lookup are deleted with the campaign.
        rows = table.model._base_manager.filter(**{table.campaign: campaign})
        rows._raw_delete(rows.db)
    campaign.delete()
    User.objects.filter(pk__in=users, membership=None).delete()
