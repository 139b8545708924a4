"""Layout of a backup: a ZIP of tables and files, and a manifest with counts and digests."""

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import file_digest
from pathlib import Path
from typing import IO, Any, NamedTuple

from judgments.rules.errors import Refused

VERSION = 1
KIND = "appraise-gec backup"
MANIFEST = "manifest.json"
TABLES, FILES = "tables", "files"
# The first bytes of every ZIP that is not empty.
OPENING = b"PK\x03\x04"
DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, RuntimeError, ValueError, KeyError,
    OverflowError, OSError,
)  # fmt: skip
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
        content = asdict(self) | {"kind": KIND, "version": VERSION, **parts}
        return json.dumps(content, indent=1) + "\n"


def read_manifest(text: bytes) -> Manifest:
    """Parse a manifest; refuse one that cannot be used."""
    try:
        content: dict[str, Any] = json.loads(text)
        kind, version = content["kind"], content["version"]
    except (ValueError, KeyError, TypeError) as error:
        raise Refused("This is not a backup of this platform; its manifest cannot be read.") from error
    if kind != KIND:
        raise Refused("This is not a backup of this platform. To import a single campaign, use import_campaign.")
    if version > VERSION:
        raise Refused(f"This backup has version {version}, and this platform reads {VERSION}; upgrade the platform.")
    try:
        return Manifest(
            content["made_at"],
            tuple((app, name) for app, name in content["migrations"]),
            tuple(TableEntry(**table | {"columns": tuple(table["columns"])}) for table in content["tables"]),
            tuple(FileEntry(**file) for file in content["files"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise Refused(BROKEN.format(why="its manifest is incomplete")) from error


class Backup:
    """An open backup, with its manifest."""

    def __init__(self, archive: zipfile.ZipFile):
        self._archive = archive
        try:
            self.manifest = read_manifest(archive.read(MANIFEST))
        except KeyError as error:
            raise Refused("This is not a backup of this platform: it has no manifest.") from error

    def opened(self, part: TableEntry | FileEntry) -> IO[bytes]:
        return self._archive.open(part.place)

    def check(self) -> None:
        """Check all digests, so that nothing is changed before the whole backup is known to be intact."""
        parts: list[TableEntry | FileEntry] = [*self.manifest.tables, *self.manifest.files]
        if {MANIFEST, *(part.place for part in parts)} != set(self._archive.namelist()):
            raise Refused(BROKEN.format(why="its files are not those of its manifest"))
        for part in parts:
            with _damage_explained(), self.opened(part) as stream:
                if file_digest(stream, "sha256").hexdigest() != part.digest:  # type: ignore[arg-type]
                    raise Refused(BROKEN.format(why=f"the digest of {part.place} is wrong"))


@contextmanager
def open_backup(path: Path) -> Iterator[Backup]:
    with _opened(path) as file:
        if file.read(len(OPENING)) != OPENING:
            raise Refused(f"{path} is not a backup of this platform. Give the path of a file that back_up wrote.")
        with _damage_explained():
            backup = Backup(zipfile.ZipFile(file))
        yield backup


def is_backup(path: Path) -> bool:
    """Whether a file is a backup, whatever its name."""
    try:
        with open_backup(path):
            return True
    except Refused:
        return False


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except FileNotFoundError as error:
        raise Refused(f"There is no file {path}. Give the path of a file that back_up wrote.") from error
    except IsADirectoryError as error:
        raise Refused(f"{path} is a folder. Give the path of a backup in it.") from error
    except OSError as error:
        raise Refused(f"{path} cannot be read ({error.strerror}). Check its owner and permissions.") from error


@contextmanager
def _damage_explained() -> Iterator[None]:
    """Turn errors of a damaged ZIP into a refusal."""
    try:
        yield
    except DAMAGE as error:
        raise Refused(BROKEN.format(why=f"the file is cut off or damaged: {str(error)[:200]}")) from error
