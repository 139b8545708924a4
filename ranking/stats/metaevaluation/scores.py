"""Scores of metrics, and pairs of outputs of one sentence with the judgment of people and of a metric.

`pairs_of_scores` pairs the systems on each sentence if people scored outputs (ratings); `pairs_of_ballots` uses the
comparisons that judges made, each as often as it was made, so that two judges on a sentence give two pairs;
`pairs_of_systems` uses all systems behind the candidates of these comparisons.

Two systems with the same text tie for people and for any metric that reads texts. Metrics get such pairs right for
free, which flatters them if there are many; so these pairs can be left out (`texts`, `distinct`).

Toy: human scores 80 60 60 and a metric's .5 .7 .1 on one sentence make the pairs (1, -.2), (1, .4) and (0, .6). If the
second and the third system have the same text, leaving out such pairs keeps only the first two.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots


class Level(StrEnum):
    SYSTEM = "system"
    SENTENCE = "sentence"


@dataclass(frozen=True)
class MetricScores:
    """One metric's scores: one for each system, or a row per sentence and a column per system."""

    metric: str
    level: Level
    scores: np.ndarray


@dataclass(frozen=True)
class ScorePairs:
    """Pair n is on sentence[n]; human[n] is -1, 0 or 1, and metric[n] the difference of scores, first less second."""

    sentence: np.ndarray
    human: np.ndarray
    metric: np.ndarray

    def __len__(self) -> int:
        return len(self.human)


def pairs_of_scores(
    human: np.ndarray, metric: np.ndarray, apart: float = 0.0, texts: np.ndarray | None = None
) -> ScorePairs:
    """All pairs of systems (columns) on each sentence (row) with scores that are known (not NaN).

    Human scores that differ by less than `apart` tie. Systems with the same number in `texts` make no pair.
    """
    human, metric = np.asarray(human, dtype=float), np.asarray(metric, dtype=float)
    if human.shape != metric.shape:
        raise StatisticsError("People and the metric must have scored the same sentences of the same systems.")
    first, second = np.triu_indices(human.shape[1], 1)
    ours, theirs = human[:, first] - human[:, second], metric[:, first] - metric[:, second]
    kept = np.isfinite(ours) & np.isfinite(theirs)
    if texts is not None:
        kept &= texts[:, first] != texts[:, second]
    sentence, column = np.nonzero(kept)
    difference = ours[sentence, column]
    preferred = np.where(np.abs(difference) < apart, 0, np.sign(difference))
    return _checked(sentence, preferred, theirs[sentence, column])


def pairs_of_ballots(ballots: Ballots, metric: np.ndarray) -> ScorePairs:
    """Every pair of candidates that a judge saw together; metric has a row a segment and a column a system."""
    # Systems that share a candidate have the same text, hence the same score.
    system = ballots.candidates.members[ballots.candidates.starts[:-1]][ballots.candidate]
    return _pairs(ballots, np.arange(len(ballots.candidate)), system, metric, distinct=True)


def pairs_of_systems(ballots: Ballots, metric: np.ndarray, distinct: bool = False) -> ScorePairs:
    """Every pair of systems that a judge saw together; with `distinct`, only if their candidates differ."""
    sizes = ballots.candidates.sizes[ballots.candidate]
    row = np.repeat(np.arange(len(ballots.candidate)), sizes)
    within = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    system = ballots.candidates.members[ballots.candidates.starts[ballots.candidate[row]] + within]
    return _pairs(ballots, row, system, metric, distinct)


def _pairs(ballots: Ballots, row: np.ndarray, system: np.ndarray, metric: np.ndarray, distinct: bool) -> ScorePairs:
    """Return the pairs of systems behind rows of the ballots."""
    ballot = ballots.ballot_of[row]
    segment, merit, candidate = ballots.segment[ballot], ballots.merit[row], ballots.candidate[row]
    score = np.asarray(metric, dtype=float)[segment, system]
    parts = []
    for apart in range(1, int(np.bincount(ballot).max(initial=0))):
        first = np.flatnonzero(ballot[:-apart] == ballot[apart:])
        second = first + apart
        kept = np.isfinite(score[first]) & np.isfinite(score[second])
        if distinct:
            kept &= candidate[first] != candidate[second]
        first, second = first[kept], second[kept]
        # The system with the lower number comes first.
        swapped = system[first] > system[second]
        first, second = np.where(swapped, second, first), np.where(swapped, first, second)
        parts.append((segment[first], np.sign(merit[first] - merit[second]), score[first] - score[second]))
    if not parts:
        return _checked(*(np.empty(0) for _ in range(3)))
    return _checked(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _checked(sentence: np.ndarray, human: np.ndarray, metric: np.ndarray) -> ScorePairs:
    if not len(human):
        raise StatisticsError("No sentence has two outputs that both people and the metric have scored.")
    return ScorePairs(sentence.astype(np.int64), human.astype(np.int8), metric)
