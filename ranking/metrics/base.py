"""The interface of a metric: it counts each candidate once and computes every score from the counts.

The counts suffice to score a system, a resampled corpus, a mixture of two systems or a subset of the references; no
text is read again.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from typing import ClassVar

import numpy as np

from ranking.metrics.material import Candidates, Material, MetricError
from ranking.numbers.tables import Table

# The count in every column of a reference that a sentence does not have.
ABSENT = -1
CHUNK = 500
# As many numbers of how often replicates have sentences are held at once.
MOST_CELLS = 1 << 22

Scores = dict[str, np.ndarray]
# Subsets of the references.
Subsets = Sequence[Sequence[int]]
# Called with the amounts done and in total.
Progress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None: ...


def part_of(progress: Progress, number: int, parts: int) -> Progress:
    """Return the progress of one of several equal parts, numbered from 0."""
    return lambda done, total: progress(number * total + done, parts * total)


class Metric(ABC):
    """A metric with its settings fixed. Higher scores are better: a metric of errors returns its negative.

    `about` labels the metric in forms; a metric without it can only be chosen by name.
    If `by_reference`, the second axis of counts is the reference, so that subsets of references can be selected.
    If `reads_edits`, the metric reads the edits of references instead of their texts.
    If `among_systems`, counts depend on the outputs of all systems, which signatures then name.
    If `cuts_words`, what counts are words, of which characters can take the place (`tokens=characters`).
    """

    name: str
    title: ClassVar[str]
    about: ClassVar[str] = ""
    by_reference: bool = True
    reads_edits: bool = False
    among_systems: bool = False
    cuts_words: bool = True

    @property
    def main_scores(self) -> tuple[str, ...]:
        """Names of the main scores, the most important first; other scores appear only in files."""
        return (self.title,)

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the scores that an ensemble learns from."""
        return self.main_scores[:1]

    @abstractmethod
    def signature(self, material: Material) -> str:
        """The name and every setting that affects a score, such as `gleu|n:4|draws:500|references:2`."""

    @abstractmethod
    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        """Count each candidate; the first axis of the result is the candidate."""

    def counts_of_subsets(
        self, material: Material, candidates: Candidates, subsets: Subsets, progress: Progress = no_progress
    ) -> Iterator[np.ndarray]:
        """Count against each subset of the references; only needed if not `by_reference`."""
        for number, subset in enumerate(subsets):
            yield self.count(material.only(subset), candidates, part_of(progress, number, len(subsets)))

    @abstractmethod
    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        """Compute scores of whole outputs by name, not only those in `kept`; each row of `chosen` is one output.

        A row has a candidate for each sentence, in order; a resampled row may have a sentence several times.
        """

    @abstractmethod
    def of_candidates(self, counts: np.ndarray) -> Scores:
        """Compute scores of each candidate on its own."""

    def of_resampled(self, counts: np.ndarray, chosen: np.ndarray, draws: np.ndarray) -> Scores:
        """Compute scores of whole outputs (rows) with drawn sentences, of which each row of `draws` is a replicate."""
        found = [self.of_systems(counts, output[draws]) for output in chosen]
        return {name: np.stack([scores[name] for scores in found]) for name in found[0]}

    def tables(self, counts: np.ndarray, chosen: np.ndarray, names: Sequence[str]) -> list[Table]:
        return []

    def of_subsets(self, counts: np.ndarray, chosen: np.ndarray, subsets: Subsets) -> Scores:
        """Compute scores of whole outputs, a row per subset of the references; only if `by_reference`."""
        return by_subset(self.of_systems(np.take(counts, subset, axis=1), chosen) for subset in subsets)


class SummedMetric(Metric):
    """A metric of which a whole output's scores depend on sums over its sentences alone."""

    @abstractmethod
    def summands(self, counts: np.ndarray) -> np.ndarray:
        """What to sum: a row per candidate."""

    @abstractmethod
    def of_sums(self, sums: np.ndarray, sentences: int) -> Scores:
        """Compute scores from sums over this many sentences; a row per output."""

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        return self.of_sums(sums_of(self.summands(counts), chosen), chosen.shape[1])

    def of_resampled(self, counts: np.ndarray, chosen: np.ndarray, draws: np.ndarray) -> Scores:
        """Multiply how often a replicate has each sentence by what is summed; integers stay exact up to 2^53."""
        summands, sentences = self.summands(counts).astype(float), chosen.shape[1]
        sums = np.empty((len(chosen), len(draws), summands.shape[1]))
        at_once = max(MOST_CELLS // max(sentences, 1), 1)
        for first in range(0, len(draws), at_once):
            some = slice(first, first + at_once)
            times = np.stack([np.bincount(draw, minlength=sentences) for draw in draws[some]]).astype(float)
            for output, row in enumerate(chosen):
                sums[output, some] = times @ summands[row]
        scores = self.of_sums(sums.reshape(-1, summands.shape[1]), sentences)
        return {name: values.reshape(len(chosen), len(draws)) for name, values in scores.items()}


def sums_of(summands: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Sum each column over the candidates of each output."""
    return np.reshape([summands[output].sum(axis=0) for output in chosen], (len(chosen), summands.shape[1]))


def check_setting(metric: str, setting: str, value: float, least: float, most: float) -> None:
    """Refuse a setting that makes no sense or would take all memory or time."""
    if not least <= value <= most:
        raise MetricError(f"{metric}: {setting} must lie between {least:g} and {most:,g}, not {value:g}.")


def by_subset(scores: Iterable[Scores]) -> Scores:
    """Stack the scores of the same outputs against each subset of the references."""
    kept = list(scores)
    return {name: np.stack([each[name] for each in kept]) for name in kept[0]}


def in_chunks(work: Callable[[slice], np.ndarray], many: int, progress: Progress, size: int = CHUNK) -> np.ndarray:
    """Process the candidates chunk by chunk and join the results; uses all cores where the work releases the GIL."""
    chunks = [slice(first, min(first + size, many)) for first in range(0, many, size)] or [slice(0, 0)]
    done = []
    with ThreadPoolExecutor(cpu_count() or 1) as pool:
        for counted in pool.map(work, chunks):
            done.append(counted)
            progress(min(len(done) * size, many), many)
    return np.concatenate(done)
