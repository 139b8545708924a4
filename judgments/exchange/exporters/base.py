"""What every export offers to commands and pages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Model

from judgments.models import Campaign
from judgments.models.snapshot import snapshot
from judgments.protocols import PROTOCOLS, protocol_of
from judgments.protocols.base import Protocol
from judgments.protocols.registry import names_of
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


def of_comparisons(protocol: Protocol) -> bool:
    """Whether answers say which candidates are better."""
    return protocol.scale is not None


def kept_in(answers: type[Model]) -> Callable[[Protocol], bool]:
    """Whether answers are rows of a table."""
    return lambda protocol: protocol.answers.model is answers


@dataclass(frozen=True)
class Export:
    """One format: what it holds, in a sentence, how it is written, whose answers fit, and what it has a place for."""

    name: str
    about: str
    content_type: str
    write: Callable[[Campaign, Wishes], Iterator[Part]]
    fits: Callable[[Protocol], bool] = lambda protocol: True
    marks_excluded: bool = False
    tells_names: bool = False

    def file_name(self, campaign: Campaign) -> str:
        """What the file is called when it is taken along."""
        return f"{campaign.slug}-{self.name}"

    def fault(self, campaign: Campaign, wishes: Wishes = NO_WISHES) -> str | None:
        """Why the campaign cannot be written in this format, or None."""
        if not self.fits(protocol_of(campaign)):
            fitting = names_of(filter(self.fits, PROTOCOLS.values()))
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
