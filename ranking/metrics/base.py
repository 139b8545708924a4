"""What every metric offers: it counts each candidate once, and makes every score of counts.

Counts are what suffices: the score of a system, of a resampled corpus, of a mixture of two systems or of some of the
references is made of them, and no text is read again.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count

import numpy as np

from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material, MetricError
from ranking.numbers.tables import Table

# The count in every column of a reference that a sentence does not have.
ABSENT = -1
CHUNK = 500
# Beyond these F is precision alone, or recall alone.
LEAST_BETA, MOST_BETA = 0.01, 100

Scores = dict[str, np.ndarray]
# Takes how much is done, and of how much.
Progress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    """For callers that show no progress."""


class Metric(ABC):
    """A metric with its settings made.

    Where `by_reference` holds, the second axis of counts is that of references, so that some of them can be taken.
    Where `reads_edits` holds, the edits of references are read, and not their texts.
    """

    name: str
    by_reference: bool = True
    reads_edits: bool = False

    @property
    @abstractmethod
    def kept(self) -> tuple[str, ...]:
        """The names of the scores by which the metric is known, its own first; others are in its files alone."""

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the scores that an ensemble learns from."""
        return self.kept[:1]

    @abstractmethod
    def signature(self, material: Material) -> str:
        """The name and every setting that decides a score, as `gleu|n:4|draws:500|references:2`."""

    @abstractmethod
    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        """What there is to count in each candidate; the first axis is that of candidates."""

    @abstractmethod
    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        """Scores of whole outputs by name, those kept and more; a row of `chosen` is an output.

        A row names a candidate of each sentence, in the order of sentences; a sentence may come more than once.
        """

    @abstractmethod
    def of_candidates(self, counts: np.ndarray) -> Scores:
        """Scores of each candidate by itself."""

    def for_intervals(self) -> "Metric":
        """The same on the same counts, as exact as the ends of an interval need."""
        return self

    def tables(self, counts: np.ndarray, chosen: np.ndarray, names: Sequence[str]) -> list[Table]:
        """What else the metric tells of outputs, which have these names."""
        return []

    def of_subsets(self, counts: np.ndarray, chosen: np.ndarray, subsets: Sequence[Sequence[int]]) -> Scores:
        """Scores of whole outputs against some of the references, a row a subset; only where `by_reference` holds."""
        return by_subset(self.of_systems(np.take(counts, subset, axis=1), chosen) for subset in subsets)


def check_setting(metric: str, setting: str, value: float, least: float, most: float) -> None:
    """Refuse what makes no sense, and what would take all memory or time."""
    if not least <= value <= most:
        raise MetricError(f"{metric}: {setting} must lie between {least:g} and {most:,g}, not {value:g}.")


def by_subset(scores: Iterable[Scores]) -> Scores:
    """Scores of the same outputs against one subset of the references after another, as rows."""
    kept = list(scores)
    return {name: np.stack([each[name] for each in kept]) for name in kept[0]}


def in_chunks(work: Callable[[slice], np.ndarray], many: int, progress: Progress, size: int = CHUNK) -> np.ndarray:
    """Work done on one chunk of candidates after another and joined; on all cores where it lets go of Python."""
    chunks = [slice(first, min(first + size, many)) for first in range(0, many, size)] or [slice(0, 0)]
    done = []
    with ThreadPoolExecutor(cpu_count() or 1) as pool:
        for counted in pool.map(work, chunks):
            done.append(counted)
            progress(min(len(done) * size, many), many)
    return np.concatenate(done)
