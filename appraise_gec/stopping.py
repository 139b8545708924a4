"""A worker that is told to end gives back what would last too long; another one takes it up at once."""

import logging
from threading import Timer
from typing import Any

from celery.signals import worker_shutting_down
from django.db import Error, connection

# What is nearly done may end. A supervisor must wait longer before it kills: docs/deployment.md says how long.
SECONDS_TO_FINISH = 15
_LOG = logging.getLogger("appraise_gec.stopping")


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
