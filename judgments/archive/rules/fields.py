"""What each row of a bundle holds, and which values can stand there."""

import re
from datetime import datetime
from typing import Any

from judgments.rules.files.names import LONGEST_ID, fault_of_name, fault_of_pseudonym
from judgments.rules.files.values import FLAG, LARGE, NUMBER, SMALL, Check, list_of, maybe, one_of, text, whole

FINGERPRINT = re.compile("[0-9a-f]{32}")
KEY = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
ORDER = re.compile("[0-9a-z]*")


def named(fault: Check, longest: int = 80) -> Check:
    """A name by which others refer to a row."""
    is_text = text(longest)
    return lambda value: is_text(value) or fault(value)


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


def an_object(value: Any) -> str | None:
    """What a judge said, which the campaign's protocol looks at."""
    return None if isinstance(value, dict) else "holds an answer that is no object"


def edit(value: Any) -> str | None:
    """An edit of a reference: start, end, corrections, type."""
    if not isinstance(value, list) or len(value) != len(EDIT):
        return "holds an edit that is not start, end, corrections and type"
    return next(
        (f"holds an edit that {fault}" for check, part in zip(EDIT, value, strict=True) if (fault := check(part))), None
    )


MOST_SLOTS, MOST_ANSWERS = 36, 1000
MOST_EDITS, MOST_CORRECTIONS = 10_000, 100
EDIT: tuple[Check, ...] = (whole(), whole(), list_of(text(), MOST_CORRECTIONS), text(200))

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
        "answers": list_of(an_object, MOST_ANSWERS),
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
