"""How much sums over judgments vary with the sentences and with the judges, and intervals of shares and of rates.

Observations of one sentence belong together, and so do those of one judge. With S, J and R the sums of squares of the
scores added up by sentence, by judge and by judgment, the covariance of their total is

    S g/(g-1) + max(0, J n/(n-1) - R)        of g sentences and n judges

(two-way clustering, Cameron, Gelbach and Miller 2011), the maximum taken eigenvalue by eigenvalue. Each part is
multiplied by (t / z)^2, the quantiles of Student's t with g - 1 or n - 1 degrees of freedom and of the normal
distribution, because few sentences or judges say little about how much they vary. Without judges only S counts.

A share p with the variance V rests on as many independent observations as would have this variance,

    m = p (1 - p) / V,

but at most on the `most` that there are, and where V is 0 on as many as there are sentences; its interval is
Wilson's for m observations (Korn and Graubard 1998). In the same way a rate r rests on m = r / V sentences, and has
the score interval of a Poisson mean, r + z^2 / 2m -+ z sqrt(r / m + z^2 / 4 m^2). So nothing is certain because three
verdicts happened to be equal.

Toy: in two sentences 1 of 2 and 2 of 2 edits are right: p = 3/4, the scores (1 - 1.5) / 4 and (2 - 1.5) / 4 have the
sum of squares 1/32, and V = 2 / 32 before t.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
import scipy as sp

from ranking.numbers.intervals import Interval, wilson
from ranking.stats.resampling import ratio

# With fewer, nothing is known of how two numbers vary together, or of how preferences depend on edits.
FEWEST_SENTENCES = 10


@dataclass(frozen=True)
class Clusters:
    """The sentence and the judge of each row of scores; no judges if conclusions are about these judges only."""

    sentence: np.ndarray
    judge: np.ndarray | None
    level: float

    def choose(self, rows: np.ndarray) -> Clusters:
        return Clusters(self.sentence[rows], None if self.judge is None else self.judge[rows], self.level)

    def covariance(self, scores: sp.sparse.csr_array, there: sp.sparse.csr_array) -> np.ndarray:
        """Of the totals of the columns; NaN for those in fewer than two sentences, which are those of `there`."""
        by_sentence = sum_by_group(scores, self.sentence)
        groups = np.diff((sum_by_group(abs(there), self.sentence) != 0).tocsc().indptr)
        factor = self._factor(groups)
        found = (by_sentence.T @ by_sentence).toarray() * np.sqrt(np.outer(factor, factor))
        if self.judge is not None and (judges := len(np.unique(self.judge))) > 1:
            by_judge = sum_by_group(scores, self.judge)
            others = judges / (judges - 1) * (by_judge.T @ by_judge) - scores.T @ scores
            values, vectors = np.linalg.eigh(others.toarray())
            beyond = self._factor(np.array([judges]))[0] * (judges - 1) / judges
            found += beyond * (vectors * np.maximum(values, 0)) @ vectors.T
        return found

    def _factor(self, groups: np.ndarray) -> np.ndarray:
        """What few groups cost: g / (g - 1) (t / z)^2; NaN for a single one."""
        level, known = (1 + self.level) / 2, np.maximum(groups, 2)
        factor = known / (known - 1) * (sp.special.stdtrit(known - 1, level) / NormalDist().inv_cdf(level)) ** 2
        return np.where(groups > 1, factor, np.nan)


def sum_by_group(scores: sp.sparse.csr_array, group: np.ndarray) -> sp.sparse.csr_array:
    """The scores (rows) added up by group."""
    present, part = np.unique(group, return_inverse=True)
    chosen = sp.sparse.coo_array((np.ones(len(part)), (part, np.arange(len(part)))), shape=(len(present), len(part)))
    return sp.sparse.csr_array(sp.sparse.csr_array(chosen) @ scores)


@dataclass(frozen=True)
class Ratios:
    """Column by column the sum of one quantity over that of another, and the covariance of these ratios.

    `sentences` counts those in which there is anything to divide by.
    """

    above: np.ndarray
    below: np.ndarray
    value: np.ndarray
    covariance: np.ndarray
    sentences: np.ndarray

    @classmethod
    def of(cls, above: sp.sparse.csr_array, below: sp.sparse.csr_array, clusters: Clusters) -> Ratios:
        """From both quantities of each judgment (row)."""
        total, whole = (np.asarray(each.sum(axis=0), dtype=float) for each in (above, below))
        value, scale = ratio(total, whole), ratio(np.ones(len(whole)), whole)
        known = np.nan_to_num(value), np.nan_to_num(scale)
        scores = sp.sparse.csr_array((above - below.multiply(known[0]).tocsr()).multiply(known[1]))
        sentences = np.diff((sum_by_group(below, clusters.sentence) != 0).tocsc().indptr)
        return cls(total, whole, value, clusters.covariance(scores, below), sentences)

    def share_interval(self, column: int, most: int, level: float) -> Interval | None:
        """Of a ratio from 0 to 1, with at most so many independent observations."""
        p = float(self.value[column])
        independent = self._independent(column, p * (1 - p), most)
        return wilson(p * independent, independent, level) if independent else None

    def rate_interval(self, column: int, level: float) -> Interval | None:
        """Of a ratio of counts to sentences."""
        rate = float(self.value[column])
        independent = self._independent(column, rate, int(self.sentences[column]))
        return poisson(rate, independent, level) if independent else None

    def together(self, one: int, other: int) -> float:
        """The correlation of two ratios; 0 where few sentences could make them look alike by chance."""
        own = float(self.covariance[one, one] * self.covariance[other, other])
        if min(self.sentences[[one, other]]) < FEWEST_SENTENCES or not own > 0:
            return 0.0
        return min(max(float(self.covariance[one, other]) / sqrt(own), -1.0), 1.0)

    def _independent(self, column: int, spread: float, most: int) -> float:
        variance = float(self.covariance[column, column])
        if not np.isfinite(self.value[column]):
            return 0.0
        known = spread / variance if variance > 0 and spread > 0 else float(self.sentences[column])
        return min(known, float(most))


def share_of(right: np.ndarray, clusters: Clusters) -> tuple[float, Interval | None]:
    """The share of rows that are right, from 0 to 1 each, with its interval."""
    found = Ratios.of(
        sp.sparse.csr_array(right[:, None].astype(float)), sp.sparse.csr_array(np.ones((len(right), 1))), clusters
    )
    return float(found.value[0]), found.share_interval(0, len(right), clusters.level)


def poisson(rate: float, exposure: float, level: float) -> Interval:
    """The score interval of the mean of counts that were seen in so many places.

    Toy: 4 in 4 places at 95 %: 1 + 0.480 -+ 1.96 sqrt(1/4 + 0.0600), from 0.389 to 2.57.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    middle = rate + z**2 / (2 * exposure)
    reach = z * sqrt(rate / exposure + z**2 / (4 * exposure**2))
    return Interval(middle - reach if rate else 0.0, middle + reach)
