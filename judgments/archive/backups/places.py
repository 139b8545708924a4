"""Where commands may write, and which files of the data folder a backup contains."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection

from judgments.archive.backups.layout import is_backup
from judgments.rules.errors import Refused

# Static files are collected again, the sweeper refills the queue, and beat and process ids belong to running processes.
REGENERATED = {"static", "queue", "backups"}
PROCESS_FILES = ("beat",)
# It may be left over in an installation that has moved to PostgreSQL, and must not come back by surprise.
DATABASE = "appraise.sqlite3"
ENDINGS = (".pid", ".part", ".lock", ".sock")


def refuse_unwritable(path: Path, is_new: bool = False) -> None:
    """Refuse a path to which a file cannot be written; `is_new` forbids overwriting."""
    if path.is_dir():
        raise Refused(f"{path} is a folder. Give the name of a file in it.")
    if is_new and os.path.lexists(path):
        remove = ", or remove it first" if path.is_file() else ""
        raise Refused(f"{path} exists already. Give another name{remove}.")
    if not path.parent.is_dir():
        raise Refused(f"There is no folder {path.parent}. Create it first, or choose another place.")


def owner_only(path: str, flags: int) -> int:
    """Open a file so that only its owner can read it, even if it existed before."""
    descriptor = os.open(path, flags, 0o600)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.fchmod(descriptor, 0o600)
    return descriptor


def files_to_back_up() -> Iterator[tuple[str, Path]]:
    """Yield the files that a backup contains, each with its path in the data folder, in order."""
    folder: Path = settings.DATA_DIR
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.is_file() and not path.is_symlink() and _is_backed_up(inside) and not is_backup(path):
            yield inside.as_posix(), path


def place_of(path: str) -> Path | None:
    """Return the place of a backup's file; None outside the data folder, or for files that no backup contains."""
    folder: Path = settings.DATA_DIR.resolve()
    place = (folder / path).resolve()
    return (
        place if place.is_relative_to(folder) and place != folder and _is_backed_up(place.relative_to(folder)) else None
    )


def _is_backed_up(inside: Path) -> bool:
    """Whether a backup contains this path; SQLite's own files begin with the name of the database."""
    starts = [*PROCESS_FILES, DATABASE]
    if connection.vendor == "sqlite":
        starts.append(Path(str(connection.settings_dict["NAME"])).name)
    is_excluded = inside.name.startswith(tuple(starts)) or inside.name.endswith(ENDINGS) or inside.suffix == ".backup"
    return not is_excluded and inside.parts[0] not in REGENERATED
