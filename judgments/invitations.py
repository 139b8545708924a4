"""Inviting judges by personal links, and letting them in."""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db import transaction

from judgments.faults import Refused
from judgments.models import Campaign, Invitation, Membership
from judgments.models.campaign import new_token
from judgments.rules.names import fault_of_pseudonym


@transaction.atomic
def invite(campaign: Campaign, pseudonyms: Iterable[str]) -> list[Invitation]:
    """A link for each name; who was invited before keeps the link."""
    wanted = [" ".join(name.split()) for name in pseudonyms]
    for fault in filter(None, map(fault_of_pseudonym, wanted)):
        raise Refused(fault)
    taken = Membership.objects.filter(campaign=campaign, pseudonym__in=wanted, invitation=None)
    if names := list(taken.values_list("pseudonym", flat=True)):
        raise Refused(f"There is a member called {names[0]} already; choose another name.")
    return [Invitation.objects.get_or_create(campaign=campaign, pseudonym=name)[0] for name in wanted]


@transaction.atomic
def accept(invitation: Invitation) -> User:
    """The judge behind the link, made at its first use: a user of their own, without a password.

    Never the user who happens to be signed in: whoever has the link can come in, and must get no more than a seat.
    """
    invitation = Invitation.objects.select_for_update().get(pk=invitation.pk)
    if invitation.membership and invitation.membership.user:
        return invitation.membership.user
    user = User.objects.create_user(username=f"judge-{new_token()[:20]}", first_name=invitation.pseudonym)
    invitation.membership = Membership.objects.create(
        campaign=invitation.campaign, user=user, role=Membership.Role.JUDGE, pseudonym=invitation.pseudonym
    )
    invitation.save(update_fields=["membership"])
    return user
