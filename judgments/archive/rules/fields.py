"""What each row of a bundle holds, and which values can stand there."""

import json
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from judgments.rules.files.names import LONGEST_ID, fault_of_name, fault_of_pseudonym

SMALL, LARGE = 2**15 - 1, 2**31 - 1
# What a database cannot keep as text.
IMPOSSIBLE = re.compile("[\0\ud800-\udfff]")
FINGERPRINT = re.compile("[0-9a-f]{32}")
KEY = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
ORDER = re.compile("[0-9a-z]*")

# Why a value cannot stand where it stands, or None.
Check = Callable[[Any], str | None]


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


def share(value: Any) -> str | None:
    """A number from 0 to 1."""
    return None if type(value) in (int, float) and 0 <= value <= 1 else "is no number from 0 to 1"


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
    """A rank or a score for a candidate, a verdict, or an edit that a judge wrote."""
    fields = ANSWERS.get(frozenset(value)) if isinstance(value, dict) else None
    if fields is None:
        return "holds an answer that is neither a rank nor a score, a verdict or an edit"
    return next((f"holds a {name} that {fault}" for name in fields if (fault := fields[name](value[name]))), None)


def edit(value: Any) -> str | None:
    """An edit of a reference: start, end, corrections, type."""
    if not isinstance(value, list) or len(value) != len(EDIT):
        return "holds an edit that is not start, end, corrections and type"
    return next(
        (f"holds an edit that {fault}" for check, part in zip(EDIT, value, strict=True) if (fault := check(part))), None
    )


FLAG = one_of(False, True)
NUMBER = whole(1)
MOST_SLOTS, MOST_ANSWERS = 36, 1000
MOST_EDITS, MOST_CORRECTIONS = 10_000, 100
EDIT: tuple[Check, ...] = (whole(), whole(), list_of(text(), MOST_CORRECTIONS), text(200))
_ANSWERS: list[dict[str, Check]] = [
    {"candidate": NUMBER, "rank": whole(1, 20)},
    {"candidate": NUMBER, "score": whole(0, 100), "meaning_changed": FLAG},
    {"finding": one_of("error", "ok", "unknown")},
    {"position": whole(0, SMALL), "start": whole(), "end": whole(), "replacement": text(), "category": text(40)},
]
ANSWERS = {frozenset(fields): fields for fields in _ANSWERS}

# Every file in the order in which its rows can be made, and what each row holds.
KINDS: dict[str, dict[str, Check]] = {
    "systems": {
        "name": named(fault_of_name),
        "kind": one_of("system", "source", "reference", "control"),
        "takes_part": FLAG,
        "taken_from": text(50),
    },
    "documents": {"name": text(200), "domain": text(100)},
    "segments": {"line": NUMBER, "document": text(200), "text": maybe(text())},
    "candidates": {
        "number": NUMBER,
        "segment": NUMBER,
        "text": maybe(text()),
        "fingerprint": maybe(text(32, FINGERPRINT)),
    },
    "outputs": {
        "segment": NUMBER,
        "system": text(80),
        "candidate": NUMBER,
        "verbatim": maybe(text()),
        "edits": maybe(list_of(edit, MOST_EDITS)),
    },
    "usages": {
        "number": NUMBER,
        "segment": NUMBER,
        "name": text(LONGEST_ID),
        "start": whole(),
        "end": whole(1),
        "gold": maybe(FLAG),
    },
    "classifications": {"usage": NUMBER, "system": text(80), "probability": share},
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
        "excluded_by_rule": FLAG,
        "kept_at": maybe(moment),
        "quota": maybe(whole(0, SMALL)),
        "is_expert": FLAG,
        "is_program": FLAG,
    },
    "batches": {"number": whole(0), "domain": text(100)},
    "screens": {
        "number": NUMBER,
        "segment": NUMBER,
        "batch": maybe(whole(0)),
        "automatic": FLAG,
        "has_control": FLAG,
        "usage": maybe(NUMBER),
        "slots": list_of(maybe(NUMBER), MOST_SLOTS),
    },
    "assignments": {
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
    "stand_ins": {"assignment": NUMBER, "original": NUMBER},
    "judgments": {
        "number": NUMBER,
        "assignment": NUMBER,
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
        "answers": list_of(answer, MOST_ANSWERS),
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
