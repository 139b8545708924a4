"""Inviting judges by personal and shared links, and admitting them."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from itertools import count, islice
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from judgments.judges.rules.guests import Guest, guest_of, with_free_names
from judgments.models import Campaign, Invitation, Membership, SharedLink
from judgments.models.journal import note
from judgments.models.members import new_token
from judgments.rules.crowd_platforms import FINAL, GIVEN_BACK, MOST_SESSIONS, STAGES, session_of, worker_of
from judgments.rules.errors import Refused
from judgments.rules.files.names import fault_of_pseudonym

LONGEST_LINK = 3650  # days


@transaction.atomic
def invite(
    campaign: Campaign, pseudonyms: Iterable[str], days: int | None = None, role: str = Membership.Role.JUDGE
) -> list[Invitation]:
    """Create a link for each name or mail address; those who were invited before keep their link and name."""
    guests = [guest_of(word) for word in pseudonyms]
    invited = dict(Invitation.objects.filter(campaign=campaign).exclude(address="").values_list("address", "pseudonym"))
    again = [Guest(invited[guest.address], guest.address) for guest in guests if guest.address in invited]
    guests = again + with_free_names((one for one in guests if one.address not in invited), taken_names(campaign))
    wanted = [guest.name for guest in guests]
    for fault in filter(None, map(fault_of_pseudonym, wanted)):
        raise Refused(fault)
    taken = Membership.objects.filter(campaign=campaign, pseudonym__in=wanted, invitation=None)
    if names := list(taken.values_list("pseudonym", flat=True)):
        raise Refused(f"There is already a member called {names[0]}; choose another name.")
    if other := Invitation.objects.filter(campaign=campaign, pseudonym__in=wanted).exclude(role=role).first():
        raise Refused(f"{other.pseudonym} is invited as {other.get_role_display()}; choose another name.")
    note(campaign, f"invited {', '.join(wanted)}{' to observe' * (role == Membership.Role.OBSERVER)}")
    invitations = []
    for guest in guests:
        first = {"expires_at": _after(days), "address": guest.address, "role": role}
        invitation, is_new = Invitation.objects.get_or_create(campaign=campaign, pseudonym=guest.name, defaults=first)
        if not is_new and not Invitation.objects.valid().filter(pk=invitation.pk).exists():
            invitation.token, invitation.revoked_at, invitation.expires_at = new_token(), None, _after(days)
            invitation.mailed_at = None
            invitation.save(update_fields=["token", "revoked_at", "expires_at", "mailed_at"])
            invitation.let_sign_in(True)
        invitations.append(invitation)
    return invitations


def invite_new(campaign: Campaign, number: int) -> list[Invitation]:
    """Create a link for so many judges, under the first names that are not taken: judge-1, judge-2 ..."""
    taken = taken_names(campaign)
    names = (name for place in count(1) if (name := f"judge-{place}") not in taken)
    return invite(campaign, islice(names, number))


@transaction.atomic
def share(campaign: Campaign, most_judges: int, days: int | None = None) -> SharedLink:
    """Create a link by which up to `most_judges` judges can join."""
    link = SharedLink(campaign=campaign, most_judges=most_judges, expires_at=_after(days))
    try:
        link.full_clean()
    except ValidationError as error:
        raise Refused(f"The number of judges {' '.join(error.messages)}") from error
    link.save()
    note(campaign, f"made a link for {most_judges} judges")
    return link


def _after(days: int | None) -> datetime | None:
    if days is not None and days < 1:
        raise Refused("A link must be valid for at least one day.")
    return timezone.now() + timedelta(days=days) if days else None


@transaction.atomic
def accept(invitation: Invitation) -> User:
    """The user of a personal link, created without a password at its first use.

    Never the user who happens to be signed in: anybody with the link gets in, and may gain access to nothing but
    assignments, or to what observers see.
    """
    invitation = Invitation.objects.select_for_update().get(pk=invitation.pk)
    if invitation.membership and invitation.membership.user:
        return invitation.membership.user
    user = _new_user(invitation.pseudonym)
    invitation.membership = Membership.objects.create(
        campaign=invitation.campaign, user=user, role=invitation.role, pseudonym=invitation.pseudonym
    )
    invitation.save(update_fields=["membership"])
    return user


def account_for(user: User | AnonymousUser, link: SharedLink, platform: Mapping[str, str]) -> User | None:
    """The account with which a signed-in user would join, or None if joining creates a new one.

    The crowd platform identifies its workers, and an account created by a link belongs to the link's campaign.
    """
    if not isinstance(user, User) or worker_of(platform):
        return None
    judges = Membership.objects.filter(campaign=link.campaign_id, user=user, role=Membership.Role.JUDGE)
    return user if user.has_usable_password() or judges.exists() else None


@transaction.atomic
def join(link: SharedLink, platform: Mapping[str, str], account: User | None = None) -> User:
    """Add a judge by a shared link, with this account, or with a new one and a personal link for returning.

    A worker who returns from a crowd platform stays the same judge. Anybody can put a worker's number into the address,
    so another submission in it counts only when the last one is over or the platform says so.
    """
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=link.campaign_id)
    worker = worker_of(platform)
    back = returning_judge(link, platform, account)
    if back and back.user:
        if back.removed_at:
            raise Refused(gettext("The organiser has ended your part in this campaign."))
        session = session_of(platform)
        if session and session not in (session_of(back.platform), *back.later_sessions):
            changes: dict[str, Any] = {"later_sessions": [*back.later_sessions, session][-MOST_SESSIONS:]}
            if STAGES.get(back.submission_status) == FINAL:
                changes = {"platform": dict(platform), "submission_status": ""}
            Membership.objects.filter(pk=back.pk).update(**changes)
        return back.user
    if is_full(link):
        raise Refused(gettext("All places of this link are taken. Ask the organiser for another one."))
    taken = taken_names(campaign)
    number = Membership.objects.filter(campaign=campaign).exclude(came_by=None).count() + 1
    while (pseudonym := f"judge-{number}") in taken:
        number += 1
    user = account or _new_user(pseudonym)
    judge = Membership.objects.create(
        campaign=campaign, user=user, role=Membership.Role.JUDGE, pseudonym=pseudonym,
        came_by=link, worker=worker, platform=dict(platform),
    )  # fmt: skip
    if not account:
        Invitation.objects.create(campaign=campaign, pseudonym=pseudonym, membership=judge)
    return user


def returning_judge(link: SharedLink, platform: Mapping[str, str], account: User | None) -> Membership | None:
    """The judge who returns: the crowd platform's worker, or the owner of this account; None for a new one."""
    judges = Membership.objects.select_related("user").filter(campaign=link.campaign_id, role=Membership.Role.JUDGE)
    if worker := worker_of(platform):
        return judges.filter(worker=worker).first()
    return judges.filter(user=account).first() if account else None


def is_full(link: SharedLink) -> bool:
    """Whether all places are taken; who failed the comprehension check, or returned the submission, frees theirs."""
    came = Membership.objects.filter(came_by=link).exclude(submission_status__in=GIVEN_BACK)
    if link.campaign.questions:
        came = came.exclude(passed_at=None, attempts__gte=link.campaign.most_attempts)
    return came.count() >= link.most_judges


def _new_user(pseudonym: str) -> User:
    return User.objects.create_user(username=f"judge-{new_token()[:20]}", first_name=pseudonym)


def taken_names(campaign: Campaign) -> set[str]:
    """The names of members and of invited judges."""
    members, invited = Membership.objects.filter(campaign=campaign), Invitation.objects.filter(campaign=campaign)
    return {name for rows in (members, invited) for name in rows.values_list("pseudonym", flat=True)}
