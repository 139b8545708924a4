"""What pages on sentences share: judgments that count, lists that are read page by page, and texts with marks.

What people thought of outputs and of pairs of outputs is kept with the report.
"""

import io
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from django.db.models import QuerySet
from numpy.lib.npyio import NpzFile

from judgments.models import Candidate, Job, RecordedOutput, SystemOutput
from judgments.protocols import protocol_of
from judgments.protocols.rows import AnswerScale
from judgments.rules.errors import Refused
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.diff import Piece, compare
from ranking.models import Report, ReportInputs
from ranking.numbers.tables import written_lines
from ranking.stats.choices import INDEPENDENT
from ranking.stats.comparisons.compared import output_sums
from ranking.stats.comparisons.study import ComparisonStudy


def pack_scores(study: ComparisonStudy) -> bytes:
    """All sums in one file; those of each pair are an array of their own, so that a page unpacks no others."""
    sums, content = output_sums(study), io.BytesIO()
    borders = np.flatnonzero(np.diff(sums.pairs[:, :2], axis=0).any(axis=1)) + 1
    of_pairs = {"-".join(map(str, rows[0, :2])): rows[:, 2:] for rows in np.split(sums.pairs, borders) if len(rows)}
    of_outputs = {"systems": np.array(study.names.systems), "scores": sums.scores}
    np.savez_compressed(content, **of_outputs, **of_pairs)  # type: ignore[arg-type] # taken for another argument
    return content.getvalue()


@contextmanager
def _open_scores(report: Report) -> Iterator[NpzFile]:
    stored = ReportInputs.objects.filter(report=report).values_list("output_scores", flat=True).first()
    if not stored:
        raise Refused(
            "This report was made before reports kept what people thought of each sentence. Make a new report."
        )
    with np.load(io.BytesIO(bytes(stored)), allow_pickle=False) as arrays:
        yield arrays


def scores_of(report: Report) -> tuple[tuple[str, ...], np.ndarray]:
    """The systems, and the scores of their outputs by people."""
    with _open_scores(report) as arrays:
        return tuple(arrays["systems"].tolist()), arrays["scores"]


def sums_of_pair(report: Report, system: str, opponent: str) -> np.ndarray:
    """Segments, counted from 0, with the wins of either system, and ties."""
    with _open_scores(report) as arrays:
        systems = arrays["systems"].tolist()
        if not {system, opponent} <= set(systems):
            raise Refused("A system was renamed since this report was made. Make a new report to see its sentences.")
        one, other = systems.index(system), systems.index(opponent)
        name = f"{min(one, other)}-{max(one, other)}"
        rows = arrays[name] if name in arrays else np.empty((0, 4), dtype=np.int32)
    return rows if one < other else rows[:, [0, 2, 1, 3]]


AT_ONCE = 500
NO_COMPARISONS = "Nothing is compared in reports of this kind, so there are no compared sentences to show."


class Listing(ABC):
    """Entries in the order chosen, by their keys; only those of a page, or of a part of a file, are read in full."""

    columns: tuple[str, ...]
    keys: Sequence[Any] | QuerySet

    @abstractmethod
    def read(self, keys: Sequence[Any]) -> list[Any]:
        """Read entries in full, in this order."""

    @abstractmethod
    def cells(self, entry: Any) -> Iterator[Sequence[object]]:
        """The rows of a file for one entry."""

    def csv(self) -> Iterator[str]:
        yield written_lines(self.columns, ())
        keys = list(self.keys)
        for first in range(0, len(keys), AT_ONCE):
            rows = (row for entry in self.read(keys[first : first + AT_ONCE]) for row in self.cells(entry))
            _, _, lines = written_lines(("",), rows).partition("\n")
            yield lines


@dataclass(frozen=True)
class ListedVersion:
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
        return "Sentences are shown for reports on independent answers. Make one to see what each judge answered."
    return "" if report.state == Job.State.DONE else "The report is not finished. Its sentences are shown when it is."


def scale_of(report: Report) -> AnswerScale:
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


def versions_of(candidates: Iterable[int]) -> dict[int, ListedVersion]:
    """Read candidates by their keys."""
    rows = Candidate.objects.filter(pk__in=set(candidates)).values_list("pk", "segment__text", "text")
    return {pk: ListedVersion(source, text) for pk, source, text in rows}
