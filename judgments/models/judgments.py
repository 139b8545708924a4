"""Submitted judgments, and drafts."""

from datetime import datetime
from uuid import uuid4

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from judgments.models.assignments import Assignment
from judgments.models.campaign import between
from judgments.models.constraints import BelongsTo, check, unique
from judgments.models.members import Membership
from judgments.models.screens import Screen

LONGEST_COMMENT = 1000
MOST_SECONDS = 2**31 - 1


class Draft(models.Model):
    """A judge's unfinished answers, kept even when the assignment goes to another judge."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, db_index=False)
    judge = models.ForeignKey(Membership, models.CASCADE)
    answers = models.JSONField(default=dict, help_text="The fields of the form as filled in.")
    active_seconds = models.FloatField(default=0)
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [unique("one_draft_per_assignment_and_judge", "assignment", "judge")]

    def __str__(self) -> str:
        return f"draft of {self.judge} at {self.assignment}"


class JudgmentQuerySet(models.QuerySet["Judgment"]):
    def current(self) -> "JudgmentQuerySet":
        """Of each assignment the newest independent answer: the newest that was not made after feedback."""
        return self.filter(current=True)

    def comparable(self) -> "JudgmentQuerySet":
        """Answers to compare with each other: independent, of judges who are not excluded, no skips and no repeats."""
        judges = Membership.objects.filter(role=Membership.Role.JUDGE, excluded_at=None)
        # Asked for `repeats` that are null, SQLite would start from their index, in which nearly all assignments are.
        return self.current().filter(skipped=False, assignment__judge__in=judges).exclude(assignment__repeats__gt=0)

    def newest(self) -> "JudgmentQuerySet":
        """Of each assignment the newest answer, even if it was made after feedback."""
        later = Judgment.objects.filter(assignment=OuterRef("assignment"), revision__gt=OuterRef("revision"))
        return self.exclude(Exists(later))

    def adjudicated(self) -> "JudgmentQuerySet":
        """These without the answers of judges to screens that are adjudicated among them."""
        adjudicator = Q(assignment__judge__role=Membership.Role.ADJUDICATOR)
        return self.filter(adjudicator | ~Q(screen__in=self.filter(adjudicator).values("screen")))


class Judgment(models.Model):
    """A judge's submission, or an explicit skip; revisions are kept, and the newest independent one counts."""

    class View(models.TextChoices):
        """What the judge looked at: whole sentences, the compact view of their differences, or both in turn."""

        FULL = "full"
        COMPACT = "compact"
        BOTH = "both"

    assignment = models.ForeignKey(Assignment, models.CASCADE, db_index=False)
    screen = models.ForeignKey(Screen, models.CASCADE)
    key = models.UUIDField(default=uuid4, help_text="Given by the sender; the same key twice is one judgment.")
    revision = models.PositiveSmallIntegerField(default=1)
    current = models.BooleanField(default=True)
    after_feedback = models.BooleanField(
        default=False, help_text="Made after the judge saw where others differ; never the current one."
    )
    skipped = models.BooleanField(default=False)
    skip_reason = models.CharField(max_length=200, blank=True)
    comment = models.TextField(blank=True, max_length=LONGEST_COMMENT)
    flagged = models.BooleanField(default=False, help_text="The judge reported that the sentence itself is broken.")
    view = models.CharField(max_length=10, choices=View, blank=True, help_text="Empty if it is unknown.")
    wall_seconds = models.FloatField(null=True, blank=True, validators=between(0, MOST_SECONDS))
    active_seconds = models.FloatField(null=True, blank=True, validators=between(0, MOST_SECONDS))
    submitted_at = models.DateTimeField(default=timezone.now)

    objects = JudgmentQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        # For finding the few revisions among many first judgments.
        indexes = [models.Index(fields=["id"], condition=Q(revision__gt=1), name="judgment_revised")]
        constraints = [
            unique("one_judgment_per_key", "key"),
            unique("one_current_judgment_per_assignment", "assignment", where=Q(current=True)),
            unique("one_judgment_per_revision", "assignment", "revision"),
            unique("judgment_with_its_screen", "id", "screen"),
            BelongsTo(
                fields=["assignment", "screen"],
                to="judgments.Assignment",
                to_fields=["id", "screen"],
                name="judgment_has_the_screen_of_its_assignment",
            ),
            check("judgment_after_feedback_is_not_current", Q(after_feedback=False) | Q(current=False)),
            check("wall_time_in_range", Q(wall_seconds=None) | Q(wall_seconds__gte=0)),
        ]

    def __str__(self) -> str:
        return f"judgment {self.pk}, revision {self.revision}"

    @property
    def seconds(self) -> float | None:
        """Active time if known, otherwise elapsed time."""
        return self.wall_seconds if self.active_seconds is None else self.active_seconds

    @property
    def judged_at(self) -> datetime | None:
        """When the judge submitted it; None if it was imported, because `submitted_at` is then the time of import."""
        judge, batch = self.assignment.judge, self.assignment.batch_id
        return self.submitted_at if is_judged_here(judge, batch, self.revision) else None


def is_judged_here(judge: Membership | None, batch: int | None, revision: int) -> bool:
    """Whether a judgment was submitted to the platform; imported ones are judges', in no batch, and never revised."""
    return (judge is not None and judge.role != Membership.Role.JUDGE) or batch is not None or revision > 1
