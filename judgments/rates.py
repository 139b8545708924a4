"""So many requests in each stretch of time, counted by all web processes together, however often they start anew."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import OperationalError, connection
from django.db.models import F

from judgments.models import RateUsed

PATIENCE_MILLISECONDS = 1000


def use(key: str, until: datetime, most: int) -> bool:
    """Take one of so many requests of a stretch, unless all are taken; a flood of refused ones writes nothing.

    While work holds the only lock of an embedded database nothing can be counted, and who only asks is not held up.
    """
    try:
        with _impatiently():
            return _use(key, until, most)
    except OperationalError:
        return True


def forget(now: datetime) -> None:
    """Let go of counts that are over."""
    RateUsed.objects.filter(until__lt=now).delete()


def _use(key: str, until: datetime, most: int) -> bool:
    used, is_new = RateUsed.objects.get_or_create(key=key, defaults={"until": until, "count": 1})
    if is_new:
        return True
    if used.until == until and used.count >= most:
        return False
    anew = used.until != until and RateUsed.objects.filter(key=key, until=used.until).update(until=until, count=1)
    here = RateUsed.objects.filter(key=key, until=until, count__lt=most)
    return bool(anew or here.update(count=F("count") + 1))


@contextmanager
def _impatiently() -> Iterator[None]:
    """Wait for a lock of SQLite but shortly."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    (before,) = connection.connection.execute("PRAGMA busy_timeout").fetchone()
    connection.connection.execute(f"PRAGMA busy_timeout={PATIENCE_MILLISECONDS}")
    try:
        yield
    finally:
        connection.connection.execute(f"PRAGMA busy_timeout={before}")
