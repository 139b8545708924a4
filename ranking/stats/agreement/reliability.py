"""Reliability of judgments: split halves and intraclass correlation.

Split halves: the judgments of every candidate are split at random into two halves (of an odd number one is left out),
and the scores of one half are correlated with those of the other, over the candidates, and over the systems, whose
score is the mean of their outputs. The result is the mean over many splits (Napoles et al. 2019, Table 7: halves of 8
ratings, 100 splits). By Spearman and Brown (1910) m times as many judgments as a half have the reliability

    m r / (1 + (m - 1) r).

The seed of each split is derived from the report's seed and its number. Candidates with one judgment are left out.

Toy: three candidates judged 1 1, 2 2 and 3 3 have halves 1 2 3 and 1 2 3, r = 1; from r = 1/2 follows 2/3 for all.

Intraclass correlation, one-way random (Shrout and Fleiss 1979): the share of variance that lies between candidates.

Candidate i has n_i judgments by judges drawn at random; all N judgments of n candidates are analysed by

    MSB = sum n_i (mean_i - mean)^2 / (n - 1),    MSW = sum (judgment - mean_i)^2 / (N - n),
    k = (N - sum n_i^2 / N) / (n - 1),

    ICC(1) = (MSB - MSW) / (MSB + (k - 1) MSW)  of one judgment,   ICC(k) = (MSB - MSW) / MSB  of the mean of k.

If all candidates have the same number of judgments, k is that number. Merits must mean the same on every screen, so
this is for ratings. Judges are not distinguished, so differences in severity count as noise; each may judge any
candidates. A negative value means that candidates differ less than by chance.

Toy: candidates judged 1 3 and 5 7: MSB = 2 (2^2 + 2^2) = 16, MSW = 4 / 2 = 2; ICC(1) = 14/18, ICC(2) = 14/16.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.numbers.correlation import pearson, spearman
from ranking.numbers.intervals import LEVEL, Estimate, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.resampling import Unit, generator, ratio, resample_sums, units_of


class Icc(NamedTuple):
    """Reliability of one judgment, and of the mean of as many as a candidate has on average."""

    single: float
    mean: float
    judgments: float


class _Squares(NamedTuple):
    between: np.ndarray
    within: np.ndarray
    judgments: np.ndarray


def icc(ballots: Ballots) -> Icc:
    squares = _squares(_sums(ballots, np.zeros(len(ballots), dtype=np.int64), 1).sum(axis=0))
    if not squares.judgments > 1 or np.isnan(squares.within):
        raise StatisticsError("Fewer than two outputs were judged, or none was judged twice; have some judged twice.")
    if not squares.between > 0:
        raise StatisticsError("All outputs have the same mean, so they cannot be told apart from chance.")
    single, mean = _ratios(squares)
    return Icc(float(single), float(mean), float(squares.judgments))


def icc_estimates(ballots: Ballots, replicates: int, seed: int, level: float = LEVEL) -> tuple[Estimate, Estimate]:
    """Return the reliability of one judgment and of the mean, with intervals by sentences drawn with replacement."""
    found = icc(ballots)
    sums = resample_sums(_sums(ballots, *units_of(ballots, Unit.SENTENCE)), replicates, seed)
    single, mean = (interval_of(drawn, level) for drawn in _ratios(_squares(sums)))
    return Estimate(found.single, single), Estimate(found.mean, mean)


def _sums(ballots: Ballots, part: np.ndarray, parts: int) -> sp.sparse.csr_array:
    """By sentence: candidates, judgments, their squares, totals, squared totals by judgments, squares within."""
    candidates, where, times = np.unique(ballots.candidate, return_inverse=True, return_counts=True)
    merit = ballots.merit - ballots.merit.mean() if len(ballots.merit) else ballots.merit
    total = np.bincount(where, weights=merit, minlength=len(candidates))
    within = np.bincount(where, weights=(merit - (total / times)[where]) ** 2, minlength=len(candidates))
    columns = np.stack([np.ones(len(times)), times, times**2, total, total**2 / times, within], axis=1)
    unit = np.empty(len(candidates), dtype=np.int64)
    unit[where] = part[ballots.ballot_of]
    return sp.sparse.csr_array((np.ones(len(unit)), (unit, np.arange(len(unit)))), shape=(parts, len(unit))) @ columns


def _squares(sums: np.ndarray) -> _Squares:
    candidates, judgments, squares, total, totals, within = np.moveaxis(sums, -1, 0)
    number = np.where(judgments > 0, judgments, np.nan)
    return _Squares(
        ratio(totals - total**2 / number, candidates - 1),
        ratio(within, judgments - candidates),
        ratio(judgments - squares / number, candidates - 1),
    )


def _ratios(squares: _Squares) -> tuple[np.ndarray, np.ndarray]:
    more = squares.between - squares.within
    return ratio(more, squares.between + (squares.judgments - 1) * squares.within), ratio(more, squares.between)


SPLITS = 100
FEWEST = 3


class Level(StrEnum):
    SYSTEM = "system"
    SENTENCE = "sentence"


@dataclass(frozen=True)
class SplitHalf:
    """Mean correlation of halves, its extrapolation to all judgments, and the number of systems or outputs."""

    level: Level
    pearson: float
    spearman: float
    whole_pearson: float
    whole_spearman: float
    compared: int


def split_halves(ballots: Ballots, seed: int, splits: int = SPLITS) -> list[SplitHalf]:
    """At the level of systems and of sentences; a level with fewer than three scores is left out."""
    blocks = _judgments(ballots)
    candidates = np.concatenate([block[0] for block in blocks]) if blocks else np.empty(0, dtype=np.int64)
    if len(candidates) < FEWEST:
        raise StatisticsError(f"Fewer than {FEWEST} outputs were judged twice; have some sentences judged twice.")
    mean_of_outputs = _means(ballots, candidates)
    drawn = np.empty((splits, len(Level), 2))
    for number in range(splits):
        halves = _split(blocks, generator(seed, number))
        for place, sides in enumerate(([mean_of_outputs @ half for half in halves], halves)):
            drawn[number, place] = pearson(*sides), spearman(*sides)
    found = []
    for place, (level, compared) in enumerate(zip(Level, (mean_of_outputs.shape[0], len(candidates)), strict=True)):
        known = drawn[~np.isnan(drawn[:, place]).any(axis=1), place]
        if compared >= FEWEST and len(known):
            r, rho = known.mean(axis=0).tolist()
            found.append(SplitHalf(level, r, rho, spearman_brown(r), spearman_brown(rho), compared))
    return found


def spearman_brown(correlation: float, times: float = 2) -> float:
    """Return the reliability of `times` as many judgments; a correlation that is not positive is returned unchanged."""
    return times * correlation / (1 + (times - 1) * correlation) if correlation > 0 else correlation


def _judgments(ballots: Ballots) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each number of judgments, the candidates with that number, and their merits in one row each."""
    order = np.argsort(ballots.candidate, kind="stable")
    candidates, first, times = np.unique(ballots.candidate[order], return_index=True, return_counts=True)
    merit = ballots.merit[order]
    return [
        (candidates[times == number], merit[first[times == number][:, None] + np.arange(number)])
        for number in np.unique(times).tolist()
        if number > 1
    ]


def _split(blocks: list[tuple[np.ndarray, np.ndarray]], rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    ones, others = [], []
    for _, merits in blocks:
        half = merits.shape[1] // 2
        shuffled = rng.permuted(merits, axis=1)
        ones.append(shuffled[:, :half].mean(axis=1))
        others.append(shuffled[:, half : 2 * half].mean(axis=1))
    return np.concatenate(ones), np.concatenate(others)


def _means(ballots: Ballots, candidates: np.ndarray) -> sp.sparse.csr_array:
    """Matrix that averages scores of candidates (columns) by system (rows); systems without any are left out."""
    place = np.full(len(ballots.candidates.sizes), -1)
    place[candidates] = np.arange(len(candidates))
    column = np.repeat(place, ballots.candidates.sizes)
    system = ballots.candidates.members[column >= 0]
    present, row, outputs = np.unique(system, return_inverse=True, return_counts=True)
    return sp.sparse.csr_array((1 / outputs[row], (row, column[column >= 0])), shape=(len(present), len(candidates)))
