"""The organisers and observers of a campaign."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from judgments.judges.invitations import revoke
from judgments.models import Campaign, Invitation, Membership
from judgments.models.journal import note
from judgments.models.members import RUNNING
from judgments.rules.errors import Refused


def organisers(campaign: Campaign) -> QuerySet[Membership]:
    """Organisers, then observers."""
    members = Membership.objects.filter(campaign=campaign, role__in=RUNNING, removed_at=None)
    return members.select_related("user", "invitation").order_by("-role", "pseudonym")


def unused_links(campaign: Campaign) -> QuerySet[Invitation]:
    links = Invitation.objects.valid().filter(campaign=campaign, role=Membership.Role.OBSERVER)
    return links.filter(membership=None)


@transaction.atomic
def remove(member: Membership) -> None:
    """End the part of an organiser or observer; a campaign keeps one organiser."""
    Campaign.objects.select_for_update().get(pk=member.campaign_id)
    runs = organisers(member.campaign).filter(role=Membership.Role.ORGANISER)
    if not runs.exclude(pk=member.pk).exists():
        raise Refused(f"{member.campaign} needs an organiser. Add another one first; nothing was changed.")
    if invitation := getattr(member, "invitation", None):
        revoke(invitation)
    if Membership.objects.filter(pk=member.pk, removed_at=None).update(removed_at=timezone.now()):
        note(member.campaign, f"removed {member.pseudonym} as {member.get_role_display()}")
