"""The answers of judges one by one: what each said of a version or a usage, or of the order of two versions."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ranking.stats.ballots import Ballots


@dataclass(frozen=True)
class Given:
    """Answer n is the value that judge[n] gave to key[n] of a sentence.

    `better` and `worse` are the candidates of which a value above 0 says that the first is better; both are the same if
    the answer is about one.
    """

    judge: np.ndarray
    segment: np.ndarray
    key: np.ndarray
    value: np.ndarray
    better: np.ndarray
    worse: np.ndarray

    def choose(self, wanted: np.ndarray) -> "Given":
        return Given(*(column[wanted] for column in self.__dict__.values()))

    def by_judge(self) -> dict[int, dict[int, dict[int, float]]]:
        """By judge, sentence and key; of two answers of a judge to one key the first one."""
        found: dict[int, dict[int, dict[int, float]]] = {}
        for judge, segment, key, value in self._rows():
            found.setdefault(judge, {}).setdefault(segment, {}).setdefault(key, value)
        return found

    def _rows(self) -> Iterator[tuple[int, int, int, float]]:
        return zip(self.judge.tolist(), self.segment.tolist(), self.key.tolist(), self.value.tolist(), strict=True)


def merits(ballots: Ballots) -> Given:
    """What judges gave to each candidate."""
    judge, segment = (each[ballots.ballot_of].astype(np.int64) for each in (ballots.judge, ballots.segment))
    candidate = ballots.candidate.astype(np.int64)
    return Given(judge, segment, candidate, ballots.merit, candidate, candidate)


def orders(ballots: Ballots) -> Given:
    """In which order judges put each two candidates: 1, 0 or -1."""
    earlier, later = shown_pairs(ballots)
    of = ballots.candidate.astype(np.int64)
    swapped = of[earlier] > of[later]
    one, other = np.where(swapped, later, earlier), np.where(swapped, earlier, later)
    ballot = ballots.ballot_of[one]
    return Given(
        ballots.judge[ballot].astype(np.int64), ballots.segment[ballot].astype(np.int64),
        of[one] * len(ballots.candidates.sizes) + of[other], np.sign(ballots.merit[one] - ballots.merit[other]),
        of[one], of[other],
    )  # fmt: skip


def shown_pairs(ballots: Ballots) -> tuple[np.ndarray, np.ndarray]:
    """The rows of every two candidates of a ballot, the one that was shown earlier first."""
    row, ballot = np.arange(len(ballots.candidate)), ballots.ballot_of
    pairs = [np.empty((2, 0), dtype=np.int64)]
    for apart in range(1, int(ballots.sizes.max(initial=0))):
        first = row[: len(row) - apart]
        first = first[ballot[first] == ballot[first + apart]]
        pairs.append(np.stack([first, first + apart]))
    earlier, later = np.concatenate(pairs, axis=1)
    return earlier, later
