"""Williams' test: whether one metric correlates better than another (Williams 1959; Graham and Baldwin 2014).

Two metrics scored the same n systems, so their correlations with people are not independent. With r12 and r13 their
correlations (Pearson) with the human scores and r23 that with each other,

    K = 1 - r12^2 - r13^2 - r23^2 + 2 r12 r13 r23,
    t = (r12 - r13) sqrt( (n - 1)(1 + r23) / (2 K (n - 1) / (n - 3) + (r12 + r13)^2 / 4 (1 - r23)^3) )

has Student's distribution with n - 3 degrees of freedom if the correlations are equal. p is one-sided: the probability
of a t at least as high, so a small p means that the first metric is better. The second against the first has 1 - p.

Toy: n = 103, r12 = .5, r13 = .4 and r23 = .1 have t = .89 and a two-sided p of .37 (Steiger 1980).
"""

from itertools import permutations
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr

from ranking.numbers.tables import StatisticsError
from ranking.stats.metaevaluation.correlations import check_scores

FEWEST = 4
# A determinant of correlations no larger than this is 0 up to rounding.
NOTHING = 1e-12


class Williams(NamedTuple):
    metric: int
    other: int
    t: float
    p_value: float


def williams_test(r12: float, r13: float, r23: float, number: int) -> tuple[float, float]:
    """t and the one-sided p, from correlations over `number` systems."""
    if number < FEWEST:
        raise StatisticsError(f"Williams' test needs {FEWEST} systems or more, not {number}.")
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    determinant = determinant if determinant > NOTHING else 0.0
    below = 2 * determinant * (number - 1) / (number - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if r23 <= NOTHING - 1:
        raise StatisticsError("One metric is the negative of the other; reverse one so that higher scores are better.")
    if abs(r12 - r13) <= NOTHING:
        return 0.0, 0.5
    if below <= NOTHING:
        raise StatisticsError("The two metrics and the human scores depend on each other, so they cannot be tested.")
    t = (r12 - r13) * sqrt((number - 1) * (1 + r23) / below)
    return t, float(stdtr(number - 3, -t))


def williams_tests(human: np.ndarray, metrics: np.ndarray) -> list[Williams]:
    """Every metric (row of scores) against every other one; pairs that cannot be tested are left out."""
    for metric in metrics:
        check_scores(human, metric)
    together = np.corrcoef(np.vstack([human, metrics]))
    tests = []
    for metric, other in permutations(range(len(metrics)), 2):
        r12, r13, r23 = (float(together[at]) for at in ((0, metric + 1), (0, other + 1), (metric + 1, other + 1)))
        try:
            tests.append(Williams(metric, other, *williams_test(r12, r13, r23, len(human))))
        except StatisticsError:
            if len(human) < FEWEST:
                raise
    return tests
