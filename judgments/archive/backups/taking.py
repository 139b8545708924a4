"""Taking a backup while judges work: a snapshot of all tables, then the files."""

import os
import zipfile
from contextlib import suppress
from hashlib import file_digest, sha256
from pathlib import Path

from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from judgments.archive.backups.layout import MANIFEST, PIECE, SEALED, FileEntry, Manifest, TableEntry, seal_of
from judgments.archive.backups.places import files_to_back_up, refuse_unwritable
from judgments.archive.backups.rows import all_models, columns_of, last_key, lines_of
from judgments.archive.serialiser import Model
from judgments.models.snapshot import snapshot
from judgments.rules.errors import Refused
from judgments.rules.progress import Progress, no_progress

# The fastest compression, because the snapshot lasts as long as the writing.
LEVEL = 1


def describe_database() -> str:
    """Describe the database so that an operator recognises it, without its password."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"SQLite file {settings['NAME']}"
    port = f", port {settings['PORT']}" if settings["PORT"] else ""
    return f"PostgreSQL database {settings['NAME']} on {settings['HOST'] or 'this machine'}{port}"


def back_up(path: Path, progress: Progress = no_progress) -> Manifest:
    """Write the backup; the file gets its name only when it is complete and on the disk."""
    refuse_unwritable(path, is_new=True)
    _refuse_old_tables()
    part = path.with_name(f".{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        with part.open("w+b") as file:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
                manifest = _write(archive, progress)
                archive.comment = bytes(SEALED)
            seal = seal_of(file)
            file.seek(-SEALED, os.SEEK_END)
            file.write(seal)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        if str(error.filename or part) not in (str(part), str(path)):
            raise
        why = f"{path} cannot be written ({error.strerror})"
        raise Refused(f"{why}. No backup was made; check the folder's owner and free disk space.") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return manifest


def _write(archive: zipfile.ZipFile, progress: Progress) -> Manifest:
    models = all_models()
    with snapshot():
        made_at = timezone.now().isoformat()
        applied = tuple(sorted(MigrationRecorder(connection).applied_migrations()))
        total, done, tables = sum(model._base_manager.count() for model in models), 0, []
        for model in models:
            table = _write_table(archive, model, done, total, progress)
            done += table.rows
            tables.append(table)
    files = tuple(_write_file(archive, name, path) for name, path in files_to_back_up())
    manifest = Manifest(made_at, applied, tuple(tables), files)
    archive.writestr(MANIFEST, manifest.written())
    return manifest


def _write_file(archive: zipfile.ZipFile, name: str, path: Path) -> FileEntry:
    digest, size, empty = sha256(), 0, FileEntry(name, 0, "")
    with path.open("rb") as content, archive.open(empty.place, "w", force_zip64=True) as stream:
        while piece := content.read(PIECE):
            stream.write(piece)
            digest.update(piece)
            size += len(piece)
    return FileEntry(name, size, digest.hexdigest())


def _write_table(archive: zipfile.ZipFile, model: Model, before: int, total: int, progress: Progress) -> TableEntry:
    columns, digest, rows = columns_of(model), sha256(), 0
    empty = TableEntry(model._meta.label_lower, columns, 0, last_key(model), "")
    with archive.open(empty.place, "w", force_zip64=True) as stream:
        for line, number in lines_of(model, columns):
            stream.write(line)
            digest.update(line)
            rows += number
            progress(before + rows, total)
    return empty._replace(rows=rows, digest=digest.hexdigest())


def _refuse_old_tables() -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        reason = f"The {describe_database()} does not have the tables of this version"
        raise Refused(f"{reason}. If it is the right database, run migrate first, then back up.")


def extra_files(manifest: Manifest) -> list[str]:
    """Return the files in the data folder that are not in the backup; restoring keeps them."""
    saved = {file.path for file in manifest.files}
    return [path for path, _ in files_to_back_up() if path not in saved]


def differences(manifest: Manifest) -> list[str]:
    """Describe each difference between the backup and this installation."""
    found = []
    with snapshot():
        applied = tuple(sorted(MigrationRecorder(connection).applied_migrations()))
        if not applied:
            return ["It has no tables yet. Run restore_backup without --check to fill it."]
        if applied != manifest.migrations:
            return ["The backup has another version of the tables, so rows cannot be compared."]
        for table in manifest.tables:
            model = apps.get_model(table.model)
            digest, rows = sha256(), 0
            for line, number in lines_of(model, table.columns):
                digest.update(line)
                rows += number
            if digest.hexdigest() != table.digest:
                found.append(f"{table.model}: {rows} rows here, {table.rows} in the backup, and they differ.")
    here = dict(files_to_back_up())
    for file in manifest.files:
        if file.path not in here:
            found.append(f"The file {file.path} is missing.")
            continue
        with here[file.path].open("rb") as stream:
            if file_digest(stream, "sha256").hexdigest() != file.digest:
                found.append(f"The file {file.path} differs.")
    return found
