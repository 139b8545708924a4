"""Jobs: work that outlasts a request is a row, which pages show and which survives a killed worker."""

from datetime import datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from judgments.models.campaign import Campaign

HEARTBEAT_SECONDS = 10
STALE_AFTER = timedelta(seconds=60)
# Whoever waits for others may say so by a heartbeat that is so far ahead.
LONGEST_PATIENCE = timedelta(minutes=10)
MOST_ATTEMPTS = 3
KEPT_FOR = timedelta(days=14)


class WorkQuerySet(models.QuerySet):
    """Questions about work."""

    def stale(self, now: datetime) -> Self:
        """What should be going on but is not: started and silent, or queued and never fetched.

        A time farther ahead was written by a clock that was set back since: whoever lives writes a new one in a moment.
        """
        old, ahead = now - STALE_AFTER, now + LONGEST_PATIENCE + STALE_AFTER
        silent = Q(heartbeat__lt=old) | Q(heartbeat__gt=ahead)
        unfetched = Q(queued_at__lt=old) | Q(queued_at__gt=ahead)
        return self.filter((Q(state=Work.State.RUNNING) & silent) | (Q(state=Work.State.QUEUED) & unfetched))

    def forgotten(self, now: datetime) -> Self:
        """What was over so long ago that nobody will come back to it."""
        return self.filter(state__in=Work.OVER, finished_at__lt=now - KEPT_FOR)

    def begin(self, pk: int) -> int | None:
        """Claim queued work; the number of this attempt, or None where another worker was first."""
        now = timezone.now()
        begun = self.filter(pk=pk, state=Work.State.QUEUED).update(
            state=Work.State.RUNNING, attempt=F("attempt") + 1, started_at=now, heartbeat=now, progress=0, error=""
        )
        return self.values_list("attempt", flat=True).get(pk=pk) if begun else None

    def revive(self) -> list[int]:
        """Queue again what a killed worker left behind or a lost message never brought; what is to be fetched anew."""
        stale = self.stale(timezone.now()).values_list("pk", "heartbeat")
        return [pk for pk, heartbeat in stale if self.requeue(pk, heartbeat)]

    def requeue(self, pk: int, seen: datetime | None) -> bool:
        """Put stale work back into the queue, unless somebody else did or it came alive since it was seen.

        Work that took its worker down time and again is given up.
        """
        now = timezone.now()
        silent = self.stale(now).filter(Q(state=Work.State.QUEUED) | Q(heartbeat=seen), pk=pk)
        # What waits was given back by a worker that ended as it should, however often.
        given_up = silent.filter(state=Work.State.RUNNING, attempt__gte=MOST_ATTEMPTS).update(
            state=Work.State.FAILED,
            finished_at=now,
            error=f"The worker stopped {MOST_ATTEMPTS} times while making this. It may need more memory.",
        )
        return not given_up and bool(silent.update(state=Work.State.QUEUED, queued_at=now))

    def give_back(self, pk: int) -> bool:
        """Put work that goes on back into the queue, as its worker has to end; its attempt is overtaken by that."""
        going_on = self.filter(pk=pk, state=Work.State.RUNNING)
        return bool(going_on.update(state=Work.State.QUEUED, queued_at=timezone.now()))

    def again(self, pk: int) -> bool:
        """Put work that failed, or that nobody is at, back into the queue."""
        now = timezone.now()
        left = self.filter(pk=pk).filter(Q(state=Work.State.FAILED) | Q(pk__in=self.stale(now).values("pk")))
        return bool(
            left.update(state=Work.State.QUEUED, queued_at=now, finished_at=None, progress=0, step="", error="")
        )


class Work(models.Model):
    """State, progress and failure of something a worker does."""

    class State(models.TextChoices):
        """Where the work stands."""

        QUEUED = "queued", "waiting"
        RUNNING = "running", "being made"
        DONE = "done", "ready"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"

    OVER = (State.DONE, State.FAILED, State.CANCELLED)

    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    attempt = models.PositiveSmallIntegerField(default=0)
    progress = models.FloatField(default=0, help_text="From 0 to 1.")
    step = models.CharField(max_length=200, blank=True, help_text="What is being done now.")
    error = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    queued_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    def told(self) -> dict[str, Any]:
        """How far it is, for a page that waits."""
        return {"state": self.state, "progress": self.progress, "step": self.step, "over": self.is_over}

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in self.OVER


class Deal(Work):
    """What is to be dealt, and how far it is."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    settings = models.JSONField(help_text="What of the campaign is to be set before.")
    screens = models.PositiveIntegerField(null=True, blank=True, help_text="How many to draw, where they are drawn.")
    with_controls = models.BooleanField(default=False)
    dealt = models.JSONField(default=dict, help_text="What was dealt, in numbers.")

    objects = WorkQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["state", "heartbeat"], name="deal_state")]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=Q(state__in=["queued", "running"]), name="one_deal_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"deal {self.pk} in {self.campaign}"


class Import(Work):
    """A bundle on its way to be a campaign, and which one it became."""

    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE)
    file_name = models.CharField(max_length=255)
    slug = models.CharField(max_length=50, blank=True, help_text="Another short name; empty: that of the bundle.")
    campaign = models.ForeignKey(Campaign, models.SET_NULL, null=True, blank=True)
    problems = models.JSONField(default=list, help_text="File, line and what is wrong.")

    objects = WorkQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["state", "heartbeat"], name="import_state")]

    def __str__(self) -> str:
        return f"import {self.pk} of {self.file_name}"


class ImportFile(models.Model):
    """The bundle itself, for as long as it is needed."""

    bundle = models.OneToOneField(Import, models.CASCADE, primary_key=True, related_name="file")
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"file of {self.bundle}"


LONGEST_SUBJECT = 150


class Mailing(Work):
    """What is written to those who were invited by an address, and whom it did not reach."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    subject = models.CharField(max_length=LONGEST_SUBJECT)
    text = models.TextField()
    site = models.CharField(max_length=300, help_text="What stands before the path of a link.")
    sent = models.PositiveIntegerField(default=0)
    unreached = models.JSONField(default=list, help_text="Addresses that got no mail, each with the reason.")

    objects = WorkQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["state", "heartbeat"], name="mailing_state")]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=Q(state__in=["queued", "running"]), name="one_mailing_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"mailing {self.pk} of {self.campaign}"


class Ruling(Work):
    """How far the judges are looked at, and how many were excluded and included again."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    excluded = models.PositiveIntegerField(default=0)
    included = models.PositiveIntegerField(default=0)

    objects = WorkQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["state", "heartbeat"], name="ruling_state")]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign"], condition=Q(state__in=["queued", "running"]), name="one_ruling_at_a_time"
            )
        ]

    def __str__(self) -> str:
        return f"ruling {self.pk} in {self.campaign}"
