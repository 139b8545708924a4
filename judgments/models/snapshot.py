"""A snapshot for several queries: concurrent submissions appear in all of them or in none."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

# These neither wait for writers nor block them; on SQLite, a transaction opened by Django would take the write lock.
BEGIN = {"sqlite": "BEGIN DEFERRED", "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}


@contextmanager
def snapshot() -> Iterator[None]:
    """Make all queries inside see the database as of the first one; do nothing inside a transaction."""
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(BEGIN[connection.vendor])
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ROLLBACK")
