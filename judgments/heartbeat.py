"""A sign of life for work that lasts: a thread that touches its row while the work goes on."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread

from django.db import OperationalError, connection
from django.utils import timezone

from judgments.models.work import HEARTBEAT_SECONDS, WorkQuerySet


@dataclass
class Going:
    """How far work is, for the thread to write where the work itself sits in a transaction that nobody sees into."""

    progress: float | None = None
    is_overtaken: bool = False


@contextmanager
def beating(work: WorkQuerySet, seconds: float = HEARTBEAT_SECONDS) -> Iterator[Going]:
    """Keep the heartbeat of the given rows fresh, however long one step of the work takes; tell when they are gone."""
    over, going = Event(), Going()
    thread = Thread(target=_beat, args=(work, over, seconds, going), daemon=True)
    thread.start()
    try:
        yield going
    finally:
        over.set()
        thread.join()


def _beat(work: WorkQuerySet, over: Event, seconds: float, going: Going) -> None:
    try:
        while not over.wait(seconds):
            progress = {} if going.progress is None else {"progress": going.progress}
            try:
                going.is_overtaken = not work.update(heartbeat=timezone.now(), **progress)
            except OperationalError:  # the work itself may lock an embedded database; the next beat may find it free
                connection.close()
    finally:
        connection.close()
