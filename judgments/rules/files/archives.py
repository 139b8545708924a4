"""ZIP archives: reading untrusted uploads, and writing archives deterministically, also as a stream."""

import io
import shutil
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any, BinaryIO, Protocol

from judgments.rules.files.problems import Problem, Problems, refuse
from judgments.rules.files.text_files import UploadedFile, fault_of_count

MOST_FILES = 500
MOST_BYTES = 128 * 2**20
# Texts and tables unpack to at most fifteen times their size, and bombs to a thousand times.
MOST_TIMES, ALWAYS_ALLOWED = 20, 8 * 2**20
LEFTOVERS = "__MACOSX"
# Python decompresses other methods without a limit, so that a small archive could fill the memory.
PACKINGS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
QUICKLY = 1
# The signature of an entry in the central directory, which Python reads whole, using half a kilobyte of memory a file.
ENTRY = b"PK\x01\x02"
MOST_ENTRIES = 20_000
PIECE = 2**20


def read_archive(
    name: str, file: BinaryIO, most_files: int = MOST_FILES, most_bytes: int = MOST_BYTES, with_folders: bool = False
) -> list[UploadedFile]:
    """Read a ZIP; refuse too many files or too much content, and folders unless they are expected."""
    remedy = "create it again"
    with open_archive(name, file, remedy) as archive, readable(name, remedy):
        members = []
        for member in archive.infolist():
            path = PurePosixPath(member.filename)
            # Desktop systems add such files to archives.
            is_leftover = path.parts[:1] == (LEFTOVERS,) or path.name in {".DS_Store", "Thumbs.db"}
            if not is_leftover and not (with_folders and member.is_dir()):
                members.append(member)
        check_members(name, members, most_files, with_folders)
        return _unpack(name, archive, members, most_unpacked(file, most_bytes))


@contextmanager
def open_archive(name: str, file: BinaryIO, remedy: str) -> Iterator[zipfile.ZipFile]:
    """Open an untrusted archive; read its members within `readable`."""
    with readable(name, remedy):
        check_entries(name, file)
        archive = zipfile.ZipFile(file)
    with archive:
        yield archive


@contextmanager
def readable(name: str, remedy: str) -> Iterator[None]:
    """Convert errors of a damaged archive to a problem with a remedy."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, ValueError) as error:
        what = f"cannot be read as a ZIP ({str(error)[:200]}); {remedy}"
        raise Problems([Problem(name, None, what)]) from error


def check_entries(name: str, file: BinaryIO) -> None:
    """Refuse an archive whose directory could fill the memory, without trusting the number of entries it declares."""
    count, rest = 0, b""
    while (piece := file.read(PIECE)) and count <= MOST_ENTRIES:
        piece = rest + piece
        count += piece.count(ENTRY)
        rest = piece[1 - len(ENTRY) :]
    if count > MOST_ENTRIES:
        raise Problems([Problem(name, None, f"lists more than {MOST_ENTRIES} files; zip fewer of them")])
    file.seek(0)


def most_unpacked(file: BinaryIO, most_bytes: int) -> int:
    """Return how many bytes an archive may unpack to, because of its own size or because of the limit for all."""
    size = file.seek(0, io.SEEK_END)
    return min(most_bytes, ALWAYS_ALLOWED + MOST_TIMES * size)


def check_members(name: str, members: list[zipfile.ZipInfo], most_files: int, with_folders: bool = False) -> None:
    """Refuse an archive with too many files, with members that cannot be unpacked safely, or with folders."""
    problems, faulty = [], dict[str, list[str]]()
    if len(members) > most_files:
        problems.append(Problem(name, None, f"holds {len(members)} files; at most {most_files} are allowed"))
    for member in members[:most_files]:
        if ("/" in member.filename and not with_folders) or "\\" in member.filename:
            what = "holds {!r}, a file with a path; zip the files themselves, not their folder"
        elif member.flag_bits & 0x1:
            what = "{!r} is encrypted; zip it without a password"
        elif member.compress_type not in PACKINGS:
            what = "{!r} uses an unsupported compression; zip it again"
        else:
            continue
        faulty.setdefault(what, []).append(member.filename)
    for what, names in faulty.items():
        problems.append(Problem(name, None, what.format(names[0]) + f" ({len(names)} files)" * (len(names) > 1)))
    refuse(problems)


def _unpack(name: str, archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], most_bytes: int) -> list[UploadedFile]:
    """Unpack within one limit of bytes and one of lines for all members, whatever their headers declare."""
    files = []
    left, lines = most_bytes, 0
    for member in members:
        with archive.open(member) as stream:
            content = stream.read(left + 1)
        left -= len(content)
        lines += content.count(b"\n")
        if left < 0:
            what = f"unpacks to more than {most_bytes // 2**20} MiB; upload its files in several archives, or without"
            raise Problems([Problem(name, None, what)])
        if fault := fault_of_count(lines):
            raise Problems([Problem(name, None, fault)])
        files.append(UploadedFile(member.filename, content))
    return files


def unpack_archives(
    files: Iterable[UploadedFile],
    most_files: int = MOST_FILES,
    most_bytes: int = MOST_BYTES,
    with_folders: bool = False,
) -> list[UploadedFile]:
    """Replace ZIPs by their content; the limits hold for all ZIPs together."""
    found: list[UploadedFile] = []
    problems: list[Problem] = []
    for file in files:
        if not is_archive(file.name):
            found.append(file)
            continue
        try:
            members = read_archive(file.name, io.BytesIO(file.content), most_files, most_bytes, with_folders)
        except Problems as reason:
            problems += reason.problems
        else:
            found += members
            most_files -= len(members)
            most_bytes -= sum(len(member.content) for member in members)
    if fault := fault_of_count(sum(file.kept.count(b"\n") for file in found if isinstance(file.kept, bytes))):
        what = f"{fault}, and upload the source first; or import them by the command import_outputs, which has no limit"
        problems.append(Problem("", None, f"All files together: {what}"))
    refuse(problems)
    return found


def is_archive(name: str) -> bool:
    return name.lower().endswith(".zip")


class Sent(Protocol):
    """A file that was sent, which may be too large for the memory of a web process."""

    @property
    def name(self) -> str | None: ...

    def open(self) -> Any: ...


def pack(files: Iterable[Sent], packed: BinaryIO) -> None:
    """Pack files into one ZIP under numbers, because their names may not be valid in a ZIP."""
    with zipfile.ZipFile(packed, "w", compresslevel=QUICKLY) as archive:
        for number, file in enumerate(files):
            archive.compression = zipfile.ZIP_STORED if is_archive(file.name or "") else zipfile.ZIP_DEFLATED
            with archive.open(str(number), "w") as stream:
                shutil.copyfileobj(file.open(), stream)
    packed.seek(0)


def unpack(packed: BinaryIO, names: Sequence[str]) -> list[UploadedFile]:
    """Return the files given to `pack`, under their names."""
    with zipfile.ZipFile(packed) as archive:
        return [UploadedFile(name, archive.read(str(number))) for number, name in enumerate(names)]


# A fixed date and system, so that equal files give equal archives.
NO_DATE = (1980, 1, 1, 0, 0, 0)
UNIX = 3


class _Outlet(io.RawIOBase):
    """An unseekable file for the ZIP writer; `take` returns what was written since the last call."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []

    def write(self, content: Any) -> int:
        self._waiting.append(bytes(content))
        return len(content)

    def take(self) -> bytes:
        content, self._waiting = b"".join(self._waiting), []
        return content


def stream_zip(files: Iterable[tuple[str, Iterable[str]]]) -> Iterator[bytes]:
    """Stream a ZIP of files, each with a name and lines, one file after the other."""
    outlet = _Outlet()
    with zipfile.ZipFile(outlet, "w") as archive:
        for name, lines in files:
            entry = zipfile.ZipInfo(name, NO_DATE)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, UNIX
            with archive.open(entry, "w", force_zip64=True) as file:
                for block in in_blocks(lines):
                    file.write(block)
                    yield outlet.take()
    yield outlet.take()


Part = str | bytes
BLOCK = 2**16


def in_blocks(parts: Iterable[Part]) -> Iterator[bytes]:
    """Join small parts into blocks of at least BLOCK bytes."""
    waiting, size = [], 0
    for part in parts:
        content = part.encode() if isinstance(part, str) else part
        waiting.append(content)
        size += len(content)
        if size >= BLOCK:
            yield b"".join(waiting)
            waiting, size = [], 0
    if waiting:
        yield b"".join(waiting)
