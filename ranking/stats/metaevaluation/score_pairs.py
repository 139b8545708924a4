"""Pairs of outputs of one sentence, with what people and a metric say of them: what sentence-level numbers are made of.

`pairs_of_scores` pairs the systems on each sentence, when people scored outputs (ratings); `pairs_of_ballots` takes the
comparisons that judges made, each as often as it was made, so that two judges on a sentence give two pairs.

Toy: human scores 80 60 60 and a metric's .5 .7 .1 on one sentence make the pairs (1, -.2), (1, .4) and (0, .6).
"""

from dataclasses import dataclass

import numpy as np

from ranking.stats.ballots import Ballots, StatisticsError


@dataclass(frozen=True)
class ScorePairs:
    """Pair n is on sentence[n]; human[n] is -1, 0 or 1, and metric[n] the difference of scores, first less second."""

    sentence: np.ndarray
    human: np.ndarray
    metric: np.ndarray

    def __len__(self) -> int:
        return len(self.human)


def pairs_of_scores(human: np.ndarray, metric: np.ndarray, apart: float = 0.0) -> ScorePairs:
    """All pairs of systems (columns) on each sentence (row); a missing score is NaN and makes no pair.

    Human scores that differ by less than `apart` tie.
    """
    human, metric = np.asarray(human, dtype=float), np.asarray(metric, dtype=float)
    if human.shape != metric.shape:
        raise StatisticsError("People and the metric must have scored the same sentences of the same systems.")
    first, second = np.triu_indices(human.shape[1], 1)
    ours, theirs = human[:, first] - human[:, second], metric[:, first] - metric[:, second]
    sentence, column = np.nonzero(np.isfinite(ours) & np.isfinite(theirs))
    difference = ours[sentence, column]
    preferred = np.where(np.abs(difference) < apart, 0, np.sign(difference))
    return _checked(sentence, preferred, theirs[sentence, column])


def pairs_of_ballots(ballots: Ballots, metric: np.ndarray) -> ScorePairs:
    """Every pair of candidates that a judge saw together; metric has a row a segment and a column a system.

    Systems that share a candidate have one text, so the score of the first is that of all.
    """
    metric = np.asarray(metric, dtype=float)
    system = ballots.candidates.members[ballots.candidates.starts[:-1]][ballots.candidate]
    segment = ballots.segment[ballots.ballot_of]
    score = metric[segment, system]
    parts = []
    for apart in range(1, int(ballots.sizes.max(initial=0))):
        first = np.flatnonzero(ballots.ballot_of[:-apart] == ballots.ballot_of[apart:])
        second = first + apart
        kept = np.isfinite(score[first]) & np.isfinite(score[second])
        first, second = first[kept], second[kept]
        preferred = np.sign(ballots.merit[first] - ballots.merit[second])
        parts.append((segment[first], preferred, score[first] - score[second]))
    if not parts:
        return _checked(*(np.empty(0) for _ in range(3)))
    return _checked(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _checked(sentence: np.ndarray, human: np.ndarray, metric: np.ndarray) -> ScorePairs:
    if not len(human):
        raise StatisticsError("No sentence has two outputs that both people and the metric have scored.")
    return ScorePairs(sentence.astype(np.int64), human.astype(np.int8), metric)
