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
    """Before its child processes are made, which do as it does; where no other queue waits for it."""
    if set(instance.app.amqp.queues.consume_from) == {LONG}:
        os.nice(NICENESS)


_LOG = logging.getLogger("appraise_gec.workers")
_over = Event()


@worker_ready.connect
def appear(sender: Any, **_: Any) -> None:
    """In a thread of its own: the worker itself may be busy for minutes."""
    queues = ", ".join(sorted(sender.app.amqp.queues.consume_from))
    _over.clear()
    Thread(target=_live, args=(sender.hostname, queues), daemon=True).start()


@worker_shutdown.connect
def disappear(sender: Any, **_: Any) -> None:
    """Only a worker that was killed leaves its sign behind."""
    from judgments.jobs import heartbeats

    _over.set()
    try:
        heartbeats.withdraw(sender.hostname)
    except Error:
        _LOG.warning("The database is away; it keeps the last sign of this worker.")


def _live(name: str, queues: str) -> None:
    from judgments.jobs import heartbeats
    from judgments.models.heartbeats import SECONDS_BETWEEN_SIGNS

    since = timezone.now()
    while not _over.is_set():
        try:
            heartbeats.give(name, queues, since)
        except Error:  # an embedded one may be storing; the next sign may find it free
            _LOG.info("The database did not take this worker's sign of life.")
        finally:
            connection.close()
        _over.wait(SECONDS_BETWEEN_SIGNS)


# What is nearly done may end. A supervisor must wait longer before it kills: docs/deployment.md says how long.
SECONDS_TO_FINISH = 15


@worker_shutting_down.connect
def give_back_in_a_moment(**_: Any) -> None:
    """In a thread: the worker itself waits for what it does, or does it."""
    timer = Timer(SECONDS_TO_FINISH, _give_back)
    timer.daemon = True
    timer.start()


def _give_back() -> None:
    from celery.worker import state

    from ranking.tasks import give_back

    for request in list(state.active_requests):
        try:
            if give_back(request.name, request.args):
                _LOG.info("%s goes back into the queue, as this worker ends.", request.name)
        except Error:
            _LOG.warning("The database is away; %s is taken up when its heartbeat is old.", request.name)
    connection.close()
