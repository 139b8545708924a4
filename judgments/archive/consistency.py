"""Checks that the rows of a bundle are consistent; later kinds refer to earlier ones.

They cover what neither fields nor database constraints can check, and what later rules assume.
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


class EarlierRows:
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
        """Note a row; return a fault if its name is taken."""
        names = self.by[kind.name]
        if isinstance(names, set) and kind.key:
            if row[kind.key] in names:
                return f"{kind.key} {row[kind.key]!r} is used twice"
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


def faults_of(kind: Kind, number: int, row: Row, earlier: EarlierRows) -> list[str]:
    """Return the faults of a row; note a row without faults."""
    faults = list(_faults_of_fields(kind, row)) or list(_faults_of_references(kind, row, earlier))
    if not faults and kind.is_numbered and row[PLACE] != number:
        faults = [f"has the number {row[PLACE]}; lines are numbered from 1"]
    rule = RULES.get(kind.name)
    if fault := not faults and ((rule and rule(row, earlier)) or earlier.note(kind, row)):
        faults = [fault]
    if faults and kind.name == "assignments":
        earlier.assignments.append(0)  # later rows of this file may repeat later ones
    return faults


def _faults_of_fields(kind: Kind, row: Row) -> Iterator[str]:
    if row.keys() != kind.names:
        yield f"has too few or too many fields: {', '.join(sorted(row.keys() ^ kind.names))[:200]}"
        return
    yield from (f"{name} {fault}" for name, check in kind.checks.items() if (fault := check(row[name])))
    if kind.is_numbered and type(row[PLACE]) is not int:
        yield f"{PLACE} is not a whole number"
    if kind.parts:
        parts = row[kind.parts.name]
        are_objects = list_of(
            lambda part: None if isinstance(part, dict) else "contains something that is not an object", MOST_PARTS
        )
        if fault := are_objects(parts):
            yield f"{kind.parts.name} {fault}"
            return
        for part in parts:
            yield from (f"{kind.parts.name}: {fault}" for fault in _faults_of_fields(kind.parts, part))


def _faults_of_references(kind: Kind, row: Row, earlier: EarlierRows) -> Iterator[str]:
    for name, other in kind.references.items():
        if row[name] is not None and row[name] not in earlier.by[other.name]:
            yield f"{name} {row[name]!r} is not in {other.file}"
    if kind.parts:
        for part in row[kind.parts.name]:
            yield from _faults_of_references(kind.parts, part, earlier)


def _rule_of_candidate(row: Row, earlier: EarlierRows) -> str | None:
    if row["text"] is None:
        return None
    if row["text"] != normalise(row["text"]):
        return "has white space that is not collapsed"
    return None if row["fingerprint"] == fingerprint(row["text"]) else "has the fingerprint of another text"


def _rule_of_output(row: Row, earlier: EarlierRows) -> str | None:
    same = earlier.segments["candidates"][row["candidate"]] == row["segment"]
    return None if same else f"candidate {row['candidate']} belongs to another segment"


def _rule_of_usage(row: Row, earlier: EarlierRows) -> str | None:
    lies_within = row["start"] < row["end"] <= earlier.lengths[row["segment"]]
    return None if lies_within else "has a span that is empty or outside its sentence"


def _rule_of_screen(row: Row, earlier: EarlierRows) -> str | None:
    needs_usage = earlier.protocol.material == USAGES
    if (row["usage"] is None) == needs_usage:
        return f"has {'no' if needs_usage else 'a'} usage in a {earlier.protocol.name} campaign"
    shown = [slot["candidate"] for slot in row["slots"]]
    if any(earlier.segments["candidates"][candidate] != row["segment"] for candidate in shown):
        return "shows a candidate of another segment"
    if row["usage"] is not None and earlier.segments["usages"][row["usage"]] != row["segment"]:
        return "has a usage of another segment"
    if len({slot["position"] for slot in row["slots"]}) < len(shown):
        return "shows two candidates at one place"
    has_room = all(slot["position"] < len(DIGITS) for slot in row["slots"])
    return None if has_room else f"has more than {len(DIGITS)} places"


def _rule_of_assignment(row: Row, earlier: EarlierRows) -> str | None:
    slots = earlier.screens[row["screen"]][1]
    places = [DIGITS.find(digit) for digit in row["order"]]
    if len(set(places)) < len(places) or not slots.keys() >= {*places}:
        return "has an order that does not fit its screen"
    if row["submitted_at"] and not row["judge"]:
        return "was submitted, but has no judge"
    original = row["repeats"]
    if original is not None and (original >= row[PLACE] or earlier.assignments[original] != row["screen"]):
        return "repeats something else than an earlier assignment of its screen"
    return None


def _rule_of_stand_in(row: Row, earlier: EarlierRows) -> str | None:
    new, old = row["assignment"], row["original"]
    fits = new != old and earlier.assignments[new] == earlier.assignments[old]
    return None if fits else "stands in for an assignment of another screen, or for itself"


def _rule_of_judgment(row: Row, earlier: EarlierRows) -> str | None:
    if row["assignment"] in earlier.free_assignments:
        return f"belongs to assignment {row['assignment']}, which has no judge"
    if row["screen"] != earlier.assignments[row["assignment"]]:
        return f"has another screen than assignment {row['assignment']}"
    segment, slots = earlier.screens[row["screen"]]
    if fault := earlier.protocol.fault_of_answers(row["answers"], earlier.lengths[segment]):
        return fault
    answered = [answer["candidate"] for answer in row["answers"] if "candidate" in answer]
    if len(set(answered)) < len(answered) or not set(answered) <= {*slots.values()}:
        return "answers twice for a candidate, or for one that its screen does not show"
    return "is a skip, but has answers" if row["skipped"] and row["answers"] else None


RULES: dict[str, Callable[[Row, EarlierRows], str | None]] = {
    "candidates": _rule_of_candidate,
    "outputs": _rule_of_output,
    "usages": _rule_of_usage,
    "screens": _rule_of_screen,
    "assignments": _rule_of_assignment,
    "stand_ins": _rule_of_stand_in,
    "judgments": _rule_of_judgment,
}
