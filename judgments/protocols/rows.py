"""Judgments and answers as plain rows, and their columns in files; merits and controls of answers about candidates."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from judgments.models import Assignment, Campaign, Membership, RecordedOutput, Slot, System, SystemOutput
from judgments.models.judgments import is_judged_here
from judgments.rules.files.csv_tables import cells

ROWS_AT_ONCE = 1000


class Head(NamedTuple):
    """A judgment without its answers."""

    pk: int
    assignment: int
    repeats: int | None
    batch: int | None
    judge: int | None
    screen: int
    weight: float | None
    position: int
    document: str
    revision: int
    current: bool
    after_feedback: bool
    skipped: bool
    skip_reason: str
    comment: str
    flagged: bool
    view: str
    wall_seconds: float | None
    active_seconds: float | None
    submitted_at: datetime

    @property
    def seconds(self) -> float | None:
        """Active time if known, otherwise elapsed time."""
        return self.wall_seconds if self.active_seconds is None else self.active_seconds

    def judged_at(self, judge: Membership) -> datetime | None:
        """When the judge submitted it; None if it was imported."""
        return self.submitted_at if is_judged_here(judge, self.batch, self.revision) else None

    @property
    def turn(self) -> tuple[bool, int]:
        """Sort key: the order in which a judge saw one subject, regardless of revisions; repeats come last."""
        return self.repeats is not None, self.assignment


class AnswerRow(NamedTuple):
    """One answer of a judgment: its candidate, if any, and the values of its table's columns."""

    candidate: int | None
    values: tuple[Any, ...]


Judged = tuple[Head, list[AnswerRow]]


class Columns(NamedTuple):
    """The columns of a table with one row per answer, or per part of an answer: their names, the CSV cells of an answer
    or part (given the number of the answer, from 1), the cells of a judgment without answers, the columns that hold
    parts of texts, and the parts of an answer.
    """

    names: tuple[str, ...]
    cells: Callable[[Head, int, AnswerRow], str]
    nothing: Callable[[Head], str]
    of_texts: frozenset[str] = frozenset()
    parts: Callable[[AnswerRow], Iterable[AnswerRow]] = lambda answer: (answer,)

    def in_parts(self, answers: Sequence[AnswerRow]) -> Iterator[tuple[int, AnswerRow]]:
        """Yield each answer, or its parts, with the number of the answer."""
        for number, answer in enumerate(answers, 1):
            yield from ((number, part) for part in self.parts(answer))


def judges_of(campaign: Campaign) -> dict[int, Membership]:
    return Membership.objects.filter(campaign=campaign).select_related("user").in_bulk()


def systems_behind(campaign: Campaign, **chosen: Any) -> dict[int, tuple[str, ...]]:
    """The sorted names of the systems behind each candidate, of all outputs or of those with these values.

    Equal tuples are one object, to save memory.
    """
    known: dict[tuple[str, ...], tuple[str, ...]] = {}
    behind = {}
    for table in (SystemOutput, RecordedOutput):  # no candidate is in both
        rows = table._default_manager.filter(system__campaign=campaign, **chosen).order_by("candidate")
        pairs = rows.values_list("candidate", "system__name").iterator(ROWS_AT_ONCE)
        for candidate, group in groupby(pairs, key=itemgetter(0)):
            names = tuple(sorted(name for _, name in group))
            behind[candidate] = known.setdefault(names, names)
    return behind


def empty_cells(columns: Sequence[str]) -> Callable[[Head], str]:
    return lambda head: "," * (len(columns) - 1)


class Point(NamedTuple):
    """A value of a scale and what it means; None is the last rank, which depends on the number of candidates."""

    value: int | None
    meaning: str | Promise


class AnswerScale(NamedTuple):
    """The column of a candidate's value, the ends of the scale if it is bounded, and the points that have a meaning.

    The points are in the order in which a page shows them, from one end to the other. If less is better, the column
    holds ranks.
    """

    column: str
    more_is_better: bool = True
    ends: tuple[float, float] | None = None
    points: tuple[Point, ...] = ()

    def merit(self, value: float) -> float:
        return value if self.more_is_better else -value


RANKS = AnswerScale(
    "rank", more_is_better=False, points=(Point(1, gettext_lazy("best")), Point(None, gettext_lazy("worst")))
)


class Merit(NamedTuple):
    """A judgment's value for a candidate, of which more is better, or for a usage or sentence."""

    judgment: int
    subject: int
    merit: float


def shown_slots(assignment: Assignment) -> list[Slot]:
    """The candidates of an assignment in the order in which its judge sees them."""
    found = Slot.objects.filter(screen=assignment.screen_id).select_related("candidate")
    slots = {slot.position: slot for slot in found}
    return [slots[position] for position in assignment.shown_positions()]


def by_judgment(merits: Iterable[Merit]) -> dict[int, dict[int, float]]:
    """The merit of each subject, by judgment."""
    given: dict[int, dict[int, float]] = defaultdict(dict)
    for judgment, subject, merit in merits:
        given[judgment][subject] = merit
    return given


def below_their_source(merits: Iterable[Merit]) -> Iterator[tuple[int, bool]]:
    """Each judgment of a control (the source with errors added), and whether it ranks below the source."""
    given = by_judgment(merits)
    answered = {candidate for answers in given.values() for candidate in answers}
    outputs = SystemOutput.objects.filter(
        candidate__in=answered, system__kind__in=[System.Kind.SOURCE, System.Kind.CONTROL]
    )
    kinds = dict(outputs.order_by("system__kind").values_list("candidate", "system__kind"))
    for judgment, answers in given.items():
        by_kind = {kinds[candidate]: merit for candidate, merit in answers.items() if candidate in kinds}
        yield judgment, by_kind[System.Kind.CONTROL] < by_kind[System.Kind.SOURCE]


def candidate_columns(campaign: Campaign, columns: tuple[str, ...], cells_of: Callable[[AnswerRow], str]) -> Columns:
    behind = {candidate: cells([" ".join(names)]) for candidate, names in systems_behind(campaign).items()}

    def row(head: Head, shown: int, answer: AnswerRow) -> str:
        return f"{answer.candidate},{behind.get(answer.candidate or 0, '')},{shown},{cells_of(answer)}"

    names = ("candidate", "systems", "shown_position", *columns)
    return Columns(names, row, empty_cells(names))
