from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from django.db import models
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from judgments.models.campaign import IDLE_OF_CAMPAIGN, Campaign
from judgments.models.constraints import check, unique
from judgments.models.judge_statistics import Completion
from judgments.models.members import Membership
from judgments.models.screens import Batch, Screen, shown_positions

# Longer than any request waits for a lock.
OF_HOLDER = {"id", "campaign", "role", "paused_at"}
LONGEST_WAIT = timedelta(minutes=1)


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def planned(self) -> "AssignmentQuerySet":
        """Assignments for people who judge here, not of imported judgments or programs."""
        return self.exclude(batch=None)

    def unplanned(self) -> "AssignmentQuerySet":
        """Assignments of imported judgments, which are all done, and of programs."""
        return self.filter(batch=None)

    def done(self) -> "AssignmentQuerySet":
        return self.exclude(submitted_at=None)

    def judged_here(self) -> "AssignmentQuerySet":
        """Those that are done, without imported judgments, which are stored with the time of the import."""
        return self.done().exclude(batch=None, judge__role=Membership.Role.JUDGE)

    def waiting(self) -> "AssignmentQuerySet":
        return self.filter(submitted_at=None)

    def held_by(self, judge: Membership) -> "AssignmentQuerySet":
        return self.filter(judge=judge)

    def with_campaign(self) -> "AssignmentQuerySet":
        """With what answering and claiming ask of the campaign, and with their judge's role."""
        campaign = [f"campaign__{name}" for name in IDLE_OF_CAMPAIGN]
        judge = [f"judge__{field.name}" for field in Membership._meta.concrete_fields if field.name not in OF_HOLDER]
        return self.select_related("campaign", "judge").defer(*campaign, *judge)

    def free(self, now: datetime, lease: timedelta) -> "AssignmentQuerySet":
        """Assignments that nobody holds, or whose lease has run out.

        A lease longer than any that could be given now was written by a clock that was ahead, so it counts as run out;
        but not one that another judge was given while this request waited for a lock, after its `now`.
        """
        over = Q(leased_until__lt=now) | Q(leased_until__gt=now + lease + LONGEST_WAIT)
        return self.filter(Q(judge=None) | over, submitted_at=None)

    def in_round_of(self, assignment: "Assignment") -> "AssignmentQuerySet":
        """Those of the same round of the same batch."""
        return self.filter(batch=assignment.batch_id, round=assignment.round)

    def beside(self, assignment: "Assignment") -> "AssignmentQuerySet":
        """Those of the same document in the same round, in the order of the text; repeats stand alone."""
        document = assignment.screen.segment.document_id
        fresh = self.in_round_of(assignment).filter(repeats=None)
        return fresh.filter(screen__segment__document=document).order_by("position")

    def skip_locked(self) -> "AssignmentQuerySet":
        """Lock them, without those that another judge is about to claim."""
        return self.select_for_update(skip_locked=True, of=("self",))

    def first_of_documents(self) -> "AssignmentQuerySet":
        """Leave out those that follow another one of the same document, batch and round."""
        earlier = self.filter(
            campaign=OuterRef("campaign"), batch=OuterRef("batch"), round=OuterRef("round"), repeats=None,
            position__lt=OuterRef("position"), screen__segment__document=OuterRef("screen__segment__document"),
        )  # fmt: skip
        return self.filter(~Exists(earlier))


class Assignment(models.Model):
    """One screen to be judged by one judge, with the order in which that judge sees the candidates."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, db_index=False)
    screen = models.ForeignKey(Screen, models.CASCADE)
    batch = models.ForeignKey(Batch, models.CASCADE, null=True, blank=True, db_index=False)
    round = models.PositiveSmallIntegerField(default=0)
    position = models.PositiveSmallIntegerField(default=0)
    order = models.CharField(max_length=36, blank=True, help_text="Slot positions in the order shown, one digit each.")
    repeats = models.OneToOneField("self", models.CASCADE, null=True, blank=True, related_name="repeat")
    assisted = models.BooleanField(
        null=True, blank=True, help_text="Whether it shows what a program said; empty without such an experiment."
    )
    judge = models.ForeignKey(Membership, models.RESTRICT, null=True, blank=True, db_index=False)
    claimed_at = models.DateTimeField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        indexes = [
            # Find the next free assignment in order, and the assignments of a judge.
            models.Index(
                fields=["campaign", "round", "batch", "position"],
                condition=Q(submitted_at=None),
                name="assignment_waiting",
            ),
            models.Index(fields=["judge", "submitted_at"], name="assignment_of_judge"),
            models.Index(fields=["campaign", "submitted_at"], name="assignment_of_campaign"),
            models.Index(fields=["campaign", "judge"], condition=Q(batch=None), name="assignment_beside_the_deal"),
        ]
        constraints = [
            unique("one_assignment_per_judge_and_screen", "screen", "judge", where=Q(repeats=None)),
            unique("one_assignment_per_place_in_a_batch", "batch", "round", "position"),
            unique("assignment_with_its_screen", "id", "screen"),
            check("submitted_assignment_has_judge", Q(submitted_at=None) | Q(judge__isnull=False)),
            check("leased_assignment_has_judge", Q(judge=None, leased_until=None) | Q(judge__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"assignment {self.pk}"

    def shown_positions(self) -> list[int]:
        return shown_positions(self.order)

    @property
    def holder(self) -> Membership:
        """The judge, of an assignment that somebody is known to hold."""
        if self.judge is None:
            raise ValueError(f"Nobody holds {self}.")
        return self.judge

    @property
    def is_after_feedback(self) -> bool:
        """Whether the judge answered this screen before, and has since seen where others differ in its batch."""
        if not (self.campaign.majority_feedback and self.submitted_at):
            return False
        finished = Completion.objects.filter(judge=self.judge_id, batch=self.batch_id)
        return finished.exclude(feedback_at=None).exists()


class StandIn(models.Model):
    """An assignment that stands in for one whose judge is excluded."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, primary_key=True, related_name="stands_in")
    original = models.OneToOneField(Assignment, models.CASCADE, related_name="stood_in_by")

    def __str__(self) -> str:
        return f"{self.assignment} for {self.original}"


LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


def recorded_assignments(campaigns: Iterable[Campaign]) -> QuerySet[Assignment]:
    """Assignments of imported judgments."""
    unplanned = Assignment.objects.filter(campaign__in=campaigns).unplanned().order_by()
    return unplanned.filter(judge__role=Membership.Role.JUDGE)


def judges_in(campaign: Campaign) -> QuerySet[Membership]:
    """Current and former judges."""
    return Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE)


def with_answers(judges: QuerySet[Membership]) -> QuerySet[Membership]:
    """Judges who judged at least one screen."""
    return judges.filter(Exists(Assignment.objects.filter(judge=OuterRef("pk")).done()))


def with_judgments(judges: QuerySet[Membership]) -> QuerySet[Membership]:
    """Annotate judges with the number of their judgments: those counted at the last batch, plus newer ones.

    Counting a million assignments would take too long for a page.
    """
    since = Coalesce(OuterRef("statistics__counted_up_to"), Value(LONG_AGO))
    newer = Assignment.objects.filter(judge=OuterRef("pk"), submitted_at__gt=since)
    return judges.annotate(done=Coalesce(F("statistics__screens"), 0) + number_of(newer, "judge"))


def judgments_by(judges: QuerySet[Membership]) -> int:
    return with_judgments(judges).aggregate(all=Coalesce(Sum("done"), 0))["all"]


def number_of(rows: QuerySet, of: str) -> Coalesce:
    """Count rows in a subquery, so that the other counts of the query are not multiplied."""
    return Coalesce(Subquery(rows.order_by().values(of).annotate(number=Count("pk")).values("number")), 0)
