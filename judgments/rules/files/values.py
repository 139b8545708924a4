"""Checks of values in files, each of which returns why a value is invalid, or None; and reading rows one by one, with
the faults of all that are invalid.
"""

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from judgments.rules.files.problems import Problem, refuse, shorten
from judgments.rules.files.text_files import read_text
from judgments.rules.progress import unless_cancelled

LARGE = 2**31 - 1
MOST_VALUES = 2_000_000
# Characters that PostgreSQL cannot store.
IMPOSSIBLE = re.compile("[\0\ud800-\udfff]")

Check = Callable[[Any], str | None]


def text(longest: int | None = None) -> Check:
    def check(value: Any) -> str | None:
        if not isinstance(value, str) or IMPOSSIBLE.search(value):
            return "is not a text that can be stored"
        if longest is not None and len(value) > longest:
            return f"is longer than {longest} characters"
        return None

    return check


def whole(least: int = 0, most: int = LARGE) -> Check:
    fault = f"is not a whole number from {least} to {most}"
    return lambda value: None if type(value) is int and least <= value <= most else fault


def one_of(*values: Any) -> Check:
    kinds = {type(value) for value in values}
    fault = f"is none of {', '.join(map(json.dumps, values))}"
    return lambda value: None if type(value) in kinds and value in values else fault


def maybe(check: Check) -> Check:
    """Allow null."""
    return lambda value: None if value is None else check(value)


def list_of(check: Check, most: int) -> Check:
    def check_all(value: Any) -> str | None:
        if not isinstance(value, list) or len(value) > most:
            return f"is not a list of at most {most}"
        return next(filter(None, map(check, value)), None)

    return check_all


def refuse_constant(name: str) -> None:
    """Refuse NaN and Infinity, which Python accepts as JSON."""
    raise ValueError(f"{name} is not a number")


def read_json(text: str | bytes, **options: Any) -> Any:
    """Parse JSON, but not that of very many values, each of which takes up to forty times its text in memory."""
    signs: Any = ("[", "{", ",", ":") if isinstance(text, str) else (b"[", b"{", b",", b":")
    if sum(map(text.count, signs)) > MOST_VALUES:
        raise ValueError(f"more than {MOST_VALUES:,} values")
    return json.loads(text, **options)


FLAG = one_of(False, True)
NUMBER = whole(1)


Row = TypeVar("Row")
Read = TypeVar("Read")


class RowFault(Exception):
    """A row is invalid; the message says why."""


def read_each(name: str, rows: Iterable[tuple[int, Row]], read: Callable[[int, Row], Read]) -> list[Read]:
    """Read every row, or raise the faults of all invalid ones."""
    found, problems = [], []
    for line, row in unless_cancelled(rows):
        try:
            found.append(read(line, row))
        except RowFault as fault:
            problems.append(Problem(name, line, str(fault)))
    refuse(shorten(name, problems))
    return found


def read_json_lines(name: str, content: bytes, read: Callable[[int, dict[str, Any]], Read]) -> list[Read]:
    """Read the object on each line that is not blank, or raise the faults of all invalid ones."""
    file = read_text(name, content)
    refuse(file.problems)

    lines = ((number, line) for number, line in enumerate(file.lines, 1) if line.strip())
    return read_each(name, lines, lambda number, line: read(number, read_object(line)))


def read_object(line: str) -> dict[str, Any]:
    """Parse a line that is an object of JSON."""
    try:
        found = read_json(line)
    except (ValueError, RecursionError):
        raise RowFault("is not JSON; write one object a line") from None
    if not isinstance(found, dict):
        raise RowFault("is not a JSON object; write one object a line")
    return found
