"""Recorded rankings, and what all readers of recorded judgments share."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar
from uuid import UUID, uuid5

from judgments.rules.files.problems import Problem, Problems, shorten

LONGEST_LABEL = 200
MOST_SECONDS = 1e9
SKIPPED_ELSEWHERE = "recorded elsewhere"
Row = TypeVar("Row")
Read = TypeVar("Read")


class RankedGroup(NamedTuple):
    """Systems that a file records under one output, and its rank; 1 is best."""

    systems: str
    rank: int


class Recorded(NamedTuple):
    """A ranking in a file: its line, judge, sentence and ranked groups; no groups if skipped.

    `systems` of a group stays unparsed, because only all rows together reveal the separator of the names.
    """

    line: int
    judge: str
    segment: int
    groups: tuple[RankedGroup, ...]
    seconds: float | None
    label: str

    @property
    def skipped(self) -> bool:
        return not self.groups


def seconds_of(value: float) -> float | None:
    """Return a plausible time, or None."""
    return float(value) if 0 <= value < MOST_SECONDS else None


def keys_of(namespace: UUID, identities: Iterable[tuple[object, ...]]) -> list[UUID]:
    """Return a key for each judgment, the same at every import; equal judgments are numbered."""
    seen: Counter[str] = Counter()
    keys = []
    for identity in map(repr, identities):
        keys.append(uuid5(namespace, f"{identity}#{seen[identity]}"))
        seen[identity] += 1
    return keys


class RowFault(Exception):
    """A row is invalid; the message says why."""


def read_each(name: str, rows: Iterable[tuple[int, Row]], read: Callable[[int, Row], Read]) -> list[Read]:
    """Read every row, or raise the faults of all invalid ones."""
    recorded, problems = [], []
    for line, row in rows:
        try:
            recorded.append(read(line, row))
        except RowFault as fault:
            problems.append(Problem(name, line, str(fault)))
    refuse(name, problems)
    return recorded


def refuse(name: str, problems: list[Problem]) -> None:
    if problems:
        raise Problems(shorten(name, problems))
