"""Checks that the rows of a bundle are consistent; later kinds refer to earlier ones.

They cover what neither fields nor constraints of the database can check, and what later rules assume.
"""

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from judgments.archive.kinds import KINDS, LINE, PLACE, Kind
from judgments.archive.serialiser import Row
from judgments.models.screens import DIGITS
from judgments.protocols.base import USAGES, Protocol
from judgments.rules.files.values import list_of
from judgments.rules.texts.collapsing import fingerprint, normalise

MOST_PARTS = 1000


class Known:
    """The earlier rows, for checking later ones; numbered rows by their places, from 1."""

    def __init__(self, lines: Mapping[str, int], protocol: Protocol):
        self.protocol = protocol
        self.by: dict[str, Collection[Any]] = {
            kind.name: range(1, lines[kind.name] + 1) if kind.is_numbered else set() for kind in KINDS.values()
        }
        # The length of each segment; the segment of each candidate and usage; the segment and slots of each screen; the
        # screen of each assignment.
        self.lengths: dict[int, int] = {}
        self.segments: dict[str, array] = {"candidates": array("q", [0]), "usages": array("q", [0])}
        self.screens: list[tuple[int, dict[int, int]]] = [(0, {})]
        self.assignments = array("q", [0])
        self.free_assignments: set[int] = set()

    def note(self, kind: Kind, row: Row) -> str | None:
        """Note a row; return why its name cannot be used, or None."""
        names = self.by[kind.name]
        if isinstance(names, set) and kind.key:
            if row[kind.key] in names:
                return f"{kind.key} {row[kind.key]!r} was there already"
            names.add(row[kind.key])
        if kind.name == "segments":
            self.lengths[row[LINE]] = len(row["text"] or "")
        elif kind.name in self.segments:
            self.segments[kind.name].append(row["segment"])
        elif kind.name == "screens":
            self.screens.append((row["segment"], {slot["position"]: slot["candidate"] for slot in row["slots"]}))
        elif kind.name == "assignments":
            self.assignments.append(row["screen"])
            if row["judge"] is None:
                self.free_assignments.add(row[PLACE])
        return None


def faults_of(kind: Kind, number: int, row: Row, known: Known) -> list[str]:
    """All faults of a row; a row without faults is noted."""
    faults = list(_faults_of_fields(kind, row)) or list(_faults_of_references(kind, row, known))
    if not faults and kind.is_numbered and row[PLACE] != number:
        faults = [f"is number {row[PLACE]}; lines are numbered from 1"]
    rule = RULES.get(kind.name)
    if fault := not faults and ((rule and rule(row, known)) or known.note(kind, row)):
        faults = [fault]
    if faults and kind.name == "assignments":
        known.assignments.append(0)  # later rows of this file may repeat later ones
    return faults


def _faults_of_fields(kind: Kind, row: Row) -> Iterator[str]:
    if row.keys() != kind.names:
        yield f"has too few or too many fields: {', '.join(sorted(row.keys() ^ kind.names))[:200]}"
        return
    yield from (f"{name} {fault}" for name, check in kind.checks.items() if (fault := check(row[name])))
    if kind.is_numbered and type(row[PLACE]) is not int:
        yield f"{PLACE} is no whole number"
    if kind.parts:
        parts = row[kind.parts.name]
        are_objects = list_of(
            lambda part: None if isinstance(part, dict) else "holds something that is no object", MOST_PARTS
        )
        if fault := are_objects(parts):
            yield f"{kind.parts.name} {fault}"
            return
        for part in parts:
            yield from (f"{kind.parts.name}: {fault}" for fault in _faults_of_fields(kind.parts, part))


def _faults_of_references(kind: Kind, row: Row, known: Known) -> Iterator[str]:
    for name, other in kind.references.items():
        if row[name] is not None and row[name] not in known.by[other.name]:
            yield f"{name} {row[name]!r} is not in {other.file}"
    if kind.parts:
        for part in row[kind.parts.name]:
            yield from _faults_of_references(kind.parts, part, known)


def _rule_of_candidate(row: Row, known: Known) -> str | None:
    if row["text"] is None:
        return None
    if row["text"] != normalise(row["text"]):
        return "has white space that a candidate does not have"
    return None if row["fingerprint"] == fingerprint(row["text"]) else "has the fingerprint of another text"


def _rule_of_output(row: Row, known: Known) -> str | None:
    same = known.segments["candidates"][row["candidate"]] == row["segment"]
    return None if same else f"candidate {row['candidate']} is of another segment"


def _rule_of_usage(row: Row, known: Known) -> str | None:
    lies_within = row["start"] < row["end"] <= known.lengths[row["segment"]]
    return None if lies_within else "has a span that does not lie in its sentence, or is empty"


def _rule_of_screen(row: Row, known: Known) -> str | None:
    asks_about_usages = known.protocol.material == USAGES
    if (row["usage"] is None) == asks_about_usages:
        return f"asks about {'no' if asks_about_usages else 'a'} usage in a {known.protocol.name} campaign"
    shown = [slot["candidate"] for slot in row["slots"]]
    if any(known.segments["candidates"][candidate] != row["segment"] for candidate in shown):
        return "shows a candidate of another segment"
    if row["usage"] is not None and known.segments["usages"][row["usage"]] != row["segment"]:
        return "asks about a usage of another segment"
    if len({slot["position"] for slot in row["slots"]}) < len(shown):
        return "shows two candidates at one place"
    has_room = all(slot["position"] < len(DIGITS) for slot in row["slots"])
    return None if has_room else f"has more than {len(DIGITS)} places"


def _rule_of_assignment(row: Row, known: Known) -> str | None:
    slots = known.screens[row["screen"]][1]
    places = [DIGITS.find(digit) for digit in row["order"]]
    if len(set(places)) < len(places) or not slots.keys() >= {*places}:
        return "has an order that does not fit its screen"
    if row["submitted_at"] and not row["judge"]:
        return "was submitted by nobody"
    original = row["repeats"]
    if original is not None and (original >= row[PLACE] or known.assignments[original] != row["screen"]):
        return "repeats no earlier assignment of its screen"
    return None


def _rule_of_stand_in(row: Row, known: Known) -> str | None:
    new, old = row["assignment"], row["original"]
    fits = new != old and known.assignments[new] == known.assignments[old]
    return None if fits else "stands in for an assignment at another screen, or for itself"


def _rule_of_judgment(row: Row, known: Known) -> str | None:
    if row["assignment"] in known.free_assignments:
        return f"was given on assignment {row['assignment']}, which nobody holds"
    if row["screen"] != known.assignments[row["assignment"]]:
        return f"is about another screen than assignment {row['assignment']}"
    segment, slots = known.screens[row["screen"]]
    if fault := known.protocol.fault_of_answers(row["answers"], known.lengths[segment]):
        return fault
    given = [answer["candidate"] for answer in row["answers"] if "candidate" in answer]
    if len(set(given)) < len(given) or not set(given) <= {*slots.values()}:
        return "answers for a candidate that its screen does not show once"
    return "is skipped and answered" if row["skipped"] and row["answers"] else None


RULES: dict[str, Callable[[Row, Known], str | None]] = {
    "candidates": _rule_of_candidate,
    "outputs": _rule_of_output,
    "usages": _rule_of_usage,
    "screens": _rule_of_screen,
    "assignments": _rule_of_assignment,
    "stand_ins": _rule_of_stand_in,
    "judgments": _rule_of_judgment,
}
