"""A worker says that it lives, whatever it does at the moment, and withdraws that when it ends as it should."""

import logging
from threading import Event, Thread
from typing import Any

from celery.signals import worker_ready, worker_shutdown
from django.db import Error, connection
from django.utils import timezone

_LOG = logging.getLogger("appraise_gec.presence")
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
