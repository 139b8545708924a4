"""Signals of Celery workers: heartbeats, a lower priority for long jobs, and giving back what cannot be finished."""

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
def give_way(instance: Any, **_: Any) -> None:
    """Lower the priority before child processes inherit it, where no other queue waits for this worker."""
    if set(instance.app.amqp.queues.consume_from) == {LONG}:
        os.nice(NICENESS)


_LOG = logging.getLogger("appraise_gec.workers")
_over = Event()


@worker_ready.connect
def begin_heartbeats(sender: Any, **_: Any) -> None:
    """Beat in a thread, because the worker itself may be busy for minutes."""
    queues = ", ".join(sorted(sender.app.amqp.queues.consume_from))
    _over.clear()
    Thread(target=_beat, args=(sender.hostname, queues), daemon=True).start()


@worker_shutdown.connect
def end_heartbeats(sender: Any, **_: Any) -> None:
    """Withdraw the heartbeat; only a killed worker leaves it behind."""
    from judgments.models import heartbeats

    _over.set()
    try:
        heartbeats.withdraw(sender.hostname)
    except Error:
        _LOG.warning("The database is unavailable; it keeps the last heartbeat of this worker.")


def _beat(name: str, queues: str) -> None:
    from judgments.models import heartbeats
    from judgments.models.heartbeats import SECONDS_BETWEEN_HEARTBEATS

    since = timezone.now()
    while not _over.is_set():
        try:
            heartbeats.beat(name, queues, since)
        except Error:  # an embedded database may be storing; the next heartbeat may find it free
            _LOG.info("The database did not take this worker's heartbeat.")
        finally:
            connection.close()
        _over.wait(SECONDS_BETWEEN_HEARTBEATS)


# Jobs that are nearly done may finish. A supervisor must wait longer before it kills: docs/deployment.md says how long.
SECONDS_TO_FINISH = 15


@worker_shutting_down.connect
def give_back_soon(**_: Any) -> None:
    """Give back in a thread: the worker itself waits for its jobs, or does them."""
    timer = Timer(SECONDS_TO_FINISH, _give_back)
    timer.daemon = True
    timer.start()


def _give_back() -> None:
    """Give back whole jobs; parts of reports and periodic tasks are short."""
    from celery.worker import state

    from judgments.jobs.control import give_back
    from judgments.jobs.tasks import run_job

    for request in [request for request in state.active_requests if request.name == run_job.name]:
        kind, pk = request.args
        try:
            if give_back(kind, pk):
                _LOG.info("The %s job %s goes back into the queue, because this worker shuts down.", kind, pk)
        except Error:
            _LOG.warning("The database is unavailable; the %s job %s is taken up once its heartbeat is old.", kind, pk)
    connection.close()
