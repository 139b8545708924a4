"""A snapshot for several queries: concurrent submissions appear in all of them or in none."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

# These neither wait for writers nor block them; a transaction opened by Django would take SQLite's only write lock.
BEGIN = {"sqlite": "BEGIN DEFERRED", "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"}


@contextmanager
def snapshot() -> Iterator[None]:
    """Show the database as of the first query until the end; an enclosing transaction stays in force."""
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
