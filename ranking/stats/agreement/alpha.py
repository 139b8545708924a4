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
from ranking.stats.agreement.meetings import BETTER, EVEN, WORSE, Entries, add_up
from ranking.stats.answers import Answers, Scale
from ranking.stats.ballots import Ballots, pairs_by_distance
from ranking.stats.resampling import over_replicates, ratio

DECIMALS = 9


def answers_on_candidates(ballots: Ballots) -> Answers:
    """What each judge thought of each candidate, sorted by both; a judge's repeats become one answer, their mean."""
    judge = ballots.judge[ballots.ballot_of]
    given = ballots.candidate * np.int64(ballots.judges) + judge
    _, first, where = np.unique(given, return_index=True, return_inverse=True)
    mean = np.round(np.bincount(where, weights=ballots.merit) / np.bincount(where), DECIMALS)
    units = int(ballots.candidate.max(initial=-1)) + 1
    return Answers(ballots.candidate[first], judge[first], mean, units, ballots.judges,
                   ballots.judged_segment[ballots.ballot_of[first]], int(ballots.judged.sum()))  # fmt: skip


def answers_on_pairs(entries: Entries) -> Answers:
    """In which order each judge put every two candidates; repeats become one answer, their mean."""
    worse, even, better = entries.counts
    mean = np.round((WORSE * worse + EVEN * even + BETTER * better) / (worse + even + better), DECIMALS)
    units = int(entries.key.max(initial=-1)) + 1
    return Answers(entries.key, entries.judge, mean, units, entries.judges, entries.sentence, entries.sentences)


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
    unit, times = answers.unit, np.bincount(answers.unit)
    paired = (times > 1)[unit]
    if not paired.any():
        raise StatisticsError("No unit has values from two judges; have some sentences judged by two judges.")
    levels = np.unique(answers.value[paired])
    level = np.searchsorted(levels, answers.value[paired])
    part, parts = answers.segment, answers.segments
    if not len(part):
        part, parts = (np.cumsum(times > 0) - 1)[unit], int((times > 0).sum())
    part, unit = part[paired], unit[paired]
    weight = 1 / np.maximum(times - 1, 1)

    def unequal() -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        for one, other in pairs_by_distance(unit):
            lower, upper = np.sort([level[one], level[other]], axis=0)
            apart = lower < upper
            yield weight[unit[one]][apart], part[one][apart], (lower * len(levels) + upper)[apart]

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
