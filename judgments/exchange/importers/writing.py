"""What all recorded judgments become: finished seats, and judgments made there."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from judgments.models import Campaign, Judgment, Membership, Screen, Seat
from judgments.models.journal import note
from judgments.rules.errors import Refused

REPEATS_AT_ONCE = 200


class Filled(NamedTuple):
    """One recorded judgment: by whom, at which screen, in which order, or why it was skipped."""

    key: UUID
    judge: str
    screen: Screen
    order: str = ""
    skip_reason: str = ""
    seconds: float | None = None


def refuse_archived(campaign: Campaign) -> None:
    """Refuse where nothing changes any more."""
    if campaign.state == Campaign.State.ARCHIVED:
        raise Refused(f"{campaign.slug} is archived; close it again before judgments come in.")


def note_import(campaign: Campaign, what: str, file: str) -> None:
    """Keep in the journal what came from which file."""
    note(campaign, f"brought in {what} from {file}")


def recorded_screens(campaign: Campaign) -> QuerySet[Screen]:
    """The screens of earlier files."""
    return Screen.objects.filter(campaign=campaign, batch=None, automatic=False)


def known_keys(campaign: Campaign) -> set[UUID]:
    """Of every judgment that is there already."""
    return set(Judgment.objects.filter(seat__campaign=campaign).values_list("key", flat=True))


class SeatWriter:
    """Writes seats and judgments; a judge's second judgment at a screen is a repeat, across files too."""

    def __init__(self, campaign: Campaign):
        self.campaign = campaign
        self.now = timezone.now()
        seats = Seat.objects.filter(screen__in=recorded_screens(campaign), judge__isnull=False).order_by("pk")
        self._last_seats = {(seat.judge_id, seat.screen_id): seat for seat in seats}
        self._judges: dict[str, Membership] = {}

    def find_judges(self, names: Iterable[str]) -> None:
        """Know these judges, and make those who are new; refuse the names of others."""
        wanted = set(names)
        there = Membership.objects.filter(campaign=self.campaign, pseudonym__in=wanted)
        if others := [f"{one.pseudonym} ({one.role})" for one in there if one.role != Membership.Role.JUDGE]:
            told = ", ".join(sorted(others))[:200]
            raise Refused(f"These names belong to members who are no judges: {told}. Give the judges other names.")
        self._judges = {judge.pseudonym: judge for judge in there}
        new = [
            Membership(campaign=self.campaign, role=Membership.Role.JUDGE, pseudonym=name)
            for name in sorted(wanted - self._judges.keys())
        ]
        self._judges |= {judge.pseudonym: judge for judge in Membership.objects.bulk_create(new)}

    def write(self, filled: Sequence[Filled]) -> list[Judgment]:
        """A judgment for each."""
        seats = self._write_seats(filled)
        return Judgment.objects.bulk_create(
            Judgment(
                seat=seat,
                screen_id=seat.screen_id,
                key=one.key,
                skipped=bool(one.skip_reason),
                skip_reason=one.skip_reason,
                wall_seconds=one.seconds,
                submitted_at=self.now,
            )
            for seat, one in zip(seats, filled, strict=True)
        )

    def _write_seats(self, filled: Sequence[Filled]) -> list[Seat]:
        """A finished seat for each; the judge's earlier one at the same screen is what it repeats."""
        seats, repeats = [], []
        for one in filled:
            judge = self._judges[one.judge]
            seat = Seat(campaign=self.campaign, screen=one.screen, order=one.order)
            earlier = self._last_seats.get((judge.pk, one.screen.pk))
            if earlier is None:
                seat.judge, seat.submitted_at = judge, self.now
            else:  # nobody's at first: a judge has one seat at a screen that repeats no other
                repeats.append((seat, judge, earlier))
            self._last_seats[judge.pk, one.screen.pk] = seat
            seats.append(seat)
        Seat.objects.bulk_create(seats)
        for seat, judge, earlier in repeats:
            seat.judge, seat.submitted_at, seat.repeats = judge, self.now, earlier
        again = [seat for seat, _, _ in repeats]
        Seat.objects.bulk_update(again, ["judge", "submitted_at", "repeats"], batch_size=REPEATS_AT_ONCE)
        return seats
