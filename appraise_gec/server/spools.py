"""Bytes that wait for a thread or for a client: a few in memory, more in a temporary file."""

from contextlib import suppress
from tempfile import SpooledTemporaryFile
from threading import Lock

IN_MEMORY = 64 * 1024
# What all spools of a process may hold in files.
MOST_IN_FILES = 2 * 2**30


class NoRoom(OSError):
    """Too much waits already, or the disk is full."""


class _Room:
    """How much all spools of a process hold in files."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._taken = 0

    def take(self, size: int) -> None:
        with self._lock:
            if self._taken + size > MOST_IN_FILES:
                raise NoRoom("Too many large requests and responses are waiting.")
            self._taken += size

    def give_back(self, size: int) -> None:
        with self._lock:
            self._taken -= size


ROOM = _Room()


class Spool:
    """A queue of bytes. One thread at a time uses it."""

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 (it lives as long as its connection)
        self._read = self._written = self._taken = 0

    def __len__(self) -> int:
        return self._written - self._read

    def append(self, data: bytes) -> None:
        size = self._written + len(data)
        if size > IN_MEMORY:
            ROOM.take(size - self._taken)
            self._taken = size
        try:
            self._file.seek(self._written)
            self._file.write(data)
        except OSError as error:
            raise NoRoom(str(error)) from error
        self._written = size

    def peek(self, size: int) -> bytes:
        self._file.seek(self._read)
        return self._file.read(min(size, len(self)))

    def skip(self, size: int) -> None:
        self._read += size
        if not len(self):
            self.clear()

    def clear(self) -> None:
        """Forget all bytes; a file is removed."""
        if self._taken:
            # On a full disk, closing fails to write what nobody wants any more, and then closes.
            with suppress(OSError):
                self._file.close()
            ROOM.give_back(self._taken)
            self._file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        self._read = self._written = self._taken = 0
