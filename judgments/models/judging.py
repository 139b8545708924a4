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
from judgments.rules.shares import Between, wilson

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


class Conduct(models.Model):
    """How a judge had worked at the end of the last batch; kept, as counting it reads all the judge's answers."""

    judge = models.OneToOneField(Membership, models.CASCADE, primary_key=True)
    screens = models.PositiveIntegerField()
    timed = models.PositiveIntegerField(help_text="Screens of which the time is known.")
    total_seconds = models.FloatField()
    median_seconds = models.FloatField(null=True)
    pairs = models.PositiveIntegerField(help_text="Pairs of candidates on one screen.")
    ties = models.PositiveIntegerField()
    scores = models.PositiveIntegerField()
    extremes = models.PositiveIntegerField(help_text="Scores at an end of the scale.")
    controls = models.PositiveIntegerField()
    controls_passed = models.PositiveIntegerField(help_text="Controls that were answered rightly.")
    counted_up_to = models.DateTimeField(null=True, help_text="When the newest of the screens was submitted.")
    # What takes all judges to compute; the newest report leaves it here.
    others_kappa = models.FloatField(null=True, help_text="Agreement with all others.")
    self_kappa = models.FloatField(null=True, help_text="Agreement with the own repeats.")
    position_p_value = models.FloatField(null=True, help_text="How likely so much favour for a place is by chance.")
    compared_at = models.DateTimeField(null=True, help_text="When the report was made that says so.")

    def __str__(self) -> str:
        return f"conduct of {self.judge}"

    @property
    def pace(self) -> float | None:
        """Screens an hour of active time."""
        return 3600 * self.timed / self.total_seconds if self.total_seconds else None

    @property
    def hours(self) -> float:
        """All active time."""
        return self.total_seconds / 3600

    @property
    def tie_share(self) -> float | None:
        """Of pairs on one screen."""
        return self.ties / self.pairs if self.pairs else None

    @property
    def extreme_share(self) -> float | None:
        """Of scores; nothing where there are none."""
        return self.extremes / self.scores if self.scores else None

    @property
    def control_interval(self) -> Between | None:
        """How far to trust the share of controls passed."""
        return wilson(self.controls_passed, self.controls)


class Completion(models.Model):
    """A judge's finished batch: how much of it was theirs, whether the checks were passed, and if it earns a code."""

    judge = models.ForeignKey(Membership, models.CASCADE, db_index=False)
    batch = models.ForeignKey(Batch, models.CASCADE, db_index=False)
    screens = models.PositiveSmallIntegerField()
    earns_code = models.BooleanField(help_text="No, where others judged some of the batch while the judge was away.")
    passed = models.BooleanField(null=True, help_text="Whether enough controls were answered rightly.")
    finished_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["judge", "finished_at"]
        constraints = [models.UniqueConstraint(fields=["judge", "batch"], name="one_completion_per_judge_and_batch")]

    def __str__(self) -> str:
        return f"{self.batch} by {self.judge}"

    @property
    def code(self) -> str:
        """What the judge can hand in for the batch."""
        campaign = self.judge.campaign
        if not self.earns_code:
            return ""
        return campaign.failed_code if self.passed is False and campaign.failed_code else campaign.completion_code
