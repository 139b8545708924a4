"""Backups: a ZIP with the database as an SQLite file, the files of the data folder, and a manifest of their digests."""

import json
import os
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from errno import EINVAL
from hashlib import file_digest, sha256
from pathlib import Path
from typing import IO, NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.core.management.sql import emit_post_migrate_signal
from django.db import DatabaseError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from judgments.archive import databases
from judgments.models import Campaign, Heartbeat
from judgments.models.heartbeats import BEAT, SILENT_AFTER
from judgments.rules.errors import Refused
from judgments.rules.files.places import owner_only, refuse_unwritable
from judgments.rules.progress import Progress, no_progress

VERSION = 3
# The first entry tells a backup from other archives; its name begins at this byte.
DATABASE, AT_NAME = "appraise.sqlite3", 30
MANIFEST, FILES = "manifest.json", "files"
# Higher levels take longer, and save a tenth.
LEVEL = 1
PIECE = 2**20
LARGEST_MANIFEST = 2**26
# Static files are collected again, the sweeper refills the queue, and beat, process ids and the address at which the
# platform ran last belong to the processes of this machine.
REGENERATED = {"static", "queue", "backups", "address"}
# A database may be left over after a move to PostgreSQL, and must not come back by surprise.
STARTS = ("beat", DATABASE)
ENDINGS = (".pid", ".part", ".lock", ".sock", ".backup")

UNWRITABLE = "{path} cannot be written ({why}). No backup was made; check the folder's owner and free disk space."
BROKEN = "This backup is damaged ({why}). Nothing was changed; restore an older one."
NEWER = (
    "This backup was made by a newer version of the platform (it has {what}). Nothing was changed; upgrade this one."
)
OLDER = "This backup has the old {what}. Nothing was changed; restore it with the version of the platform that made it."
BUSY = "The database is busy ({why}). Nothing was changed; stop web servers, workers and beat, then try again."


class Manifest(NamedTuple):
    """What a backup contains: rows by table, and for each entry of the archive its size and SHA-256."""

    made_at: str
    migrations: list[list[str]]
    rows: dict[str, int]
    entries: dict[str, list]

    @property
    def files(self) -> dict[str, str]:
        """The digest of each file, by its path in the data folder."""
        start = f"{FILES}/"
        return {name.removeprefix(start): one[1] for name, one in self.entries.items() if name.startswith(start)}

    def __str__(self) -> str:
        rows, files = sum(self.rows.values()), len(self.files)
        return f"{rows:,} row{'s' * (rows != 1)} and {files:,} file{'s' * (files != 1)}"


def back_up(path: Path, progress: Progress = no_progress) -> Manifest:
    """Write a backup while others continue; the file gets its name only when it is complete and on the disk."""
    refuse_unwritable(path, is_new=True)
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        reason = f"The {describe_database()} does not have the tables of this version"
        raise Refused(f"{reason}. If it is the right database, run migrate first, then back up.")
    part = path.with_name(f".{path.name}.part")
    try:
        with _work_folder(part):
            made_at = timezone.now().isoformat()
            databases.write_database(part / DATABASE, progress)
            with open(part / "archive", "wb", opener=owner_only) as file:
                manifest = _pack(file, part / DATABASE, made_at, progress)
                file.flush()
                os.fsync(file.fileno())
            (part / "archive").replace(path)
    except OperationalError as error:
        if "is full" not in str(error):
            raise
        raise Refused(UNWRITABLE.format(path=path, why=error)) from error
    except OSError as error:
        if not Path(error.filename or part).is_relative_to(part):
            raise
        raise Refused(UNWRITABLE.format(path=path, why=error.strerror)) from error
    return manifest


def describe_database() -> str:
    """Describe the database so that an operator recognises it, without its password."""
    given = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"SQLite file {given['NAME']}"
    port = f", port {given['PORT']}" if given["PORT"] else ""
    return f"PostgreSQL database {given['NAME']} on {given['HOST'] or 'this machine'}{port}"


@contextmanager
def _work_folder(folder: Path) -> Iterator[None]:
    """Make a folder that only its owner may enter; remove it at the end, and first what a killed command left there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    try:
        yield
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _pack(file: IO[bytes], database: Path, made_at: str, progress: Progress) -> Manifest:
    with databases.open_database(database) as copy:
        migrations = sorted(MigrationRecorder(copy).applied_migrations())
        rows = {
            model._meta.label_lower: model._base_manager.using(copy.alias).count() for model in databases.all_models()
        }
    places = {DATABASE: database} | {f"{FILES}/{name}": path for name, path in files_to_back_up()}
    entries, done, total = {}, 0, sum(path.stat().st_size for path in places.values())
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
        for name, path in places.items():
            with path.open("rb") as content, archive.open(name, "w", force_zip64=True) as entry:
                entries[name] = _transfer(content, entry, progress, done, total)
            done += entries[name][0]
        manifest = Manifest(made_at, [list(one) for one in migrations], rows, entries)
        archive.writestr(MANIFEST, json.dumps({"version": VERSION} | manifest._asdict(), indent=1))
    return manifest


def _transfer(source: IO[bytes], target: IO[bytes], progress: Progress, done: int, total: int) -> list:
    """Copy a file; return its size and digest."""
    digest, size = sha256(), 0
    while piece := source.read(PIECE):
        target.write(piece)
        digest.update(piece)
        size += len(piece)
        progress(done + size, total)
    return [size, digest.hexdigest()]


def files_to_back_up() -> Iterator[tuple[str, Path]]:
    """Yield the files that a backup contains, each with its path in the data folder, in order."""
    for path in sorted(settings.DATA_DIR.rglob("*")):
        inside = path.relative_to(settings.DATA_DIR)
        if path.is_file() and not path.is_symlink() and _is_backed_up(inside) and not _is_backup(path):
            yield inside.as_posix(), path


def _is_backed_up(inside: Path) -> bool:
    """Whether a backup contains this path; SQLite's own files begin with the name of the database."""
    own = Path(str(connection.settings_dict["NAME"])).name if connection.vendor == "sqlite" else DATABASE
    is_excluded = inside.name.startswith((*STARTS, own)) or inside.name.endswith(ENDINGS)
    is_unpacked = any(part.endswith(".part") for part in inside.parts)
    return not is_excluded and not is_unpacked and inside.parts[0] not in REGENERATED


def _is_backup(path: Path) -> bool:
    """Whether a file begins like a backup, whatever its name."""
    with path.open("rb") as file:
        return file.read(AT_NAME + len(DATABASE))[AT_NAME:] == DATABASE.encode()


@contextmanager
def open_backup(path: Path) -> Iterator[tuple[zipfile.ZipFile, Manifest]]:
    """Open a backup that this version can read; only unpacking checks its bytes."""
    if not path.exists() or path.is_dir():
        what = f"{path} is a folder" if path.is_dir() else f"There is no file {path}"
        raise Refused(f"{what}. Give the path of a file that back_up wrote.")
    if not _is_backup(path):
        raise Refused(
            f"{path} is not a backup of this platform. Give the path of a file that back_up wrote. To import a single "
            "campaign, use import_campaign."
        )
    with path.open("rb") as file:
        with _refusing_damage():
            archive = zipfile.ZipFile(file)
            if archive.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
                raise ValueError("its manifest is too large")
            content = json.loads(archive.read(MANIFEST))
            if (version := content.pop("version")) != VERSION:
                raise Refused((NEWER if version > VERSION else OLDER).format(what=f"format {version}"))
            manifest = Manifest(**content)
            if unknown := {tuple(one) for one in manifest.migrations} - MigrationLoader(None).disk_migrations.keys():
                raise Refused(NEWER.format(what=".".join(max(unknown))))
        yield archive, manifest


@contextmanager
def _refusing_damage() -> Iterator[None]:
    """Name what Python's modules raise for changed bytes; EINVAL is a place before the beginning of the file."""
    try:
        yield
    except OSError as error:
        if error.errno != EINVAL:
            raise
        raise Refused(BROKEN.format(why="bytes are missing")) from error
    except (zipfile.BadZipFile, zlib.error, EOFError, LookupError, RuntimeError, TypeError, ValueError) as error:
        raise Refused(BROKEN.format(why=f"bytes are missing, added or changed: {error}")) from error


def _unpack(archive: zipfile.ZipFile, manifest: Manifest, folder: Path, progress: Progress) -> dict[Path, Path]:
    """Unpack what the manifest lists, if it is all there, unchanged; return the place of each file."""
    data = settings.DATA_DIR.resolve()
    places = {folder / FILES / name: (data / name).resolve() for name in manifest.files}
    for name, place in zip(manifest.files, places.values(), strict=True):
        if place == data or not place.is_relative_to(data) or not _is_backed_up(place.relative_to(data)):
            raise Refused(BROKEN.format(why=f"the file {name} does not belong in the data folder"))
    with _refusing_damage():
        names = [DATABASE, *(f"{FILES}/{name}" for name in manifest.files)]
        done, total = 0, sum(entry.file_size for entry in archive.infolist())
        if sorted([*names, MANIFEST]) != sorted(archive.namelist()):
            raise ValueError("it has other files than its list")
        # Entries never unpack to more than that; a limit by the size of the file would refuse repetitive uploads.
        if total > (left := shutil.disk_usage(folder).free):
            raise Refused(
                f"There is no space to unpack the backup: it takes {total:,} bytes, and {folder.parent} has {left:,} "
                "left. Nothing was changed; free some, then try again."
            )
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            with archive.open(name) as entry, open(folder / name, "wb", opener=owner_only) as target:
                if _transfer(entry, target, progress, done, total) != manifest.entries[name]:
                    raise ValueError(f"{name} is another")
            done += manifest.entries[name][0]
    return places


def restore(path: Path, replaces: bool = False, progress: Progress = no_progress) -> Manifest:
    """Restore this installation from a backup; replace existing rows only if requested."""
    with open_backup(path) as (archive, manifest):
        _refuse_at_work()
        if not replaces:
            _refuse_filled()
        work = settings.DATA_DIR / f".{path.name}.part"
        with _work_folder(work):
            places = _unpack(archive, manifest, work, progress)
            for place in places.values():
                place.parent.mkdir(parents=True, exist_ok=True)
            try:
                with databases.open_database(work / DATABASE) as database:
                    databases.update_tables(database)
                    # They would say that the workers of the time of the backup are running.
                    Heartbeat.objects.using(database.alias).delete()
                    databases.replace_database(database, progress)
            except OperationalError as error:
                if "disk is full" in str(error):
                    raise
                raise Refused(BUSY.format(why=str(error).strip()[:200])) from error
            except DatabaseError as error:
                raise Refused(BROKEN.format(why=f"its rows are inconsistent: {str(error)[:200]}")) from error
            for unpacked, place in places.items():
                unpacked.replace(place)
    ContentType.objects.clear_cache()
    emit_post_migrate_signal(verbosity=0, interactive=False, db=connection.alias)
    return manifest


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
        raise Refused(
            f"The worker {name} is running here (last heartbeat {seconds} s ago). Nothing was changed; stop web "
            "servers, workers and beat first. If a worker was killed, wait two minutes."
        )


def _refuse_filled() -> None:
    existing = set(connection.introspection.table_names())
    for model in (Campaign, User):
        # Reads no column, because the tables may be of another version.
        if model._meta.db_table in existing and model._base_manager.exists():
            reason = f"This installation is not empty: there are {model._meta.verbose_name_plural}"
            raise Refused(f"{reason}. Nothing was changed; add --replace to delete all present data.")


def compare(path: Path, progress: Progress = no_progress) -> tuple[Manifest, list[str]]:
    """Describe each difference between a backup and this installation."""
    found = []
    with open_backup(path) as (archive, manifest):
        applied = sorted(map(list, MigrationRecorder(connection).applied_migrations()))
        if not applied:
            return manifest, ["It has no tables yet. Run restore without --check to fill it."]
        if applied != manifest.migrations:
            return manifest, ["The backup has another version of the tables, so rows cannot be compared."]
        work = settings.DATA_DIR / f".{path.name}.part"
        with _work_folder(work):
            _unpack(archive, manifest, work, progress)
            databases.write_database(work / "here.sqlite3", progress)
            for model, here, there in databases.differing_tables(work / "here.sqlite3", work / DATABASE):
                found.append(f"{model._meta.label_lower}: {here} rows here, {there} in the backup, and they differ.")
    files = dict(files_to_back_up())
    for name, digest in manifest.files.items():
        if name not in files:
            found.append(f"The file {name} is missing.")
            continue
        with files[name].open("rb") as stream:
            if file_digest(stream, "sha256").hexdigest() != digest:
                found.append(f"The file {name} differs.")
    return manifest, found


def extra_files(manifest: Manifest) -> list[str]:
    """Return the files in the data folder that are not in the backup; restoring keeps them."""
    return [name for name, _ in files_to_back_up() if name not in manifest.files]
