"""Scores of metrics, and pairs of outputs of one sentence with the judgment of people and of a metric.

`pairs_of_scores` pairs the systems on each sentence if people scored outputs (ratings); `pairs_of_ballots` uses the
comparisons that judges made, each as often as it was made, so that two judges on a sentence give two pairs;
`pairs_of_systems` uses all systems behind the candidates of these comparisons.

Two systems with the same text tie for people and for any metric that reads texts. Metrics get such pairs right for
free, which flatters them if there are many; so these pairs can be left out (`texts`, `distinct`).

Toy: human scores 80 60 60 and a metric's .5 .7 .1 on one sentence make the pairs (1, -.2), (1, .4) and (0, .6). If the
second and the third system have the same text, leaving out such pairs keeps only the first two.

Sentence level: whether a metric orders the outputs of one sentence as people do.

Of the pairs of outputs, metric and people order C alike and D oppositely; H tie for people only, M for the metric only,
and B for both.

    tau-b   = (C - D) / sqrt((C + D + H)(C + D + M))
    wmt12   = (C - D - M) / (C + D + M)     a metric's tie is as bad as the wrong order (also WMT 2017 to 2020,
                                            there on pairs whose human scores are 25 points or more apart)
    wmt13   = (C - D) / (C + D)             a metric's tie is left out, so a metric gains by tying where it is unsure
    wmt14   = (C - D) / (C + D + M)         a metric's tie counts 0
    acc-eq  = (C + B) / (C + D + H + M + B) a tie is right where people tie

    decided = C / (C + D + M)               accuracy on the pairs that people decided

The WMT numbers and the last one leave out the ties of people (Macháček and Bojar 2014; Mathur et al. 2020 for the later
years); acc-eq is by Deutsch, Foster and Freitag (2023). Numbers cover the pairs of all sentences together (POOLED, as
in WMT), or each sentence, averaged (BY_SENTENCE, as in Deutsch et al.); sentences without a pair that counts are left
out of the mean.

Toy: signs of people > > = < and of the metric > < > = have C = D = H = M = 1, so that tau-b = 0, wmt12 = -1/3,
wmt13 = wmt14 = 0, acc-eq = 1/4, decided = 1/3.

Kobayashi et al. (2024) report `decided` and wmt12 on the pairs of systems of all rankings; their program counts a
metric's tie as if the alphabetically second system had won (`MetricTies`), so that it is right by chance.

Toy: people prefer A to B and C to A, and a metric ties both: decided is 0, and 1/2 as in their program.

Tie calibration (Deutsch, Foster and Freitag 2023): people tie outputs, but a metric with many decimals never does, so
acc-eq punishes it for its decimals. Calibration finds the epsilon with the highest acc-eq when scores that differ by at
most epsilon tie. Only the differences that occur need to be tried, smallest first: when a pair becomes a tie, acc-eq
gains it if people tied it, loses it if the metric ordered it like people, and else stays. So sorting dominates: n log n
for n pairs. The smallest of equally good epsilons wins; 0 means that no extra ties are needed.

An epsilon flatters a metric on the sentences it was fitted on; `agreement` accepts one fitted on other sentences.

Toy: people answer = and >, and the metric's differences are .1 and .5: acc-eq is 1/2 at 0, 1 at .1, and 1/2 at .5.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from ranking.numbers.intervals import LEVEL, Estimate, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.resampling import ratio, resample_sums


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


class Grouping(StrEnum):
    POOLED = "pooled"
    BY_SENTENCE = "by-sentence"


class Variant(StrEnum):
    TAU_B = "tau-b"
    WMT12 = "wmt12"
    WMT13 = "wmt13"
    WMT14 = "wmt14"
    ACC_EQ = "acc-eq"
    DECIDED = "decided"


class MetricTies(StrEnum):
    """What a metric's tie counts where people decide: 0 in tau, as much as the wrong order, or the second wins."""

    TIE = "tie"
    WRONG = "wrong"
    SECOND_WINS = "second-wins"

    @property
    def tau(self) -> Variant:
        return Variant.WMT14 if self is MetricTies.TIE else Variant.WMT12


class Kinds(NamedTuple):
    alike: np.ndarray
    opposed: np.ndarray
    tied_by_people: np.ndarray
    tied_by_metric: np.ndarray
    tied_by_both: np.ndarray


def agreement(pairs: ScorePairs, variant: Variant, grouping: Grouping, epsilon: float = 0.0) -> float:
    """How well a metric orders the outputs of sentences; scores that differ by at most epsilon tie."""
    above, below = _parts(kinds_of(pairs, grouping, epsilon), variant)
    counted = below > 0
    if not counted.any():
        raise StatisticsError(f"No pair of outputs counts for {variant}: people or the metric tied all of them.")
    return float((above[counted] / below[counted]).mean())


def estimate(
    pairs: ScorePairs, variant: Variant, grouping: Grouping, replicates: int, seed: int,
    level: float = LEVEL, epsilon: float = 0.0,
) -> Estimate:  # fmt: skip
    """Return the same number with its interval for other sentences."""
    by_sentence = kinds_of(pairs, Grouping.BY_SENTENCE, epsilon)
    if len(by_sentence.alike) < 2:
        raise StatisticsError("There is only one sentence, so drawing sentences says nothing about chance.")
    if grouping is Grouping.POOLED:
        drawn = resample_sums(np.stack(by_sentence, axis=1), replicates, seed)
        above, below = _parts(Kinds(*drawn.T), variant)
    else:
        above, below = _parts(by_sentence, variant)
        counted = below > 0
        values = np.divide(above, below, out=np.zeros(len(below)), where=counted)
        above, below = resample_sums(np.stack([values, counted], axis=1), replicates, seed).T
    return Estimate(agreement(pairs, variant, grouping, epsilon), interval_of(ratio(above, below), level))


def kinds_of(pairs: ScorePairs, grouping: Grouping, epsilon: float = 0.0) -> Kinds:
    """Return the number of pairs by kind, over all sentences or for each sentence that has pairs."""
    metric = np.where(np.abs(pairs.metric) <= epsilon, 0, np.sign(pairs.metric))
    group, groups = groups_of(pairs, grouping)
    both = pairs.human * metric
    by_people, by_metric = pairs.human == 0, metric == 0
    kinds = (both > 0, both < 0, by_people & ~by_metric, ~by_people & by_metric, by_people & by_metric)
    return Kinds(*(np.bincount(group[kind], minlength=groups) for kind in kinds))


def groups_of(pairs: ScorePairs, grouping: Grouping) -> tuple[np.ndarray, int]:
    if grouping is Grouping.POOLED:
        return np.zeros(len(pairs), dtype=np.int64), 1
    present, group = np.unique(pairs.sentence, return_inverse=True)
    return group, len(present)


def _parts(kinds: Kinds, variant: Variant) -> tuple[np.ndarray, np.ndarray]:
    """Return the numerator and the denominator of a variant."""
    alike, opposed, by_people, by_metric, by_both = kinds
    ordered = alike + opposed
    match variant:
        case Variant.TAU_B:
            return alike - opposed, np.sqrt((ordered + by_people).astype(float) * (ordered + by_metric))
        case Variant.WMT12:
            return alike - opposed - by_metric, ordered + by_metric
        case Variant.WMT13:
            return alike - opposed, ordered
        case Variant.WMT14:
            return alike - opposed, ordered + by_metric
        case Variant.ACC_EQ:
            return alike + by_both, ordered + by_people + by_metric + by_both
        case Variant.DECIDED:
            return alike, ordered + by_metric


class Decided(NamedTuple):
    """A metric on the pairs that people decided; `replicates` are those of the accuracy."""

    pairs: int
    accuracy: Estimate
    tau: Estimate
    replicates: np.ndarray


def on_decided_pairs(
    metrics: Sequence[ScorePairs], ties: MetricTies, replicates: int, seed: int, level: float = LEVEL
) -> list[Decided]:
    """Accuracy and tau of each metric over all sentences together; the same sentences are drawn for all metrics."""
    sentences = 1 + max(int(pairs.sentence.max()) for pairs in metrics)
    counted = np.concatenate([_kinds_of_all(pairs, ties, sentences) for pairs in metrics], axis=1)
    counted = counted[counted.any(axis=1)]
    if len(counted) < 2:
        raise StatisticsError("There is only one sentence, so drawing sentences says nothing about chance.")
    sums = np.vstack([counted.sum(axis=0), resample_sums(counted, replicates, seed)])
    found = []
    for kinds in np.split(sums, len(metrics), axis=1):
        (right, pairs), (tau, _) = (_parts(Kinds(*kinds.T), variant) for variant in (Variant.DECIDED, ties.tau))
        if not pairs[0]:
            raise StatisticsError("People decided no pair of outputs of a sentence.")
        accuracies, taus = ratio(right, pairs), ratio(tau, pairs)
        accuracy, of_tau = (Estimate(float(one[0]), interval_of(one[1:], level)) for one in (accuracies, taus))
        found.append(Decided(int(pairs[0]), accuracy, of_tau, accuracies[1:]))
    return found


def _kinds_of_all(pairs: ScorePairs, ties: MetricTies, sentences: int) -> np.ndarray:
    """Return the number of pairs by sentence (row) and kind (column)."""
    if ties is MetricTies.SECOND_WINS:
        pairs = replace(pairs, metric=np.where(pairs.metric == 0, -1.0, pairs.metric))
    found = np.zeros((sentences, len(Kinds._fields)))
    found[np.unique(pairs.sentence)] = np.stack(kinds_of(pairs, Grouping.BY_SENTENCE), axis=1)
    return found


# Sums of shares that differ by less are equal up to rounding.
NEAR = 1e-12


class Calibration(NamedTuple):
    epsilon: float
    accuracy: float
    uncalibrated: float


def calibrate(pairs: ScorePairs, grouping: Grouping = Grouping.BY_SENTENCE) -> Calibration:
    uncalibrated = agreement(pairs, Variant.ACC_EQ, grouping)
    differences, accuracies = _curve(pairs, grouping, uncalibrated)
    best = int(np.argmax(accuracies >= accuracies.max() - NEAR))
    epsilon = float(differences[best])
    return Calibration(epsilon, agreement(pairs, Variant.ACC_EQ, grouping, epsilon), uncalibrated)


def _curve(pairs: ScorePairs, grouping: Grouping, start: float) -> tuple[np.ndarray, np.ndarray]:
    """acc-eq when all differences up to each one are ties, from 0 on."""
    group, groups = groups_of(pairs, grouping)
    share = 1 / np.bincount(group, minlength=groups)[group] / groups
    apart = np.abs(pairs.metric)
    gained = np.where(pairs.human == 0, share, np.where(pairs.human * np.sign(pairs.metric) > 0, -share, 0.0))
    order = np.argsort(apart, kind="stable")
    order = order[apart[order] > 0]
    ends = np.flatnonzero(np.append(np.diff(apart[order]) > 0, len(order) > 0))
    gains = np.cumsum(gained[order])[ends]
    return np.append(0.0, apart[order][ends]), start + np.append(0.0, gains)
