"""Judgments and answers as plain rows, and how files show them."""

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from judgments.models import Campaign, Membership, SystemOutput

ROWS_AT_ONCE = 1000


class Head(NamedTuple):
    """A judgment without its answers."""

    pk: int
    key: UUID
    assignment: int
    repeats: int | None
    judge: int | None
    screen: int
    position: int
    document: str
    revision: int
    current: bool
    skipped: bool
    skip_reason: str
    comment: str
    flagged: bool
    wall_seconds: float | None
    active_seconds: float | None
    submitted_at: datetime

    @property
    def seconds(self) -> float | None:
        """Active time, else elapsed time."""
        return self.wall_seconds if self.active_seconds is None else self.active_seconds

    @property
    def turn(self) -> tuple[bool, int]:
        """Sorts a judge's answers on one subject as they were asked for, whatever was revised when; repeats follow."""
        return self.repeats is not None, self.assignment


class Answer(NamedTuple):
    """A judgment's answer, about a candidate if there are any, in the order of its table's columns."""

    candidate: int | None
    said: tuple[Any, ...]


Judged = tuple[Head, list[Answer]]


class Columns(NamedTuple):
    """Columns of a table with a row an answer: their names, the cells of the first, second ... answer as a line of CSV,
    and those of a judgment without an answer.
    """

    names: tuple[str, ...]
    cells: Callable[[Head, int, Answer], str]
    nothing: Callable[[Head], str]


class Judge(NamedTuple):
    """A judge's name in exports, and whether the answers count."""

    pseudonym: str
    is_excluded: bool
    is_program: bool
    user: str
    worker: str


def judges_of(campaign: Campaign) -> dict[int, Judge]:
    rows = Membership.objects.filter(campaign=campaign).values_list(
        "pk", "pseudonym", "excluded_at", "role", "user__username", "worker"
    )
    return {
        pk: Judge(name, excluded is not None, role == Membership.Role.PROGRAM, user or "", worker)
        for pk, name, excluded, role, user, worker in rows
    }


def systems_behind(campaign: Campaign, only_judged: bool = False) -> dict[int, tuple[str, ...]]:
    """The names of the systems behind each candidate, sorted; equal ones are one object, as most of them are."""
    chosen = {"system__campaign": campaign} | ({"system__takes_part": True} if only_judged else {})
    rows = SystemOutput.objects.filter(**chosen).order_by("candidate").values_list("candidate", "system__name")
    known: dict[tuple[str, ...], tuple[str, ...]] = {}
    behind = {}
    for candidate, group in groupby(rows.iterator(ROWS_AT_ONCE), key=itemgetter(0)):
        names = tuple(sorted(name for _, name in group))
        behind[candidate] = known.setdefault(names, names)
    return behind


def empty_cells(columns: Sequence[str]) -> Callable[[Head], str]:
    return lambda head: "," * (len(columns) - 1)
