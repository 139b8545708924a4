"""Layout of a backup: a ZIP of tables and files with a manifest; its comment is a digest of all bytes before it."""

import json
import os
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple

from judgments.rules.errors import Refused
from judgments.rules.files.values import read_json

VERSION = 2
MANIFEST = "manifest.json"
TABLES, FILES = "tables", "files"
# The name of the first entry, and where it is.
FIRST, AT_FIRST = f"{TABLES}/".encode(), 30
SEAL = b"Backup of appraise-gec, SHA-256 "
SEALED = len(SEAL) + 2 * sha256().digest_size
PIECE = 2**20
# Backups unpack to some five times their size, and bombs to a thousand times.
MOST_TIMES = 100
BROKEN = "This backup is damaged ({why}). Nothing was changed; restore an older one."


class TableEntry(NamedTuple):
    """One table: columns in the order of the cells, number of rows, last key, digest."""

    model: str
    columns: tuple[str, ...]
    rows: int
    last_key: int | None
    digest: str

    @property
    def place(self) -> str:
        return f"{TABLES}/{self.model}.jsonl"


class FileEntry(NamedTuple):
    """One file of the data folder, by its path there."""

    path: str
    size: int
    digest: str

    @property
    def place(self) -> str:
        return f"{FILES}/{self.path}"


@dataclass(frozen=True)
class Manifest:
    """The contents of a backup, checked before anything is restored."""

    made_at: str
    migrations: tuple[tuple[str, str], ...]
    tables: tuple[TableEntry, ...]
    files: tuple[FileEntry, ...]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables)

    @property
    def campaigns(self) -> int:
        return sum(table.rows for table in self.tables if table.model == "judgments.campaign")

    def __str__(self) -> str:
        rows, files = self.rows, len(self.files)
        return f"{rows:,} row{'s' * (rows != 1)} and {files:,} file{'s' * (files != 1)}"

    def written(self) -> str:
        parts = {"tables": [one._asdict() for one in self.tables], "files": [one._asdict() for one in self.files]}
        content = asdict(self) | {"version": VERSION, **parts}
        return json.dumps(content, indent=1) + "\n"


def read_manifest(text: bytes) -> Manifest:
    content: dict[str, Any] = read_json(text)
    if content["version"] != VERSION:
        reason = f"This backup has version {content['version']}, and this platform reads {VERSION}"
        raise Refused(f"{reason}; restore it with the version of the platform that made it.")
    return Manifest(
        content["made_at"],
        tuple((app, name) for app, name in content["migrations"]),
        tuple(TableEntry(**table | {"columns": tuple(table["columns"])}) for table in content["tables"]),
        tuple(FileEntry(**file) for file in content["files"]),
    )


class Backup:
    """An open backup, with its manifest."""

    def __init__(self, archive: zipfile.ZipFile):
        self._archive = archive
        self.manifest = read_manifest(archive.read(MANIFEST))

    def opened(self, part: TableEntry | FileEntry) -> IO[bytes]:
        return self._archive.open(part.place)


@contextmanager
def open_backup(path: Path) -> Iterator[Backup]:
    """Open a backup after checking that every byte of the file is as it was written."""
    with _opened(path) as file:
        _check(path, file)
        archive = zipfile.ZipFile(file)
        if sum(part.file_size for part in archive.infolist()) > MOST_TIMES * path.stat().st_size:
            raise Refused(BROKEN.format(why=f"it unpacks to more than {MOST_TIMES} times its size"))
        yield Backup(archive)


def seal_of(file: IO[bytes]) -> bytes:
    """Return what the comment must be, and leave the file at the comment."""
    digest, left = sha256(), max(file.seek(0, os.SEEK_END) - SEALED, 0)
    file.seek(0)
    while piece := file.read(min(left, PIECE)):
        digest.update(piece)
        left -= len(piece)
    return SEAL + digest.hexdigest().encode()


def is_backup(path: Path) -> bool:
    """Whether a file ends like a backup, whatever its name."""
    with path.open("rb") as file:
        file.seek(max(file.seek(0, os.SEEK_END) - SEALED, 0))
        return file.read(len(SEAL)) == SEAL


def _check(path: Path, file: IO[bytes]) -> None:
    try:
        if seal_of(file) == file.read():
            return
        file.seek(AT_FIRST)
        begins_like_one = file.read(len(FIRST)) == FIRST
    except OSError as error:
        raise Refused(BROKEN.format(why=error.strerror)) from error
    if begins_like_one or is_backup(path):
        raise Refused(BROKEN.format(why="some of its bytes are missing, added or changed"))
    raise Refused(
        f"{path} is not a backup of this platform. Give the path of a file that back_up wrote. To import a single "
        "campaign, use import_campaign."
    )


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError as error:
        raise Refused(f"There is no file {path}. Give the path of a file that back_up wrote.") from error
    except IsADirectoryError as error:
        raise Refused(f"{path} is a folder. Give the path of a backup in it.") from error
    except OSError as error:
        raise Refused(f"{path} cannot be read ({error.strerror}). Check its owner and permissions.") from error
