"""Signals of Celery workers: heartbeats, a lower priority for long jobs, and giving back unfinished jobs."""

import logging
import os
import resource
from threading import Event, Thread, Timer
from typing import Any

from celery.signals import celeryd_after_setup, worker_process_init, worker_ready, worker_shutdown, worker_shutting_down
from django.conf import settings
from django.db import Error, connection
from django.utils import timezone

LONG = "long"
# Judges' requests come first, then short jobs: a step of five makes the share of a processor three times smaller.
NICENESS_OF_LONG, NICENESS = 19, 10


@celeryd_after_setup.connect
def lower_priority(instance: Any, **_: Any) -> None:
    """Lower the priority of workers before child processes inherit it."""
    os.nice(NICENESS_OF_LONG if set(instance.app.amqp.queues.consume_from) == {LONG} else NICENESS)


@worker_process_init.connect
def limit_memory(**_: Any) -> None:
    """Let a job that needs too much memory fail with a message, instead of the machine or other processes.

    Only data count: numerical libraries reserve much more address space than they use.
    """
    most = resource.getrlimit(resource.RLIMIT_DATA)[1]
    resource.setrlimit(resource.RLIMIT_DATA, (settings.WORKER_MEMORY * 2**20, most))


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
        except (Error, MemoryError):  # SQLite may be locked by another writer; a job may have filled the memory
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

    try:
        for job in give_back([request.id for request in state.active_requests]):
            _LOG.info("The job %s goes back into the queue, because this worker is shutting down.", job)
    except Error:
        _LOG.warning("The database is unavailable; the jobs of this worker resume once their heartbeats are stale.")
    connection.close()
