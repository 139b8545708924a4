"""The material in an upload: places, the source and the texts made from it, line by line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

# Each edit is a list of start, end, corrections and type, as in the database.
Edits = list[list[Any]]


class SegmentPlace(NamedTuple):
    """Position of a segment: its line (counted from 0), its document and the document's domain."""

    position: int
    document: str
    domain: str


@dataclass(frozen=True)
class Lines:
    """A name and its texts, one per place, None if missing; from an M2 file also the edits."""

    name: str
    texts: Sequence[str | None]
    edits: Sequence[Edits | None] | None = None


@dataclass(frozen=True)
class UploadedMaterial:
    """The checked content of an upload; every `Lines` has a text for each place."""

    places: list[SegmentPlace]
    source: Lines | None
    systems: list[Lines] = field(default_factory=list)
    references: list[Lines] = field(default_factory=list)
    controls: list[Lines] = field(default_factory=list)
    source_takes_part: bool = False
    notes: list[str] = field(default_factory=list)

    def taking_part(self) -> list[Lines]:
        """The texts that judges compare: the systems, and the source if the organiser chose so."""
        return [*([self.source] if self.source and self.source_takes_part else []), *self.systems]

    def names_taking_part(self) -> set[str]:
        return {lines.name for lines in self.taking_part()}

    def by_kind(self) -> dict[str, list[Lines]]:
        source = [self.source] if self.source else []
        return {"source": source, "system": self.systems, "reference": self.references, "control": self.controls}

    def everything(self) -> Iterator[Lines]:
        """Yield every text: source, systems, references, controls."""
        return chain.from_iterable(self.by_kind().values())
