"""A sign of life for work that lasts: a thread that touches its row while the work goes on."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

from django.db import connection
from django.utils import timezone

from judgments.models.work import HEARTBEAT_SECONDS, WorkQuerySet


@contextmanager
def beating(work: WorkQuerySet, seconds: float = HEARTBEAT_SECONDS) -> Iterator[None]:
    """Keep the heartbeat of the given rows fresh, however long one step of the work takes."""
    over = Event()
    thread = Thread(target=_beat, args=(work, over, seconds), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(work: WorkQuerySet, over: Event, seconds: float) -> None:
    try:
        while not over.wait(seconds):
            work.update(heartbeat=timezone.now())
    finally:
        connection.close()
