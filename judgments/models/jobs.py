"""Jobs: work that outlasts a request, stored as rows so that pages can show it and it survives a killed worker.

All jobs are in one table. A kind of job is a subclass: a proxy if what it needs and yields fits `payload` and
`outcome`, and otherwise a table of its own with further columns.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import cache
from typing import Any, ClassVar, Self

from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.utils.module_loading import import_string

from judgments.models.campaign import Campaign
from judgments.models.constraints import unique
from judgments.rules.tracing import current_request

# Jobs that take minutes belong in the long queue, apart from those for which people wait.
SHORT, LONG = "short", "long"
STALE_AFTER = timedelta(seconds=60)
# A job that waits for other workers sets its heartbeat this far ahead.
LONGEST_PATIENCE = timedelta(minutes=10)
MOST_ATTEMPTS = 3
KEPT_FOR = timedelta(days=14)
LONGEST_SUBJECT = 150


def _time(moment: datetime) -> str:
    return date_format(timezone.localtime(moment), "j M H:i e")


class JobQuerySet(models.QuerySet):
    def unfinished(self) -> Self:
        return self.exclude(state__in=Job.OVER)

    def newest(self, campaign: Campaign) -> Any:
        return self.filter(campaign=campaign).order_by("-created_at", "-pk").first()

    def over_before(self, moment: datetime) -> Self:
        return self.filter(state__in=Job.OVER, finished_at__lt=moment)

    def stale(self, now: datetime) -> Self:
        """Jobs that should be running but are not: started and silent, or queued and never fetched.

        A time too far ahead was written before the clock was set back; a live worker soon overwrites it.
        """
        old, ahead = now - STALE_AFTER, now + LONGEST_PATIENCE + STALE_AFTER
        silent = Q(heartbeat__lt=old) | Q(heartbeat__gt=ahead)
        unfetched = Q(queued_at__lt=old) | Q(queued_at__gt=ahead)
        return self.filter((Q(state=Job.State.RUNNING) & silent) | (Q(state=Job.State.QUEUED) & unfetched))

    # The following are for `Job.objects`: on a subclass with a table of its own, Django finds the rows to update in
    # a query of its own, so that two workers could both count one.

    def claim(self, pk: int, task_id: str = "") -> int | None:
        """Claim a queued job and return the number of this attempt, or None if another worker was first."""
        now = timezone.now()
        row = self.filter(pk=pk)
        claimed = row.filter(state=Job.State.QUEUED).update(
            state=Job.State.RUNNING, attempt=F("attempt") + 1, started_at=now, heartbeat=now, progress=0, error="",
            task_id=task_id,
        )  # fmt: skip
        return row.values_list("attempt", flat=True).first() if claimed else None

    def revive(self) -> set[str]:
        """Requeue jobs of killed workers and lost messages; return the queues in which there is work."""
        stale = self.stale(timezone.now()).values_list("pk", "kind", "heartbeat")
        return {job_models()[kind].queue for pk, kind, heartbeat in stale if self.requeue(pk, heartbeat)}

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


class JobManager(models.Manager.from_queryset(JobQuerySet)):  # type: ignore[misc]
    def get_queryset(self) -> JobQuerySet:
        """All jobs of the model's kind; other kinds are in the table of a proxy, too."""
        rows = super().get_queryset()
        return rows.filter(kind=self.model.KIND) if self.model._meta.proxy else rows


class Job(models.Model):
    """State, progress and outcome of a worker's job.

    A subclass says how its kind is named in addresses, messages and metrics, and which function makes it, which only
    workers import. `on_problems` introduces the problems in its files; the text of an `explained` exception is shown
    unchanged. Of a kind that is `SINGLE`, a campaign has at most one unfinished job about the same.
    """

    KIND = ""
    SINGLE = False
    handler_path = ""
    queue = SHORT
    on_problems = ""
    explained: tuple[type[Exception], ...] = ()
    has_files = False

    class State(models.TextChoices):
        QUEUED = "queued", "waiting"
        RUNNING = "running", "being made"
        DONE = "done", "ready"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"

    OVER = (State.DONE, State.FAILED, State.CANCELLED)
    BUSY = (State.QUEUED, State.RUNNING)

    kind = models.CharField(max_length=20)
    # Only a bundle that is not yet imported has none.
    campaign: "models.ForeignKey[Campaign, Campaign]" = models.ForeignKey(  # type: ignore[assignment,misc]
        Campaign, models.CASCADE, null=True, blank=True
    )
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    about = models.CharField(max_length=255, blank=True, help_text="A metric, a program or a file, if it has one.")
    is_single = models.BooleanField(default=False, help_text="Whether there may be no other like it at a time.")
    payload = models.JSONField(default=dict, help_text="What was asked for.")
    outcome = models.JSONField(default=dict, help_text="What came of it so far.")
    problems = models.JSONField(default=list, help_text="File, line and message of each.")
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    request_number = models.PositiveIntegerField(
        default=1, help_text="The number of requests; attempts restart with each."
    )
    attempt = models.PositiveSmallIntegerField(default=0)
    progress = models.FloatField(default=0, help_text="From 0 to 1.")
    step = models.CharField(max_length=200, blank=True, help_text="The current step of the work.")
    error = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    requested_at = models.DateTimeField(default=timezone.now, help_text="Requeueing does not change it.")
    queued_at = models.DateTimeField(default=timezone.now)
    work = models.FloatField(default=0, help_text="About how many seconds it takes, by which its turn is decided.")
    request_id = models.CharField(max_length=64, default=current_request, blank=True, help_text="Who asked, for logs.")
    task_id = models.CharField(max_length=36, blank=True, help_text="The task of the worker that is or was at it.")
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar[Any] = JobManager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["state", "heartbeat"], name="job_state")]
        constraints = [
            unique(
                "one_such_job_at_a_time", "campaign", "kind", "about",
                where=Q(is_single=True, state__in=["queued", "running"]),
            )
        ]  # fmt: skip

    def __str__(self) -> str:
        about = f" ({self.about})" if self.about else ""
        return f"{job_models()[self.kind]._meta.verbose_name} {self.pk}{about} of {self.campaign}"

    def save(self, **options: Any) -> None:  # type: ignore[override]
        self.kind, self.is_single = self.KIND or self.kind, self.SINGLE or self.is_single
        super().save(**options)

    def get_absolute_url(self) -> str:
        """The page of its kind, which reads only columns that all jobs have."""
        return job_models()[self.kind].get_absolute_url(self)  # type: ignore[arg-type]

    def row(self) -> JobQuerySet:
        """This row alone; nothing once the job has been requested anew."""
        return Job.objects.filter(pk=self.pk, request_number=self.request_number)

    @classmethod
    def handler(cls) -> Callable[[Any, Any], None]:
        """The function that takes a job and the Attempt at it."""
        return import_string(cls.handler_path)

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


@cache
def job_models() -> dict[str, type[Job]]:
    """All kinds of jobs by name."""
    return {model.KIND: model for model in apps.get_models() if issubclass(model, Job) and model is not Job}


class AssignmentJob(Job):
    """Assigning very many screens: settings to store in the campaign first, and how many screens of a sampled design.

    Its outcome are the numbers of what was assigned.
    """

    KIND = "assignment"
    SINGLE = True
    handler_path = "judgments.assignment.planning.assign_in_job"

    class Meta:
        proxy = True

    def get_absolute_url(self) -> str:
        return reverse("assignment_job", args=[self.campaign.slug, self.pk])


class MailJob(Job):
    """Mailing links to judges invited by mail address: subject and text; how many were sent.

    Its problems are the addresses not reached, each with the reason.
    """

    KIND = "mail"
    SINGLE = True
    handler_path = "judgments.judges.mailing.send_links"

    class Meta:
        proxy = True

    def get_absolute_url(self) -> str:
        return reverse("mail_links", args=[self.campaign.slug])


class ExclusionJob(Job):
    """Applying the exclusion rule to very many judgments, and how many judges it excluded and reinstated."""

    KIND = "exclusion"
    SINGLE = True
    handler_path = "judgments.judges.exclusion.apply_rule_in_job"

    class Meta:
        proxy = True

    def get_absolute_url(self) -> str:
        return reverse("judges", args=[self.campaign.slug])


class ImportJob(Job):
    """Creating a campaign from a bundle, perhaps with another short name; only who uploaded the bundle sees the job."""

    KIND = "import"
    handler_path = "judgments.archive.importing.import_in_job"
    queue = LONG
    has_files = True
    on_problems = "Nothing was stored, because this bundle cannot be imported."

    class Meta:
        proxy = True

    def get_absolute_url(self) -> str:
        return reverse("import_job", args=[self.pk])
