"""Reading the rows of a file one by one, with the faults of all invalid rows."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from judgments.rules.files.problems import Problem, refuse, shorten
from judgments.rules.files.text_files import read_text
from judgments.rules.files.values import read_json
from judgments.rules.progress import unless_cancelled

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
    return read_each(name, lines, lambda number, line: read(number, _json_object(line)))


def _json_object(line: str) -> dict[str, Any]:
    try:
        found = read_json(line)
    except (ValueError, RecursionError):
        raise RowFault("is not JSON; write one object a line") from None
    if not isinstance(found, dict):
        raise RowFault("is not a JSON object")
    return found
