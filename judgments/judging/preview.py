"""Trying the judging page: the first batch as its judge sees it, assigned or only planned; nothing is stored."""

from collections.abc import Sequence
from typing import NamedTuple

from judgments.assignment import assigning
from judgments.assignment.claiming import page_around
from judgments.assignment.rules.assigning import PlannedBatch
from judgments.judging.context import BatchPlace
from judgments.models import Assignment, Batch, Campaign, Candidate, Screen, Segment, Slot, Usage
from judgments.models.screens import written_order
from judgments.protocols.rows import shown_slots
from judgments.rules.errors import Refused


class ScreenPreview(NamedTuple):
    """A screen of the first batch, by an assignment that is never stored."""

    assignment: Assignment
    slots: list[Slot]
    place: BatchPlace


def preview_of(campaign: Campaign, number: int) -> list[ScreenPreview]:
    """The screens on the page of the one with this number; empty if there is no such screen."""
    batch = Batch.objects.filter(campaign=campaign).first()
    return _assigned(campaign, batch, number) if batch else _planned(campaign, number)


def _numbers(campaign: Campaign, documents: Sequence[int | None], number: int) -> Sequence[int]:
    """The numbers of the screens on one page, given the document of each screen, or None for a repeat."""
    if not 0 < number <= len(documents):
        return []
    document = documents[number - 1]
    if not campaign.document_mode or document is None:
        return [number]
    together = [place for place, other in enumerate(documents, 1) if other == document]
    return page_around(together, together.index(number))


def _assigned(campaign: Campaign, batch: Batch, number: int) -> list[ScreenPreview]:
    assignments = Assignment.objects.filter(batch=batch, round=0).select_related("screen__segment", "screen__usage")
    of_judge = list(assignments.order_by("position"))
    documents = [None if one.repeats_id else one.screen.segment.document_id for one in of_judge]
    previews = []
    for shown in _numbers(campaign, documents, number):
        assigned = of_judge[shown - 1]
        assignment = Assignment(campaign=campaign, screen=assigned.screen, order=assigned.order)
        previews.append(ScreenPreview(assignment, shown_slots(assignment), BatchPlace(shown, len(of_judge))))
    return previews


def _planned(campaign: Campaign, number: int) -> list[ScreenPreview]:
    """Screens that the campaign's settings and seed would assign now; refused if there is nothing to judge."""
    batch = assigning.first_batch(campaign)
    if batch is None:
        raise Refused(assigning.nothing_to_assign(campaign))
    documents = [None if one.repeats is not None else batch.screens[one.screen].document for one in batch.assignments]
    return [_unstored(campaign, batch, shown) for shown in _numbers(campaign, documents, number)]


def _unstored(campaign: Campaign, batch: PlannedBatch, number: int) -> ScreenPreview:
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
    return ScreenPreview(assignment, slots, BatchPlace(number, len(batch.assignments)))
