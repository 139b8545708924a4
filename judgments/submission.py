"""Taking a judge's answer: one transaction, one judgment however often it is sent."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from judgments.faults import Refused
from judgments.models import Judgment, Seat, Slot
from judgments.protocols import PROTOCOLS


def shown_slots(seat: Seat) -> list[Slot]:
    """The candidates of a seat in the order in which its judge sees them."""
    slots = {slot.position: slot for slot in Slot.objects.filter(screen=seat.screen_id).select_related("candidate")}
    return [slots[position] for position in seat.shown_positions()]


@transaction.atomic
def submit(seat: Seat, *, key: UUID, answers: Sequence[Any] = (), skip_reason: str = "") -> Judgment:
    """Store the answers, or a skip with its reason, as the newest judgment of the seat.

    The same key again gives the judgment that is already there.
    """
    judge_id = seat.judge_id
    seat = Seat.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=seat.pk)
    earlier = list(Judgment.objects.filter(seat=seat).order_by("revision"))
    for judgment in earlier:
        if judgment.key == key:
            return judgment
    _check(seat, judge_id, key)
    judgment = _write(seat, key, skip_reason, revision=len(earlier) + 1)
    if not skip_reason:
        PROTOCOLS[seat.campaign.protocol].store(judgment, shown_slots(seat), answers)
    return judgment


def _check(seat: Seat, judge_id: int | None, key: UUID) -> None:
    if not seat.campaign.is_open:
        raise Refused(f"This campaign is {seat.campaign.get_state_display()}, so answers are not taken any more.")
    if seat.judge_id is None or seat.judge_id != judge_id:
        raise Refused("You were away for long and this screen went to somebody else. Go on with the next one.")
    if Judgment.objects.filter(key=key).exists():
        raise Refused("This answer was sent for another screen already. Reload the page and answer again.")


def _write(seat: Seat, key: UUID, skip_reason: str, revision: int) -> Judgment:
    now = timezone.now()
    Judgment.objects.filter(seat=seat, current=True).update(current=False)
    Seat.objects.filter(pk=seat.pk, submitted_at=None).update(submitted_at=now)
    return Judgment.objects.create(
        seat=seat,
        screen_id=seat.screen_id,
        key=key,
        revision=revision,
        skipped=bool(skip_reason),
        skip_reason=skip_reason,
        wall_seconds=(now - seat.claimed_at).total_seconds() if seat.claimed_at else None,
        submitted_at=now,
    )
