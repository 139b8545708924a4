"""Shares of answers that come in sentences, and their intervals.

A share r = sum of a(s) / sum of n(s) over m sentences has the influences u(s) = (a(s) - r n(s)) / sum of n, and

    se^2 = m / (m - 1) (sum of u(s)^2 + 2 / m^2)        r -+ t se, with m - 1 degrees of freedom

The second term is two sentences that contradict the others, so that answers which are all alike make no interval
without width. The difference of two shares has the differences of their influences.

Toy: 8 of 10 sentences with one answer each: sum of u^2 = .016, se = sqrt(10/9 (.016 + .02)) = .2, t = 2.26.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
import scipy as sp

from ranking.numbers.intervals import Interval
from ranking.stats.rankings.uncertainty import PRIOR_SENTENCES, fewest_sentences

SHARE = Interval(0, 1)


@dataclass(frozen=True)
class Share:
    """A share of `answers`, the influence of each sentence, and the ends between which it lies."""

    value: float
    influences: np.ndarray
    counts: np.ndarray
    answers: int
    ends: Interval = SHARE

    def cells(self, level: float) -> tuple[float | None, float | None, float | None]:
        """The value and its interval; no interval where few sentences could show nothing."""
        if not self.answers:
            return None, None, None
        sentences = int(self.counts.sum())
        if sentences < fewest_sentences(level):
            return self.value, None, None
        squares = (self.influences**2).sum() + PRIOR_SENTENCES / sentences**2
        reach = sp.special.stdtrit(sentences - 1, (1 + level) / 2) * sqrt(sentences / (sentences - 1) * squares)
        low, high = np.clip([self.value - reach, self.value + reach], *self.ends)
        return self.value, float(low), float(high)

    def __sub__(self, other: "Share") -> "Share":
        answers = min(self.answers, other.answers)
        value = self.value - other.value if answers else float("nan")
        influences = self.influences - other.influences
        return Share(value, influences, self.counts | other.counts, answers, Interval(-1, 1))


def share(part: np.ndarray, whole: np.ndarray, ends: Interval = SHARE) -> Share:
    """Of answers by sentence: how many of them count, or what they add up to, and how many there are."""
    total = whole.sum()
    value = float(part.sum() / total) if total else float("nan")
    influences = (part - value * whole) / total if total else np.zeros(len(whole))
    return Share(value, influences, whole > 0, int(total), ends)
