"""A campaign as a ZIP of lines: what stands in which file, and whether a bundle that comes in can be believed.

Rows have no keys of a database. A system, a document and a judge are known by name, a segment by its line in the
uploaded files, a batch by its number; candidates, screens, seats and judgments by their place in their file, from 1.
"""

import json
import re
import zipfile
import zlib
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, BinaryIO

from judgments.rules.archives import check_members
from judgments.rules.collapsing import fingerprint, normalise
from judgments.rules.names import fault_of_name, fault_of_pseudonym
from judgments.rules.problems import MOST_PER_FILE, Problem, Problems

FORMAT, VERSION = "campaign of appraise-gec", 1
MANIFEST, SETTINGS = "bundle.json", "campaign.json"
MOST_FILES, MOST_BYTES = 100, 2 * 2**30
LONGEST_LINE = 4 * 2**20
SMALL, LARGE = 2**15 - 1, 2**31 - 1
# What a database cannot keep as text.
IMPOSSIBLE = re.compile("[\0\ud800-\udfff]")
FINGERPRINT = re.compile("[0-9a-f]{32}")
KEY = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
ORDER = re.compile("[0-9a-z]*")

Row = dict[str, Any]
# Why a value cannot stand where it stands, or None.
Check = Callable[[Any], str | None]

_encoder = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def line(row: Mapping[str, Any]) -> str:
    """A row as a line of JSON, the same bytes for the same row."""
    return _encoder.encode(row) + "\n"


def file_of(kind: str) -> str:
    """The file that holds the rows of a kind."""
    return f"{kind}.jsonl"


def text(longest: int | None = None, pattern: re.Pattern[str] | None = None) -> Check:
    """A text that is not too long."""

    def check(value: Any) -> str | None:
        if not isinstance(value, str) or IMPOSSIBLE.search(value):
            return "is no text that can be stored"
        if longest is not None and len(value) > longest:
            return f"is longer than {longest} characters"
        return (
            None if pattern is None or pattern.fullmatch(value) else f"is not written as it should be: {value[:40]!r}"
        )

    return check


def named(fault: Check, longest: int = 80) -> Check:
    """A name by which others refer to a row."""
    is_text = text(longest)
    return lambda value: is_text(value) or fault(value)


def whole(least: int = 0, most: int = LARGE) -> Check:
    """A whole number within bounds."""
    fault = f"is no whole number from {least} to {most}"
    return lambda value: None if type(value) is int and least <= value <= most else fault


def one_of(*values: Any) -> Check:
    """One of a few values."""
    kinds = {type(value) for value in values}
    fault = f"is none of {', '.join(map(json.dumps, values))}"
    return lambda value: None if type(value) in kinds and value in values else fault


def maybe(check: Check) -> Check:
    """As another check, or nothing."""
    return lambda value: None if value is None else check(value)


def seconds(value: Any) -> str | None:
    """A duration."""
    fine = type(value) in (int, float) and 0 <= value < LARGE
    return None if fine else "is no number of seconds"


def moment(value: Any) -> str | None:
    """A time with its zone."""
    fault = "is no time such as 2015-09-17T12:00:00+00:00"
    try:
        found = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return fault
    return None if found.tzinfo and 1990 < found.year < 2200 else fault


def list_of(check: Check, most: int) -> Check:
    """A list of values that all pass a check."""

    def check_all(value: Any) -> str | None:
        if not isinstance(value, list) or len(value) > most:
            return f"is no list of at most {most}"
        return next(filter(None, map(check, value)), None)

    return check_all


def answer(value: Any) -> str | None:
    """A rank or a score for a candidate."""
    fields = ANSWERS.get(frozenset(value)) if isinstance(value, dict) else None
    if fields is None:
        return "holds an answer that is neither a rank nor a score"
    return next((f"holds a {name} that {fault}" for name in fields if (fault := fields[name](value[name]))), None)


FLAG = one_of(False, True)
NUMBER = whole(1)
MOST_SLOTS = 36
_ANSWERS: list[dict[str, Check]] = [
    {"candidate": NUMBER, "rank": whole(1, 20)},
    {"candidate": NUMBER, "score": whole(0, 100), "meaning_changed": FLAG},
]
ANSWERS = {frozenset(fields): fields for fields in _ANSWERS}

# Every file in the order in which its rows can be made, and what each row holds.
KINDS: dict[str, dict[str, Check]] = {
    "systems": {
        "name": named(fault_of_name),
        "kind": one_of("system", "source", "reference", "control"),
        "takes_part": FLAG,
    },
    "documents": {"name": text(200), "domain": text(100)},
    "segments": {"line": NUMBER, "document": text(200), "text": maybe(text())},
    "candidates": {
        "number": NUMBER,
        "segment": NUMBER,
        "text": maybe(text()),
        "fingerprint": maybe(text(32, FINGERPRINT)),
    },
    "outputs": {"segment": NUMBER, "system": text(80), "candidate": NUMBER, "verbatim": maybe(text())},
    "judges": {
        "pseudonym": named(fault_of_pseudonym),
        "joined_at": moment,
        "removed_at": maybe(moment),
        "consented_at": maybe(moment),
        "taught_at": maybe(moment),
        "attempts": whole(0, SMALL),
        "passed_at": maybe(moment),
        "excluded_at": maybe(moment),
        "exclusion_reason": text(200),
    },
    "batches": {"number": whole(0), "domain": text(100)},
    "screens": {
        "number": NUMBER,
        "segment": NUMBER,
        "batch": maybe(whole(0)),
        "automatic": FLAG,
        "has_control": FLAG,
        "span_start": maybe(whole(0)),
        "span_end": maybe(whole(0)),
        "slots": list_of(maybe(NUMBER), MOST_SLOTS),
    },
    "seats": {
        "number": NUMBER,
        "screen": NUMBER,
        "batch": maybe(whole(0)),
        "round": whole(0, SMALL),
        "position": whole(0, SMALL),
        "order": text(MOST_SLOTS, ORDER),
        "repeats": maybe(NUMBER),
        "judge": maybe(text(80)),
        "claimed_at": maybe(moment),
        "submitted_at": maybe(moment),
    },
    "judgments": {
        "number": NUMBER,
        "seat": NUMBER,
        "key": text(36, KEY),
        "revision": whole(1, SMALL),
        "current": FLAG,
        "skipped": FLAG,
        "skip_reason": text(200),
        "comment": text(),
        "flagged": FLAG,
        "wall_seconds": maybe(seconds),
        "active_seconds": maybe(seconds),
        "submitted_at": moment,
        "answers": list_of(answer, MOST_SLOTS),
    },
    "completions": {
        "judge": text(80),
        "batch": whole(0),
        "screens": whole(0, SMALL),
        "earns_code": FLAG,
        "passed": maybe(FLAG),
        "finished_at": moment,
    },
}
NAMED_BY = {
    "systems": "name", "documents": "name", "segments": "line", "judges": "pseudonym", "batches": "number",
}  # fmt: skip
REFERENCES = {
    "document": "documents", "segment": "segments", "system": "systems", "candidate": "candidates", "batch": "batches",
    "screen": "screens", "judge": "judges", "seat": "seats",
}  # fmt: skip


class Bundle:
    """An open bundle, whose files are read line by line and never all at once."""

    def __init__(self, name: str, archive: zipfile.ZipFile, most_bytes: int):
        self.name, self._archive, self._left = name, archive, most_bytes
        names = {file_of(kind) for kind in KINDS} | {MANIFEST, SETTINGS}
        check_members(name, archive.infolist(), MOST_FILES)
        there = archive.namelist()
        if MANIFEST not in there:
            raise Problems([Problem(name, None, f"holds no {MANIFEST}, so it is no bundle of a campaign")])
        self.lines = self._manifest()
        problems = [Problem(name, None, f"lacks the file {missing}") for missing in sorted(names - {*there})]
        problems += [Problem(name, None, f"holds {other!r}, which is no part of it") for other in {*there} - names]
        if len({*there}) < len(there):
            problems.append(Problem(name, None, "holds a file twice"))
        if problems:
            raise Problems(problems)

    def settings(self) -> Row:
        """The campaign itself."""
        rows = [row for _, row in self._rows(SETTINGS)]
        if len(rows) != 1:
            raise Problems([Problem(SETTINGS, None, "holds more or less than one line")])
        return rows[0]

    def rows(self, kind: str) -> Iterator[Row]:
        """The rows of a bundle that was checked."""
        return (row for _, row in self._rows(file_of(kind)))

    def check(self) -> None:
        """Refuse what is incomplete or contradicts itself, file by file, as later ones build on earlier ones."""
        known = _Known(self.lines)
        for kind in KINDS:
            problems: list[Problem] = []
            number = 0
            for number, row in self._rows(file_of(kind)):
                problems += [Problem(file_of(kind), number, fault) for fault in _faults(kind, number, row, known)]
                if len(problems) > MOST_PER_FILE:
                    break
            if not problems and number != self.lines[kind]:
                what = f"holds {number} lines where {MANIFEST} promises {self.lines[kind]}; fetch the bundle again"
                problems.append(Problem(file_of(kind), None, what))
            if problems:
                raise Problems(problems)

    def _manifest(self) -> dict[str, int]:
        rows = [row for _, row in self._rows(MANIFEST)]
        told = rows[0] if len(rows) == 1 else {}
        if told.get("format") != FORMAT:
            raise Problems([Problem(MANIFEST, None, "does not say that this is a bundle of a campaign")])
        if told.get("version") != VERSION:
            what = f"is of version {json.dumps(told.get('version'))}; this platform reads version {VERSION}"
            raise Problems([Problem(MANIFEST, None, what)])
        lines = told.get("lines")
        if not isinstance(lines, dict) or lines.keys() != KINDS.keys() or any(map(whole(), lines.values())):
            raise Problems([Problem(MANIFEST, None, "does not say how many lines each file has")])
        return lines

    def _rows(self, file: str) -> Iterator[tuple[int, Row]]:
        with _readable(self.name), self._archive.open(file) as stream:
            number = 0
            while content := stream.readline(LONGEST_LINE):
                number += 1
                self._count(len(content))
                yield number, _parsed(file, number, content)

    def _count(self, read: int) -> None:
        """What the headers of an archive promise is not believed; each file may be read twice."""
        self._left -= read
        if self._left < 0:
            raise Problems([Problem(self.name, None, "unpacks to more than a campaign can be")])


@contextmanager
def open_bundle(name: str, file: BinaryIO, most_bytes: int = MOST_BYTES) -> Iterator[Bundle]:
    """A bundle for the time of the block."""
    with _readable(name):
        archive = zipfile.ZipFile(file)
    with archive:
        yield Bundle(name, archive, 2 * most_bytes)


@contextmanager
def _readable(name: str) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, OSError, ValueError) as error:
        raise Problems([Problem(name, None, f"cannot be read as a ZIP ({error}); fetch the bundle again")]) from error


def _parsed(file: str, number: int, content: bytes) -> Row:
    if not content.endswith(b"\n"):
        what = "ends too early or is too long" if len(content) == LONGEST_LINE else "ends too early"
        raise Problems([Problem(file, number, f"{what}; fetch the bundle again")])
    try:
        row = json.loads(content, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise Problems([Problem(file, number, f"is no JSON ({str(error)[:80]}); fetch the bundle again")]) from error
    if not isinstance(row, dict):
        raise Problems([Problem(file, number, "is no object of JSON")])
    return row


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


class _Known:
    """What earlier rows said, as far as later ones refer to it."""

    def __init__(self, lines: Mapping[str, int]):
        self.by: dict[str, Collection[Any]] = {
            kind: set() if kind in NAMED_BY else range(1, count + 1) for kind, count in lines.items()
        }
        # For each candidate its segment, for each screen its segment and slots, for each seat its screen.
        self.segments = array("q")
        self.screens: list[tuple[int, list[int | None]]] = []
        self.seats = array("q")

    def note(self, kind: str, row: Row) -> str | None:
        """Take in a row; why its name cannot be used, or None."""
        if kind in NAMED_BY:
            names, name = self.by[kind], row[NAMED_BY[kind]]
            if name in names:
                return f"{NAMED_BY[kind]} {name!r} was there already"
            if isinstance(names, set):
                names.add(name)
        elif kind == "candidates":
            self.segments.append(row["segment"])
        elif kind == "screens":
            self.screens.append((row["segment"], row["slots"]))
        elif kind == "seats":
            self.seats.append(row["screen"])
        return None


def _faults(kind: str, number: int, row: Row, known: _Known) -> list[str]:
    """Everything that is wrong with a row."""
    fields = KINDS[kind]
    if row.keys() != fields.keys():
        names = ", ".join(sorted(row.keys() ^ fields.keys()))[:200]
        return [f"has too few or too many fields: {names}"]
    if faults := [f"{name} {fault}" for name, check in fields.items() if (fault := check(row[name]))]:
        return faults
    if "number" in row and kind not in NAMED_BY and row["number"] != number:
        return [f"is number {row['number']}; lines are numbered from 1"]
    faults = [
        f"{name} {row[name]!r} is not in {file_of(REFERENCES[name])}"
        for name in fields.keys() & REFERENCES.keys()
        if row[name] is not None and row[name] not in known.by[REFERENCES[name]]
    ]
    faults += filter(None, [RULES[kind](row, known)] if kind in RULES and not faults else [])
    return faults or list(filter(None, [known.note(kind, row)]))


def _rule_of_candidate(row: Row, known: _Known) -> str | None:
    if row["text"] is None:
        return None if row["fingerprint"] else "has neither a text nor a fingerprint"
    return None if row["text"] == normalise(row["text"]) else "has white space that a candidate does not have"


def _rule_of_output(row: Row, known: _Known) -> str | None:
    same = known.segments[row["candidate"] - 1] == row["segment"]
    return None if same else f"candidate {row['candidate']} is of another segment"


def _rule_of_screen(row: Row, known: _Known) -> str | None:
    shown = [candidate for candidate in row["slots"] if candidate is not None]
    if any(candidate not in known.by["candidates"] for candidate in shown):
        return "shows a candidate that is not in candidates.jsonl"
    if any(known.segments[candidate - 1] != row["segment"] for candidate in shown):
        return "shows a candidate of another segment"
    return None if len(set(shown)) == len(shown) else "shows a candidate twice"


def _rule_of_seat(row: Row, known: _Known) -> str | None:
    slots = known.screens[row["screen"] - 1][1]
    places = [int(digit, MOST_SLOTS) for digit in row["order"]]
    if len(set(places)) < len(places) or any(place >= len(slots) or slots[place] is None for place in places):
        return "has an order that does not fit its screen"
    if row["submitted_at"] and not row["judge"]:
        return "was submitted by nobody"
    original = row["repeats"]
    if original is not None and (original >= row["number"] or known.seats[original - 1] != row["screen"]):
        return "repeats no earlier seat of its screen"
    return None


def _rule_of_judgment(row: Row, known: _Known) -> str | None:
    _, slots = known.screens[known.seats[row["seat"] - 1] - 1]
    given = [answer["candidate"] for answer in row["answers"]]
    if len(set(given)) < len(given) or not set(given) <= set(slots):
        return "answers for a candidate that its screen does not show once"
    return "is skipped and answered" if row["skipped"] and given else None


RULES: dict[str, Callable[[Row, _Known], str | None]] = {
    "candidates": _rule_of_candidate,
    "outputs": _rule_of_output,
    "screens": _rule_of_screen,
    "seats": _rule_of_seat,
    "judgments": _rule_of_judgment,
}


def fingerprint_of(candidate: Row) -> str:
    """The short name of a candidate's text; where there is no text it was told."""
    return candidate["fingerprint"] if candidate["text"] is None else fingerprint(candidate["text"])
