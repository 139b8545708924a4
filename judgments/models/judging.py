"""How material meets judges: batches of screens, seats at them, and the judgments made there."""

from datetime import datetime, timedelta
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils import timezone

from judgments.models.campaign import Campaign
from judgments.models.constraints import BelongsTo
from judgments.models.instances import Instance
from judgments.models.material import Candidate, Segment
from judgments.models.members import Membership

LONGEST_COMMENT = 1000
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class Batch(models.Model):
    """A run of screens meant for one sitting; each of its rounds is for another judge."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, db_index=False)
    number = models.PositiveIntegerField()
    domain = models.CharField(max_length=100, blank=True)

    class Meta:
        ordering = ["campaign", "number"]
        constraints = [models.UniqueConstraint(fields=["campaign", "number"], name="one_batch_per_number")]

    def __str__(self) -> str:
        return f"batch {self.number} of {self.campaign}"


class Screen(models.Model):
    """One segment with the candidates shown together, or with the usage that is asked about.

    An automatic one is a tie that no judge needs to see; a control is there to judge judges by.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    segment = models.ForeignKey(Segment, models.CASCADE)
    batch = models.ForeignKey(Batch, models.CASCADE, null=True, blank=True)
    automatic = models.BooleanField(default=False)
    has_control = models.BooleanField(default=False)
    instance = models.ForeignKey(Instance, models.CASCADE, null=True, blank=True, help_text="What a verdict is about.")
    candidates = models.ManyToManyField(Candidate, through="Slot")

    def __str__(self) -> str:
        return f"screen {self.pk}"


class Slot(models.Model):
    """A candidate's place on a screen; a seat's order says where a judge sees it."""

    screen = models.ForeignKey(Screen, models.CASCADE, db_index=False)
    candidate = models.ForeignKey(Candidate, models.RESTRICT)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["screen", "position"]
        constraints = [
            models.UniqueConstraint(fields=["screen", "candidate"], name="one_slot_per_candidate_and_screen"),
            models.UniqueConstraint(fields=["screen", "position"], name="one_slot_per_position_and_screen"),
        ]

    def __str__(self) -> str:
        return f"slot {self.position} of {self.screen}"


def shown_positions(order: str) -> list[int]:
    """The slot positions that an order names."""
    return [DIGITS.index(digit) for digit in order]


class SeatQuerySet(models.QuerySet["Seat"]):
    """Questions about seats."""

    def dealt(self) -> "SeatQuerySet":
        """Those that judges of this platform take, unlike those of imported judgments."""
        return self.exclude(batch=None)

    def beside_the_deal(self) -> "SeatQuerySet":
        """Those of imported judgments, all of them done, and of programs."""
        return self.filter(batch=None)

    def done(self) -> "SeatQuerySet":
        """Those from which a judgment came."""
        return self.exclude(submitted_at=None)

    def waiting(self) -> "SeatQuerySet":
        """Those from which no judgment came yet."""
        return self.filter(submitted_at=None)

    def held_by(self, judge: Membership) -> "SeatQuerySet":
        """A judge's seats, done or not."""
        return self.filter(judge=judge)

    def free(self, now: datetime, lease: timedelta) -> "SeatQuerySet":
        """Those nobody holds, or whose judge has gone away.

        A lease that ends later than any given now was given by a clock that was ahead, and would last until that time.
        """
        over = Q(leased_until__lt=now) | Q(leased_until__gt=now + lease)
        return self.filter(Q(judge=None) | over, submitted_at=None)


class Seat(models.Model):
    """One place for one judge at one screen, with the order in which that judge sees the candidates."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, db_index=False)
    screen = models.ForeignKey(Screen, models.CASCADE)
    batch = models.ForeignKey(Batch, models.CASCADE, null=True, blank=True, db_index=False)
    round = models.PositiveSmallIntegerField(default=0)
    position = models.PositiveSmallIntegerField(default=0)
    order = models.CharField(max_length=36, blank=True, help_text="Slot positions in the order shown, one digit each.")
    repeats = models.OneToOneField("self", models.CASCADE, null=True, blank=True, related_name="repeat")
    judge = models.ForeignKey(Membership, models.RESTRICT, null=True, blank=True, db_index=False)
    claimed_at = models.DateTimeField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)

    objects = SeatQuerySet.as_manager()

    class Meta:
        indexes = [
            # The two ways to find a seat: the next free one in the order dealt, and a judge's own.
            models.Index(
                fields=["campaign", "round", "batch", "position"],
                condition=Q(submitted_at=None),
                name="seat_waiting",
            ),
            models.Index(fields=["judge", "submitted_at"], name="seat_of_judge"),
            models.Index(fields=["campaign", "submitted_at"], name="seat_of_campaign"),
            models.Index(fields=["campaign", "judge"], condition=Q(batch=None), name="seat_beside_the_deal"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["screen", "judge"], condition=Q(repeats=None), name="one_seat_per_judge_and_screen"
            ),
            models.UniqueConstraint(fields=["batch", "round", "position"], name="one_seat_per_place_in_a_batch"),
            models.UniqueConstraint(fields=["id", "screen"], name="seat_with_its_screen"),
            models.CheckConstraint(
                condition=Q(submitted_at=None) | Q(judge__isnull=False), name="submitted_seat_has_judge"
            ),
            models.CheckConstraint(
                condition=Q(judge=None, leased_until=None) | Q(judge__isnull=False), name="leased_seat_has_judge"
            ),
        ]

    def __str__(self) -> str:
        return f"seat {self.pk}"

    def shown_positions(self) -> list[int]:
        """Slot positions in the order in which the judge sees them."""
        return shown_positions(self.order)


class StandIn(models.Model):
    """A seat dealt anew for one whose judge does not count."""

    seat = models.OneToOneField(Seat, models.CASCADE, primary_key=True, related_name="stands_in")
    original = models.OneToOneField(Seat, models.CASCADE, related_name="stood_in_by")

    def __str__(self) -> str:
        return f"{self.seat} for {self.original}"


def written_order(positions: tuple[int, ...]) -> str:
    """Slot positions as a seat keeps them."""
    return "".join(DIGITS[position] for position in positions)


class Draft(models.Model):
    """What a judge has begun to answer at a seat; it stays theirs even when the seat goes to somebody else."""

    seat = models.ForeignKey(Seat, models.CASCADE, db_index=False)
    judge = models.ForeignKey(Membership, models.CASCADE)
    answers = models.JSONField(default=dict, help_text="Fields of the form as they were filled in.")
    active_seconds = models.FloatField(default=0)
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "judge"], name="one_draft_per_seat_and_judge")]

    def __str__(self) -> str:
        return f"draft of {self.judge} at {self.seat}"


class JudgmentQuerySet(models.QuerySet["Judgment"]):
    """Questions about judgments."""

    def current(self) -> "JudgmentQuerySet":
        """The newest of every seat."""
        return self.filter(current=True)


class Judgment(models.Model):
    """What a judge submitted from a seat, or an explicit skip; revisions are kept and the newest counts."""

    seat = models.ForeignKey(Seat, models.CASCADE, db_index=False)
    screen = models.ForeignKey(Screen, models.CASCADE)
    key = models.UUIDField(default=uuid4, help_text="Given by the sender; the same key twice is one judgment.")
    revision = models.PositiveSmallIntegerField(default=1)
    current = models.BooleanField(default=True)
    skipped = models.BooleanField(default=False)
    skip_reason = models.CharField(max_length=200, blank=True)
    comment = models.TextField(blank=True, max_length=LONGEST_COMMENT)
    flagged = models.BooleanField(default=False, help_text="The judge says that the sentence itself is broken.")
    wall_seconds = models.FloatField(null=True, blank=True)
    active_seconds = models.FloatField(null=True, blank=True)
    submitted_at = models.DateTimeField(default=timezone.now)

    objects = JudgmentQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [
            # The few that are not first ones, however many others there are.
            models.Index(fields=["id"], condition=Q(revision__gt=1), name="judgment_revised"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["key"], name="one_judgment_per_key"),
            models.UniqueConstraint(fields=["seat"], condition=Q(current=True), name="one_current_judgment_per_seat"),
            models.UniqueConstraint(fields=["seat", "revision"], name="one_judgment_per_revision"),
            models.UniqueConstraint(fields=["id", "screen"], name="judgment_with_its_screen"),
            BelongsTo(
                fields=["seat", "screen"],
                to="judgments.Seat",
                to_fields=["id", "screen"],
                name="judgment_has_the_screen_of_its_seat",
            ),
            models.CheckConstraint(condition=Q(wall_seconds=None) | Q(wall_seconds__gte=0), name="wall_time_in_range"),
        ]

    def __str__(self) -> str:
        return f"judgment {self.pk}, revision {self.revision}"
