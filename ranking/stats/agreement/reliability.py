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

import numpy as np
import scipy as sp

from ranking.numbers.correlation import pearson, spearman
from ranking.numbers.intervals import LEVEL, Estimate, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.resampling import Unit, generator, over_replicates, ratio, units_of

SPLITS = 100
FEWEST = 3
SYSTEM, SENTENCE = "system", "sentence"


def icc(ballots: Ballots) -> tuple[float, float, float]:
    """Reliability of one judgment, of the mean of as many as a candidate has on average, and that number."""
    sums = _sums(ballots, np.zeros(len(ballots), dtype=np.int64), 1).sum(axis=0)
    single, mean, judgments, between, within = _iccs(sums).tolist()
    if not judgments > 1 or np.isnan(within):
        raise StatisticsError("Fewer than two outputs were judged, or none was judged twice; have some judged twice.")
    if not between > 0:
        raise StatisticsError("All outputs have the same mean, so they cannot be told apart from chance.")
    return single, mean, judgments


def icc_estimates(ballots: Ballots, replicates: int, seed: int, level: float = LEVEL) -> list[Estimate]:
    """Return the reliability of one judgment and of the mean, with intervals by sentences drawn with replacement."""
    drawn = over_replicates(_sums(ballots, *units_of(ballots, Unit.SENTENCE)), _iccs, replicates, seed)
    return [Estimate(value, interval_of(drawn[:, place], level)) for place, value in enumerate(icc(ballots)[:2])]


def _sums(ballots: Ballots, part: np.ndarray, parts: int) -> np.ndarray:
    """By sentence: candidates, judgments, their squares, totals, squared totals by judgments, squares within."""
    candidates, where, times = np.unique(ballots.candidate, return_inverse=True, return_counts=True)
    merit = ballots.merit - ballots.merit.mean() if len(ballots.merit) else ballots.merit
    total = np.bincount(where, weights=merit, minlength=len(candidates))
    within = np.bincount(where, weights=(merit - (total / times)[where]) ** 2, minlength=len(candidates))
    unit = np.empty(len(candidates), dtype=np.int64)
    unit[where] = part[ballots.ballot_of]
    columns = np.ones(len(times)), times, times**2, total, total**2 / times, within
    return np.stack([np.bincount(unit, column, parts) for column in columns], axis=1)


def _iccs(sums: np.ndarray) -> np.ndarray:
    """ICC(1), ICC(k), k, MSB and MSW, from sums along the last axis."""
    candidates, judgments, squares, total, totals, within = np.moveaxis(sums, -1, 0)
    number = np.where(judgments > 0, judgments, np.nan)
    between, within = ratio(totals - total**2 / number, candidates - 1), ratio(within, judgments - candidates)
    k = ratio(judgments - squares / number, candidates - 1)
    more = between - within
    return np.stack([ratio(more, between + (k - 1) * within), ratio(more, between), k, between, within], axis=-1)


def split_halves(ballots: Ballots, seed: int, splits: int = SPLITS) -> dict[str, tuple[float, float, int]]:
    """Mean correlation of halves, r and rho, over so many systems and over so many outputs of sentences.

    A level with fewer than three scores is left out.
    """
    order = np.argsort(ballots.candidate, kind="stable")
    every, first, times = np.unique(ballots.candidate[order], return_index=True, return_counts=True)
    # For each number of judgments, the candidates with that number, and their merits in one row each.
    blocks = [
        (every[times == number], ballots.merit[order][first[times == number][:, None] + np.arange(number)])
        for number in np.unique(times).tolist()
        if number > 1
    ]
    candidates = np.concatenate([np.empty(0, dtype=np.int64), *(block for block, _ in blocks)])
    if len(candidates) < FEWEST:
        raise StatisticsError(f"Fewer than {FEWEST} outputs were judged twice; have some sentences judged twice.")
    # A matrix that averages scores of candidates (columns) by system (rows); systems without any are left out.
    place = np.full(len(ballots.candidates.sizes), -1)
    place[candidates] = np.arange(len(candidates))
    column = place[ballots.candidates.owners]
    present, row, outputs = np.unique(ballots.candidates.members[column >= 0], return_inverse=True, return_counts=True)
    mean_of_outputs = sp.sparse.csr_array(
        (1 / outputs[row], (row, column[column >= 0])), shape=(len(present), len(candidates))
    )
    drawn = np.empty((2, splits, 2))
    for number in range(splits):
        rng = generator(seed, number)
        halves = []
        for _, merits in blocks:
            half, shuffled = merits.shape[1] // 2, rng.permuted(merits, axis=1)
            halves.append((shuffled[:, :half].mean(axis=1), shuffled[:, half : 2 * half].mean(axis=1)))
        sides = [np.concatenate(side) for side in zip(*halves, strict=True)]
        for at, both in enumerate(([mean_of_outputs @ side for side in sides], sides)):
            drawn[at, number] = pearson(*both), spearman(*both)
    found = {}
    for level, values, compared in zip((SYSTEM, SENTENCE), drawn, (len(present), len(candidates)), strict=True):
        known = values[~np.isnan(values).any(axis=1)]
        if compared >= FEWEST and len(known):
            found[level] = (*known.mean(axis=0).tolist(), compared)
    return found


def spearman_brown(correlation: float, times: float = 2) -> float:
    """Return the reliability of `times` as many judgments; a correlation that is not positive is returned unchanged."""
    return times * correlation / (1 + (times - 1) * correlation) if correlation > 0 else correlation
