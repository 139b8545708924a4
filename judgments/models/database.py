"""What Django leaves to the database: storing ready tuples by COPY on PostgreSQL and executemany on SQLite, which is
much faster than an object per row; and snapshots for several queries, in all of which concurrent submissions appear, or
in none.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from types import NoneType
from typing import Any

from django.db import connection, models, transaction

# How COPY reads cells; it understands numbers, flags, times and JSON as Python and SQLite write them.
ESCAPES = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})
COPIED: Mapping[type, Callable[[Any], str]] = {
    NoneType: lambda cell: r"\N",
    str: lambda cell: cell.translate(ESCAPES),
    bytes: lambda cell: r"\\x" + cell.hex(),
}
# Values of these fields are stored as they are, by either database.
PLAIN = (
    models.CharField, models.TextField, models.IntegerField, models.FloatField, models.BooleanField, models.ForeignKey,
)  # fmt: skip


@transaction.atomic(savepoint=False)
def store_rows(
    model: type[models.Model], columns: Sequence[str], rows: Sequence[Sequence[Any]], keys: Sequence[int] | None = None
) -> Sequence[int]:
    """Insert a row for each tuple of values of the columns; other columns get their defaults. Return the keys."""
    if not rows:
        return []
    given: list[Any] = [model._meta.get_field(name) for name in columns]
    others = [field for field in model._meta.concrete_fields if field not in given and not field.primary_key]
    rest = [_ready(field, field.get_default()) for field in others]
    convert = [(place, field) for place, field in enumerate(given) if not isinstance(field, PLAIN)]
    keys = keys or new_keys(model, len(rows))

    def complete() -> Iterator[list[Any]]:
        for key, values in zip(keys, rows, strict=True):
            row = [*values, *rest, key]
            for place, field in convert:
                row[place] = _ready(field, row[place])
            yield row

    fields = [*given, *others, model._meta.pk]
    table = connection.ops.quote_name(model._meta.db_table)
    named = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with connection.wrap_database_errors:
                cursor.copy_expert(f"COPY {table} ({named}) FROM STDIN", copy_lines(complete()))
        else:
            values = ", ".join(["%s"] * len(fields))
            ready: Any = complete()
            cursor.executemany(f"INSERT INTO {table} ({named}) VALUES ({values})", ready)  # noqa: S608 # nosec B608
    return keys


def copy_lines(rows: Iterable[Iterable[Any]]) -> BytesIO:
    """Rows as COPY reads them."""
    return BytesIO("\n".join(["\t".join([COPIED.get(type(cell), str)(cell) for cell in row]) for row in rows]).encode())


def _ready(field: models.Field, value: Any) -> Any:
    """A value as it is stored."""
    if value is None or isinstance(field, PLAIN):
        return value
    if isinstance(field, models.JSONField):
        return json.dumps(value, cls=field.encoder)
    return field.get_db_prep_save(value, connection)


def new_keys(model: type[models.Model], count: int) -> Sequence[int]:
    """Keys that no row has or had; on SQLite until the next are asked for, as the transaction alone writes there."""
    table, column = model._meta.db_table, model._meta.pk.column
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            numbered = "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)"
            cursor.execute(numbered, [connection.ops.quote_name(table), column, count])
            return [key for (key,) in cursor.fetchall()]
        cursor.execute("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = %s", [table])
        (last,) = cursor.fetchone()
        return range(last + 1, last + 1 + count)


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
