"""Files as a ZIP that is sent while it is made; the same files give the same bytes."""

import zipfile
from collections.abc import Iterable, Iterator

from judgments.exports.base import in_blocks

# All files have one date, and come from one system.
NO_DATE = (1980, 1, 1, 0, 0, 0)
UNIX = 3


class _Outlet:
    """A file that cannot be rewound; what is written to it waits to be sent."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []

    def write(self, content: bytes) -> int:
        self._waiting.append(bytes(content))
        return len(content)

    def flush(self) -> None:
        pass

    def taken(self) -> bytes:
        """What was written since the last time."""
        content = b"".join(self._waiting)
        self._waiting.clear()
        return content


def zipped(files: Iterable[tuple[str, Iterable[str]]]) -> Iterator[bytes]:
    """The pieces of a ZIP of files, each with its name and its lines; none is asked for before the last is written."""
    outlet = _Outlet()
    with zipfile.ZipFile(outlet, "w") as archive:  # type: ignore[call-overload]
        for name, lines in files:
            entry = zipfile.ZipInfo(name, NO_DATE)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, UNIX
            with archive.open(entry, "w", force_zip64=True) as file:
                for block in in_blocks(lines):
                    file.write(block)
                    yield outlet.taken()
    yield outlet.taken()
