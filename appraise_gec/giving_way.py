"""A worker that makes what takes minutes gives way to everybody who waits for a page; an idle machine is its own."""

import os
from typing import Any

from celery.signals import celeryd_after_setup

LONG = "long"
NICENESS = 10


@celeryd_after_setup.connect
def give_way(instance: Any, **_: Any) -> None:
    """Before its child processes are made, which do as it does; where no other queue waits for it."""
    if set(instance.app.amqp.queues.consume_from) == {LONG}:
        os.nice(NICENESS)
