"""Requests: stored responses, so that retries change nothing, and counts for rate limits and failed sign-ins."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.conf import settings
from django.db import OperationalError, connection, models
from django.db.models import F

from judgments.models.constraints import unique

KEPT_FOR = timedelta(days=30)
LONGEST_KEY = 255
LONGEST_ADDRESS = 500


class StoredResponse(models.Model):
    """The response to a request with a key, sent again if the request is repeated."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, db_index=False)
    address = models.CharField(max_length=LONGEST_ADDRESS)
    key = models.CharField(max_length=LONGEST_KEY)
    fingerprint = models.CharField(max_length=64, help_text="A fingerprint of the request.")
    status = models.PositiveSmallIntegerField(default=0)
    content = models.JSONField(default=None, null=True)
    location = models.CharField(max_length=LONGEST_ADDRESS, blank=True)
    kept_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        constraints = [unique("one_answer_per_key", "user", "address", "key")]

    def __str__(self) -> str:
        return f"answer to {self.key} at {self.address}"


class RequestCount(models.Model):
    """The requests of one user, or from one address, in the current period."""

    key = models.CharField(max_length=150, primary_key=True)
    until = models.DateTimeField(db_index=True)
    count = models.PositiveIntegerField()

    class Meta:
        verbose_name_plural = "rates used"

    def __str__(self) -> str:
        return f"{self.count} by {self.key} until {self.until}"


class SignInAttempts(models.Model):
    """Recent failed sign-ins for a name, from an address, or for a name from an address."""

    key = models.CharField(max_length=64, primary_key=True, help_text="A keyed digest of the name or address.")
    count = models.PositiveIntegerField(default=0)
    since = models.DateTimeField(db_index=True)
    let_in_at = models.DateTimeField(
        null=True, blank=True, help_text="When this name last signed in from this address."
    )

    def __str__(self) -> str:
        return f"{self.count} tries since {self.since}"


PATIENCE_MILLISECONDS = 1000


def use(key: str, until: datetime, most: int) -> bool:
    """Count a request, or refuse it if the period's limit is reached; refused requests write nothing.

    While a job holds the write lock of SQLite, requests pass uncounted instead of waiting.
    """
    try:
        with _short_busy_timeout():
            used, is_new = RequestCount.objects.get_or_create(key=key, defaults={"until": until, "count": 1})
            if is_new:
                return True
            if used.until == until and used.count >= most:
                return False
            rows = RequestCount.objects.filter(key=key)
            anew = used.until != until and rows.filter(until=used.until).update(until=until, count=1)
            return bool(anew or rows.filter(until=until, count__lt=most).update(count=F("count") + 1))
    except OperationalError:
        return True


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
