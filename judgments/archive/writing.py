"""Writing a campaign as a bundle, without database keys; the same campaign gives the same bytes.

Importing these rows and exporting them again gives the same rows. Links, leases, drafts and accounts are not exported.
"""

import json
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from judgments.archive.tables import (
    CAMPAIGN,
    CAMPAIGN_FILE,
    FILES,
    FORMAT,
    LINE,
    MANIFEST,
    PLACE,
    POSITION,
    VERSION,
    TablePolicy,
)
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.protocols.rows import ROWS_AT_ONCE
from judgments.rules.files.archives import stream_zip

BundleRow = dict[str, Any]


def to_json(value: object) -> object:
    """Convert a value that JSON cannot express."""
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"A {type(value).__name__} cannot be written as JSON.")


# Keys are sorted, because PostgreSQL does not keep their order.
_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True, default=to_json)


def line(row: Mapping[str, Any]) -> str:
    """A row as a line of a file; equal rows give equal bytes on every database."""
    return _encoder.encode(row) + "\n"


def campaign_row(campaign: Campaign) -> BundleRow:
    return {name: field.value_from_object(campaign) for name, field in CAMPAIGN.fields.items()}


def bundle(campaign: Campaign) -> Iterator[bytes]:
    return stream_zip(_files(campaign))


def _files(campaign: Campaign) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield each file with its name; the manifest comes last, because it counts the lines of the others."""
    lines: dict[str, int] = {}

    def count(name: str, rows: Iterator[BundleRow]) -> Iterator[str]:
        lines[name] = 0
        for row in rows:
            lines[name] += 1
            yield line(row)

    yield CAMPAIGN_FILE, [line(campaign_row(campaign))]
    for table, rows in rows_by_table(campaign):
        yield table.file, count(table.name, rows)
    yield MANIFEST, [line({"format": FORMAT, "version": VERSION, "lines": lines})]


def rows_by_table(campaign: Campaign) -> Iterator[tuple[TablePolicy, Iterator[BundleRow]]]:
    """Yield each table of a bundle with its rows, to be read in this order, because later rows refer to earlier ones.

    The keys of rows to which others refer by their place are remembered, in eight bytes each.
    """
    protocol, keys = protocol_of(campaign), dict[str, array]()
    parts = [inner for table in FILES.values() if (inner := table.parts(protocol))]
    referred = {other.name for table in (*FILES.values(), *parts) for other in table.references.values()}
    for table in FILES.values():
        if table.is_numbered and table.name in referred:
            found = table.rows(campaign).values_list("pk", flat=True)
            keys[table.name] = array("q", found.iterator(ROWS_AT_ONCE))
        yield table, _rows(table, table.parts(protocol), campaign, keys)


def _rows(
    table: TablePolicy, inner: TablePolicy | None, campaign: Campaign, keys: Mapping[str, array]
) -> Iterator[BundleRow]:
    parts: Iterator[tuple[int, Any]] = iter(())
    if inner:
        inner_rows = inner.rows(campaign).order_by(f"{inner.inside}_id", "pk")
        parts = groupby(_stream(inner, inner_rows, inner.inside, keys), key=itemgetter(0))
    owner, group = next(parts, (None, ()))
    for number, (pk, row) in enumerate(_stream(table, table.rows(campaign), "pk", keys), 1):
        if table.is_numbered:
            row[PLACE] = number
        if inner:
            row[inner.name] = [part for _, part in group] if owner == pk else []
            if owner == pk:
                owner, group = next(parts, (None, ()))
        if table.name == "assignments" and not row["submitted_at"]:  # nobody holds it in the copy
            row |= {"judge": None, "claimed_at": None}
        yield row


def _stream(table: TablePolicy, rows: QuerySet, key: str, keys: Mapping[str, array]) -> Iterator[tuple[int, BundleRow]]:
    """Yield a key and the values of each row, with references to other rows as bundles write them."""
    lookups, convert = [], dict[str, Callable[[int], int]]()
    for name, field in table.fields.items():
        other = table.references.get(name)
        lookups.append(name if other is None or other.is_numbered else f"{name}__{other.key}")
        if other and other.is_numbered:
            convert[name] = partial(_place_among, keys[other.name])
        elif (other.key if other else name) == LINE:
            lookups[-1] = f"{name}__{POSITION}" if other else field.name
            convert[name] = lambda position: position + 1
    for pk, *cells in rows.values_list(key, *lookups).iterator(ROWS_AT_ONCE):
        row = dict(zip(table.fields, cells, strict=True))
        for name, place in convert.items():
            row[name] = None if row[name] is None else place(row[name])
        yield pk, row


def _place_among(keys: array, key: int) -> int:
    return bisect_left(keys, key) + 1
