"""Taking a judge's answer: one transaction, one judgment however often it is sent."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from judgments.judges import exclusion
from judgments.judges.programs import check_takes_programs
from judgments.models import Campaign, Draft, Judgment, Membership, Seat, Slot
from judgments.models.members import Visitor
from judgments.protocols import PROTOCOLS
from judgments.rules.errors import Refused

DISMISSED = gettext_lazy("There are no more screens for you here, so this answer was not taken.")
LOST = gettext_lazy("You were away for long and this screen went to somebody else. Go on with the next one.")


def why_lost(user: Visitor, seat: int) -> str:
    """Why a seat is no longer somebody's who may have held it."""
    judge = Membership.objects.filter(user=user.pk, campaign__seat=seat, role=Membership.Role.JUDGE).first()
    is_dismissed = judge is not None and judge.excluded_at and PROTOCOLS[judge.campaign.protocol].dismisses
    return str(DISMISSED if is_dismissed else LOST)


def shown_slots(seat: Seat) -> list[Slot]:
    """The candidates of a seat in the order in which its judge sees them."""
    slots = {slot.position: slot for slot in Slot.objects.filter(screen=seat.screen_id).select_related("candidate")}
    return [slots[position] for position in seat.shown_positions()]


def begun_answers(seat: Seat, slots: Sequence[Slot]) -> dict[str, Any]:
    """What the seat's judge has filled in so far: the draft, else what was submitted last."""
    draft = Draft.objects.filter(seat=seat, judge=seat.judge_id).first()
    if draft:
        return draft.answers | {"active": draft.active_seconds}
    judgment = Judgment.objects.current().filter(seat=seat).first() if seat.submitted_at else None
    if judgment is None:
        return {}
    said = {"comment": judgment.comment, "flagged": judgment.flagged}
    return PROTOCOLS[seat.campaign.protocol].load(judgment, slots) | said


def told_at(seats: Iterable[Seat]) -> list[str]:
    """What was answered at seats of one campaign, in the order of these, as far as its protocol has words for it."""
    seats = list(seats)
    if not seats:
        return []
    protocol = PROTOCOLS[seats[0].campaign.protocol]
    current = Judgment.objects.current().filter(seat__in=seats)
    told = protocol.told(current)
    reasons = {reason: str(label) for reason, label in protocol.form.skip_reasons}
    found = {
        seat: reasons.get(reason, reason) if reason else told.get(pk, "")
        for pk, seat, reason in current.values_list("pk", "seat", "skip_reason")
    }
    return [found.get(seat.pk, "") for seat in seats]


@transaction.atomic
def save_draft(
    seat: Seat, answers: dict[str, Any], active_seconds: float | None, refused: Collection[str] = ()
) -> None:
    """Keep unfinished answers and the seat with them: whoever writes is there. In place of what was refused stays what
    was kept before.
    """
    _check_open(seat.campaign)
    if refused:
        before = Draft.objects.filter(seat=seat, judge=seat.judge_id).values_list("answers", flat=True).first() or {}
        answers = {name: value for name, value in before.items() if name in refused} | answers
    kept = {"judge_id": seat.judge_id, "answers": answers, "active_seconds": active_seconds or 0}
    changed = ["answers", "active_seconds", "saved_at"]
    draft = Draft(seat=seat, **kept)
    Draft.objects.bulk_create([draft], update_conflicts=True, unique_fields=["seat", "judge"], update_fields=changed)
    until = timezone.now() + seat.campaign.lease
    Seat.objects.filter(pk=seat.pk, judge=seat.judge_id, submitted_at=None).update(leased_until=until)


@transaction.atomic
def submit(
    seat: Seat,
    *,
    key: UUID,
    answers: Sequence[Any] = (),
    skip_reason: str = "",
    active_seconds: float | None = None,
    comment: str = "",
    flagged: bool = False,
) -> Judgment:
    """Store the answers, or a skip with its reason, as the newest judgment of the seat.

    The same key again gives the judgment that is already there.
    """
    judge_id = seat.judge_id
    protocol = PROTOCOLS[seat.campaign.protocol]
    if protocol.dismisses and judge_id:  # judges before their seats, as everybody locks them who may dismiss one
        list(Membership.objects.select_for_update(of=("self",)).filter(pk=judge_id))
    locked = Seat.objects.select_for_update(of=("self",))
    seat = locked.select_related("campaign", "judge__campaign", "screen").get(pk=seat.pk)
    known = list(Judgment.objects.filter(Q(seat=seat) | Q(key=key)))
    earlier = [judgment for judgment in known if judgment.seat_id == seat.pk]
    for judgment in earlier:
        if judgment.key == key:
            return judgment
    _check(seat, judge_id, is_new=known == earlier)
    said = {"skip_reason": skip_reason, "comment": comment, "flagged": flagged}
    judgment = _write(seat, key, said, active_seconds, revision=len(earlier) + 1)
    if not skip_reason:
        protocol.store(judgment, shown_slots(seat) if protocol.has_candidates else [], answers)
    if protocol.dismisses and seat.screen.has_control and seat.judge:
        exclusion.decide_by_controls(seat.judge)
    return judgment


def _check_open(campaign: Campaign) -> None:
    if not campaign.is_open:
        said = gettext("This campaign is %(state)s, so answers are not taken any more.")
        raise Refused(said % {"state": campaign.get_state_display()})


def _check(seat: Seat, judge_id: int | None, is_new: bool) -> None:
    if seat.judge and seat.judge.role == Membership.Role.PROGRAM:
        check_takes_programs(seat.campaign)
    else:
        _check_open(seat.campaign)
    if seat.judge_id is None or seat.judge_id != judge_id:
        raise Refused(str(LOST))
    if PROTOCOLS[seat.campaign.protocol].dismisses and seat.judge and seat.judge.excluded_at:
        raise Refused(str(DISMISSED))
    if not is_new:
        raise Refused(gettext("This answer was sent for another screen already. Reload the page and answer again."))


def _write(seat: Seat, key: UUID, said: dict[str, Any], active_seconds: float | None, revision: int) -> Judgment:
    now = timezone.now()
    wall_seconds = (now - seat.claimed_at).total_seconds() if seat.claimed_at else None
    if wall_seconds is not None and wall_seconds < 0:
        wall_seconds = None  # the clock was set back meanwhile, so nobody knows how long it took
    if active_seconds is not None and wall_seconds is not None:
        active_seconds = min(active_seconds, wall_seconds)  # what a page tells cannot be longer than it took
    Draft.objects.filter(seat=seat, judge=seat.judge_id).delete()
    if revision > 1:
        Judgment.objects.filter(seat=seat, current=True).update(current=False)
    Seat.objects.filter(pk=seat.pk, submitted_at=None).update(submitted_at=now)
    return Judgment.objects.create(
        seat=seat,
        screen_id=seat.screen_id,
        key=key,
        revision=revision,
        skipped=bool(said["skip_reason"]),
        **said,
        wall_seconds=wall_seconds,
        active_seconds=active_seconds,
        submitted_at=now,
    )
