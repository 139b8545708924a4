"""One export format, as commands and pages use it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

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
    """Additions on request: names of judges; and, in formats that mark neither, excluded judges and programs."""

    with_names: bool = False
    with_excluded: bool = False
    with_programs: bool = False


NO_WISHES = Wishes()
Writer = Callable[[Campaign, Wishes], Iterator[Part]]


def of_comparisons(protocol: Protocol) -> bool:
    """Whether answers say which candidates are better."""
    return protocol.scale is not None


def kept_in(answers: type[Model]) -> Callable[[Protocol], bool]:
    """Return a check whether answers are rows of a table."""
    return lambda protocol: protocol.answers.model is answers


@dataclass(frozen=True)
class Export:
    """A format: its contents in a sentence, its writer, the protocols that fit, and what it has a place for."""

    name: str
    about: str
    content_type: str
    write: Writer
    fits: Callable[[Protocol], bool] = lambda protocol: True
    marks_excluded: bool = False
    tells_names: bool = False

    def fault(self, campaign: Campaign, wishes: Wishes = NO_WISHES) -> str | None:
        """Return why the campaign cannot be written in this format, or None."""
        if not self.fits(protocol_of(campaign)):
            fitting = names_of(filter(self.fits, PROTOCOLS.values()))
            return f"{self.name} is for {fitting} campaigns, and {campaign.slug} is a {campaign.protocol} campaign."
        if wishes.with_names and not self.tells_names:
            return f"{self.name} has no place for names; they are in judgments.csv and everything.jsonl."
        return None

    def parts(self, campaign: Campaign, wishes: Wishes = NO_WISHES) -> Iterator[Part]:
        """Yield the file by lines, or by pieces if it has no lines; all in the state of one moment."""
        if fault := self.fault(campaign, wishes):
            raise Refused(fault)
        return _at_once(self.write(campaign, wishes))

    def blocks(self, campaign: Campaign, wishes: Wishes = NO_WISHES) -> Iterator[bytes]:
        """Yield the same in pieces of a good size for sending."""
        return in_blocks(self.parts(campaign, wishes))


def export(name: str, about: str, content_type: str, **more: Any) -> Callable[[Writer], Export]:
    """Make an export of the function that writes it."""
    return lambda write: Export(name, about, content_type, write, **more)


def _at_once(parts: Iterator[Part]) -> Iterator[Part]:
    with snapshot():
        yield from parts
