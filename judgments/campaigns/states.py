"""Opening, closing and archiving a campaign."""

from django.db import transaction
from django.utils import timezone

from judgments.models import Assignment, Campaign
from judgments.models.journal import note
from judgments.rules.errors import Refused


@transaction.atomic
def open_campaign(campaign: Campaign) -> None:
    """Let judges in."""
    if not Assignment.objects.filter(campaign=campaign).planned().exists():
        raise Refused("There is nothing to judge yet; assign screens first.")
    Campaign.objects.filter(pk=campaign.pk).update(
        state=Campaign.State.OPEN, opened_at=campaign.opened_at or timezone.now(), closed_at=None
    )
    note(campaign, "opened the campaign")


@transaction.atomic
def close_campaign(campaign: Campaign) -> None:
    """Take no more answers."""
    done_with = [Campaign.State.OPEN, Campaign.State.ARCHIVED]
    if Campaign.objects.filter(pk=campaign.pk, state__in=done_with).update(
        state=Campaign.State.CLOSED, closed_at=timezone.now()
    ):
        note(campaign, "closed the campaign")


@transaction.atomic
def archive_campaign(campaign: Campaign) -> None:
    """Put a closed campaign away; nothing in it changes any more until it is closed again."""
    if not Campaign.objects.filter(pk=campaign.pk, state=Campaign.State.CLOSED).update(state=Campaign.State.ARCHIVED):
        raise Refused("Only a closed campaign can be archived; close it first.")
    note(campaign, "archived the campaign")


CHANGES = {
    Campaign.State.OPEN.value: open_campaign,
    Campaign.State.CLOSED.value: close_campaign,
    Campaign.State.ARCHIVED.value: archive_campaign,
}
