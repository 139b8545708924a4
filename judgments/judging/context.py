"""What a judge sees at a seat besides the form: the source in context, marked candidates, the place in the batch."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from judgments.models import Screen, Seat, Segment, Slot
from judgments.protocols import PROTOCOLS
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.diff import Piece, compare
from judgments.rules.texts.marking import Marked, marked

NEAR = 1


@dataclass(frozen=True)
class Showing:
    """The source and its neighbours, the usage asked about or a wording for each candidate, the place in the batch."""

    segment: Segment
    before: list[Segment]
    after: list[Segment]
    wider: list[Segment]
    usage: Marked | None
    wordings: list[tuple[Piece, ...]]
    place: int
    places: int


@dataclass(frozen=True)
class Texts:
    """A seat without what a page adds: the sentence, its neighbours, and the candidates in the order shown."""

    before: list[str | None]
    source: str | None
    after: list[str | None]
    usage: dict[str, int] | None
    candidates: list[str | None]


def texts_of(seats: Sequence[Seat]) -> list[Texts]:
    """What programs see at the seats of one campaign, in two questions however many there are."""
    slots: dict[int, dict[int, str | None]] = defaultdict(dict)
    shown = Slot.objects.filter(screen__in=[seat.screen_id for seat in seats])
    for screen, position, text in shown.values_list("screen", "position", "candidate__text"):
        slots[screen][position] = text
    earlier, later = range(-NEAR, 0), range(1, NEAR + 1)
    places = {seat.screen.segment.position + step for seat in seats for step in (*earlier, *later)}
    near = Segment.objects.filter(campaign__in={seat.campaign_id for seat in seats}, position__in=places)
    known = {(other.document_id, other.position): other.text for other in near}

    def beside(screen: Screen, steps: range) -> list[str | None]:
        segment = screen.segment
        at = [] if screen.instance else [(segment.document_id, segment.position + step) for step in steps]
        return [known[place] for place in at if place in known]

    return [
        Texts(
            before=beside(seat.screen, earlier),
            source=seat.screen.segment.text,
            after=beside(seat.screen, later),
            usage={"start": usage.start, "end": usage.end} if (usage := seat.screen.instance) else None,
            candidates=[slots[seat.screen_id][position] for position in seat.shown_positions()],
        )
        for seat in seats
    ]


def showing(seat: Seat, slots: Sequence[Slot]) -> Showing:
    """Everything about a seat that its judge may see; the wider context only where there is more than the near one."""
    segment = seat.screen.segment
    # The index of positions begins with the campaign.
    near = Segment.objects.around(segment, PROTOCOLS[seat.campaign.protocol].wider).filter(campaign=segment.campaign_id)
    # Sentences of usages are picked from anywhere; what lies beside each other need not belong together.
    around = [] if seat.screen.instance else list(near.order_by("position"))
    before = [other for other in around if other.position < segment.position]
    after = [other for other in around if other.position > segment.position]
    near_before = [other for other in before if segment.position - other.position <= NEAR]
    near_after = [other for other in after if other.position - segment.position <= NEAR]
    is_more = len(around) > len(near_before) + len(near_after)
    source = normalise(segment.text or "")
    return Showing(
        segment=segment,
        before=near_before,
        after=near_after,
        wider=[*before, segment, *after] if is_more else [],
        usage=marked(segment.text or "", usage.start, usage.end) if (usage := seat.screen.instance) else None,
        wordings=[compare(source, slot.candidate.text or "") for slot in slots],
        **Seat.objects.filter(batch=seat.batch_id, round=seat.round).aggregate(
            place=Count("pk", filter=Q(position__lte=seat.position)), places=Count("pk")
        ),
    )
