"""Krippendorff's alpha: agreement of any number of judges, each of whom may have judged only some units.

    alpha = 1 - D(observed) / D(expected)

with D(observed) the mean squared difference of values of one unit, each unit of m values weighing m (each pair of its
values counts 1 / (m - 1)), and D(expected) that of any two values. The scale defines the difference (Krippendorff
2011): `nominal` 1 where values are not equal; `interval` v - w; `ordinal` the number of values from v to w, counting
half of those that equal v or w, which is the difference of their mean ranks. A single value of a unit is ignored.

Units are candidates and values their merits (`answers_on_candidates`), or units are pairs of candidates and values the
outcomes of the comparison (`answers_on_pairs`). Merits of rankings are ranks on a screen and depend on the other
candidates there; use outcomes for rankings, where ordinal merits give a lower bound. Merits of ratings are `interval`.
The definition allows one value of each judge for a unit, so repeats of a judge are averaged. Replicates draw whole
segments.

Toy: two judges give three units the values 1 1, 1 2 and 2 2. Of six values three are 1, so D(expected) = 18/30, and
D(observed) = 2/6; alpha = 4/9 on any scale. The toy of kappa has a nominal alpha of 2/3, a little above its kappa of
13/21, because alpha draws chance without replacement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import scipy as sp

from ranking.numbers.intervals import LEVEL, Estimate, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.meetings import add_up, pairs_of
from ranking.stats.answers import Answers, Scale
from ranking.stats.ballots import Ballots, pairs_by_distance
from ranking.stats.resampling import over_replicates, ratio

DECIMALS = 9


def answers_on_candidates(ballots: Ballots) -> Answers:
    """What each judge thought of each candidate."""
    return _mean_of_each_judge(ballots, ballots.ballot_of, ballots.candidate, ballots.merit)


def answers_on_pairs(ballots: Ballots) -> Answers:
    """In which order each judge put every two candidates."""
    pairs = pairs_of(ballots)
    return _mean_of_each_judge(ballots, pairs.ballot, pairs.key, pairs.outcome)


def _mean_of_each_judge(ballots: Ballots, ballot: np.ndarray, unit: np.ndarray, value: np.ndarray) -> Answers:
    """Sorted by unit and judge; repeats of a judge become one answer with their mean."""
    sentences, segment = np.unique(ballots.segment, return_inverse=True)
    given = unit * np.int64(ballots.judges) + ballots.judge[ballot]
    _, first, where = np.unique(given, return_index=True, return_inverse=True)
    mean = np.round(np.bincount(where, weights=value) / np.bincount(where), DECIMALS)
    units = int(unit.max(initial=-1)) + 1
    return Answers(unit[first], ballots.judge[ballot[first]], mean, units, ballots.judges, segment[ballot[first]],
                   len(sentences))  # fmt: skip


def alpha(answers: Answers, scale: Scale) -> float:
    return _alpha_of_all(*_sums_and_formula(answers, scale))


def alpha_estimate(answers: Answers, scale: Scale, replicates: int, seed: int, level: float = LEVEL) -> Estimate:
    sums, formula = _sums_and_formula(answers, scale)
    if sums.shape[0] < 2:
        raise StatisticsError("There is only one sentence, so drawing sentences says nothing about chance.")
    return Estimate(_alpha_of_all(sums, formula), interval_of(over_replicates(sums, formula, replicates, seed), level))


def _alpha_of_all(sums: sp.sparse.csr_array, formula: Callable[[np.ndarray], np.ndarray]) -> float:
    found = float(formula(sums.sum(axis=0)[None])[0])
    if np.isnan(found):
        raise StatisticsError("All judges always gave the same value, so agreement by chance is complete.")
    return found


def _sums_and_formula(answers: Answers, scale: Scale) -> tuple[sp.sparse.csr_array, Callable[[np.ndarray], np.ndarray]]:
    """Sums by sentence (row), and alpha from such sums, a value for each row.

    The first columns hold the pairs of unequal values within units, one column for each pair of levels; the others
    count the values of each level.
    """
    _, unit, times = np.unique(answers.unit, return_inverse=True, return_counts=True)
    paired = times[unit] > 1
    if not paired.any():
        raise StatisticsError("No unit has values from two judges; have some sentences judged twice.")
    levels, level = np.unique(answers.value[paired], return_inverse=True)
    part, parts = (answers.segment, answers.segments) if len(answers.segment) else (unit, len(times))
    part, unit = part[paired], unit[paired]
    weight = 1 / (times[unit] - 1)

    def unequal() -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        for one, other in pairs_by_distance(unit):
            lower, upper = np.sort([level[one], level[other]], axis=0)
            apart = lower < upper
            yield weight[one][apart], part[one][apart], (lower * len(levels) + upper)[apart]

    pairs = add_up(unequal(), (parts, len(levels) ** 2))
    kinds = np.unique(pairs.indices)
    lower, upper = kinds // len(levels), kinds % len(levels)
    values = add_up([(np.ones(len(level)), part, level)], (parts, len(levels)))

    def formula(sums: np.ndarray) -> np.ndarray:
        """One value per replicate; NaN where all values are equal."""
        pairs, margins = np.split(sums, [len(kinds)], axis=1)
        number = margins.sum(axis=1)
        if scale is Scale.NOMINAL:
            observed = pairs.sum(axis=1)
            expected = (number**2 - (margins**2).sum(axis=1)) / 2
        else:
            # The position of each level on its scale; the mean of all values is 0.
            is_ordinal = scale is Scale.ORDINAL
            place = np.cumsum(margins, axis=1) - margins / 2 if is_ordinal else np.broadcast_to(levels, margins.shape)
            place = place - (margins * place).sum(axis=1, keepdims=True) / np.maximum(number, 1)[:, None]
            observed = (pairs * (place[:, lower] - place[:, upper]) ** 2).sum(axis=1)
            expected = number * (margins * place**2).sum(axis=1)
        return 1 - ratio(observed * (number - 1), expected)

    return sp.sparse.csr_array(sp.sparse.hstack([pairs[:, kinds], values])), formula
