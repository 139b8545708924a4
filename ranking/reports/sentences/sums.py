"""What people thought of outputs and of pairs of outputs, as a report keeps it for its pages on sentences."""

import io
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.lib.npyio import NpzFile

from judgments.rules.errors import Refused
from ranking.models import Report, ReportInputs
from ranking.stats.comparisons.output_scores import output_sums
from ranking.stats.comparisons.study import ComparisonStudy

NO_SUMS = "This report was made before reports kept what people thought of each sentence. Make a new report."
RENAMED = "A system was renamed since this report was made. Make a new report to see its sentences."


def packed(study: ComparisonStudy) -> bytes:
    """All sums in one file; those of each pair are an array of their own, so that a page unpacks no others."""
    sums, content = output_sums(study), io.BytesIO()
    borders = np.flatnonzero(np.diff(sums.pairs[:, :2], axis=0).any(axis=1)) + 1
    of_pairs = {_name(*rows[0, :2]): rows[:, 2:] for rows in np.split(sums.pairs, borders) if len(rows)}
    of_outputs = {"systems": np.array(study.names.systems), "scores": sums.scores}
    np.savez_compressed(content, **of_outputs, **of_pairs)  # type: ignore[arg-type] # taken for another argument
    return content.getvalue()


def scores_of(report: Report) -> tuple[tuple[str, ...], np.ndarray]:
    """The systems, and the scores of their outputs by people."""
    with _opened(report) as arrays:
        return tuple(arrays["systems"].tolist()), arrays["scores"]


def sums_of_pair(report: Report, system: str, opponent: str) -> np.ndarray:
    """Segments, counted from 0, with the wins of either system, and ties."""
    with _opened(report) as arrays:
        systems = arrays["systems"].tolist()
        if not {system, opponent} <= set(systems):
            raise Refused(RENAMED)
        one, other = systems.index(system), systems.index(opponent)
        name = _name(min(one, other), max(one, other))
        rows = arrays[name] if name in arrays else np.empty((0, 4), dtype=np.int32)
    return rows if one < other else rows[:, [0, 2, 1, 3]]


def _name(one: int, other: int) -> str:
    return f"{one}-{other}"


@contextmanager
def _opened(report: Report) -> Iterator[NpzFile]:
    stored = ReportInputs.objects.filter(report=report).values_list("output_scores", flat=True).first()
    if not stored:
        raise Refused(NO_SUMS)
    with np.load(io.BytesIO(bytes(stored)), allow_pickle=False) as arrays:
        yield arrays
