"""Programs that judge: they get assignments of their own, and reports count them only on request."""

import random

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Count
from django.shortcuts import get_object_or_404
from django.utils import timezone
from rest_framework.authtoken.models import Token

from judgments.models import Assignment, Campaign, Invitation, Membership, Screen, Slot
from judgments.models.journal import note
from judgments.models.members import new_token
from judgments.models.screens import written_order
from judgments.rules.errors import Refused
from judgments.rules.files.names import fault_of_pseudonym

MOST_AT_ONCE = 100


@transaction.atomic
def enrol(campaign: Campaign, name: str) -> str:
    """Enrol a program and return its new token, which replaces an earlier one."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if fault := fault_of_pseudonym(name):
        raise Refused(fault)
    program = Membership.objects.filter(campaign=campaign, pseudonym=name).first()
    invited = Invitation.objects.filter(campaign=campaign, pseudonym=name)
    if (program and not program.is_program) or invited.exists():
        raise Refused(f"There is already a member or an invited judge called {name}; choose another name.")
    if program is None:
        program = Membership(campaign=campaign, pseudonym=name, role=Membership.Role.PROGRAM)
    # A program imported with a campaign has no account yet.
    user = program.user or User.objects.create_user(username=f"program-{new_token()[:20]}", first_name=name)
    User.objects.filter(username=user.username).update(is_active=True)
    program.user, program.removed_at = user, None
    program.save()
    note(campaign, f"gave the program {name} a token")
    return token_of(user.username, is_new=True)


def enrolled_program(campaign: Campaign, name: str) -> Membership:
    """Return the program of that name with a token, enrolled if it is new or was dismissed."""
    programs = Membership.objects.select_related("user", "campaign").filter(role=Membership.Role.PROGRAM)
    if not programs.filter(campaign=campaign, pseudonym=name, removed_at=None, user__isnull=False).exists():
        enrol(campaign, name)
    return programs.get(campaign=campaign, pseudonym=name)


def program_token(program: Membership) -> str:
    """The token of an enrolled program."""
    if program.user is None or program.removed_at:
        raise Refused(f"{program.pseudonym} has no access any more; give it a token again.")
    return token_of(program.user.username)


@transaction.atomic
def dismiss(program: Membership) -> None:
    """End a program's access; its judgments stay."""
    if not Membership.objects.filter(pk=program.pk, removed_at=None).update(removed_at=timezone.now()):
        raise Refused(f"The access of {program.pseudonym} has ended already.")
    if program.user:
        User.objects.filter(pk=program.user.pk).update(is_active=False)
    note(program.campaign, f"ended the access of the program {program.pseudonym}")


def claim(program: Membership, number: int, after: int = 0) -> list[Assignment]:
    """Return up to `number` open assignments of the program, creating new ones for screens it has not seen.

    A repeated request returns the same assignments until some are answered. Those up to `after`, which the program
    could not answer, are passed over.
    """
    locked = Membership.objects.select_for_update(of=("self",)).select_related("campaign")
    mine = Assignment.objects.held_by(program).select_related("campaign", "judge", "screen__segment", "screen__usage")
    waiting = mine.waiting().filter(pk__gt=after).order_by("pk")[:number]
    try:
        with transaction.atomic():
            program = get_object_or_404(locked, pk=program.pk)
            program.campaign.check_takes_unplanned()
            if missing := number - len(waiting):
                Assignment.objects.bulk_create(_assignments(program, _unseen_screens(program, missing)))
                waiting = waiting.all()
            return list(waiting)
    except IntegrityError as reason:  # two requests of one program at once
        raise Refused("The program sent two requests at the same time. Send the request again.") from reason


def count_judgeable(campaign: Campaign) -> int:
    """How many screens a program can judge: a usage once, although controls appear on several."""
    screens = Screen.objects.filter(campaign=campaign, automatic=False)
    return screens.filter(usage=None).count() + screens.aggregate(usages=Count("usage", distinct=True))["usages"]


def _unseen_screens(program: Membership, number: int) -> list[int]:
    """Choose up to `number` screens, at most one per usage: controls appear on several."""
    held = Assignment.objects.held_by(program)
    unseen = Screen.objects.filter(campaign=program.campaign, automatic=False).exclude(pk__in=held.values("screen"))
    known = set(held.values_list("screen__usage", flat=True)) - {None}
    chosen: list[int] = []
    for screen, usage in unseen.order_by("pk").values_list("pk", "usage").iterator():
        if len(chosen) == number:
            break
        if usage is None or usage not in known:
            chosen.append(screen)
            known.add(usage)
    return chosen


def _assignments(program: Membership, screens: list[int]) -> list[Assignment]:
    """An assignment for each screen, with its slots shuffled by the campaign's seed."""
    places: dict[int, list[int]] = {screen: [] for screen in screens}
    slots = Slot.objects.filter(screen__in=screens).order_by("screen", "position")
    for screen, position in slots.values_list("screen", "position"):
        places[screen].append(position)
    now, campaign, assignments = timezone.now(), program.campaign, []
    for screen, positions in places.items():
        random.Random(f"{campaign.seed}:{program.pseudonym}:{screen}").shuffle(positions)
        order = written_order(tuple(positions))
        assignments.append(Assignment(campaign=campaign, screen_id=screen, judge=program, order=order, claimed_at=now))
    return assignments


@transaction.atomic
def token_of(username: str, is_new: bool = False) -> str:
    """The user's token, created if needed; `is_new` replaces an existing one."""
    user = User.objects.filter(username=username).first()
    if user is None:
        raise Refused(f"There is no user {username!r}; create one with: python manage.py createsuperuser")
    if is_new:
        Token.objects.filter(user=user).delete()
    return Token.objects.get_or_create(user=user)[0].key
