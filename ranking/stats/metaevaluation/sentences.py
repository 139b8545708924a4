"""Sentence level: whether a metric orders the outputs of one sentence as people do.

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

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum

import numpy as np

from ranking.numbers.intervals import LEVEL, Estimate, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.metaevaluation.scores import ScorePairs
from ranking.stats.resampling import ratio, resample_sums

# Levels of scores: pairs of systems with those that have the same text, or without.
ALL_SYSTEMS, DIFFERENT_TEXTS = "sentence, all systems", "sentence, systems that differ"
ON_SENTENCES = ("sentence_accuracy", "sentence_tau")
CALIBRATED = "acc-eq, ties calibrated"
# How metric and people order a pair: see `count_kinds`.
KINDS = 5
# Sums of shares that differ by less are equal up to rounding.
NEAR = 1e-12


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


def agreement(pairs: ScorePairs, variant: Variant, grouping: Grouping, epsilon: float = 0.0) -> float:
    """How well a metric orders the outputs of sentences; scores that differ by at most epsilon tie."""
    above, below = _parts(count_kinds(pairs, grouping, epsilon), variant)
    counted = below > 0
    if not counted.any():
        raise StatisticsError(f"No pair of outputs counts for {variant}: people or the metric tied all of them.")
    return float((above[counted] / below[counted]).mean())


def estimate(
    pairs: ScorePairs, variant: Variant, grouping: Grouping, replicates: int, seed: int,
    level: float = LEVEL, epsilon: float = 0.0,
) -> Estimate:  # fmt: skip
    """Return the same number with its interval for other sentences."""
    by_sentence = count_kinds(pairs, Grouping.BY_SENTENCE, epsilon)
    if len(by_sentence) < 2:
        raise StatisticsError("There is only one sentence, so drawing sentences says nothing about chance.")
    if grouping is Grouping.POOLED:
        above, below = _parts(resample_sums(by_sentence, replicates, seed), variant)
    else:
        above, below = _parts(by_sentence, variant)
        counted = below > 0
        values = np.divide(above, below, out=np.zeros(len(below)), where=counted)
        above, below = resample_sums(np.stack([values, counted], axis=1), replicates, seed).T
    return Estimate(agreement(pairs, variant, grouping, epsilon), interval_of(ratio(above, below), level))


def sentence_rows(pairs: ScorePairs, replicates: int, seed: int, level: float) -> Iterator[tuple]:
    """The names of three numbers, each with its value and interval."""
    numbers = [(variant.value, variant, 0.0) for variant in (Variant.TAU_B, Variant.ACC_EQ)]
    numbers.append((CALIBRATED, Variant.ACC_EQ, calibrate(pairs)[0]))
    for name, variant, epsilon in numbers:
        found = estimate(pairs, variant, Grouping.BY_SENTENCE, replicates, seed, level, epsilon)
        yield name, found.value, *found.interval


def count_kinds(pairs: ScorePairs, grouping: Grouping, epsilon: float = 0.0) -> np.ndarray:
    """Number of pairs of all sentences, or of each that has pairs (row): ordered alike, oppositely, and tied (column).

    Ties are those of people only, of the metric only, and of both.
    """
    metric = np.where(np.abs(pairs.metric) <= epsilon, 0, np.sign(pairs.metric))
    group, groups = _groups_of(pairs, grouping)
    both = pairs.human * metric
    by_people, by_metric = pairs.human == 0, metric == 0
    kinds = (both > 0, both < 0, by_people & ~by_metric, ~by_people & by_metric, by_people & by_metric)
    return np.stack([np.bincount(group[kind], minlength=groups) for kind in kinds], axis=1)


def _groups_of(pairs: ScorePairs, grouping: Grouping) -> tuple[np.ndarray, int]:
    if grouping is Grouping.POOLED:
        return np.zeros(len(pairs), dtype=np.int64), 1
    present, group = np.unique(pairs.sentence, return_inverse=True)
    return group, len(present)


def _parts(kinds: np.ndarray, variant: Variant) -> tuple[np.ndarray, np.ndarray]:
    """Return the numerator and the denominator of a variant."""
    alike, opposed, by_people, by_metric, by_both = kinds.T
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


def on_decided_pairs(
    metrics: Sequence[ScorePairs], ties: MetricTies, replicates: int, seed: int, level: float = LEVEL
) -> list[tuple[int, Estimate, Estimate, np.ndarray]]:
    """The number of pairs that people decided, accuracy, tau, and replicates of the accuracy, of each metric.

    These are over all sentences together; the same sentences are drawn for all metrics.
    """
    sentences = 1 + max(int(pairs.sentence.max()) for pairs in metrics)
    counts = np.zeros((sentences, len(metrics), KINDS))
    for number, pairs in enumerate(metrics):
        if ties is MetricTies.SECOND_WINS:
            pairs = replace(pairs, metric=np.where(pairs.metric == 0, -1.0, pairs.metric))
        counts[np.unique(pairs.sentence), number] = count_kinds(pairs, Grouping.BY_SENTENCE)
    counted = counts.reshape(sentences, -1)[counts.any(axis=(1, 2))]
    if len(counted) < 2:
        raise StatisticsError("There is only one sentence, so drawing sentences says nothing about chance.")
    sums = np.vstack([counted.sum(axis=0), resample_sums(counted, replicates, seed)])
    found = []
    for kinds in np.split(sums, len(metrics), axis=1):
        (right, pairs_of), (tau, _) = (_parts(kinds, variant) for variant in (Variant.DECIDED, ties.tau))
        if not pairs_of[0]:
            raise StatisticsError("People decided no pair of outputs of a sentence.")
        values = ratio(right, pairs_of), ratio(tau, pairs_of)
        accuracy, of_tau = (Estimate(float(one[0]), interval_of(one[1:], level)) for one in values)
        found.append((int(pairs_of[0]), accuracy, of_tau, values[0][1:]))
    return found


def calibrate(pairs: ScorePairs, grouping: Grouping = Grouping.BY_SENTENCE) -> tuple[float, float, float]:
    """Return the best epsilon, acc-eq with it, and acc-eq without; a difference that becomes a tie moves acc-eq."""
    uncalibrated = agreement(pairs, Variant.ACC_EQ, grouping)
    group, groups = _groups_of(pairs, grouping)
    share = 1 / np.bincount(group, minlength=groups)[group] / groups
    apart = np.abs(pairs.metric)
    gained = np.where(pairs.human == 0, share, np.where(pairs.human * np.sign(pairs.metric) > 0, -share, 0.0))
    order = np.argsort(apart, kind="stable")
    order = order[apart[order] > 0]
    ends = np.flatnonzero(np.append(np.diff(apart[order]) > 0, len(order) > 0))
    # acc-eq when all differences up to each one are ties, from 0 on.
    differences = np.append(0.0, apart[order][ends])
    accuracies = uncalibrated + np.append(0.0, np.cumsum(gained[order])[ends])
    epsilon = float(differences[np.argmax(accuracies >= accuracies.max() - NEAR)])
    return epsilon, agreement(pairs, Variant.ACC_EQ, grouping, epsilon), uncalibrated
