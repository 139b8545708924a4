"""Ballots: judgments as statistics see them, one by one for people and in columns for arithmetic."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

UNKNOWN = -1


class Group(NamedTuple):
    """Systems whose outputs were one candidate, and its merit: the higher the better, so rank r is merit -r."""

    systems: tuple[int, ...]
    merit: float


class Ballot(NamedTuple):
    """The judgment of one judge on one segment, in the order shown; a skipped one has no groups."""

    judge: int
    segment: int
    groups: tuple[Group, ...]
    seconds: float = float("nan")


@dataclass(frozen=True)
class Candidates:
    """The systems behind each candidate: those of candidate c are members[starts[c]:starts[c + 1]]."""

    starts: np.ndarray
    members: np.ndarray

    @cached_property
    def sizes(self) -> np.ndarray:
        """The number of systems behind each candidate."""
        return np.diff(self.starts)


@dataclass(frozen=True)
class Ballots:
    """Many ballots in columns; systems, judges, segments and documents are numbers from 0.

    Ballot n was given by judge[n] on segment[n] in seconds[n]; rows starts[n]:starts[n + 1] of `candidate` and `merit`
    are its answers, in the order in which the candidates were shown.
    """

    systems: int
    judges: int
    documents: int
    judge: np.ndarray
    segment: np.ndarray
    seconds: np.ndarray
    starts: np.ndarray
    candidate: np.ndarray
    merit: np.ndarray
    candidates: Candidates
    document_of: np.ndarray

    @classmethod
    def of(cls, ballots: Sequence[Ballot], systems: int, judges: int) -> "Ballots":
        """The columns of ballots; each segment is a document, and equal groups of a segment are one candidate."""
        segments = {ballot.segment for ballot in ballots}
        numbers = {segment: number for number, segment in enumerate(sorted(segments))}
        known: dict[tuple[int, tuple[int, ...]], int] = {}
        for ballot in ballots:
            for group in ballot.groups:
                known.setdefault((ballot.segment, group.systems), len(known))
        sizes = [len(ballot.groups) for ballot in ballots]
        groups = [(ballot.segment, group) for ballot in ballots for group in ballot.groups]
        return cls(
            systems=systems,
            judges=judges,
            documents=len(numbers),
            judge=np.array([ballot.judge for ballot in ballots], dtype=np.int32),
            segment=np.array([numbers[ballot.segment] for ballot in ballots], dtype=np.int32),
            seconds=np.array([ballot.seconds for ballot in ballots], dtype=np.float64),
            starts=_starts(sizes),
            candidate=np.array([known[segment, group.systems] for segment, group in groups], dtype=np.int32),
            merit=np.array([group.merit for _, group in groups], dtype=np.float64),
            candidates=candidates_of(members for _, members in known),
            document_of=np.arange(len(numbers), dtype=np.int32),
        )

    def __len__(self) -> int:
        return len(self.judge)

    @property
    def segments(self) -> int:
        """The number of segments, judged or not."""
        return len(self.document_of)

    @cached_property
    def sizes(self) -> np.ndarray:
        """The number of candidates each ballot judges; 0 if it was skipped."""
        return np.diff(self.starts)

    @cached_property
    def ballot_of(self) -> np.ndarray:
        """The ballot of each row."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.sizes)

    def choose(self, wanted: np.ndarray) -> "Ballots":
        """Select ballots by a mask or by numbers, in that order; a repeated number repeats its ballot."""
        picked = np.flatnonzero(wanted) if wanted.dtype == bool else wanted
        sizes = self.sizes[picked]
        starts = _starts(sizes)
        rows = np.repeat(self.starts[picked] - starts[:-1], sizes) + np.arange(starts[-1])
        return replace(
            self,
            judge=self.judge[picked],
            segment=self.segment[picked],
            seconds=self.seconds[picked],
            starts=starts,
            candidate=self.candidate[rows],
            merit=self.merit[rows],
        )

    def without_system(self, system: int) -> "Ballots":
        """The ballots as if one system had not taken part; candidates of this system alone disappear."""
        keep = self.candidates.members != system
        owner = np.repeat(np.arange(len(self.candidates.sizes)), self.candidates.sizes)
        left = np.bincount(owner[keep], minlength=len(self.candidates.sizes))
        renumbered = self.candidates.members[keep]
        shown = left[self.candidate] > 0
        return replace(
            self,
            systems=self.systems - 1,
            starts=_starts(np.bincount(self.ballot_of[shown], minlength=len(self))),
            candidate=self.candidate[shown],
            merit=self.merit[shown],
            candidates=Candidates(_starts(left), renumbered - (renumbered > system)),
        )


def candidates_of(groups: Iterable[Sequence[int]]) -> Candidates:
    """The systems behind each candidate, in columns."""
    groups = list(groups)
    members = np.fromiter(chain.from_iterable(groups), dtype=np.int32)
    return Candidates(_starts([len(group) for group in groups]), members)


def _starts(sizes: Sequence[int] | np.ndarray) -> np.ndarray:
    """The start of each part, and the end of the last one."""
    return np.concatenate([[0], np.cumsum(np.asarray(sizes, dtype=np.int64), dtype=np.int64)]).astype(np.int64)
