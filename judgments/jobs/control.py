"""Request, cancel, requeue and give back jobs."""

from collections.abc import Collection
from typing import Any, TypeVar

from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone

from judgments.jobs import tasks
from judgments.models import FilePiece, Job
from judgments.models.jobs import job_models
from judgments.rules.errors import Refused

S = TypeVar("S", bound=Job)
FINISHED_ALREADY = "This had already finished."


def create_single(model: type[S], refusal: str, **columns: Any) -> S:
    """Create a job, unless there is an unfinished one of which there can only be one."""
    try:
        with transaction.atomic():
            return model.objects.create(**columns)
    except IntegrityError as error:
        raise Refused(refusal) from error


def cancel(job: Job) -> bool:
    """Cancel a job; its worker soon notices and stores nothing. False if the job had already finished."""
    unfinished = Job.objects.unfinished().filter(pk=job.pk)
    try:
        with transaction.atomic():
            is_cancelled = unfinished.update(state=Job.State.CANCELLED, finished_at=timezone.now())
            FilePiece.discard(job)
    except OperationalError as reason:  # SQLite is locked while the job stores
        raise Refused("The database is busy. Nothing was cancelled; try again in a moment.") from reason
    return bool(is_cancelled)


def cancel_or_refuse(job: Job) -> None:
    if not cancel(job):
        raise Refused(FINISHED_ALREADY)


def queue_again(job: Job) -> None:
    if job_models()[job.kind].has_files and not FilePiece.objects.filter(job=job.pk).exists():
        raise Refused("The files were not kept. Ask the person who uploaded them to upload them again.")
    try:
        with transaction.atomic():
            is_queued = Job.objects.queue_again(job.pk)
    except IntegrityError as reason:
        raise Refused("This campaign has another unfinished job of this kind; wait until it has finished.") from reason
    if not is_queued:
        raise Refused("This job has continued in the meantime; nothing was changed.")
    tasks.wake_worker_on_commit(job)


def give_back(task_ids: Collection[str]) -> list[str]:
    """Let another worker take over the jobs of a worker's tasks, because it is shutting down."""
    given = []
    for job in Job.objects.filter(state=Job.State.RUNNING, task_id__in=task_ids):
        if Job.objects.give_back(job.pk):
            tasks.wake_worker(job_models()[job.kind].queue)
            given.append(f"{job.kind} {job.pk}")
    return given
