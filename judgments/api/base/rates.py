"""Rate limits of the API."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from django.db import OperationalError, connection
from django.db.models import F
from django.utils.crypto import salted_hmac
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle

from judgments.judges import signing_in
from judgments.models import RequestCount


class Rate(UserRateThrottle):
    """A limit on the requests of one user in each period; periods are aligned to the clock."""

    scope = "user"
    left = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        now = int(self.timer())
        self.left = self.duration - now % self.duration
        until = datetime.fromtimestamp(now + self.left, UTC)
        return use(self.get_cache_key(request, view), until, self.num_requests)

    def get_ident(self, request: Request) -> str:
        """Identify anonymous clients by a digest of their address."""
        return salted_hmac("judgments.api.base.rates", signing_in.address_of(request), algorithm="sha256").hexdigest()

    def wait(self) -> float:
        return self.left


PATIENCE_MILLISECONDS = 1000


def use(key: str, until: datetime, most: int) -> bool:
    """Count a request, or refuse it if the period's limit is reached; refused requests write nothing.

    While a job holds the write lock of SQLite, requests pass uncounted instead of waiting.
    """
    try:
        with _short_busy_timeout():
            return _use(key, until, most)
    except OperationalError:
        return True


def _use(key: str, until: datetime, most: int) -> bool:
    used, is_new = RequestCount.objects.get_or_create(key=key, defaults={"until": until, "count": 1})
    if is_new:
        return True
    if used.until == until and used.count >= most:
        return False
    anew = used.until != until and RequestCount.objects.filter(key=key, until=used.until).update(until=until, count=1)
    here = RequestCount.objects.filter(key=key, until=until, count__lt=most)
    return bool(anew or here.update(count=F("count") + 1))


@contextmanager
def _short_busy_timeout() -> Iterator[None]:
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
