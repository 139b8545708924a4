"""A campaign as a ZIP that another installation can import; the same campaign gives the same bytes."""

import zipfile
from collections.abc import Iterable, Iterator

from judgments.exports.base import ZIP, Export, Wishes, in_blocks
from judgments.exports.carried import ROWS, Carried, settings
from judgments.models import Campaign
from judgments.rules.bundles.layout import FORMAT, MANIFEST, SETTINGS, VERSION, Row, file_of, line

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


class _Counted:
    """Rows as lines, and how many there were."""

    def __init__(self, rows: Iterable[Row]):
        self._rows, self.count = rows, 0

    def __iter__(self) -> Iterator[str]:
        for row in self._rows:
            self.count += 1
            yield line(row)


def bundle(campaign: Campaign, wishes: Wishes) -> Iterator[bytes]:
    """The pieces of the ZIP, while it is made."""
    outlet = _Outlet()
    carried = Carried.of(campaign)
    lines: dict[str, int] = {}
    with zipfile.ZipFile(outlet, "w") as archive:  # type: ignore[call-overload]
        yield from _written(archive, outlet, SETTINGS, [line(settings(campaign))])
        for kind, rows in ROWS.items():
            counted = _Counted(rows(carried))
            yield from _written(archive, outlet, file_of(kind), counted)
            lines[kind] = counted.count
        manifest = {"format": FORMAT, "version": VERSION, "lines": lines}
        yield from _written(archive, outlet, MANIFEST, [line(manifest)])
    yield outlet.taken()


def _written(archive: zipfile.ZipFile, outlet: _Outlet, name: str, lines: Iterable[str]) -> Iterator[bytes]:
    entry = zipfile.ZipInfo(name, NO_DATE)
    entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, UNIX
    with archive.open(entry, "w", force_zip64=True) as file:
        for block in in_blocks(lines):
            file.write(block)
            yield outlet.taken()


EXPORT = Export(
    name="campaign.zip",
    about="The campaign itself, for another installation to import; without accounts and links.",
    content_type=ZIP,
    write=bundle,
    marks_excluded=True,
)
