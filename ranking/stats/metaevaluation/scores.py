"""People's scores, a metric's scores, and pairs of outputs of one sentence with the judgment of both.

`pairs_of_scores` pairs the systems on each sentence if people scored outputs (ratings); `pairs_of_ballots` uses the
comparisons that judges made, each as often as it was made, so that two judges on a sentence give two pairs;
`pairs_of_systems` uses all systems behind the candidates of these comparisons.

Two systems with the same text tie for people and for any metric that reads texts. Metrics get such pairs right for
free, which flatters them if there are many; so these pairs can be left out (`texts`, `distinct`).

Toy: human scores 80 60 60 and a metric's .5 .7 .1 on one sentence make the pairs (1, -.2), (1, .4) and (0, .6). If the
second and the third system have the same text, leaving out such pairs keeps only the first two.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np

from ranking.metrics.scoring import drawn_sentences
from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots, pairs_within
from ranking.stats.rankings.uncertainty import p_beats
from ranking.stats.resampling import ratio

SYSTEM, MEAN = "system", "mean of sentences"


class ScoreLevel(StrEnum):
    SYSTEM = "system"
    SENTENCE = "sentence"


@dataclass(frozen=True)
class MetricScores:
    """One metric's scores as they are given: one for each system, or a row per sentence and a column per system.

    `replicates` are scores of systems on drawn sentences, a row each, if they can be computed.
    """

    metric: str
    level: ScoreLevel
    scores: np.ndarray
    replicates: np.ndarray | None = None


@dataclass(frozen=True)
class ScoredSystems:
    """A metric's scores of systems; those of replicates and of sentences, a row each, if they are known.

    `sentence_score` is the name of the scores of sentences, where it is another one.
    """

    name: str
    level: str
    scores: np.ndarray
    replicates: np.ndarray | None = None
    sentences: np.ndarray | None = None
    sentence_score: str = ""

    def at(self, systems: np.ndarray) -> "ScoredSystems":
        """The same metric on some of the systems."""
        replicates, sentences = (None if one is None else one[:, systems] for one in (self.replicates, self.sentences))
        return replace(self, scores=self.scores[systems], replicates=replicates, sentences=sentences)


@dataclass(frozen=True)
class HumanScores:
    """People's scores of systems under a name, NaN without; replicates by sentence, a row each, if they are known.

    `pairs` sets a metric's scores of sentences (row) by system (column) beside people's judgments; `judged` are the
    sentences on which its certainty is compared with people's. `p_values` makes people's one-sided p of "row better
    than column" from some of the sentences, if it is not that of the replicates.
    """

    name: str
    scores: np.ndarray
    replicates: np.ndarray | None = None
    pairs: Callable[[np.ndarray], "ScorePairs"] | None = None
    judged: np.ndarray | None = None
    p_values: Callable[[np.ndarray], np.ndarray] | None = None

    @property
    def known_replicates(self) -> np.ndarray:
        if self.replicates is None:
            raise StatisticsError("People's certainty is unknown without replicates or p-values.")
        return self.replicates

    def at(self, systems: np.ndarray) -> "HumanScores":
        """The same scores of some of the systems, whose outputs are not paired."""
        drawn = None if self.replicates is None else self.replicates[:, systems]
        every, here = self.p_values, np.ix_(systems, systems)
        p_values = None if every is None else lambda sentences: every(sentences)[here]
        return replace(self, scores=self.scores[systems], replicates=drawn, pairs=None, p_values=p_values)

    def sentences_with(self, metric: ScoredSystems) -> np.ndarray:
        """Which sentences were judged and have a score of every system by the metric; none if that is not known."""
        if self.judged is None or metric.sentences is None:
            return np.zeros(0, dtype=bool)
        return self.judged & np.isfinite(metric.sentences).all(axis=1)

    def p_better(self, sentences: np.ndarray) -> np.ndarray:
        """One-sided p of "row better than column", on these sentences unless it is that of replicates."""
        return self.p_values(sentences) if self.p_values else 1 - p_beats(self.known_replicates)


def mean_scores(scores: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Mean over the sentences (rows) of each replicate (column of weights), without missing sentence scores (NaN)."""
    known = ~np.isnan(scores)
    times = weights.T.astype(float)
    return ratio(times @ np.where(known, scores, 0.0), times @ known)


def join_levels(
    metrics: Sequence[MetricScores], judged: np.ndarray, times: np.ndarray | None = None
) -> list[ScoredSystems]:
    """One for each metric: its own scores of systems, or else the means of its scores of judged sentences.

    Replicates of means are drawn by `times`, how often each sentence (row) is in each of them (column).
    """
    found: dict[str, ScoredSystems] = {}
    for given in sorted(metrics, key=lambda one: one.level is ScoreLevel.SENTENCE):
        if given.level is ScoreLevel.SYSTEM:
            found[given.metric] = ScoredSystems(given.metric, SYSTEM, given.scores, given.replicates)
        elif given.metric in found:
            found[given.metric] = replace(found[given.metric], sentences=given.scores)
        else:
            mean = mean_scores(given.scores, judged[:, None])[0]
            again = None if times is None else mean_scores(given.scores, times)
            found[given.metric] = ScoredSystems(given.metric, MEAN, mean, again, given.scores)
    return [found[name] for name in dict.fromkeys(one.metric for one in metrics)]


def times_drawn(sentences: int) -> np.ndarray:
    """How often each sentence (row) is in each replicate (column), the same for people and all metrics."""
    return np.stack([np.bincount(drawn, minlength=sentences) for drawn in drawn_sentences(sentences)], axis=1)


@dataclass(frozen=True)
class ScorePairs:
    """Pair n is on sentence[n]; human[n] is -1, 0 or 1, and metric[n] the difference of scores, first less second."""

    sentence: np.ndarray
    human: np.ndarray
    metric: np.ndarray

    def __post_init__(self) -> None:
        if not len(self.human):
            raise StatisticsError("No sentence has two outputs that both people and the metric have scored.")

    def __len__(self) -> int:
        return len(self.human)

    @cached_property
    def groups(self) -> tuple[int, np.ndarray]:
        """How many sentences have pairs, and the number of each pair's among them."""
        present, group = np.unique(self.sentence, return_inverse=True)
        return len(present), group


def pairs_of_scores(human: np.ndarray, metric: np.ndarray, texts: np.ndarray | None = None) -> ScorePairs:
    """All pairs of systems (columns) on each sentence (row) with scores that are known (not NaN).

    Systems with the same number in `texts` make no pair.
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
    preferred = np.sign(ours[sentence, column]).astype(np.int8)
    return ScorePairs(sentence, preferred, theirs[sentence, column])


def pairs_of_ballots(ballots: Ballots, metric: np.ndarray) -> ScorePairs:
    """Every pair of candidates that a judge saw together; `metric` is an array of segments by systems."""
    # Systems that share a candidate have the same text, hence the same score.
    system = ballots.candidates.members[ballots.candidates.starts[:-1]][ballots.candidate]
    return _pairs_of_rows(ballots, np.arange(len(ballots.candidate)), system, metric, distinct=True)


def pairs_of_systems(ballots: Ballots, metric: np.ndarray, distinct: bool = False) -> ScorePairs:
    """Every pair of systems that a judge saw together; with `distinct`, only if their candidates differ."""
    return _pairs_of_rows(ballots, *ballots.systems_behind(), metric, distinct)


def _pairs_of_rows(
    ballots: Ballots, row: np.ndarray, system: np.ndarray, metric: np.ndarray, distinct: bool
) -> ScorePairs:
    """Return the pairs of systems behind rows of the ballots."""
    ballot = ballots.ballot_of[row]
    segment, merit, candidate = ballots.segment[ballot], ballots.merit[row], ballots.candidate[row]
    score = np.asarray(metric, dtype=float)[segment, system]
    first, second = pairs_within(ballot)
    kept = np.isfinite(score[first]) & np.isfinite(score[second])
    if distinct:
        kept &= candidate[first] != candidate[second]
    first, second = first[kept], second[kept]
    # The system with the lower number comes first.
    swapped = system[first] > system[second]
    first, second = np.where(swapped, second, first), np.where(swapped, first, second)
    preferred = np.sign(merit[first] - merit[second]).astype(np.int8)
    return ScorePairs(segment[first], preferred, score[first] - score[second])
