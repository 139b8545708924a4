"""Seats anew for what was answered by a judge who does not count, so that as many answers count as were wanted."""

from django.db import transaction
from django.db.models import Max

from judgments.models import Membership, Seat


@transaction.atomic
def reseat(judge: Membership) -> int:
    """Free what the judge holds, and put each round that the judge began into the deal once more; how many seats."""
    mine = Seat.objects.held_by(judge).dealt()
    mine.waiting().update(judge=None, claimed_at=None, leased_until=None)
    rounds = mine.done().order_by("batch_id", "round").values_list("batch_id", "round").distinct()
    return sum(_repeat_round(judge, batch, number) for batch, number in list(rounds))


def _repeat_round(judge: Membership, batch: int, number: int) -> int:
    """A new round of the batch: copies of what the judge answered, and what is left of the old one."""
    seats = Seat.objects.filter(batch=batch)
    new = (seats.aggregate(last=Max("round"))["last"] or 0) + 1
    done = list(seats.filter(round=number, judge=judge).done().order_by("position"))
    left = list(seats.filter(round=number, judge=None).waiting().order_by("position"))
    copies = {seat.pk: _copied(seat, new) for seat in done}
    Seat.objects.bulk_create(copies.values())
    for seat in left:
        seat.round = new
    repeating = [(copies[seat.pk], seat.repeats_id) for seat in done] + [(seat, seat.repeats_id) for seat in left]
    for seat, original in repeating:
        seat.repeats = copies.get(original) if original else None
    Seat.objects.bulk_update([seat for seat, _ in repeating], ["round", "repeats"], batch_size=200)
    return len(repeating)


def _copied(seat: Seat, number: int) -> Seat:
    return Seat(
        campaign_id=seat.campaign_id,
        screen_id=seat.screen_id,
        batch_id=seat.batch_id,
        round=number,
        position=seat.position,
        order=seat.order,
    )
