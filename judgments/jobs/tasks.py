"""Worker tasks for all kinds of jobs; each may safely run twice."""

from typing import TypeVar

from celery import shared_task
from celery.exceptions import Reject
from celery.signals import worker_ready
from celery.worker import state
from django.db import transaction

from judgments.jobs.attempts import run_now
from judgments.jobs.queues import send
from judgments.jobs.turns import next_job, refuse_too_many
from judgments.models import Job, heartbeats
from judgments.models.heartbeats import BEAT
from judgments.models.jobs import job_models

J = TypeVar("J", bound=Job)


# In Redis behind the parts of reports, whose turn has come already.
AFTER_PARTS = 9


@shared_task(name="judgments.run_next")
def run_next(queue: str) -> None:
    """Run the job whose turn it is, unless this worker is stopping: a solo worker then still fetches one more message.

    A message only says that there is work, so whose turn it is does not depend on the order of messages.
    """
    if state.should_stop is not None:
        raise Reject("This worker is shutting down.", requeue=True)
    while job := next_job(queue):
        if run_now(job):
            return


@shared_task(name="judgments.sweep_jobs")
def sweep_jobs() -> None:
    """Requeue jobs of killed workers and lost messages."""
    for queue in Job.objects.revive():
        wake_worker(queue)


@shared_task(name="judgments.note_beat")
def note_beat() -> None:
    """Record that the scheduler, the broker and a worker are running."""
    heartbeats.beat(BEAT)


@worker_ready.connect
def sweep_at_start(**_: object) -> None:
    sweep_jobs.delay()


def enqueue(job: J) -> J:
    """Announce a new job to the workers once its row is committed; to be called in the transaction that creates it."""
    refuse_too_many(job)
    wake_worker_on_commit(job)
    return job


def wake_worker_on_commit(job: Job) -> None:
    transaction.on_commit(lambda: wake_worker(job_models()[job.kind].queue))


def wake_worker(queue: str) -> None:
    send(run_next.s(queue).set(queue=queue, priority=AFTER_PARTS))
