"""The interface of export formats."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Model

from judgments.models import Campaign
from judgments.models.database import snapshot
from judgments.protocols import PROTOCOLS, protocol_of
from judgments.protocols.base import Protocol
from judgments.protocols.registry import names_of
from judgments.rules.errors import Refused
from judgments.rules.files.archives import Part, in_blocks, stream_zip

CSV, XML, PLAIN = "text/csv; charset=utf-8", "application/xml", "text/plain; charset=utf-8"
JSON, JSON_LINES, ZIP = "application/json", "application/jsonl; charset=utf-8", "application/zip"


class ExportOptions(NamedTuple):
    """What to include: names of judges; excluded judges and programs, where formats do not mark them.

    In judgments.csv, `with_programs` says how programs came to their answers.
    """

    with_names: bool = False
    with_excluded: bool = False
    with_programs: bool = False


NO_OPTIONS = ExportOptions()
Writer = Callable[[Campaign, ExportOptions], Iterator[Part]]
FilesWriter = Callable[[Campaign, ExportOptions], Iterator[tuple[str, Iterable[str]]]]


def compares_candidates(protocol: Protocol) -> bool:
    return protocol.scale is not None


def answers_in(answers: type[Model]) -> Callable[[Protocol], bool]:
    """Return a check whether a protocol's answers are rows of this table."""
    return lambda protocol: protocol.answer_model is answers


@dataclass(frozen=True)
class Export:
    """A format: its description, its writer, the protocols that it fits, and whether it shows exclusions and names."""

    name: str
    about: str
    content_type: str
    write: Writer
    fits: Callable[[Protocol], bool] = lambda protocol: True
    marks_excluded: bool = False
    shows_names: bool = False

    def fault(self, campaign: Campaign, options: ExportOptions = NO_OPTIONS) -> str | None:
        """Return why the campaign cannot be written in this format, or None."""
        if not self.fits(protocol_of(campaign)):
            fitting = names_of(filter(self.fits, PROTOCOLS.values()))
            return f"{self.name} is for {fitting} campaigns, and {campaign.slug} is a {campaign.protocol} campaign."
        if options.with_names and not self.shows_names:
            return f"{self.name} cannot contain names; use judgments.csv or everything.jsonl."
        return None

    def parts(self, campaign: Campaign, options: ExportOptions = NO_OPTIONS) -> Iterator[Part]:
        """Yield the lines or pieces of the file, all from one snapshot of the database."""
        if fault := self.fault(campaign, options):
            raise Refused(fault)
        return _in_snapshot(self.write(campaign, options))

    def blocks(self, campaign: Campaign, options: ExportOptions = NO_OPTIONS) -> Iterator[bytes]:
        """Yield the file in blocks that are large enough to send."""
        return in_blocks(self.parts(campaign, options))


def export(name: str, content_type: str, **more: Any) -> Callable[[Writer], Export]:
    """Turn the decorated writer into an `Export`; the first line of its docstring describes the format."""
    return lambda write: Export(name, str(write.__doc__).partition("\n")[0], content_type, write, **more)


def export_zip(name: str, **more: Any) -> Callable[[FilesWriter], Export]:
    """The same for a ZIP, whose files the writer yields, each with a name and lines."""

    def packed(write: FilesWriter) -> Export:
        about = str(write.__doc__).partition("\n")[0]
        return Export(name, about, ZIP, lambda campaign, options: stream_zip(write(campaign, options)), **more)

    return packed


def _in_snapshot(parts: Iterator[Part]) -> Iterator[Part]:
    with snapshot():
        yield from parts
