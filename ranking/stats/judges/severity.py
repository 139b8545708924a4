"""Severity: whether a judge gives more or less merit than others for the same candidates, and over what range.

The expectation of a judgment is the mean merit that other judges gave the same candidate. The difference is the judge's
mean merit less the mean expectation, negative for a severe judge. The spread is the standard deviation of the judge's
merits over that of the others' merits of these candidates, where the others' merits for one judgment weigh 1 together;
below 1 the judge uses a narrower part of the scale. Both are for ratings: merits of rankings are ranks and show only
how judges use the ranks (who often gives the last one, who ties at the first).

Toy: a judge gives two candidates 50 and 70, the only other judge 40 and 80; difference 0, spread 10/20 = 1/2.
"""

from dataclasses import dataclass
from math import isnan

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots


@dataclass(frozen=True)
class Severity:
    """How a judge differs from the others; no spread if the others do not vary."""

    judge: int
    difference: float
    spread: float | None
    compared: int


def severities(ballots: Ballots) -> list[Severity]:
    """For every judge who shares a candidate with another one."""
    sums = _sums(ballots)
    if not sums[:, 0].any():
        raise StatisticsError("No output was judged by two judges; have some sentences judged twice.")
    difference, spread = (numbers.tolist() for numbers in _numbers(sums))
    return [
        Severity(judge, difference[judge], None if isnan(spread[judge]) else spread[judge], int(sums[judge, 0]))
        for judge in np.flatnonzero(sums[:, 0]).tolist()
    ]


def _sums(ballots: Ballots) -> np.ndarray:
    """For each judge: judgments shared with others; own merits and squares; the others' means of both."""
    judge, candidate = ballots.judge[ballots.ballot_of], ballots.candidate
    merit = ballots.merit - ballots.merit.mean() if len(ballots.merit) else ballots.merit
    _, own = np.unique(candidate * np.int64(ballots.judges) + judge, return_inverse=True)
    number, total, squares = (_others(candidate, own.reshape(-1), merit**power) for power in range(3))
    shared = number > 0
    number = np.where(shared, number, 1)
    columns = [np.ones(len(merit)), merit, merit**2, total / number, squares / number]
    sums = [np.bincount(judge[shared], weights=column[shared], minlength=ballots.judges) for column in columns]
    return np.stack(sums, axis=1)


def _others(candidate: np.ndarray, own: np.ndarray, values: np.ndarray) -> np.ndarray:
    """For each judgment the sum of what all other judges gave its candidate."""
    return np.bincount(candidate, weights=values)[candidate] - np.bincount(own, weights=values)[own]


def _numbers(sums: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Difference and spread; NaN if undefined."""
    number = np.where(sums[:, 0] > 0, sums[:, 0], np.nan)
    own, own_square, others, others_square = sums[:, 1:].T / number
    variance, expected = own_square - own**2, others_square - others**2
    varies = expected > 1e-12 * others_square
    ratio = np.divide(np.maximum(variance, 0), expected, out=np.full(number.shape, np.nan), where=varies)
    return own - others, np.sqrt(ratio)
