"""What pages on sentences share: judgments that count, lists that are read page by page, and texts with marks."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import QuerySet

from judgments.models import Candidate, Job, RecordedOutput, SystemOutput
from judgments.protocols import protocol_of
from judgments.protocols.candidates import Scale
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.diff import Piece, compare
from ranking.models import Report
from ranking.numbers.spreadsheets import written_lines
from ranking.stats.choices import INDEPENDENT

AT_ONCE = 500
UNFINISHED = "The report is not finished. Its sentences are shown when it is."
NOT_INDEPENDENT = "Sentences are shown for reports on independent answers. Make one to see what each judge answered."
NO_COMPARISONS = "Nothing is compared in reports of this kind, so there are no compared sentences to show."


@dataclass(frozen=True)
class Listing:
    """Entries in the order chosen, by their keys; only those of one page, or of one part of a file, are read in full.

    `cells` gives the rows of a file for one entry.
    """

    keys: Sequence[Any] | QuerySet
    read: Callable[[Sequence[Any]], list[Any]]
    columns: tuple[str, ...]
    cells: Callable[[Any], Iterable[Sequence[object]]]

    def written(self) -> Iterator[str]:
        """Yield the whole list as CSV."""
        yield written_lines(self.columns, ())
        keys = list(self.keys)
        for first in range(0, len(keys), AT_ONCE):
            rows = (row for entry in self.read(keys[first : first + AT_ONCE]) for row in self.cells(entry))
            _, _, lines = written_lines(("",), rows).partition("\n")
            yield lines


@dataclass(frozen=True)
class Version:
    """A candidate's text and its source, null if they were imported without."""

    source: str | None
    text: str | None

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The text with marks; a file needs none, and comparing takes a millisecond."""
        return compare(normalise(self.source or ""), self.text or "")


def refusal_of(report: Report) -> str:
    """Why a report has no sentences to show; empty if it has."""
    if protocol_of(report.campaign).scale is None:
        return NO_COMPARISONS
    if report.answers != INDEPENDENT:
        return NOT_INDEPENDENT
    return "" if report.state == Job.State.DONE else UNFINISHED


def scale_of(report: Report) -> Scale:
    """The scale on which the judges of a report compared versions."""
    scale = protocol_of(report.campaign).scale
    if scale is None:
        raise ValueError(NO_COMPARISONS)
    return scale


def systems_behind(candidates: Collection[int]) -> dict[int, tuple[str, ...]]:
    """The sorted names of the systems behind candidates, given by their keys."""
    found: dict[int, list[str]] = {}
    for table in (SystemOutput, RecordedOutput):  # no candidate is in both
        rows = table._default_manager.filter(candidate__in=candidates).order_by("system__name")
        for candidate, name in rows.values_list("candidate", "system__name"):
            found.setdefault(candidate, []).append(name)
    return {candidate: tuple(names) for candidate, names in found.items()}


def versions_of(candidates: Iterable[int]) -> dict[int, Version]:
    """Read candidates by their keys."""
    rows = Candidate.objects.filter(pk__in=set(candidates)).values_list("pk", "segment__text", "text")
    return {pk: Version(source, text) for pk, source, text in rows}
