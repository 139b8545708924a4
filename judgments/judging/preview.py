"""Trying the judging page: the first batch as its judge sees it, assigned or only planned; nothing is stored."""

from typing import NamedTuple

from judgments.assignment import assigning
from judgments.judging.context import Place
from judgments.judging.submission import shown_slots
from judgments.models import Assignment, Batch, Campaign, Candidate, Screen, Segment, Slot, Usage
from judgments.models.screens import written_order
from judgments.rules.errors import Refused


class Preview(NamedTuple):
    """A screen of the first batch, by an assignment that is never stored."""

    assignment: Assignment
    slots: list[Slot]
    place: Place


def preview_of(campaign: Campaign, number: int) -> Preview | None:
    """A screen of the first batch by its number; None if there is no such screen."""
    batch = Batch.objects.filter(campaign=campaign).first()
    return _assigned(campaign, batch, number) if batch else _planned(campaign, number)


def _assigned(campaign: Campaign, batch: Batch, number: int) -> Preview | None:
    assignments = Assignment.objects.filter(batch=batch, round=0).select_related("screen__segment", "screen__usage")
    batch_of_judge = list(assignments.order_by("position"))
    if not 0 < number <= len(batch_of_judge):
        return None
    assigned = batch_of_judge[number - 1]
    assignment = Assignment(campaign=campaign, screen=assigned.screen, order=assigned.order)
    return Preview(assignment, shown_slots(assignment), Place(number, len(batch_of_judge)))


def _planned(campaign: Campaign, number: int) -> Preview | None:
    """A screen that the campaign's settings and seed would assign now; refused if there is nothing to judge."""
    batch = assigning.first_batch(campaign)
    if batch is None:
        raise Refused(assigning.nothing_to_assign(campaign))
    if not 0 < number <= len(batch.assignments):
        return None
    planned = batch.assignments[number - 1]
    shown = batch.screens[planned.screen]
    usage = Usage.objects.get(pk=shown.usage) if shown.usage else None
    screen = Screen(campaign=campaign, segment=Segment.objects.get(pk=shown.segment), usage=usage)
    candidates = Candidate.objects.in_bulk(shown.candidates)
    slots = [
        Slot(screen=screen, candidate=candidates[shown.candidates[position]], position=position)
        for position in planned.order
    ]
    assignment = Assignment(campaign=campaign, screen=screen, order=written_order(planned.order))
    return Preview(assignment, slots, Place(number, len(batch.assignments)))
