"""Opening and closing a campaign, and giving seats to judges."""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from judgments.faults import Refused
from judgments.models import Campaign, Membership, Seat

MOST_TRIES = 20


@transaction.atomic
def open_campaign(campaign: Campaign) -> None:
    """Let judges in."""
    if not Seat.objects.filter(campaign=campaign).dealt().exists():
        raise Refused("There is nothing to judge yet; deal screens first.")
    Campaign.objects.filter(pk=campaign.pk).update(
        state=Campaign.State.OPEN, opened_at=campaign.opened_at or timezone.now(), closed_at=None
    )


@transaction.atomic
def close_campaign(campaign: Campaign) -> None:
    """Take no more answers."""
    Campaign.objects.filter(pk=campaign.pk, state=Campaign.State.OPEN).update(
        state=Campaign.State.CLOSED, closed_at=timezone.now()
    )


@transaction.atomic
def claim_next(judge: Membership, after: Seat | None = None) -> Seat | None:
    """The seat to go on with: the one held, the next of the batch begun, or the first of another batch.

    With `after`, the seat to go on with when that one is answered, which may be claimed ahead of it.
    """
    judge = Membership.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=judge.pk)
    if not judge.campaign.is_open:
        raise Refused(f"This campaign is {judge.campaign.get_state_display()}.")
    begun = Seat.objects.held_by(judge).filter(submitted_at=None)
    if after:
        begun = begun.exclude(pk=after.pk)
    held = begun.order_by("batch_id", "round", "position").first()
    if held:
        Seat.objects.filter(pk=held.pk).update(leased_until=_lease_end(judge.campaign))
        return held
    for _ in range(MOST_TRIES):
        seat = _find_free(judge, after)
        if seat is None or _take(seat, judge):
            return seat
    raise Refused("Too many judges asked at once. Try again.")


def _lease_end(campaign: Campaign) -> datetime:
    return timezone.now() + timedelta(minutes=campaign.lease_minutes)


def _take(seat: Seat, judge: Membership) -> bool:
    """Claim by an update that says who won: of two judges who saw the seat free, one changes the row."""
    now = timezone.now()
    seat.judge, seat.claimed_at, seat.leased_until = judge, now, _lease_end(judge.campaign)
    free = Seat.objects.free(now).filter(pk=seat.pk)
    return bool(free.update(judge=judge, claimed_at=now, leased_until=seat.leased_until))


def _find_free(judge: Membership, after: Seat | None) -> Seat | None:
    """The first free seat in the batch begun, else of a batch nobody began, else what others left behind."""
    free = (
        Seat.objects.free(timezone.now())
        .dealt()
        .filter(campaign=judge.campaign)
        .select_for_update(skip_locked=True, of=("self",))
        .order_by("round", "batch_id", "position")  # as in the index; "batch" would sort by what batches are sorted by
    )
    mine = Seat.objects.held_by(judge).dealt()
    # The newest is found by an index, however many there are.
    last = after or mine.done().select_related("batch").order_by("-submitted_at").first()
    own = Q(repeats=None) | Q(repeats__judge=judge)
    if last and (seat := free.filter(own, batch=last.batch_id, round=last.round).first()):
        return seat
    # A repeat lies in the batch of its original, so another batch has none that is for this judge.
    others = free.filter(repeats=None).exclude(batch__in=mine.values("batch"))
    if judge.campaign.one_domain_a_day and last and last.batch and _is_today(last.submitted_at or last.claimed_at):
        others = others.filter(batch__domain=last.batch.domain)
    return others.filter(position=0, judge=None).first() or others.first()


def _is_today(moment: datetime | None) -> bool:
    return moment is not None and timezone.localdate(moment) == timezone.localdate()
