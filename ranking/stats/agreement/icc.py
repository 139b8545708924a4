"""Intraclass correlation, one-way random (Shrout and Fleiss 1979): how much of what varies is between the candidates.

Candidate i has n_i judgments of judges drawn at random; all N judgments of n candidates are analysed by

    MSB = sum n_i (mean_i - mean)^2 / (n - 1),    MSW = sum (judgment - mean_i)^2 / (N - n),
    k = (N - sum n_i^2 / N) / (n - 1),

    ICC(1) = (MSB - MSW) / (MSB + (k - 1) MSW)  of one judgment,   ICC(k) = (MSB - MSW) / MSB  of the mean of k.

Where all candidates have as many judgments that is their number k. Merits have to mean the same on every screen, so it
is for ratings. Judges are not told apart, so that differences in severity count as noise; they may judge any candidates
they like. A negative value says that candidates differ less than chance would make them.

Toy: candidates judged 1 3 and 5 7: MSB = 2 (2^2 + 2^2) = 16, MSW = 4 / 2 = 2; ICC(1) = 14/18, ICC(2) = 14/16.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from ranking.numbers.intervals import LEVEL, Estimate, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.resampling import Unit, resample_sums, sentences_of


class Icc(NamedTuple):
    """Of one judgment, and of the mean of as many as a candidate has on average."""

    single: float
    mean: float
    judgments: float


class IccEstimate(NamedTuple):
    """The same with intervals."""

    single: Estimate
    mean: Estimate


class _Squares(NamedTuple):
    """Mean squares between and within candidates, and the average number of judgments."""

    between: np.ndarray
    within: np.ndarray
    judgments: np.ndarray


def icc(ballots: Ballots) -> Icc:
    """Of all judgments."""
    squares = _squares(_sums(ballots, np.zeros(len(ballots), dtype=np.int64), 1).sum(axis=0))
    if not squares.judgments > 1 or np.isnan(squares.within):
        raise StatisticsError("No two outputs have judgments to compare, or none has two; have some judged twice.")
    if not squares.between > 0:
        raise StatisticsError("All outputs have the same mean, so they cannot be told apart from chance.")
    single, mean = _ratios(squares)
    return Icc(float(single), float(mean), float(squares.judgments))


def icc_estimate(
    ballots: Ballots, replicates: int, seed: int, level: float = LEVEL, unit: Unit = Unit.SENTENCE
) -> IccEstimate:
    """With intervals by sentences drawn with replacement."""
    found = icc(ballots)
    drawn = _ratios(_squares(resample_sums(_sums(ballots, *sentences_of(ballots, unit)), replicates, seed)))
    single, mean = (
        Estimate(value, interval_of(of, level)) for value, of in zip((found.single, found.mean), drawn, strict=True)
    )
    return IccEstimate(single, mean)


def _sums(ballots: Ballots, part: np.ndarray, parts: int) -> csr_array:
    """By sentence: candidates, judgments, their squares, totals, squared totals by judgments, squares within."""
    candidates, where, times = np.unique(ballots.candidate, return_inverse=True, return_counts=True)
    where = where.reshape(-1)
    merit = ballots.merit - ballots.merit.mean() if len(ballots.merit) else ballots.merit
    total = np.bincount(where, weights=merit, minlength=len(candidates))
    within = np.bincount(where, weights=(merit - (total / times)[where]) ** 2, minlength=len(candidates))
    columns = np.stack([np.ones(len(times)), times, times**2, total, total**2 / times, within], axis=1)
    unit = np.empty(len(candidates), dtype=np.int64)
    unit[where] = part[ballots.ballot_of]
    return csr_array((np.ones(len(unit)), (unit, np.arange(len(unit)))), shape=(parts, len(unit))) @ columns


def _squares(sums: np.ndarray) -> _Squares:
    candidates, judgments, squares, total, totals, within = np.moveaxis(sums, -1, 0)
    number = np.where(judgments > 0, judgments, np.nan)
    return _Squares(
        _ratio(totals - total**2 / number, candidates - 1),
        _ratio(within, judgments - candidates),
        _ratio(judgments - squares / number, candidates - 1),
    )


def _ratios(squares: _Squares) -> tuple[np.ndarray, np.ndarray]:
    more = squares.between - squares.within
    return _ratio(more, squares.between + (squares.judgments - 1) * squares.within), _ratio(more, squares.between)


def _ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole > 0)
