"""Writing the rows of any table as lines of a backup, and reading them."""

import json
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping
from graphlib import TopologicalSorter
from io import StringIO
from itertools import islice
from typing import Any

from django.apps import apps
from django.apps.registry import Apps
from django.db import connection, models

from judgments.archive.serialiser import Model, line, reader, target_of
from judgments.models.constraints import BelongsTo
from judgments.rules.files.values import read_json

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
    """Yield all rows in the order of their keys, in lines of many rows, each with the number of its rows.

    A row with a file has its own line, because it may fill much memory.
    """
    has_file = any(isinstance(field, models.BinaryField) for field in model._meta.local_concrete_fields)
    at_once = 1 if has_file else ROWS_AT_ONCE
    rows = model._base_manager.order_by("pk").values_list(*columns).iterator(at_once)
    while chunk := list(islice(rows, at_once)):
        yield line(chunk).encode(), len(chunk)


class TableLoader:
    """Inserts rows of a backup into a table."""

    def __init__(self, model: Model, columns: tuple[str, ...]):
        by_name = {field.attname: field for field in model._meta.local_concrete_fields}
        fields = [by_name[name] for name in columns]
        self._is_copied = connection.vendor == "postgresql"
        self._converters = [_copied(field) if self._is_copied else _bound(field) for field in fields]
        quote = connection.ops.quote_name
        into = f"{quote(model._meta.db_table)} ({', '.join(quote(str(field.column)) for field in fields)})"
        cells = ", ".join(["%s"] * len(fields))
        self._statement = (
            f"COPY {into} FROM STDIN" if self._is_copied else f"INSERT INTO {into} VALUES ({cells})"  # noqa: S608 - names of the model # nosec B608
        )

    def add(self, line: bytes) -> int:
        """Insert the rows of one line and return their number."""
        rows = read_json(line)
        columns = zip(self._converters, zip(*rows, strict=True), strict=True)
        converted = zip(*(map(convert, cells) if convert else cells for convert, cells in columns), strict=True)
        with connection.cursor() as cursor:
            if self._is_copied:
                content = StringIO("".join("\t".join(row) + "\n" for row in converted))
                with connection.wrap_database_errors:
                    cursor.copy_expert(self._statement, content)
            else:
                cursor.executemany(self._statement, list(converted))
        return len(rows)


def _bound(field: models.Field) -> Callable[[Any], Any] | None:
    """Return the function that turns a cell into a parameter of a statement, or None if it is one already."""
    field, read = target_of(field), reader(field)
    if not read and not isinstance(field, models.JSONField):
        return None
    return lambda cell: None if cell is None else field.get_db_prep_value(read(cell) if read else cell, connection)


# How COPY reads cells: by the type of the column, and others as text.
ESCAPES = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})
COPIED: Mapping[type[models.Field], Callable[[Any], str]] = {
    models.IntegerField: str,
    models.FloatField: str,
    models.JSONField: lambda cell: json.dumps(cell).translate(ESCAPES),
    models.BinaryField: lambda cell: r"\\x" + b64decode(cell).hex(),
}


def _copied(field: models.Field) -> Callable[[Any], str]:
    """Return the function that turns a cell into text for COPY."""
    kinds = (write for kind, write in COPIED.items() if isinstance(target_of(field), kind))
    write = next(kinds, lambda cell: str(cell).translate(ESCAPES))
    return lambda cell: r"\N" if cell is None else write(cell)


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
