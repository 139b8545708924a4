"""Writing the rows of any table as lines of a backup, and reading them."""

import json
from collections.abc import Callable, Iterator
from graphlib import TopologicalSorter
from itertools import islice
from typing import Any

from django.apps import apps
from django.apps.registry import Apps
from django.db import connection, models

from judgments.archive.serialiser import Model, line, reader, target_of
from judgments.models.constraints import BelongsTo

ROWS_AT_ONCE = 2000


def all_models(registry: Apps = apps) -> list[Model]:
    """Return all tables, each after those to which it refers."""
    by_label = {
        model._meta.label_lower: model
        for model in registry.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    }
    referred = {label: sorted(_referred_to(by_label[label]) - {label}) for label in sorted(by_label)}
    return [by_label[label] for label in TopologicalSorter(referred).static_order()]


def _referred_to(model: Model) -> set[str]:
    """Return the tables to which foreign keys refer, including those over several columns."""
    by_one = [field.related_model for field in model._meta.local_concrete_fields]
    by_several = {one.to.lower() for one in model._meta.constraints if isinstance(one, BelongsTo)}
    return by_several | {other._meta.label_lower for other in by_one if isinstance(other, type)}


def columns_of(model: Model) -> tuple[str, ...]:
    return tuple(field.attname for field in model._meta.local_concrete_fields)


def lines_of(model: Model, columns: tuple[str, ...]) -> Iterator[tuple[bytes, int]]:
    """Yield all rows in the order of their keys, in lines of many rows, each with the number of its rows."""
    rows = model._base_manager.order_by("pk").values_list(*columns).iterator(ROWS_AT_ONCE)
    while chunk := list(islice(rows, ROWS_AT_ONCE)):
        yield line(chunk).encode(), len(chunk)


def refers_to_itself(model: Model) -> bool:
    """Whether a row may refer to a later row of the same table."""
    return any(field.related_model is model for field in model._meta.local_concrete_fields)


class TableLoader:
    """Inserts rows of a backup into a table."""

    def __init__(self, model: Model, columns: tuple[str, ...]):
        by_name = {field.attname: field for field in model._meta.local_concrete_fields}
        fields = [by_name[name] for name in columns]
        self._readers = [(column, read) for column, field in enumerate(fields) if (read := _reader(field))]
        quote = connection.ops.quote_name
        names = ", ".join(quote(str(field.column)) for field in fields)
        self._into = f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES "  # noqa: S608 - names of the model # nosec B608
        self._cells = f"({', '.join(['%s'] * len(fields))})"

    def add(self, line: bytes) -> int:
        """Insert the rows of one line and return their number."""
        rows = json.loads(line)
        for column, read in self._readers:
            for row in rows:
                if row[column] is not None:
                    row[column] = read(row[column])
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.executemany(self._into + self._cells, rows)
            elif rows:
                # One statement for all rows; psycopg2's executemany would send one per row.
                cursor.execute(
                    self._into + ", ".join([self._cells] * len(rows)), [cell for row in rows for cell in row]
                )
        return len(rows)


def _reader(field: models.Field) -> Callable[[Any], Any] | None:
    """Return the function that turns a cell into a database value, or None if it is one already."""
    field, read = target_of(field), reader(field)
    if read:
        return lambda cell: field.get_db_prep_value(read(cell), connection)
    if isinstance(field, models.JSONField):
        return lambda cell: field.get_db_prep_value(cell, connection)
    return None


def last_key(model: Model) -> int | None:
    """Return the last key generated, perhaps for a row deleted since; None if the database generates none."""
    field, table = model._meta.pk, model._meta.db_table
    if field is None or not field.get_internal_type().endswith("AutoField"):
        return None
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
            found = cursor.fetchone()
            return found[0] if found else 0
        quote = connection.ops.quote_name
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [quote(table), field.column])
        cursor.execute(f"SELECT last_value, is_called FROM {cursor.fetchone()[0]}")  # noqa: S608 - a name from the schema # nosec B608
        value, is_called = cursor.fetchone()
        return value if is_called else 0


def set_last_key(model: Model, key: int) -> None:
    field, table = model._meta.pk, model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, key])
        else:
            sequence = [connection.ops.quote_name(table), field.column if field else ""]
            values = [*sequence, max(key, 1), key > 0]
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s, %s)", values)
