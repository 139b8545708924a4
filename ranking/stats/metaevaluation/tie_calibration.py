"""Tie calibration: how near may two scores of a metric be to count as a tie (Deutsch, Foster and Freitag 2023)?

People tie outputs, and a metric with many decimals never does, so acc-eq punishes it for its decimals. Calibration
takes the epsilon with the highest acc-eq when scores that differ by epsilon or less tie. Only the differences that
occur need be tried, and one after the other, smallest first: when a pair becomes a tie, acc-eq gains it if people tied
it, loses it if it was ordered as people do, and else stays. So sorting is all the work: n log n for n pairs. Of equally
good ones the smallest epsilon is taken; 0 means that no tie need be made.

An epsilon found on the sentences that it is then used on makes a metric look better than it is; `agreement` takes an
epsilon found on others.

Toy: people say = and >, and the metric's differences are .1 and .5: acc-eq is 1/2 at 0, 1 at .1, and 1/2 at .5.
"""

from typing import NamedTuple

import numpy as np

from ranking.stats.metaevaluation.score_pairs import ScorePairs
from ranking.stats.metaevaluation.sentence_level import Grouping, Variant, agreement, groups_of

# Sums of shares that differ by less are equal but for rounding.
NEAR = 1e-12


class Calibration(NamedTuple):
    """The best epsilon, and acc-eq with it and without."""

    epsilon: float
    accuracy: float
    uncalibrated: float


def calibrate(pairs: ScorePairs, grouping: Grouping = Grouping.BY_SENTENCE) -> Calibration:
    """The epsilon that makes a metric's ties most like people's."""
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
