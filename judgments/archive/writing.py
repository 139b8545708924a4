"""Writing a campaign as a bundle, without database keys; the same campaign gives the same bytes.

Importing these rows and exporting them again gives the same rows. Links, leases, drafts and accounts are not exported.
"""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import QuerySet

from judgments.archive.kinds import (
    FORMAT,
    LINE,
    MANIFEST,
    PLACE,
    POSITION,
    SETTINGS,
    VERSION,
    Kind,
    fields_of,
    kinds_of,
)
from judgments.archive.serialiser import Row, line
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.protocols.rows import ROWS_AT_ONCE
from judgments.rules.files.archives import zipped

Column = tuple[str, str, Callable[[Any], Any] | None]


def settings(campaign: Campaign) -> Row:
    return {name: field.value_from_object(campaign) for name, field in fields_of(Campaign).items()}


def bundle(campaign: Campaign) -> Iterator[bytes]:
    return zipped(_files(campaign))


def _files(campaign: Campaign) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield each file with its name; the manifest comes last, because it counts the lines of the others."""
    yield SETTINGS, [line(settings(campaign))]
    lines: dict[str, int] = {}
    for kind, rows in Writer(campaign).kinds():
        yield kind.file, _counted(kind.name, rows, lines)
    yield MANIFEST, [line({"format": FORMAT, "version": VERSION, "lines": lines})]


def _counted(name: str, rows: Iterable[Row], lines: dict[str, int]) -> Iterator[str]:
    lines[name] = 0
    for row in rows:
        lines[name] += 1
        yield line(row)


class Writer:
    """Reads a campaign kind by kind, and remembers the keys of rows to which later ones refer, in eight bytes each."""

    def __init__(self, campaign: Campaign):
        self.campaign = campaign
        self._kinds = kinds_of(protocol_of(campaign))
        self._places: dict[str, array] = {}
        kinds = [*self._kinds.values(), *(kind.parts for kind in self._kinds.values() if kind.parts)]
        self._referred = {other.name for kind in kinds for other in kind.references.values()}

    def kinds(self) -> Iterator[tuple[Kind, Iterator[Row]]]:
        for kind in self._kinds.values():
            if kind.is_numbered and kind.name in self._referred:
                keys = kind.rows(self.campaign).values_list("pk", flat=True)
                self._places[kind.name] = array("q", keys.iterator(ROWS_AT_ONCE))
            yield kind, self._rows(kind)

    def _rows(self, kind: Kind) -> Iterator[Row]:
        rows = self._stream(kind, kind.rows(self.campaign), "pk")
        parts = self._parts(kind.parts) if kind.parts else iter(())
        key, own_parts = next(parts, (None, []))
        for number, (pk, row) in enumerate(rows, 1):
            if kind.is_numbered:
                row[PLACE] = number
            if kind.parts:
                row[kind.parts.name] = own_parts if key == pk else []
                if key == pk:
                    key, own_parts = next(parts, (None, []))
            yield kind.cleared(row)

    def _parts(self, kind: Kind) -> Iterator[tuple[int, list[Row]]]:
        """Yield the key of each row that has parts, with its parts."""
        rows = kind.rows(self.campaign).order_by(f"{kind.key}_id", "pk")
        for key, group in groupby(self._stream(kind, rows, kind.key), key=itemgetter(0)):
            yield key, [row for _, row in group]

    def _stream(self, kind: Kind, rows: QuerySet, key: str) -> Iterator[tuple[int, Row]]:
        columns = [self._column(kind, name) for name in kind.fields]
        for pk, *cells in rows.values_list(key, *(path for _, path, _ in columns)).iterator(ROWS_AT_ONCE):
            pairs = zip(columns, cells, strict=True)
            yield pk, {name: cell if write is None or cell is None else write(cell) for (name, _, write), cell in pairs}

    def _column(self, kind: Kind, name: str) -> Column:
        """Return the name, lookup and conversion of a field."""
        other = kind.references.get(name)
        if other is None:
            return (name, POSITION, _from_one) if name == LINE else (name, name, None)
        if other.is_numbered:
            keys = self._places[other.name]
            return name, name, lambda key: bisect_left(keys, key) + 1
        key = other.key
        return (name, f"{name}__{POSITION}", _from_one) if key == LINE else (name, f"{name}__{key}", None)


def _from_one(position: int) -> int:
    return position + 1
