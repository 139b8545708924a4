"""Signals of Celery workers: heartbeats, a lower priority for long jobs, and giving back unfinished jobs."""

import logging
import os
from threading import Event, Thread, Timer
from typing import Any

from celery.signals import celeryd_after_setup, worker_ready, worker_shutdown, worker_shutting_down
from django.db import Error, connection
from django.utils import timezone

LONG = "long"
NICENESS = 10


@celeryd_after_setup.connect
def lower_priority(instance: Any, **_: Any) -> None:
    """Lower the priority of a worker for long jobs only, before child processes inherit it."""
    if set(instance.app.amqp.queues.consume_from) == {LONG}:
        os.nice(NICENESS)


_LOG = logging.getLogger("appraise_gec.workers")
_shutdown = Event()


@worker_ready.connect
def begin_heartbeats(sender: Any, **_: Any) -> None:
    """Send heartbeats from a thread, because the worker itself may be busy for minutes."""
    queues = ", ".join(sorted(sender.app.amqp.queues.consume_from))
    _shutdown.clear()
    Thread(target=_beat, args=(sender.hostname, queues), daemon=True).start()


@worker_shutdown.connect
def end_heartbeats(sender: Any, **_: Any) -> None:
    """Withdraw the heartbeat, which only a killed worker leaves behind."""
    from judgments.models import heartbeats

    _shutdown.set()
    try:
        heartbeats.withdraw(sender.hostname)
    except Error:
        _LOG.warning("The database is unavailable; the last heartbeat of this worker remains in it.")


def _beat(name: str, queues: str) -> None:
    from judgments.models import heartbeats
    from judgments.models.heartbeats import SECONDS_BETWEEN_HEARTBEATS

    since = timezone.now()
    while not _shutdown.is_set():
        try:
            heartbeats.beat(name, queues, since)
        except Error:  # SQLite may be locked by another writer
            _LOG.info("This worker's heartbeat could not be stored; the next one may succeed.")
        finally:
            connection.close()
        _shutdown.wait(SECONDS_BETWEEN_HEARTBEATS)


# Time for jobs to finish. A supervisor must wait longer before it kills; see docs/deployment.md.
SECONDS_TO_FINISH = 15


@worker_shutting_down.connect
def give_back_soon(**_: Any) -> None:
    """Give jobs back from a thread, because the worker itself waits for them or runs them."""
    timer = Timer(SECONDS_TO_FINISH, _give_back)
    timer.daemon = True
    timer.start()


def _give_back() -> None:
    """Give back whole jobs only; parts of reports and periodic tasks are short."""
    from celery.worker import state

    from judgments.jobs.control import give_back
    from judgments.jobs.tasks import run_job

    for request in [request for request in state.active_requests if request.name == run_job.name]:
        kind, pk = request.args
        try:
            if give_back(kind, pk):
                _LOG.info("The %s job %s goes back into the queue, because this worker is shutting down.", kind, pk)
        except Error:
            _LOG.warning("The database is unavailable; the %s job %s resumes once its heartbeat is stale.", kind, pk)
    connection.close()
