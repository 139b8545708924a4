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
MADE_AGAIN = {"static", "queue", "backups"}
OF_PROCESSES = ("beat",)
# It may be left over in an installation that has moved to PostgreSQL, and must not come back by surprise.
DATABASE = "appraise.sqlite3"
ENDINGS = (".pid", ".part", ".lock", ".sock")


def refuse_place(path: Path, is_kept: bool = False) -> None:
    """Refuse a path to which a file cannot be written; `is_kept` forbids overwriting."""
    if path.is_dir():
        raise Refused(f"{path} is a folder: give the name of a file in it.")
    if is_kept and os.path.lexists(path):
        remove = ", or remove it first" if path.is_file() else ""
        raise Refused(f"{path} exists already: give another name{remove}.")
    if not path.parent.is_dir():
        raise Refused(f"There is no folder {path.parent}: make it first, or give another place.")


def owner_only(path: str, flags: int) -> int:
    """Open a file so that nobody else may read it, even if it existed before."""
    opened = os.open(path, flags, 0o600)
    if stat.S_ISREG(os.fstat(opened).st_mode):
        os.fchmod(opened, 0o600)
    return opened


def kept_files() -> Iterator[tuple[str, Path]]:
    """Yield the files that a backup contains, each with its path in the data folder, in order."""
    folder: Path = settings.DATA_DIR
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.is_file() and not path.is_symlink() and _is_kept(inside) and not is_backup(path):
            yield inside.as_posix(), path


def place_of(path: str) -> Path | None:
    """The place of a backup's file; None outside the data folder, or for files that no backup contains."""
    folder: Path = settings.DATA_DIR.resolve()
    place = (folder / path).resolve()
    return place if place.is_relative_to(folder) and place != folder and _is_kept(place.relative_to(folder)) else None


def _is_kept(inside: Path) -> bool:
    """Whether a backup contains this path; SQLite's own files begin with the name of the database."""
    others = [*OF_PROCESSES, DATABASE]
    if connection.vendor == "sqlite":
        others.append(Path(str(connection.settings_dict["NAME"])).name)
    is_other = inside.parts[0] in MADE_AGAIN or inside.name.startswith(tuple(others)) or inside.name.endswith(ENDINGS)
    return not is_other and inside.suffix != ".backup"
