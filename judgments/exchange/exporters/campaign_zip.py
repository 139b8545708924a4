"""A campaign as a ZIP that another installation can import; the same campaign gives the same bytes."""

from collections.abc import Iterable, Iterator

from judgments.archive.rows import ROWS, Carried, settings
from judgments.archive.rules.layout import FORMAT, MANIFEST, SETTINGS, VERSION, Row, file_of, line
from judgments.exchange.exporters.base import ZIP, Export, Wishes
from judgments.models import Campaign
from judgments.rules.files.archives import zipped


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
    yield from zipped(_files(campaign))


def _files(campaign: Campaign) -> Iterator[tuple[str, Iterable[str]]]:
    """Each file by its name, the manifest last, when it is known how long the others are."""
    carried = Carried.of(campaign)
    yield SETTINGS, [line(settings(campaign))]
    lines: dict[str, int] = {}
    for kind, rows in ROWS.items():
        counted = _Counted(rows(carried))
        yield file_of(kind), counted
        lines[kind] = counted.count
    yield MANIFEST, [line({"format": FORMAT, "version": VERSION, "lines": lines})]


EXPORT = Export(
    name="campaign.zip",
    about="The campaign itself, for another installation to import; without accounts and links.",
    content_type=ZIP,
    write=bundle,
    marks_excluded=True,
)
