"""Inviting judges by personal links, and letting them in."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction

from judgments.faults import Refused
from judgments.models import Campaign, Invitation, Membership
from judgments.models.campaign import new_token


@transaction.atomic
def invite(campaign: Campaign, pseudonyms: Iterable[str]) -> list[Invitation]:
    """A link for each name; who was invited before keeps the link."""
    wanted = list(pseudonyms)
    taken = Membership.objects.filter(campaign=campaign, pseudonym__in=wanted, invitation=None)
    if names := list(taken.values_list("pseudonym", flat=True)):
        raise Refused(f"There is a member called {names[0]} already; choose another name.")
    return [Invitation.objects.get_or_create(campaign=campaign, pseudonym=name)[0] for name in wanted]


@transaction.atomic
def accept(invitation: Invitation, user: User | None) -> User:
    """Make a judge of the user, or of a new one without a password; the same link again is the same judge."""
    invitation = Invitation.objects.select_for_update().get(pk=invitation.pk)
    if invitation.membership and invitation.membership.user:
        return invitation.membership.user
    if user is None or Membership.objects.filter(campaign=invitation.campaign, user=user).exists():
        user = User.objects.create_user(username=f"judge-{new_token()[:20]}", first_name=invitation.pseudonym[:150])
    invitation.membership = Membership.objects.create(
        campaign=invitation.campaign, user=user, role=Membership.Role.JUDGE, pseudonym=invitation.pseudonym
    )
    invitation.save(update_fields=["membership"])
    return user
