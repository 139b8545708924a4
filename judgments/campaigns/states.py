"""Opening, closing and archiving a campaign."""

from celery import signature
from django.db import transaction
from django.utils import timezone

from judgments.jobs.queues import send
from judgments.models import Assignment, Campaign, Membership
from judgments.models.jobs import SHORT
from judgments.models.journal import note
from judgments.rules.errors import Refused


@transaction.atomic
def open_campaign(campaign: Campaign) -> None:
    if not Assignment.objects.filter(campaign=campaign).planned().exists():
        raise Refused("There is nothing to judge yet. Assign screens first.")
    Campaign.objects.filter(pk=campaign.pk).update(
        state=Campaign.State.OPEN, opened_at=campaign.opened_at or timezone.now(), closed_at=None
    )
    note(campaign, "opened the campaign")


@transaction.atomic
def close_campaign(campaign: Campaign) -> None:
    closable = [Campaign.State.OPEN, Campaign.State.ARCHIVED]
    if Campaign.objects.filter(pk=campaign.pk, state__in=closable).update(
        state=Campaign.State.CLOSED, closed_at=timezone.now()
    ):
        note(campaign, "closed the campaign")
        wait_for_answers(campaign)
        # By its name, because judges are another room.
        check = signature("judgments.check_judges", (campaign.pk, True), queue=SHORT)
        transaction.on_commit(lambda: send(check))


def wait_for_answers(campaign: Campaign) -> None:
    """Lock all members: answers that are being stored come first, and later ones find the campaign as it is then."""
    list(Membership.objects.select_for_update().filter(campaign=campaign).order_by("pk").values("pk"))


@transaction.atomic
def archive_campaign(campaign: Campaign) -> None:
    """Archive a closed campaign: it asks for nothing, and takes no imported judgments, until it is closed again."""
    if not Campaign.objects.filter(pk=campaign.pk, state=Campaign.State.CLOSED).update(state=Campaign.State.ARCHIVED):
        raise Refused("Only a closed campaign can be archived. Close it first.")
    note(campaign, "archived the campaign")


CHANGES = {
    Campaign.State.OPEN.value: open_campaign,
    Campaign.State.CLOSED.value: close_campaign,
    Campaign.State.ARCHIVED.value: archive_campaign,
}
