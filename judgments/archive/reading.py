"""Reading and checking an untrusted bundle: the archive, each value by its model's field, and how rows fit together."""

import json
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from math import isfinite
from typing import Any, BinaryIO
from uuid import UUID
from zipfile import ZipFile

from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.base.operations import BaseDatabaseOperations

from judgments.archive.tables import (
    CAMPAIGN_FILE,
    FILES,
    FORMAT,
    LINE,
    MANIFEST,
    PLACE,
    VERSION,
    TablePolicy,
)
from judgments.archive.writing import BundleRow
from judgments.models.screens import DIGITS
from judgments.protocols.base import USAGES, Protocol
from judgments.rules.files.archives import check_members, most_unpacked, open_archive, readable
from judgments.rules.files.problems import MOST_PER_FILE, Problem, Problems, refuse
from judgments.rules.files.values import (
    FLAG,
    IMPOSSIBLE,
    NUMBER,
    Check,
    list_of,
    maybe,
    one_of,
    read_json,
    refuse_constant,
    text,
    whole,
)
from judgments.rules.texts.collapsing import fingerprint, normalise

MOST_FILES, MOST_BYTES = 100, 2 * 2**30
LONGEST_LINE = 4 * 2**20
MOST_PARTS = 1000
# The deepest nesting of JSON in one value.
DEEPEST = 50
# PostgreSQL's ranges; SQLite would accept larger numbers.
RANGES = BaseDatabaseOperations.integer_field_ranges
REMEDY = "download the bundle again"


class Bundle:
    """An open bundle; files are read line by line, never whole."""

    def __init__(self, name: str, archive: ZipFile, most_bytes: int):
        self.name, self._archive, self._bytes_left = name, archive, most_bytes
        names = {table.file for table in FILES.values()} | {MANIFEST, CAMPAIGN_FILE}
        check_members(name, archive.infolist(), MOST_FILES)
        present = archive.namelist()
        if MANIFEST not in present:
            raise Problems([Problem(name, None, f"contains no {MANIFEST}, so it is not the bundle of a campaign")])
        self.lines = self._read_manifest()
        problems = [Problem(name, None, f"lacks the file {missing}") for missing in sorted(names - {*present})]
        problems += [Problem(name, None, f"contains an unknown file {other!r}") for other in {*present} - names]
        if len({*present}) < len(present):
            problems.append(Problem(name, None, "contains a file twice"))
        refuse(problems)

    def settings(self) -> BundleRow:
        rows = [row for _, row in self._rows(CAMPAIGN_FILE)]
        if len(rows) != 1:
            raise Problems([Problem(CAMPAIGN_FILE, None, f"has {len(rows)} lines instead of one")])
        return rows[0]

    def rows(self, table: TablePolicy) -> Iterator[BundleRow]:
        """Return the rows of a bundle that has been checked."""
        return (row for _, row in self._rows(table.file))

    def check(self, protocol: Protocol) -> None:
        """Refuse an incomplete or inconsistent bundle, file by file, because later files build on earlier ones."""
        checker = RowChecker(self.lines, protocol)
        for table in FILES.values():
            problems: list[Problem] = []
            number = 0
            for number, row in self._rows(table.file):
                problems += [Problem(table.file, number, fault) for fault in checker.faults(table, number, row)]
                if len(problems) > MOST_PER_FILE:
                    break
            if not problems and number != self.lines[table.name]:
                what = f"has {number} lines instead of {self.lines[table.name]}, the number in {MANIFEST}; {REMEDY}"
                problems.append(Problem(table.file, None, what))
            refuse(problems)

    def _read_manifest(self) -> dict[str, int]:
        """Return the number of lines of each table."""
        rows = [row for _, row in self._rows(MANIFEST)]
        manifest = rows[0] if len(rows) == 1 else {}
        if manifest.get("format") != FORMAT:
            raise Problems([Problem(MANIFEST, None, "does not describe the bundle of a campaign")])
        if manifest.get("version") != VERSION:
            what = f"has version {json.dumps(manifest.get('version'))}; this platform reads version {VERSION}"
            raise Problems([Problem(MANIFEST, None, what)])
        lines = manifest.get("lines")
        if not isinstance(lines, dict) or lines.keys() != FILES.keys() or any(map(whole(), lines.values())):
            raise Problems([Problem(MANIFEST, None, "lacks the number of lines of each file")])
        return lines

    def _rows(self, file: str) -> Iterator[tuple[int, BundleRow]]:
        with readable(self.name, REMEDY), self._archive.open(file) as stream:
            number = 0
            while content := stream.readline(LONGEST_LINE):
                number += 1
                self._bytes_left -= len(content)  # the sizes that an archive declares are not trusted
                if self._bytes_left < 0:
                    raise Problems([Problem(self.name, None, "exceeds the limit for unpacked bundles")])
                yield number, _read_row(file, number, content)


@contextmanager
def open_bundle(name: str, file: BinaryIO, most_bytes: int = MOST_BYTES) -> Iterator[Bundle]:
    with open_archive(name, file, REMEDY) as archive:
        yield Bundle(name, archive, 2 * most_unpacked(file, most_bytes))  # each file may be read twice


def _read_row(file: str, number: int, content: bytes) -> BundleRow:
    if not content.endswith(b"\n"):
        what = "ends too early or is too long" if len(content) == LONGEST_LINE else "ends too early"
        raise Problems([Problem(file, number, f"{what}; {REMEDY}")])
    try:
        row = read_json(content, parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Problems([Problem(file, number, f"is not valid JSON ({str(error)[:80]}); {REMEDY}")]) from error
    if not isinstance(row, dict):
        raise Problems([Problem(file, number, "is not a JSON object")])
    return row


# Checks of values: each returns why a value is invalid, or None.


def _time_fault(value: Any) -> str | None:
    fault = "is not a time such as 2015-09-17T12:00:00+00:00"
    try:
        moment = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return fault
    return None if moment.tzinfo and 1990 < moment.year < 2200 else fault


def _uuid_fault(value: Any) -> str | None:
    try:
        is_canonical = str(UUID(value)) == value
    except (AttributeError, TypeError, ValueError):
        is_canonical = False
    return None if is_canonical else "is not a UUID such as 12345678-1234-5678-1234-567812345678"


def _number_fault(value: Any) -> str | None:
    return None if type(value) in (int, float) and isfinite(value) else "is not a number"


def _json_fault(value: Any, depth: int = 0) -> str | None:
    """Refuse JSON with texts that PostgreSQL cannot store."""
    if depth > DEEPEST:
        return "is nested too deeply"
    if isinstance(value, str) and IMPOSSIBLE.search(value):
        return "contains text that cannot be stored"
    parts = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return next((fault for part in parts if (fault := _json_fault(part, depth + 1))), None)


def _whole_check(field: models.Field) -> Check:
    in_range = whole(*RANGES[field.get_internal_type()])
    return lambda value: None if type(value) is int else in_range(value)  # validators have better words for the range


# Subclasses come before their base classes.
TYPES: Mapping[type[models.Field], Callable[[Any], Check]] = {
    models.BooleanField: lambda field: FLAG,
    models.IntegerField: _whole_check,
    models.FloatField: lambda field: _number_fault,
    models.CharField: lambda field: text(field.max_length),
    models.TextField: lambda field: text(),
    models.DateTimeField: lambda field: _time_fault,
    models.UUIDField: lambda field: _uuid_fault,
    models.JSONField: lambda field: _json_fault,
}


def check_of(field: models.Field) -> Check:
    """Return a check of values of the field, by its type, choices, validators and bounds."""
    has_type = next((check_for(field) for kind, check_for in TYPES.items() if isinstance(field, kind)), None)
    if has_type is None:
        raise TypeError(f"There is no check yet for a {type(field).__name__} such as {field.name}.")
    checks = [has_type]
    if field.choices:
        checks.append(one_of(*([""] if field.blank else []), *(value for value, _ in field.flatchoices)))

    def validate(value: Any) -> str | None:
        try:
            field.run_validators(value)
        except ValidationError as error:
            return " ".join(error.messages)
        return None

    checks.append(validate)
    if (kind := field.get_internal_type()) in RANGES:
        checks.append(whole(*RANGES[kind]))
    if isinstance(field, models.CharField) and not field.blank:
        checks.append(lambda value: None if value else "is empty")

    def check(value: Any) -> str | None:
        return next((fault for one in checks if (fault := one(value))), None)

    return maybe(check) if field.null else check


@cache
def checks_of(table: TablePolicy) -> dict[str, Check]:
    """A check for each field of a table."""
    checks = {}
    for name, field in table.fields.items():
        if other := table.references.get(name):
            check = NUMBER if other.is_numbered else checks_of(other)[other.key]
            checks[name] = maybe(check) if field.null else check
        else:
            checks[name] = NUMBER if name == LINE else check_of(field)
    return checks


ARE_OBJECTS = list_of(
    lambda part: None if isinstance(part, dict) else "contains something that is not an object", MOST_PARTS
)


class RowChecker:
    """Checks rows, table by table, and remembers of each what later ones refer to.

    A method `_check_TABLE` checks what neither fields nor constraints of the database can, and what later rules assume.
    """

    def __init__(self, lines: Mapping[str, int], protocol: Protocol):
        self.protocol = protocol
        # By table the places of numbered rows, from 1, or the names of others.
        self.known: dict[str, Collection[Any]] = {
            table.name: range(1, lines[table.name] + 1) if table.is_numbered else set() for table in FILES.values()
        }
        # The length of each segment; the segment of each candidate and usage; the segment and slots of each screen; the
        # screen of each assignment.
        self.lengths: dict[int, int] = {}
        self.segments: dict[str, array] = {"candidates": array("q", [0]), "usages": array("q", [0])}
        self.screens: list[tuple[int, dict[int, int]]] = [(0, {})]
        self.assignments = array("q", [0])
        self.free_assignments: set[int] = set()

    def faults(self, table: TablePolicy, number: int, row: BundleRow) -> list[str]:
        """Return the faults of a row; remember a row without faults."""
        inner = table.parts(self.protocol)
        faults = list(self._field_faults(table, inner, row)) or list(self._reference_faults(table, inner, row))
        if not faults and table.is_numbered and row[PLACE] != number:
            faults = [f"has the number {row[PLACE]}; lines are numbered from 1"]
        if not faults:
            rule = getattr(self, f"_check_{table.name}", None)
            if fault := (rule and rule(row)) or self._name_fault(table, row):
                faults = [fault]
        if table.name == "assignments":  # even of a broken one, because later rows of this file may repeat later ones
            self.assignments.append(0 if faults else row["screen"])
        return faults

    def _field_faults(self, table: TablePolicy, inner: TablePolicy | None, row: BundleRow) -> Iterator[str]:
        checks = checks_of(table)
        names = {*checks, *([PLACE] if table.is_numbered else []), *([inner.name] if inner else [])}
        if row.keys() != names:
            yield f"has too few or too many fields: {', '.join(sorted(row.keys() ^ names))[:200]}"
            return
        yield from (f"{name} {fault}" for name, check in checks.items() if (fault := check(row[name])))
        if table.is_numbered and type(row[PLACE]) is not int:
            yield f"{PLACE} is not a whole number"
        if inner:
            if fault := ARE_OBJECTS(row[inner.name]):
                yield f"{inner.name} {fault}"
                return
            for part in row[inner.name]:
                yield from (f"{inner.name}: {fault}" for fault in self._field_faults(inner, None, part))

    def _reference_faults(self, table: TablePolicy, inner: TablePolicy | None, row: BundleRow) -> Iterator[str]:
        for name, other in table.references.items():
            if row[name] is not None and row[name] not in self.known[other.name]:
                yield f"{name} {row[name]!r} is not in {other.file}"
        if inner:
            for part in row[inner.name]:
                yield from self._reference_faults(inner, None, part)

    def _name_fault(self, table: TablePolicy, row: BundleRow) -> str | None:
        names = self.known[table.name]
        if isinstance(names, set) and table.key:
            if row[table.key] in names:
                return f"{table.key} {row[table.key]!r} is used twice"
            names.add(row[table.key])
        return None

    def _check_segments(self, row: BundleRow) -> str | None:
        self.lengths[row[LINE]] = len(row["text"] or "")
        return None

    def _check_candidates(self, row: BundleRow) -> str | None:
        self.segments["candidates"].append(row["segment"])
        if row["text"] is None:
            return None
        if row["text"] != normalise(row["text"]):
            return "has white space that is not collapsed"
        return None if row["fingerprint"] == fingerprint(row["text"]) else "has the fingerprint of another text"

    def _check_outputs(self, row: BundleRow) -> str | None:
        same = self.segments["candidates"][row["candidate"]] == row["segment"]
        return None if same else f"candidate {row['candidate']} belongs to another segment"

    def _check_usages(self, row: BundleRow) -> str | None:
        self.segments["usages"].append(row["segment"])
        lies_within = row["start"] < row["end"] <= self.lengths[row["segment"]]
        return None if lies_within else "has a span that is empty or outside its sentence"

    def _check_screens(self, row: BundleRow) -> str | None:
        segment, slots = row["segment"], {slot["position"]: slot["candidate"] for slot in row["slots"]}
        self.screens.append((segment, slots))
        needs_usage = self.protocol.material == USAGES
        if (row["usage"] is None) == needs_usage:
            return f"has {'no' if needs_usage else 'a'} usage in a {self.protocol.name} campaign"
        if any(self.segments["candidates"][slot["candidate"]] != segment for slot in row["slots"]):
            return "shows a candidate of another segment"
        if row["usage"] is not None and self.segments["usages"][row["usage"]] != segment:
            return "has a usage of another segment"
        if len(slots) < len(row["slots"]):
            return "shows two candidates at one place"
        return None if max(slots, default=0) < len(DIGITS) else f"has more than {len(DIGITS)} places"

    def _check_assignments(self, row: BundleRow) -> str | None:
        if row["judge"] is None:
            self.free_assignments.add(row[PLACE])
        slots = self.screens[row["screen"]][1]
        places = [DIGITS.find(digit) for digit in row["order"]]
        if len(set(places)) < len(places) or not slots.keys() >= {*places}:
            return "has an order that does not fit its screen"
        if row["submitted_at"] and not row["judge"]:
            return "was submitted, but has no judge"
        original = row["repeats"]
        if original is not None and (original >= row[PLACE] or self.assignments[original] != row["screen"]):
            return "repeats something else than an earlier assignment of its screen"
        return None

    def _check_stand_ins(self, row: BundleRow) -> str | None:
        new, old = row["assignment"], row["original"]
        fits = new != old and self.assignments[new] == self.assignments[old]
        return None if fits else "stands in for an assignment of another screen, or for itself"

    def _check_judgments(self, row: BundleRow) -> str | None:
        if row["assignment"] in self.free_assignments:
            return f"belongs to assignment {row['assignment']}, which has no judge"
        if row["screen"] != self.assignments[row["assignment"]]:
            return f"has another screen than assignment {row['assignment']}"
        segment, slots = self.screens[row["screen"]]
        if fault := self.protocol.fault_of_answers(row["answers"], self.lengths[segment]):
            return fault
        answered = [answer["candidate"] for answer in row["answers"] if "candidate" in answer]
        if len(set(answered)) < len(answered) or not set(answered) <= {*slots.values()}:
            return "answers twice for a candidate, or for one that its screen does not show"
        return "is a skip, but has answers" if row["skipped"] and row["answers"] else None
