"""Jobs: work that outlasts a request, stored as rows so that pages can show it and it survives a killed worker."""

from datetime import datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.dateformat import format as date_format

from judgments.models.campaign import Campaign
from judgments.models.constraints import unique
from judgments.models.pieces import Piece
from judgments.rules.tracing import current_request

STALE_AFTER = timedelta(seconds=60)
# A job that waits for other workers sets its heartbeat this far ahead.
LONGEST_PATIENCE = timedelta(minutes=10)
MOST_ATTEMPTS = 3
KEPT_FOR = timedelta(days=14)


def _time(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "j M H:i e")


class JobQuerySet(models.QuerySet):
    def unfinished(self) -> Self:
        return self.exclude(state__in=Job.OVER)

    def newest(self, campaign: Campaign) -> Any:
        return self.filter(campaign=campaign).order_by("-created_at", "-pk").first()

    def stale(self, now: datetime) -> Self:
        """Jobs that should be running but are not: started and silent, or queued and never fetched.

        A time too far ahead was written before the clock was set back; a live worker soon overwrites it.
        """
        old, ahead = now - STALE_AFTER, now + LONGEST_PATIENCE + STALE_AFTER
        silent = Q(heartbeat__lt=old) | Q(heartbeat__gt=ahead)
        unfetched = Q(queued_at__lt=old) | Q(queued_at__gt=ahead)
        return self.filter((Q(state=Job.State.RUNNING) & silent) | (Q(state=Job.State.QUEUED) & unfetched))

    def over_before(self, moment: datetime) -> Self:
        return self.filter(state__in=Job.OVER, finished_at__lt=moment)

    def oldest_request(self) -> datetime | None:
        """When the longest-waiting job was requested; requeueing does not change that."""
        return self.filter(state=Job.State.QUEUED).aggregate(oldest=models.Min(self.requested_at()))["oldest"]

    @classmethod
    def requested_at(cls) -> models.expressions.Combinable:
        return F("created_at")

    def claim(self, pk: int, task_id: str = "") -> int | None:
        """Claim a queued job and return the number of this attempt, or None if another worker was first."""
        now = timezone.now()
        row = self.filter(pk=pk)
        claimed = row.filter(state=Job.State.QUEUED).update(
            state=Job.State.RUNNING, attempt=F("attempt") + 1, started_at=now, heartbeat=now, progress=0, error="",
            task_id=task_id,
        )  # fmt: skip
        return row.values_list("attempt", flat=True).first() if claimed else None

    def revive(self) -> list[int]:
        """Requeue jobs of killed workers and lost messages; return the jobs to announce."""
        stale = self.stale(timezone.now()).values_list("pk", "heartbeat")
        return [pk for pk, heartbeat in stale if self.requeue(pk, heartbeat)]

    def requeue(self, pk: int, seen: datetime | None) -> bool:
        """Put a stale job back into the queue, unless that was done or its heartbeat has changed since.

        A job whose worker stopped several times fails.
        """
        now = timezone.now()
        silent = self.stale(now).filter(Q(state=Job.State.QUEUED) | Q(heartbeat=seen), pk=pk)
        # Only running jobs fail: workers that shut down properly may give a job back any number of times.
        given_up = silent.filter(state=Job.State.RUNNING, attempt__gte=MOST_ATTEMPTS).update(
            state=Job.State.FAILED,
            finished_at=now,
            error=f"The worker stopped {MOST_ATTEMPTS} times while making this. It may need more memory.",
        )
        return not given_up and bool(silent.update(state=Job.State.QUEUED, queued_at=now))

    def give_back(self, pk: int) -> bool:
        """Put a running job back into the queue because its worker shuts down; this ends its attempt."""
        running = self.filter(pk=pk, state=Job.State.RUNNING)
        return bool(running.update(state=Job.State.QUEUED, queued_at=timezone.now()))

    def queue_again(self, pk: int) -> bool:
        """Put a failed or stale job back into the queue."""
        now = timezone.now()
        left = self.filter(pk=pk).filter(Q(state=Job.State.FAILED) | Q(pk__in=self.stale(now).values("pk")))
        return bool(left.update(state=Job.State.QUEUED, queued_at=now, finished_at=None, progress=0, step="", error=""))


class Job(models.Model):
    """State, progress and failure of a worker's job.

    `kind` names the kind of job in addresses, messages and metrics; `named_by` are the columns that `str()` reads.
    """

    kind = ""
    named_by: tuple[str, ...] = ()

    class State(models.TextChoices):
        QUEUED = "queued", "waiting"
        RUNNING = "running", "being made"
        DONE = "done", "ready"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"

    OVER = (State.DONE, State.FAILED, State.CANCELLED)

    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    attempt = models.PositiveSmallIntegerField(default=0)
    progress = models.FloatField(default=0, help_text="From 0 to 1.")
    step = models.CharField(max_length=200, blank=True, help_text="The current step of the work.")
    error = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    queued_at = models.DateTimeField(default=timezone.now)
    work = models.FloatField(default=0, help_text="About how many seconds it takes, by which its turn is decided.")
    request_id = models.CharField(max_length=64, default=current_request, blank=True, help_text="Who asked, for logs.")
    task_id = models.CharField(max_length=36, blank=True, help_text="The task of the worker that is or was at it.")
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = JobQuerySet.as_manager()

    class Meta:
        abstract = True
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["state", "heartbeat"], name="%(class)s_state")]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk} of {getattr(self, 'campaign', None)}"

    def rows(self) -> JobQuerySet:
        """A queryset of this row, empty once the job has been requested anew."""
        return type(self)._default_manager.filter(pk=self.pk)

    def progress_now(self) -> dict[str, Any]:
        """State and progress for a page that waits."""
        return {"state": self.state, "progress": self.progress, "step": self.status, "over": self.is_over}

    @property
    def status(self) -> str:
        """What an unfinished job does, since when, and how far it is; a requeued one still has its last step."""
        if self.state == Job.State.QUEUED or self.started_at is None:
            return f"waiting for a worker since {_time(self.queued_at)}"
        return f"{self.step or 'starting'}, {self.progress:.0%} done, running since {_time(self.started_at)}"

    @property
    def is_over(self) -> bool:
        return self.state in self.OVER

    def missing_files(self) -> str:
        """Why this job cannot be requeued; empty if it can."""
        return ""

    def discard_files(self) -> None:
        """Delete the files of this job if it is over."""


class CampaignJob(Job):
    """A job that the organisers of its campaign may see and cancel."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)

    class Meta(Job.Meta):
        abstract = True


class SingleJob(CampaignJob):
    """A job of which a campaign has at most one unfinished at a time."""

    class Meta(CampaignJob.Meta):
        abstract = True
        constraints = [unique("one_%(class)s_at_a_time", "campaign", where=Q(state__in=["queued", "running"]))]


class AssignmentJob(SingleJob):
    """Assigning very many screens."""

    kind = "assignment"

    settings = models.JSONField(help_text="Settings to store in the campaign first.")
    screens = models.PositiveIntegerField(null=True, blank=True, help_text="How many to assign, in a sampled design.")
    with_controls = models.BooleanField(default=False)
    assigned = models.JSONField(default=dict, help_text="Numbers of what was assigned.")

    def get_absolute_url(self) -> str:
        return reverse("assignment_job", args=[self.campaign.slug, self.pk])


LONGEST_SUBJECT = 150


class MailJob(SingleJob):
    """Mailing links to judges invited by mail address, and the addresses not reached."""

    kind = "mail"

    subject = models.CharField(max_length=LONGEST_SUBJECT)
    text = models.TextField()
    sent = models.PositiveIntegerField(default=0)
    unreached = models.JSONField(default=list, help_text="Addresses not reached, each with the reason.")

    def get_absolute_url(self) -> str:
        return reverse("mail_links", args=[self.campaign.slug])


class ExclusionJob(SingleJob):
    """Applying the exclusion rule to very many judgments, and how many judges it excluded and reinstated."""

    kind = "exclusion"

    excluded = models.PositiveIntegerField(default=0)
    included = models.PositiveIntegerField(default=0)

    def get_absolute_url(self) -> str:
        return reverse("judges", args=[self.campaign.slug])


class ImportJob(Job):
    """Creating a campaign from a bundle; only the user who uploaded the bundle sees the job."""

    kind = "import"
    named_by = ("file_name",)

    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE)
    file_name = models.CharField(max_length=255)
    slug = models.CharField(max_length=50, blank=True, help_text="Another short name; blank for that of the bundle.")
    campaign = models.ForeignKey(Campaign, models.SET_NULL, null=True, blank=True, help_text="The campaign created.")
    problems = models.JSONField(default=list, help_text="File, line and message of each problem.")

    def __str__(self) -> str:
        return f"import {self.pk} of {self.file_name}"

    def get_absolute_url(self) -> str:
        return reverse("import_job", args=[self.pk])

    def missing_files(self) -> str:
        is_kept = ImportPiece.objects.filter(job=self.pk).exists()
        return "" if is_kept else "The bundle was not kept. Ask the person who uploaded it to upload it again."

    def discard_files(self) -> None:
        ImportPiece.objects.filter(job=self.pk, job__state__in=self.OVER).delete()


class ImportPiece(Piece):
    """A piece of the uploaded bundle, kept while it is needed."""

    job = models.ForeignKey(ImportJob, models.CASCADE, db_index=False)

    class Meta:
        constraints = [unique("one_piece_per_import_and_number", "job", "number")]

    def __str__(self) -> str:
        return f"piece {self.number} of the bundle of {self.job}"
