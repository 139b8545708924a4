"""Answers about candidates: merits, controls, and columns in exports."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from judgments.models import Assignment, Campaign, Slot, System, SystemOutput
from judgments.protocols.rows import AnswerRow, Columns, Head, empty_cells, systems_behind
from judgments.rules.files.csv_tables import cells


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
    "rank",
    more_is_better=False,
    points=(Point(1, gettext_lazy("best")), Point(None, gettext_lazy("worst"))),
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


def below_their_source(merits: Iterable[Merit]) -> Iterator[tuple[int, bool]]:
    """Each judgment of a control (the source with errors added), and whether it ranks below the source."""
    given: dict[int, dict[int, float]] = {}
    for judgment, candidate, merit in merits:
        given.setdefault(judgment, {})[candidate] = merit
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
