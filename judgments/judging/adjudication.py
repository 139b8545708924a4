"""Disputed screens, and the organiser's own answers to them, which are stored beside those of the judges."""

import random
from collections import defaultdict
from itertools import chain, count
from typing import Any

from django.core.paginator import Page, Paginator
from django.db import transaction
from django.db.models import Max

from judgments.judges.invitations import taken_names
from judgments.judging.differences import Contested, slots_on, versions
from judgments.judging.submission import submit
from judgments.models import Assignment, Campaign, Judgment, Membership, Screen, Segment, Slot
from judgments.models.assignments import AssignmentQuerySet, judges_in, judgments_by
from judgments.models.journal import note
from judgments.models.screens import written_order
from judgments.protocols import protocol_of
from judgments.protocols.base import Opinion
from judgments.rules.errors import Refused
from judgments.rules.majority import disagreement

# Sorting by disagreement reads all answers, so long texts are sorted part by part.
MOST_READ, A_PAGE = 8000, 10
NAME = "adjudicator"


def parts_of(campaign: Campaign, number: str | None) -> Page:
    """A part of the text, by the numbers of its sentences, of which not too many answers have to be read."""
    last = Segment.objects.filter(campaign=campaign).aggregate(last=Max("position"))["last"]
    sentences = range(1, 1 if last is None else last + 2)
    judgments = judgments_by(judges_in(campaign))
    return Paginator(sentences, max(1, MOST_READ * len(sentences) // max(judgments, MOST_READ))).get_page(number)


def disputes_in(campaign: Campaign, part: Page, number: str | None) -> tuple[Page, list[Contested]]:
    """A page of the disputed screens in a part of the text: open ones first, and those with the most disagreement.

    The assignments are those of the adjudicator, stored where a screen is adjudicated.
    """
    check(campaign)
    protocol = protocol_of(campaign)
    given = Judgment.objects.comparable().filter(
        screen__segment__campaign=campaign, screen__segment__position__gte=part.start_index() - 1,
        screen__segment__position__lt=part.end_index(), screen__has_control=False,
    )  # fmt: skip
    opinions = protocol.opinions(given)
    by_screen: dict[int, list[tuple[str, Opinion]]] = defaultdict(list)
    ordered = given.order_by("screen__segment__position", "screen", "pk")
    for pk, screen, judge in ordered.values_list("pk", "screen", "assignment__judge__pseudonym"):
        by_screen[screen] += [(judge, opinions[pk])] if pk in opinions else []
    shares = {screen: disagreement([one.sides for _, one in said]) for screen, said in by_screen.items()}
    disputed = [screen for screen, share in shares.items() if share]
    stored = {one.screen_id: one for one in _adjudicated(campaign).filter(screen__in=disputed)}
    page = Paginator(sorted(disputed, key=lambda one: (one in stored, -shares[one])), A_PAGE).get_page(number)
    screens = Screen.objects.select_related("segment", "usage").in_bulk(page.object_list)
    slots = slots_on(screens)
    contested = []
    for pk in page.object_list:
        assignment = stored.get(pk, Assignment())
        assignment.screen = screens[pk]
        shown = versions(screens[pk], list(slots[pk].values()), [one for _, one in by_screen[pk]])
        said = [(judge, one.text) for judge, one in by_screen[pk]]
        contested.append(Contested(assignment, shown, said, share=shares[pk]))
    return page, contested


def check(campaign: Campaign) -> None:
    if not protocol_of(campaign).has_sides:
        raise Refused(f"{campaign.slug} is a {campaign.protocol} campaign, in which no two answers are opposite.")


def assignment_of(screen: Screen) -> Assignment:
    """The adjudicator's assignment of a screen, not stored before it is answered; its order follows from the seed."""
    if stored := _adjudicated(screen.campaign).filter(screen=screen).select_related("campaign", "judge").first():
        stored.screen = screen
        return stored
    positions = list(Slot.objects.filter(screen=screen).values_list("position", flat=True))
    random.Random(f"{screen.campaign.seed}:{NAME}:{screen.pk}").shuffle(positions)
    return Assignment(campaign=screen.campaign, screen=screen, order=written_order(tuple(positions)))


@transaction.atomic
def adjudicate(screen: Screen, skip_reason: str = "", **answered: Any) -> Judgment:
    """Store an organiser's answers to a screen; the answers of judges stay as they are."""
    check(screen.campaign)
    if skip_reason:
        raise Refused("An adjudication cannot be skipped. Answer the screen, or leave it as it is.")
    Campaign.objects.select_for_update(no_key=True).get(pk=screen.campaign_id)
    assignment = assignment_of(screen)
    if not assignment.pk:
        assignment.judge = _adjudicator(screen.campaign)
        assignment.save()
    note(screen.campaign, f"adjudicated a screen of sentence {screen.segment.position + 1}")
    return submit(assignment, **answered)


def _adjudicated(campaign: Campaign) -> AssignmentQuerySet:
    return Assignment.objects.unplanned().filter(campaign=campaign, judge__role=Membership.Role.ADJUDICATOR)


def _adjudicator(campaign: Campaign) -> Membership:
    """The member without a user as which all organisers adjudicate."""
    role = Membership.Role.ADJUDICATOR
    taken = taken_names(campaign)
    name = next(name for name in chain([NAME], (f"{NAME}-{number}" for number in count(2))) if name not in taken)
    member, _ = Membership.objects.get_or_create(campaign=campaign, role=role, defaults={"pseudonym": name})
    return member
