"""The context of a screen: the source and its neighbours, the marked candidates; and its place in the batch."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from judgments.models import Assignment, Campaign, Screen, Segment, Slot
from judgments.protocols import protocol_of
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.collation import ParagraphRow, Stretch, align_paragraphs, collate
from judgments.rules.texts.diff import Piece, compare
from judgments.rules.texts.marking import MarkedUsage

NEAR = 1


@dataclass(frozen=True)
class ScreenContext:
    """The source and its neighbours, and the usage or the wordings of the candidates.

    `collation` is empty without a compact view.
    """

    segment: Segment
    before: list[Segment]
    after: list[Segment]
    context: list[Segment]
    usage: MarkedUsage | None
    wordings: list[tuple[Piece, ...]]
    collation: list[Stretch]

    @cached_property
    def paragraphs(self) -> list[ParagraphRow]:
        """The paragraphs of a whole text, each beside those of the candidates."""
        return align_paragraphs(normalise(self.segment.text or ""), self.wordings)


class BatchPlace(NamedTuple):
    """The place of a screen in its batch, and the assignment before it, if the same judge holds that."""

    number: int
    of: int
    previous: int | None = None


class Texts(NamedTuple):
    """The texts of an assignment: the sentence, its neighbours, and the candidates in the order shown."""

    before: list[str | None]
    source: str | None
    after: list[str | None]
    usage: dict[str, int] | None
    candidates: list[str | None]


def texts_of(assignments: Sequence[Assignment]) -> list[Texts]:
    """The texts that programs see for assignments of one campaign, in two queries for any number of them."""
    slots: dict[int, dict[int, str | None]] = defaultdict(dict)
    shown = Slot.objects.filter(screen__in=[assignment.screen_id for assignment in assignments])
    for screen, position, text in shown.values_list("screen", "position", "candidate__text"):
        slots[screen][position] = text
    earlier, later = range(-NEAR, 0), range(1, NEAR + 1)
    places = {assignment.screen.segment.position + step for assignment in assignments for step in (*earlier, *later)}
    near = Segment.objects.filter(
        campaign__in={assignment.campaign_id for assignment in assignments}, position__in=places
    )
    known = {(other.document_id, other.position): other.text for other in near}

    def neighbours(screen: Screen, steps: range) -> list[str | None]:
        segment = screen.segment
        places = [] if screen.usage else [(segment.document_id, segment.position + step) for step in steps]
        return [known[place] for place in places if place in known]

    return [
        Texts(
            before=neighbours(assignment.screen, earlier),
            source=assignment.screen.segment.text,
            after=neighbours(assignment.screen, later),
            usage={"start": usage.start, "end": usage.end} if (usage := assignment.screen.usage) else None,
            candidates=[slots[assignment.screen_id][position] for position in assignment.shown_positions()],
        )
        for assignment in assignments
    ]


def screen_context(assignment: Assignment, slots: Sequence[Slot]) -> ScreenContext:
    """The context of an assignment's screen; `context` is empty if the sentence has no neighbours."""
    segment, protocol = assignment.screen.segment, protocol_of(assignment.campaign)
    # Filter by campaign too, because the index of positions begins with it.
    near = Segment.objects.around(segment, protocol.context_sentences).filter(campaign=segment.campaign_id)
    # The neighbours of a sentence with a usage need not come from the same text.
    around = [] if assignment.screen.usage else list(near.order_by("position"))
    before = [other for other in around if other.position < segment.position]
    after = [other for other in around if other.position > segment.position]
    near_before = [other for other in before if segment.position - other.position <= NEAR]
    near_after = [other for other in after if other.position - segment.position <= NEAR]
    source = normalise(segment.text or "")
    wordings = [compare(source, slot.candidate.text or "") for slot in slots]
    is_offered = protocol.has_compact_view and assignment.campaign.compact_view != Campaign.CompactView.NEVER
    has_compact_view = len(slots) > 1 and is_offered
    return ScreenContext(
        segment=segment,
        before=near_before,
        after=near_after,
        context=[*before, segment, *after] if around else [],
        usage=assignment.screen.marked_usage,
        wordings=wordings,
        collation=collate(source, wordings) if has_compact_view else [],
    )


def place_of(assignment: Assignment) -> BatchPlace:
    batch = Assignment.objects.filter(batch=assignment.batch_id, round=assignment.round).order_by("position")
    rows = list(batch.values_list("position", "pk", "judge"))
    before = [pk for position, pk, judge in rows if position < assignment.position and judge == assignment.judge_id]
    number = sum(position <= assignment.position for position, _, _ in rows)
    return BatchPlace(number, len(rows), before[-1] if before else None)
