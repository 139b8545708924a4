"""Whether the rows of a bundle fit each other; later kinds refer to earlier ones."""

from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from judgments.archive.rules.fields import KINDS, MOST_SLOTS
from judgments.archive.rules.layout import Row, file_of
from judgments.rules.texts.collapsing import normalise

NAMED_BY = {
    "systems": "name", "documents": "name", "segments": "line", "judges": "pseudonym", "batches": "number",
}  # fmt: skip
REFERENCES = {
    "document": "documents", "segment": "segments", "system": "systems", "candidate": "candidates", "batch": "batches",
    "screen": "screens", "judge": "judges", "assignment": "assignments", "usage": "usages", "original": "assignments",
}  # fmt: skip

# Why a campaign's protocol cannot take the answers of a judgment of a sentence of so many characters, or None.
FaultOfAnswers = Callable[[Sequence[Row], int], str | None]


class Known:
    """What earlier rows said, as far as later ones refer to it."""

    def __init__(self, lines: Mapping[str, int], fault_of_answers: FaultOfAnswers):
        self.fault_of_answers = fault_of_answers
        self.by: dict[str, Collection[Any]] = {
            kind: set() if kind in NAMED_BY else range(1, count + 1) for kind, count in lines.items()
        }
        # The characters of each segment; for each candidate its segment, for each usage, for each screen with its
        # slots; for each assignment its screen.
        self.lengths: dict[int, int] = {}
        self.segments = array("q")
        self.usages = array("q")
        self.classified: set[tuple[int, str]] = set()
        self.names: set[str] = set()
        self.screens: list[tuple[int, list[int | None]]] = []
        self.assignments = array("q")
        self.free_assignments: set[int] = set()

    def note(self, kind: str, row: Row) -> str | None:
        """Take in a row; why its name cannot be used, or None."""
        if kind in NAMED_BY:
            names, name = self.by[kind], row[NAMED_BY[kind]]
            if name in names:
                return f"{NAMED_BY[kind]} {name!r} was there already"
            if isinstance(names, set):
                names.add(name)
            if kind == "segments":
                self.lengths[name] = len(row["text"] or "")
        elif kind == "usages":
            self.usages.append(row["segment"])
            self.names.add(row["name"])
        elif kind == "classifications":
            self.classified.add((row["usage"], row["system"]))
        elif kind == "candidates":
            self.segments.append(row["segment"])
        elif kind == "screens":
            self.screens.append((row["segment"], row["slots"]))
        elif kind == "assignments":
            self.assignments.append(row["screen"])
            if row["judge"] is None:
                self.free_assignments.add(row["number"])
        return None

    def pass_over(self, kind: str) -> None:
        """A row that cannot be used has its place, so that those after it are numbered rightly."""
        for numbered, rows in (
            ("usages", self.usages),
            ("candidates", self.segments),
            ("assignments", self.assignments),
        ):
            if kind == numbered:
                rows.append(0)
        if kind == "screens":
            self.screens.append((0, []))


def faults_of(kind: str, number: int, row: Row, known: Known) -> list[str]:
    """Everything that is wrong with a row, which is taken in."""
    if faults := _faults_of(kind, number, row, known):
        known.pass_over(kind)
        return faults
    return list(filter(None, [known.note(kind, row)]))


def _faults_of(kind: str, number: int, row: Row, known: Known) -> list[str]:
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
    return faults or list(filter(None, [RULES[kind](row, known)] if kind in RULES else []))


def _rule_of_judge(row: Row, known: Known) -> str | None:
    if row["excluded_by_rule"] and not row["excluded_at"]:
        return "is excluded by the rule and not excluded"
    return "is excluded and kept" if row["kept_at"] and row["excluded_at"] else None


def _rule_of_candidate(row: Row, known: Known) -> str | None:
    if row["text"] is None:
        return None if row["fingerprint"] else "has neither a text nor a fingerprint"
    return None if row["text"] == normalise(row["text"]) else "has white space that a candidate does not have"


def _rule_of_output(row: Row, known: Known) -> str | None:
    same = known.segments[row["candidate"] - 1] == row["segment"]
    return None if same else f"candidate {row['candidate']} is of another segment"


def _rule_of_usage(row: Row, known: Known) -> str | None:
    if not row["name"] or row["name"] in known.names:
        return f"name {row['name']!r} is empty or was there already"
    lies_within = row["start"] < row["end"] <= known.lengths[row["segment"]]
    return None if lies_within else "has a span that does not lie in its sentence, or is empty"


def _rule_of_classification(row: Row, known: Known) -> str | None:
    is_second = (row["usage"], row["system"]) in known.classified
    return f"says a second time what {row['system']} makes of usage {row['usage']}" if is_second else None


def _rule_of_screen(row: Row, known: Known) -> str | None:
    shown = [candidate for candidate in row["slots"] if candidate is not None]
    if any(candidate not in known.by["candidates"] for candidate in shown):
        return "shows a candidate that is not in candidates.jsonl"
    if any(known.segments[candidate - 1] != row["segment"] for candidate in shown):
        return "shows a candidate of another segment"
    if row["usage"] is not None and known.usages[row["usage"] - 1] != row["segment"]:
        return "asks about a usage of another segment"
    return None if len(set(shown)) == len(shown) else "shows a candidate twice"


def _rule_of_assignment(row: Row, known: Known) -> str | None:
    slots = known.screens[row["screen"] - 1][1]
    places = [int(digit, MOST_SLOTS) for digit in row["order"]]
    if len(set(places)) < len(places) or any(place >= len(slots) or slots[place] is None for place in places):
        return "has an order that does not fit its screen"
    if row["submitted_at"] and not row["judge"]:
        return "was submitted by nobody"
    original = row["repeats"]
    if original is not None and (original >= row["number"] or known.assignments[original - 1] != row["screen"]):
        return "repeats no earlier assignment of its screen"
    return None


def _rule_of_stand_in(row: Row, known: Known) -> str | None:
    same = known.assignments[row["assignment"] - 1] == known.assignments[row["original"] - 1]
    return (
        None
        if same and row["assignment"] != row["original"]
        else "stands in for an assignment at another screen, or for itself"
    )


def _rule_of_judgment(row: Row, known: Known) -> str | None:
    if row["assignment"] in known.free_assignments:
        return f"was given on assignment {row['assignment']}, which nobody holds"
    segment, slots = known.screens[known.assignments[row["assignment"] - 1] - 1]
    if fault := known.fault_of_answers(row["answers"], known.lengths[segment]):
        return fault
    given = [answer["candidate"] for answer in row["answers"] if "candidate" in answer]
    if len(set(given)) < len(given) or not set(given) <= set(slots):
        return "answers for a candidate that its screen does not show once"
    return "is skipped and answered" if row["skipped"] and row["answers"] else None


RULES: dict[str, Callable[[Row, Known], str | None]] = {
    "judges": _rule_of_judge,
    "candidates": _rule_of_candidate,
    "outputs": _rule_of_output,
    "usages": _rule_of_usage,
    "classifications": _rule_of_classification,
    "screens": _rule_of_screen,
    "assignments": _rule_of_assignment,
    "stand_ins": _rule_of_stand_in,
    "judgments": _rule_of_judgment,
}
