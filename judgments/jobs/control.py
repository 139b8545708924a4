"""Request, cancel, requeue and give back jobs."""

from collections.abc import Collection
from typing import Any, TypeVar, cast

from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone

from judgments.jobs import tasks
from judgments.jobs.kinds import KINDS
from judgments.models import Job
from judgments.models.jobs import CampaignJob
from judgments.rules.errors import Refused

S = TypeVar("S", bound=CampaignJob)
FINISHED_ALREADY = "This had already finished."


def create_single(model: type[S], refusal: str, **columns: Any) -> S:
    """Create a job, unless there is an unfinished one of which there can only be one."""
    try:
        with transaction.atomic():
            return cast(S, model._default_manager.create(**columns))
    except IntegrityError as error:
        raise Refused(refusal) from error


def cancel(job: Job) -> bool:
    """Cancel a job; its worker soon notices and stores nothing. False if the job had already finished."""
    unfinished = KINDS[job.kind].rows.unfinished().filter(pk=job.pk)
    try:
        with transaction.atomic():
            is_cancelled = unfinished.update(state=Job.State.CANCELLED, finished_at=timezone.now())
            job.discard_files()
    except OperationalError as reason:  # SQLite is locked while the job stores
        raise Refused("The database is busy. Nothing was cancelled; try again in a moment.") from reason
    return bool(is_cancelled)


def cancel_or_refuse(job: Job) -> None:
    if not cancel(job):
        raise Refused(FINISHED_ALREADY)


def queue_again(job: Job) -> None:
    if missing := job.missing_files():
        raise Refused(missing)
    try:
        with transaction.atomic():
            is_queued = KINDS[job.kind].rows.queue_again(job.pk)
    except IntegrityError as reason:
        raise Refused("This campaign has another unfinished job of this kind; wait until it has finished.") from reason
    if not is_queued:
        raise Refused("This job has continued in the meantime; nothing was changed.")
    tasks.announce_on_commit(job)


def give_back(task_ids: Collection[str]) -> list[str]:
    """Let another worker take over the jobs of a worker's tasks, because it is shutting down."""
    given = []
    for name, kind in KINDS.items():
        for pk in kind.rows.filter(state=Job.State.RUNNING, task_id__in=task_ids).values_list("pk", flat=True):
            if kind.rows.give_back(pk):
                tasks.announce(kind.queue)
                given.append(f"{name} {pk}")
    return given
