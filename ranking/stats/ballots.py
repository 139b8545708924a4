"""Ballots: judgments as statistics see them, in columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

# So many rows are computed at once, where all of them may exceed memory.
AT_ONCE = 500_000


@dataclass(frozen=True)
class BallotCandidates:
    """Systems behind each candidate: those of candidate c are members[starts[c]:starts[c + 1]]."""

    starts: np.ndarray
    members: np.ndarray

    @cached_property
    def sizes(self) -> np.ndarray:
        return np.diff(self.starts)

    @cached_property
    def owners(self) -> np.ndarray:
        """The candidate of each member."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)


@dataclass(frozen=True)
class Ballots:
    """Judgments of one judge on one segment each; systems, judges, segments and documents are numbers from 0.

    Ballot n was given by judge[n] on segment[n] in seconds[n]; rows starts[n]:starts[n + 1] of `candidate` and `merit`
    are its answers, in the order in which the candidates were shown; none if it was skipped. The higher the merit the
    better, so rank r is merit -r.
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
    candidates: BallotCandidates
    document_of: np.ndarray

    def __len__(self) -> int:
        return len(self.judge)

    @property
    def segments(self) -> int:
        """Number of segments, judged or not."""
        return len(self.document_of)

    @property
    def columns(self) -> tuple[np.ndarray, ...]:
        """Everything, for fingerprints."""
        return (self.judge, self.segment, self.seconds, self.starts, self.candidate, self.merit,
                self.candidates.starts, self.candidates.members, self.document_of)  # fmt: skip

    @cached_property
    def sizes(self) -> np.ndarray:
        """Number of candidates each ballot judges; 0 if it was skipped."""
        return np.diff(self.starts)

    @property
    def judged(self) -> np.ndarray:
        """Whether each segment has an answer; where judges only skipped, it has none."""
        return np.bincount(self.segment[self.sizes > 0], minlength=self.segments) > 0

    @property
    def judged_segment(self) -> np.ndarray:
        """The number of each ballot's segment among those judged; that of a skipped one says nothing."""
        return (np.cumsum(self.judged) - 1)[self.segment]

    @cached_property
    def ballot_of(self) -> np.ndarray:
        """Ballot of each row."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.sizes)

    @cached_property
    def behind(self) -> np.ndarray:
        """Number of systems behind the candidates of each ballot."""
        return np.bincount(self.ballot_of, self.candidates.sizes[self.candidate], len(self)).astype(np.int64)

    @property
    def expanded(self) -> np.ndarray:
        """Number of comparisons of systems on each ballot."""
        return self.behind * (self.behind - 1) // 2

    def choose(self, wanted: np.ndarray) -> "Ballots":
        """Select ballots by a mask or by numbers, in that order; a repeated number repeats its ballot."""
        picked = np.flatnonzero(wanted) if wanted.dtype == bool else wanted
        rows = positions(self.starts[picked], self.sizes[picked])
        return replace(
            self, judge=self.judge[picked], segment=self.segment[picked], seconds=self.seconds[picked],
            starts=starts_of(self.sizes[picked]), candidate=self.candidate[rows], merit=self.merit[rows],
        )  # fmt: skip

    def systems_behind(self) -> tuple[np.ndarray, np.ndarray]:
        """The row and the number of each system behind the candidate of each row."""
        sizes = self.candidates.sizes[self.candidate]
        places = positions(self.candidates.starts[self.candidate], sizes)
        return np.repeat(np.arange(len(sizes)), sizes), self.candidates.members[places].astype(np.int64)


def together(ballots: Ballots, others: Ballots) -> Ballots:
    """The ballots of both, which number systems, segments and candidates alike."""
    columns = ("judge", "segment", "seconds", "candidate", "merit")
    both: dict[str, Any] = {name: np.append(getattr(ballots, name), getattr(others, name)) for name in columns}
    starts = np.append(ballots.starts, ballots.starts[-1] + others.starts[1:])
    return replace(ballots, judges=max(ballots.judges, others.judges), starts=starts, **both)


def starts_of(sizes: Sequence[int] | np.ndarray) -> np.ndarray:
    """Return the start of each part, and the end of the last one."""
    return np.append(0, np.cumsum(sizes, dtype=np.int64))


def pairs_by_distance(group: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The earlier and the later rows of every two of a group, whose rows stand together; neighbours come first.

    They come `AT_ONCE`, because what is computed from all of them may exceed memory.
    """
    here, distance = np.arange(len(group)), 1
    while len(here):
        here = here[here < len(group) - distance]
        here = here[group[here] == group[here + distance]]
        for start in range(0, len(here), AT_ONCE):
            some = here[start : start + AT_ONCE]
            yield some, some + distance
        distance += 1


def pairs_within(group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same, all at once, where memory holds them."""
    earlier, later = np.concatenate(
        [np.empty((2, 0), dtype=np.int64), *map(np.stack, pairs_by_distance(group))], axis=1
    )
    return earlier, later


def positions(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return starts[k], starts[k] + 1 and so on, as many as sizes[k], of each k in turn."""
    return np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
