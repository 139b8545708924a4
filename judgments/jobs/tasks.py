"""Worker tasks for all kinds of jobs; each may safely run twice."""

from typing import TypeVar

from celery import shared_task
from celery.exceptions import Reject
from celery.signals import worker_ready
from celery.worker import state
from django.db import transaction

from judgments.jobs.attempts import run_now
from judgments.jobs.kinds import KINDS
from judgments.jobs.queues import send
from judgments.models import Job, heartbeats
from judgments.models.heartbeats import BEAT

J = TypeVar("J", bound=Job)


@shared_task(name="judgments.run_job")
def run_job(kind: str, pk: int) -> None:
    """Run one job, unless this worker is stopping: a solo worker then still fetches one more message."""
    if state.should_stop is not None:
        raise Reject("This worker is shutting down.", requeue=True)
    if job := KINDS[kind].rows.filter(pk=pk).first():
        run_now(job)


@shared_task(name="judgments.sweep_jobs")
def sweep_jobs() -> None:
    """Requeue jobs of killed workers and lost messages."""
    for name, kind in KINDS.items():
        for pk in kind.rows.revive():
            announce(name, pk)


@shared_task(name="judgments.note_beat")
def note_beat() -> None:
    """Record that the scheduler, the broker and a worker are running."""
    heartbeats.beat(BEAT)


@worker_ready.connect
def sweep_at_start(**_: object) -> None:
    sweep_jobs.delay()


def enqueue(job: J) -> J:
    """Announce a job to the workers once its row is committed."""
    transaction.on_commit(lambda: announce(job.kind, job.pk))
    return job


def announce(kind: str, pk: int) -> None:
    send(run_job.s(kind, pk).set(queue=KINDS[kind].queue))
