"""The whole database as one SQLite file: writing it, putting it back, and comparing it.

SQLite copies its files itself. To and from PostgreSQL, `copy_rows` copies all rows into tables of this version.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3.base import DatabaseWrapper as SQLite
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import DatabaseError

from judgments.models import Heartbeat
from judgments.models.database import copy_lines, snapshot
from judgments.rules.errors import Refused
from judgments.rules.progress import Progress, no_progress

ROWS_AT_ONCE = 2000
LOCK_SECONDS = 60
Model = type[models.Model]

# Django adapts dates and times itself.
sqlite3.register_adapter(UUID, lambda value: value.hex)


def all_models() -> list[Model]:
    """Return all tables, including that of the migrations applied."""
    found: list[Model] = [*apps.get_models(include_auto_created=True), MigrationRecorder.Migration]
    return [model for model in found if model._meta.managed and not model._meta.proxy]


def columns_of(model: Model) -> list[str]:
    return [str(field.column) for field in model._meta.local_concrete_fields]


def _quote(name: str | None) -> str:
    return connection.ops.quote_name(str(name))


@contextmanager
def open_database(path: Path) -> Iterator[BaseDatabaseWrapper]:
    """Open an SQLite file that is removed if anything fails, beside the database of this installation."""
    alias = path.stem
    given = {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        # Cells are read as SQLite stores them.
        "OPTIONS": {"detect_types": 0, "init_command": "PRAGMA synchronous=OFF;"},
    }
    database = SQLite(connections.configure_settings({DEFAULT_DB_ALIAS: {}, alias: given})[alias], alias)
    connections[alias] = database
    try:
        yield database
    finally:
        database.close()
        del connections[alias]


def write_database(path: Path, progress: Progress) -> None:
    """Write this database, as of one moment, to an SQLite file; others can write into it meanwhile."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(path)])
    else:
        with snapshot(), open_database(path) as copy, _new_tables(copy):
            copy_rows(connection, copy, progress)


def update_tables(database: BaseDatabaseWrapper) -> None:
    """Migrate an SQLite file to this version; refuse tables that no migration leads to."""
    with database.cursor() as cursor:
        (fault,) = cursor.execute("PRAGMA quick_check(1)").fetchone()
        if fault != "ok":
            raise DatabaseError(fault)
        executor = MigrationExecutor(database)
        executor.migrate(executor.loader.graph.leaf_nodes())
        for model in all_models():
            columns = [row[1] for row in cursor.execute(f"PRAGMA table_info({_quote(model._meta.db_table)})")]
            if sorted(columns) != sorted(columns_of(model)):
                differs = f"its table {model._meta.label_lower} is not the same"
                raise Refused(
                    f"This backup is of another version of the platform: {differs}. Nothing was changed; restore it "
                    "with the version that made it."
                )


def replace_database(database: BaseDatabaseWrapper, progress: Progress) -> None:
    """Replace all tables of this installation by those of an SQLite file, in one transaction."""
    if connection.vendor == "sqlite":
        database.check_constraints()
        with connection.cursor() as cursor, connection.wrap_database_errors:
            # A killed process leaves it undone; others see the old pages until it is done.
            database.connection.backup(connection.connection, progress=_refuse_busy)
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'")
        for table in {model._meta.db_table for model in all_models()} & {*connection.introspection.table_names()}:
            cursor.execute(f"DROP TABLE {_quote(table)} CASCADE")
        with _new_tables(connection):
            copy_rows(database, connection, progress)


def _refuse_busy(status: int, left: int, pages: int) -> None:
    """SQLite has waited for others already, but Python would try for ever."""
    if status & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        raise sqlite3.OperationalError("database is locked")


@contextmanager
def _new_tables(database: BaseDatabaseWrapper) -> Iterator[None]:
    """Create all tables, and once they are filled their indexes and foreign keys, which checks all rows at once."""
    with database.schema_editor(atomic=not database.in_atomic_block) as editor:
        for model in all_models():
            if not model._meta.auto_created:
                editor.create_model(model)
        yield


def copy_rows(source: BaseDatabaseWrapper, target: BaseDatabaseWrapper, progress: Progress = no_progress) -> None:
    """Copy the rows and last keys of all tables into new ones, from PostgreSQL to SQLite or vice versa."""
    total, done = sum(model._base_manager.using(source.alias).count() for model in all_models()), 0
    for model in all_models():
        if model._meta.pk.get_internal_type().endswith("AutoField"):
            _copy_last_key(source, target, model)
        columns = ", ".join(map(_quote, columns_of(model)))
        table, key = _quote(model._meta.db_table), _quote(model._meta.pk.column)
        # A row with a file comes alone, because it may fill much memory.
        has_file = any(isinstance(field, models.BinaryField) for field in model._meta.local_concrete_fields)
        with source.chunked_cursor() as there, target.cursor() as here:
            if source.vendor == "postgresql":
                # Times come as SQLite stores them: in UTC, without a time zone.
                there.cursor.tzinfo_factory = None
            there.execute(f"SELECT {columns} FROM {table} ORDER BY {key}")  # noqa: S608 # nosec B608
            while rows := there.fetchmany(1 if has_file else ROWS_AT_ONCE):
                if target.vendor == "postgresql":
                    with target.wrap_database_errors:
                        here.copy_expert(f"COPY {table} ({columns}) FROM STDIN", copy_lines(rows))
                else:
                    values = ", ".join(["%s"] * len(rows[0]))
                    here.executemany(f"INSERT INTO {table} ({columns}) VALUES ({values})", rows)  # noqa: S608 # nosec B608
                progress(done := done + len(rows), total)


def _copy_last_key(source: BaseDatabaseWrapper, target: BaseDatabaseWrapper, model: Model) -> None:
    """Have the target generate keys after the last one of the source, whose row may be deleted since."""
    name = model._meta.db_table
    sequence = [_quote(name), model._meta.pk.column]
    with source.cursor() as there, target.cursor() as here:
        if source.vendor == "sqlite":
            there.execute("SELECT seq FROM sqlite_sequence WHERE name = %s AND seq > 0", [name])
            if found := there.fetchone():
                here.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [*sequence, found[0]])
        else:
            there.execute(
                "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass), 0)", sequence
            )
            here.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [name, *there.fetchone()])


def differing_tables(one: Path, other: Path) -> Iterator[tuple[Model, int, int]]:
    """Yield each table that differs between two SQLite files, with its numbers of rows; heartbeats always would."""

    def same_json(one: str | None, other: str | None) -> bool:
        return one is not None and other is not None and json.loads(one) == json.loads(other)

    with open_database(one) as database, database.cursor() as cursor:
        cursor.execute("ATTACH %s AS other", [str(other)])
        # PostgreSQL keeps neither the order of keys nor spaces.
        database.connection.create_function("same_json", 2, same_json, deterministic=True)
        for model in all_models():
            if model is Heartbeat:
                continue
            table, key = _quote(model._meta.db_table), _quote(model._meta.pk.column)
            same = " AND ".join(
                f"(a.{name} IS b.{name}{f' OR same_json(a.{name}, b.{name})' * isinstance(field, models.JSONField)})"
                for field in model._meta.local_concrete_fields
                for name in [_quote(str(field.column))]
            )
            cursor.execute(
                f"SELECT (SELECT count(*) FROM main.{table}), (SELECT count(*) FROM other.{table}), "  # noqa: S608 # nosec B608
                f"(SELECT count(*) FROM main.{table} AS a JOIN other.{table} AS b ON a.{key} = b.{key} WHERE {same})"
            )
            here, there, equal = cursor.fetchone()
            if not here == there == equal:
                yield model, here, there
