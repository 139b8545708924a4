"""Seats anew for what was answered by a judge who does not count, so that as many answers count as were wanted.

A new seat stands in for the old one, which stays with its judge; who counts again takes back those that nobody began.
"""

from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction
from django.db.models import Max, QuerySet

from judgments.models import Batch, Membership, Seat, StandIn


@transaction.atomic
def reseat(judge: Membership) -> int:
    """Free what the judge holds, and deal once more what nobody stands in for yet; how many seats."""
    mine = Seat.objects.held_by(judge).dealt()
    mine.waiting().update(judge=None, claimed_at=None, leased_until=None)
    rounds = list(
        mine.done().filter(stood_in_by=None).order_by("batch_id", "round").values_list("batch_id", "round").distinct()
    )
    _locked(batch for batch, _ in rounds)
    return sum(_deal_again(judge, batch, number) for batch, number in rounds)


@transaction.atomic
def take_back(judge: Membership) -> int:
    """Take back the seats that stand in for the judge's and that nobody began; how many."""
    stood_in = StandIn.objects.filter(original__judge=judge, seat__judge=None, seat__submitted_at=None)
    rounds = set(stood_in.values_list("seat__batch", "seat__round", "original__round"))
    _locked(batch for batch, _, _ in rounds)
    copies = _free(Seat.objects.filter(stands_in__original__judge=judge))
    Seat.objects.filter(repeats__in=copies).update(repeats=None)
    Seat.objects.filter(pk__in=[seat.pk for seat in copies]).delete()
    for batch, new, old in rounds:
        rest = Seat.objects.filter(batch=batch, round=new)
        if not rest.exclude(judge=None).exists():
            rest.update(round=old)
    return len(copies)


def _locked(batches: Iterable[int | None]) -> None:
    """Rounds of a batch are numbered by one at a time."""
    list(Batch.objects.select_for_update().filter(pk__in=[pk for pk in batches if pk]).order_by("pk"))


def _free(seats: QuerySet[Seat]) -> list[Seat]:
    """Those that nobody takes meanwhile."""
    waiting = seats.filter(judge=None, submitted_at=None).order_by("position")
    return list(waiting.select_for_update(of=("self",)))


def _deal_again(judge: Membership, batch: int | None, number: int) -> int:
    """A new round of the batch: seats for what the judge answered, and what is left of the old one.

    Where somebody else who counts is at work in the old one, what is left of it stays there.
    """
    seats = Seat.objects.filter(batch=batch)
    new = (seats.aggregate(last=Max("round"))["last"] or 0) + 1
    of_round = seats.filter(round=number)
    done = list(of_round.filter(judge=judge, stood_in_by=None).done().order_by("position"))
    others = of_round.exclude(judge=judge).filter(judge__excluded_at=None, judge__isnull=False)
    left = _free(of_round)
    copies = {seat.pk: _copied(seat, new) for seat in done}
    if others.exists():
        left = [seat for seat in left if seat.repeats_id in copies]
    Seat.objects.bulk_create(copies.values())
    StandIn.objects.bulk_create(StandIn(seat=copies[seat.pk], original=seat) for seat in done)
    for seat in left:
        seat.round = new
    _repeat(done, left, copies)
    return len(done) + len(left)


def _repeat(done: Sequence[Seat], left: Sequence[Seat], copies: Mapping[int, Seat]) -> None:
    """What repeated a seat of the judge repeats the one that stands in for it."""
    for seat in done:
        if seat.repeats_id:
            copies[seat.pk].repeats = copies.get(seat.repeats_id)
    for seat in left:
        if seat.repeats_id and seat.repeats_id in copies:
            seat.repeats = copies[seat.repeats_id]
    Seat.objects.bulk_update([*copies.values(), *left], ["round", "repeats"], batch_size=200)


def _copied(seat: Seat, number: int) -> Seat:
    return Seat(
        campaign_id=seat.campaign_id,
        screen_id=seat.screen_id,
        batch_id=seat.batch_id,
        round=number,
        position=seat.position,
        order=seat.order,
    )
