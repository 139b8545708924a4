"""The files of the data folder that a backup holds: all but what can be made again, the database, and backups."""

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection

from judgments.backups.layout import is_backup

# Static files are collected, the queue is filled by the sweeper, and beat and process ids are of running processes.
MADE_AGAIN = {"static", "queue", "backups"}
OF_PROCESSES = ("beat",)
ENDINGS = (".pid", ".part", ".lock", ".sock")


def kept_files() -> Iterator[tuple[str, Path]]:
    """Each file with its path in the folder, in order."""
    folder: Path = settings.DATA_DIR
    database = _files_of_database()
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if not path.is_file() or path.is_symlink() or inside.parts[0] in MADE_AGAIN:
            continue
        if path.name.startswith((*OF_PROCESSES, *database)) or path.name.endswith(ENDINGS):
            continue
        if path.suffix != ".backup" and not is_backup(path):
            yield inside.as_posix(), path


def place_of(path: str) -> Path | None:
    """Where a file of a backup goes; nothing where its path leads out of the folder."""
    folder: Path = settings.DATA_DIR
    place = (folder / path).resolve()
    return place if place.is_relative_to(folder) and place != folder else None


def _files_of_database() -> tuple[str, ...]:
    """SQLite keeps files beside its own that begin like it."""
    if connection.vendor != "sqlite":
        return ()
    return (Path(str(connection.settings_dict["NAME"])).name,)
