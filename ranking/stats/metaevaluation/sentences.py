"""Sentence level: whether a metric orders the outputs of one sentence as people do.

Of the pairs of outputs, metric and people order C alike and D oppositely; H tie for people only, M for the metric only,
and B for both.

    tau-b   = (C - D) / sqrt((C + D + H)(C + D + M))
    wmt12   = (C - D - M) / (C + D + M)     a metric's tie is as bad as the wrong order (also WMT 2017 to 2020,
                                            there on pairs whose human scores are 25 points or more apart)
    wmt14   = (C - D) / (C + D + M)         a metric's tie counts 0
    acc-eq  = (C + B) / (C + D + H + M + B) a tie is right where people tie

    decided = C / (C + D + M)               accuracy on the pairs that people decided

The WMT numbers and the last one leave out the ties of people (Macháček and Bojar 2014; Mathur et al. 2020 for the later
years); acc-eq is by Deutsch, Foster and Freitag (2023). `agreement` averages over sentences, as in Deutsch et al., and
leaves out those without a pair that counts; `on_decided_pairs` covers the pairs of all sentences together, as in WMT.

Toy: signs of people > > = < and of the metric > < > = have C = D = H = M = 1, so that tau-b = 0, wmt12 = -1/3,
wmt14 = 0, acc-eq = 1/4, decided = 1/3.

What a metric's tie counts where people decide moves tau more than most metrics differ, so tau is given by each
convention under its name (`ON_SENTENCES`): 0 as in wmt14, the wrong order as in wmt12, or, as in the program of
Kobayashi et al. (2024), a win of the alphabetically second system, right by chance. Their printed accuracy of M2 is
`decided`, and their tau wmt14.

Toy: people prefer A to B and C to A, and a metric ties both: decided is 0, and tau 0, -1 and, by the program, 0.

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
from typing import NamedTuple

import numpy as np

from ranking.numbers.intervals import LEVEL, NOT_KNOWN, Estimate, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.metaevaluation.scores import ScorePairs
from ranking.stats.resampling import ratio, resample_sums

# Levels of scores: pairs of systems with those that have the same text, or without.
ALL_SYSTEMS, DIFFERENT_TEXTS = "sentence, all systems", "sentence, systems that differ"
ON_SENTENCES = ("sentence_accuracy", "sentence_tau", "sentence_tau_ties_wrong", "sentence_tau_ties_second_wins")
CALIBRATED, EPSILON = "acc-eq, ties calibrated", "epsilon of calibrated ties"
# How metric and people order a pair: see `count_kinds`.
KINDS = 5
# Sums of shares that differ by less are equal up to rounding.
NEAR = 1e-12


class Variant(StrEnum):
    TAU_B = "tau-b"
    WMT12 = "wmt12"
    WMT14 = "wmt14"
    ACC_EQ = "acc-eq"
    DECIDED = "decided"


def agreement(pairs: ScorePairs, variant: Variant, epsilon: float = 0.0) -> float:
    """How well a metric orders the outputs of sentences; scores that differ by at most epsilon tie."""
    return _mean_share(*_parts(count_kinds(pairs, epsilon), variant), variant)


def _mean_share(above: np.ndarray, below: np.ndarray, variant: Variant) -> float:
    counted = below > 0
    if not counted.any():
        raise StatisticsError(f"No pair of outputs counts for {variant}: people or the metric tied all of them.")
    return float((above[counted] / below[counted]).mean())


def sentence_rows(pairs: ScorePairs, replicates: int, seed: int, level: float) -> Iterator[tuple]:
    """The names of three numbers, each with its value and its interval for other sentences; all draw the same ones.

    The last row has the epsilon of the calibrated ties.
    """
    epsilon, calibrated, plain = calibrate(pairs)
    kinds = count_kinds(pairs)
    parts = [_parts(kinds, variant) for variant in (Variant.TAU_B, Variant.ACC_EQ)]
    parts.append(_parts(count_kinds(pairs, epsilon), Variant.ACC_EQ))
    above, below = map(np.array, zip(*parts, strict=True))
    if below.shape[1] < 2:
        raise StatisticsError("There is only one sentence, so drawing sentences says nothing about chance.")
    counted = below > 0
    shares = np.divide(above, below, out=np.zeros(below.shape), where=counted)
    totals, sentences = np.split(resample_sums(np.concatenate([shares, counted]).T, replicates, seed), 2, axis=1)
    values = {Variant.TAU_B: _mean_share(*parts[0], Variant.TAU_B), Variant.ACC_EQ: plain, CALIBRATED: calibrated}
    for (name, value), drawn in zip(values.items(), ratio(totals, sentences).T, strict=True):
        yield str(name), value, *interval_of(drawn, level)
    yield EPSILON, epsilon, *NOT_KNOWN


def count_kinds(pairs: ScorePairs, epsilon: float = 0.0) -> np.ndarray:
    """Number of pairs of each sentence that has pairs (row): ordered alike, oppositely, and tied (column).

    Ties are those of people only, of the metric only, and of both.
    """
    metric = np.where(np.abs(pairs.metric) <= epsilon, 0, np.sign(pairs.metric))
    sentences, group = pairs.groups
    both = pairs.human * metric
    by_people, by_metric = pairs.human == 0, metric == 0
    kinds = (both > 0, both < 0, by_people & ~by_metric, ~by_people & by_metric, by_people & by_metric)
    return np.stack([np.bincount(group[kind], minlength=sentences) for kind in kinds], axis=1)


def _parts(kinds: np.ndarray, variant: Variant) -> tuple[np.ndarray, np.ndarray]:
    """Return the numerator and the denominator of a variant."""
    alike, opposed, by_people, by_metric, by_both = kinds.T
    ordered = alike + opposed
    match variant:
        case Variant.TAU_B:
            return alike - opposed, np.sqrt((ordered + by_people).astype(float) * (ordered + by_metric))
        case Variant.WMT12:
            return alike - opposed - by_metric, ordered + by_metric
        case Variant.WMT14:
            return alike - opposed, ordered + by_metric
        case Variant.ACC_EQ:
            return alike + by_both, ordered + by_people + by_metric + by_both
        case Variant.DECIDED:
            return alike, ordered + by_metric


class OnDecidedPairs(NamedTuple):
    """A metric on the pairs that people decided: how many, of how many sentences, the numbers by name, and tau of each
    draw of sentences.
    """

    pairs: int
    sentences: int
    numbers: dict[str, Estimate]
    tau: np.ndarray


def on_decided_pairs(
    metrics: Sequence[ScorePairs], replicates: int, seed: int, level: float = LEVEL
) -> list[OnDecidedPairs]:
    """The numbers `ON_SENTENCES` of each metric, over all sentences together; all draw the same sentences."""
    sentences = 1 + max(int(pairs.sentence.max()) for pairs in metrics)
    counts = np.zeros((sentences, len(metrics), 2, KINDS))
    for number, given in enumerate(metrics):
        second_wins = replace(given, metric=np.where(given.metric == 0, -1.0, given.metric))
        for way, one in enumerate((given, second_wins)):
            counts[np.unique(one.sentence), number, way] = count_kinds(one)
    counts = counts[counts.any(axis=(1, 2, 3))]
    if len(counts) < 2:
        raise StatisticsError("There is only one sentence, so drawing sentences says nothing about chance.")
    drawn = resample_sums(counts.reshape(len(counts), -1), replicates, seed).reshape(-1, *counts.shape[1:])
    sums = np.concatenate([counts.sum(axis=0)[None], drawn])
    found = []
    for number in range(len(metrics)):
        as_tied, as_won = sums[:, number, 0], sums[:, number, 1]
        ways = (
            (as_tied, Variant.DECIDED),
            (as_tied, Variant.WMT14),
            (as_tied, Variant.WMT12),
            (as_won, Variant.WMT14),
        )
        values = [ratio(*_parts(*way)) for way in ways]
        pairs, judged = int(_parts(as_tied, Variant.WMT14)[1][0]), _parts(counts[:, number, 0], Variant.WMT14)[1] > 0
        if not pairs:
            raise StatisticsError("People decided no pair of outputs of a sentence.")
        numbers = [Estimate(float(value[0]), interval_of(value[1:], level)) for value in values]
        found.append(
            OnDecidedPairs(pairs, int(judged.sum()), dict(zip(ON_SENTENCES, numbers, strict=True)), values[1][1:])
        )
    return found


def calibrate(pairs: ScorePairs) -> tuple[float, float, float]:
    """Return the best epsilon, acc-eq with it, and acc-eq without; a difference that becomes a tie moves acc-eq."""
    uncalibrated = agreement(pairs, Variant.ACC_EQ)
    sentences, group = pairs.groups
    share = 1 / np.bincount(group)[group] / sentences
    apart = np.abs(pairs.metric)
    gained = np.where(pairs.human == 0, share, np.where(pairs.human * np.sign(pairs.metric) > 0, -share, 0.0))
    order = np.argsort(apart, kind="stable")
    order = order[apart[order] > 0]
    ends = np.flatnonzero(np.append(np.diff(apart[order]) > 0, len(order) > 0))
    # acc-eq when all differences up to each one are ties, from 0 on.
    differences = np.append(0.0, apart[order][ends])
    accuracies = uncalibrated + np.append(0.0, np.cumsum(gained[order])[ends])
    epsilon = float(differences[np.argmax(accuracies >= accuracies.max() - NEAR)])
    return epsilon, agreement(pairs, Variant.ACC_EQ, epsilon), uncalibrated
