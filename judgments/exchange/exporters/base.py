"""What every export offers to commands and pages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from judgments.exchange.exporters.rows import ASKED
from judgments.models import Campaign
from judgments.models.snapshot import snapshot
from judgments.rules.errors import Refused
from judgments.rules.files.archives import Part, in_blocks

CSV, XML, PLAIN = "text/csv; charset=utf-8", "application/xml", "text/plain; charset=utf-8"
JSON_LINES, ZIP = "application/jsonl; charset=utf-8", "application/zip"


class Wishes(NamedTuple):
    """What is exported only if asked for: who the judges are; and, where a format marks neither, the judgments of those
    who do not count and of programs.
    """

    with_names: bool = False
    with_excluded: bool = False
    with_programs: bool = False


NO_WISHES = Wishes()


@dataclass(frozen=True)
class Export:
    """One format: what it holds, in a sentence, how it is written, and what it has a place for."""

    name: str
    about: str
    content_type: str
    write: Callable[[Campaign, Wishes], Iterator[Part]]
    protocols: frozenset[str] = frozenset(ASKED)
    marks_excluded: bool = False
    tells_names: bool = False

    def file_name(self, campaign: Campaign) -> str:
        """What the file is called when it is taken along."""
        return f"{campaign.slug}-{self.name}"

    def fault(self, campaign: Campaign, wishes: Wishes = NO_WISHES) -> str | None:
        """Why the campaign cannot be written in this format, or None."""
        if campaign.protocol not in self.protocols:
            fitting = " or ".join(sorted(self.protocols))
            return f"{self.name} is for {fitting} campaigns, and {campaign.slug} is a {campaign.protocol} campaign."
        if wishes.with_names and not self.tells_names:
            return f"{self.name} has no place for names; they are in judgments.csv and everything.jsonl."
        return None

    def parts(self, campaign: Campaign, wishes: Wishes = NO_WISHES) -> Iterator[Part]:
        """The file line by line, or in pieces where it has no lines; all as it is at one moment."""
        if fault := self.fault(campaign, wishes):
            raise Refused(fault)
        return _at_once(self.write(campaign, wishes))

    def blocks(self, campaign: Campaign, wishes: Wishes = NO_WISHES) -> Iterator[bytes]:
        """The same in pieces that are worth sending."""
        return in_blocks(self.parts(campaign, wishes))


def _at_once(parts: Iterator[Part]) -> Iterator[Part]:
    with snapshot():
        yield from parts
