"""Restoring a backup: checked first, then all or nothing in one transaction, with the tables of its version."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from shutil import copyfileobj

from django.apps.registry import Apps
from django.contrib.contenttypes.models import ContentType
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.graph import MigrationGraph
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import DatabaseError, OperationalError
from django.utils import timezone

from judgments.archive.backups.layout import BROKEN, Backup, Manifest, TableEntry, open_backup
from judgments.archive.backups.places import place_of
from judgments.archive.backups.rows import TableLoader, all_models, columns_of, set_last_key
from judgments.archive.serialiser import Model
from judgments.models import Heartbeat
from judgments.models.heartbeats import BEAT, SILENT_AFTER
from judgments.rules.errors import Refused
from judgments.rules.progress import Progress, no_progress

# Tables that migrate fills in an unused database.
FILLED_BY_MIGRATE = {"contenttypes.contenttype", "auth.permission"}

AT_WORK = (
    "The worker {name} is running here (last heartbeat {seconds} s ago). Nothing was changed; stop web servers, "
    "workers and beat first. If a worker was killed, wait two minutes."
)
BUSY = "The database is busy ({why}). Nothing was changed; stop web servers, workers and beat, then try again."


def restore(path: Path, replaces: bool = False, progress: Progress = no_progress) -> Manifest:
    """Restore this installation from a backup; replace existing rows only if requested."""
    with open_backup(path) as backup:
        _refuse_newer(backup.manifest)
        _refuse_at_work()
        if not replaces:
            _refuse_filled()
        with _staged_files(backup) as staged:
            try:
                # SQLite checks foreign keys once all rows are there.
                connection.ensure_connection()
                with connection.constraint_checks_disabled(), transaction.atomic():
                    _drop_tables()
                    _restore_tables(backup, progress)
            except OperationalError as error:
                raise Refused(BUSY.format(why=str(error).strip()[:200])) from error
            except (DatabaseError, ValueError, KeyError, LookupError) as error:
                raise Refused(BROKEN.format(why=f"its rows are inconsistent: {str(error)[:200]}")) from error
            for part, place in staged:
                part.replace(place)
        ContentType.objects.clear_cache()
        emit_post_migrate_signal(verbosity=0, interactive=False, db=connection.alias)
        return backup.manifest


def _refuse_at_work() -> None:
    """Refuse while workers or the scheduler write heartbeats; web servers write none."""
    if Heartbeat._meta.db_table not in connection.introspection.table_names():
        return
    now = timezone.now()
    # A heartbeat far in the future was written by a wrong clock, and would seem fresh until then.
    fresh = Heartbeat.objects.exclude(name=BEAT).filter(seen_at__range=(now - SILENT_AFTER, now + SILENT_AFTER))
    newest = fresh.order_by("-seen_at").values_list("name", "seen_at").first()
    if newest:
        name, seen_at = newest
        seconds = max(now - seen_at, timedelta()).seconds
        raise Refused(AT_WORK.format(name=name, seconds=seconds))


def _refuse_newer(manifest: Manifest) -> None:
    known = MigrationExecutor(connection).loader.disk_migrations
    unknown = sorted(f"{app}.{name}" for app, name in manifest.migrations if (app, name) not in known)
    if unknown:
        newer = f"This backup was made by a newer version of the platform (it has {unknown[-1]})"
        raise Refused(f"{newer}. Nothing was changed; upgrade the platform, then restore.")


def _refuse_filled() -> None:
    existing = set(connection.introspection.table_names())
    for model in all_models():
        if model._meta.label_lower in FILLED_BY_MIGRATE or model._meta.db_table not in existing:
            continue
        if model._base_manager.exists():  # reads no column, because the tables may be of another version
            reason = f"This installation is not empty: there are {model._meta.verbose_name_plural}"
            raise Refused(f"{reason}. Nothing was changed; add --replace to delete all present data.")


def _drop_tables() -> None:
    """Drop all tables of the platform, whatever their version."""
    existing = set(connection.introspection.table_names())
    ours = {model._meta.db_table for model in all_models()} | {MigrationRecorder.Migration._meta.db_table}
    cascade = " CASCADE" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        for table in sorted(ours & existing):
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)}{cascade}")


def _restore_tables(backup: Backup, progress: Progress) -> None:
    manifest = backup.manifest
    executor = MigrationExecutor(connection)
    state = executor.migrate(_newest(manifest, executor.loader.graph))
    with _without_foreign_keys(all_models(state.apps)):
        _fill(backup, state.apps, progress)
    connection.check_constraints()
    # A new executor, because the first one remembers the migrations applied when it was created.
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    connection.check_constraints()


@contextmanager
def _without_foreign_keys(models: list[Model]) -> Iterator[None]:
    """Drop the foreign keys of PostgreSQL, and create them again: that checks whole tables at once, not row by row."""
    with connection.cursor() as cursor:
        keys = []
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT conrelid::regclass, quote_ident(conname), pg_get_constraintdef(oid) FROM pg_constraint "
                "WHERE contype = 'f' AND conrelid = ANY(%s::regclass[])",
                [[connection.ops.quote_name(model._meta.db_table) for model in models]],
            )
            keys = cursor.fetchall()
        for table, name, _ in keys:
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        yield
        for table, name, definition in keys:
            cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")


def _newest(manifest: Manifest, graph: MigrationGraph) -> list[tuple[str, str]]:
    """The migrations in the backup that no other in it needs."""
    known = {key for key in manifest.migrations if key in graph.nodes}
    parents = {parent.key for key in known for parent in graph.node_map[key].parents}
    return sorted(known - parents)


def _fill(backup: Backup, registry: Apps, progress: Progress) -> None:
    tables = {table.model: table for table in backup.manifest.tables}
    _refuse_others(tables, registry)
    done, total = 0, backup.manifest.rows
    for model in all_models(registry):
        table = tables[model._meta.label_lower]
        for number in _fill_one(backup, model, table):
            done += number
            progress(done, total)
        if table.last_key is not None:
            set_last_key(model, table.last_key)


def _refuse_others(tables: Mapping[str, TableEntry], registry: Apps) -> None:
    """Refuse tables that no migration leads to, such as those of a version between two releases."""
    wanted = {model._meta.label_lower: set(columns_of(model)) for model in all_models(registry)}
    given = {name: set(table.columns) for name, table in tables.items()}
    if other := sorted(name for name in wanted.keys() | given.keys() if wanted.get(name) != given.get(name)):
        differs = f"This backup is of another version of the platform: its table {other[0]} is not the same"
        raise Refused(f"{differs}. Nothing was changed; restore it with the version that made it.")


def _fill_one(backup: Backup, model: type, table: TableEntry) -> Iterator[int]:
    loader, rows = TableLoader(model, table.columns), 0
    with backup.opened(table) as stream:
        for line in stream:
            number = loader.add(line)
            rows += number
            yield number
    if rows != table.rows:
        raise Refused(BROKEN.format(why=f"{table.model} has {rows} rows instead of {table.rows}"))


@contextmanager
def _staged_files(backup: Backup) -> Iterator[list[tuple[Path, Path]]]:
    """Write each file of the backup next to its place, so that nothing can fail once the tables are changed."""
    places = [(file, place_of(file.path)) for file in backup.manifest.files]
    if outside := [file.path for file, place in places if place is None]:
        raise Refused(BROKEN.format(why=f"the file {outside[0]} does not belong in the data folder"))
    staged: list[tuple[Path, Path]] = []
    try:
        for file, place in places:
            if place is not None:
                place.parent.mkdir(parents=True, exist_ok=True)
                staged.append((part := place.with_name(f".{place.name}.part"), place))
                part.touch(mode=0o600)
                with backup.opened(file) as stream, part.open("wb") as target:
                    copyfileobj(stream, target)
        yield staged
    finally:
        for part, _ in staged:
            part.unlink(missing_ok=True)
