"""How long a web process waits for PostgreSQL: a thread that waits serves nobody, and there are few."""

from typing import Any

from django.conf import settings
from django.db.backends.signals import connection_created


def bound_statements() -> None:
    """From now on statements of this process end after WEB_STATEMENT_TIMEOUT; each fetch of a stream is one."""
    connection_created.connect(_bound)


def _bound(connection: Any, **_: Any) -> None:
    if connection.vendor == "postgresql" and settings.WEB_STATEMENT_TIMEOUT:
        with connection.cursor() as cursor:
            cursor.execute("SET statement_timeout = %s", [f"{settings.WEB_STATEMENT_TIMEOUT}s"])
