"""Verdicts of many judges on usages, and the verdict of the crowd on each.

A judge finds an error, finds none, or cannot tell. The proportion p of a usage is the share of errors among all
verdicts other than unknown; unknown ones are counted separately. The majority finds an error if p is above one half; at
exactly one half the usage has no majority.

Toy: error, error, OK, unknown on one usage: p = 2/3 of 3 verdicts, 1 unknown, and the majority finds an error.

If judges differ in skill, the model of Dawid and Skene (1979) estimates true classes by expectation-maximisation. Every
usage has a true class, and every judge a sensitivity and a specificity. The proportions p are the first probabilities T
of an error; skills follow from T, T from skills, and so on until nothing moves, or 500 rounds, which the report says:

    sens = sum of T over what the judge calls errors / sum of T over all that the judge answered
    spec = sum of 1 - T over what the judge calls OK / sum of 1 - T over the same
    log T / (1 - T) = log s / (1 - s) + sum over judges who say error of log sens / (1 - spec)
                                      + sum over judges who say OK of log (1 - sens) / spec        s the mean of T

over usages with an answer, with 0.01 of a verdict of each kind added for each judge, right and wrong. With few verdicts
from each judge the model can do worse than the majority, because the likelihood is nearly flat.

Where verdicts are symmetric, the rounds end at a saddle point between classes that fit equally well, and rounding alone
would choose. So probabilities are rounded, and a usage is undecided, with probability one half, if steps towards what
each judge found lead from there to different classes.

Toy: with two judges who always agree and a third who always gives the opposite, the third's verdicts count reversed.
Two judges contradict each other on ten usages, five times each way, and agree on twenty OK: the ten are undecided.
"""

from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

import numpy as np

from ranking.stats.answers import Answers
from ranking.stats.resampling import ratio

UNKNOWN, OK, ERROR = -1, 0, 1
MOST_ROUNDS, NEAR = 500, 1e-8
# Each judge is credited with this many verdicts of each kind in advance, so that no probability is 0.
PRIOR = 0.01
# Probabilities are rounded to multiples of this: their sums below 2**21 are exact in any order.
GRID = 2.0**-32
# From a saddle point, a push this small leads this far away.
PUSH, FAR = 1e-3, 1e-2


@dataclass(frozen=True)
class Crowd:
    """For each usage the numbers of judges who found an error, found none, or could not tell."""

    errors: np.ndarray
    fine: np.ndarray
    unknown: np.ndarray

    @property
    def decisions(self) -> np.ndarray:
        return self.errors + self.fine

    @property
    def is_decided(self) -> np.ndarray:
        return self.decisions > 0

    @property
    def proportion(self) -> np.ndarray:
        """p: the share of errors; NaN where all verdicts are unknown."""
        return ratio(self.errors, self.decisions)

    @property
    def majority(self) -> np.ndarray:
        """1 if most verdicts are errors, 0 if most are not, NaN for a draw."""
        half = self.errors == self.fine
        return np.where(half, np.nan, (self.errors > self.fine).astype(float))

    @property
    def agreement(self) -> np.ndarray:
        """Share of the larger side, from one half to 1; NaN where all verdicts are unknown."""
        return np.maximum(self.proportion, 1 - self.proportion)


def crowd_of(verdicts: Answers) -> Crowd:
    said = (verdicts.unit[verdicts.value == finding] for finding in (ERROR, OK, UNKNOWN))
    return Crowd(*(np.bincount(units, minlength=verdicts.units) for units in said))


class Model(NamedTuple):
    """Probability of an error in each usage, one half if undecided, and each judge's sensitivity and specificity."""

    error: np.ndarray
    sensitivity: np.ndarray
    specificity: np.ndarray
    rounds: int
    is_settled: bool


def dawid_skene(verdicts: Answers) -> Model:
    """Fit to verdicts other than unknown; a usage without any gets the mean probability of the others."""
    decided = verdicts.choose(verdicts.value != UNKNOWN)
    # Usages without verdicts would hold the share of errors at its first value.
    met, usage = np.unique(decided.unit, return_inverse=True)
    decided = replace(decided, unit=usage, units=len(met))
    found = _fit(decided, crowd_of(decided).proportion)
    ends, near = [found.error], np.random.default_rng(0).random(len(met)) - found.error
    anywhere, again = (_fit(decided, start).error for start in (found.error + PUSH * near, found.error))
    if np.abs(anywhere - again).max(initial=0) >= FAR:
        # A saddle point: where the rounds lead from beside it, a step towards what each judge found.
        for judge, finding in product(range(decided.judges), (OK, ERROR)):
            said = decided.unit[(decided.judge == judge) & (decided.value == finding)]
            start = found.error.copy()
            start[said] += PUSH * (finding - start[said])
            ends.append(_fit(decided, start).error)
    undecided = (np.min(ends, axis=0) < 0.5 + NEAR) & (np.max(ends, axis=0) > 0.5 - NEAR)
    decisions = np.where(undecided, 0.5, found.error)
    error = np.full(verdicts.units, decisions.mean())
    error[met] = decisions
    return found._replace(error=error)


def _fit(verdicts: Answers, error: np.ndarray) -> Model:
    """Iterate on usages that all have a verdict, from these probabilities of an error."""

    def of_judges(values: np.ndarray) -> np.ndarray:
        return np.bincount(verdicts.judge, weights=values, minlength=verdicts.judges)

    found = (verdicts.value == ERROR).astype(float)
    for number in range(1, MOST_ROUNDS + 1):
        before, probability = error, error[verdicts.unit]
        sensitivity = (of_judges(probability * found) + PRIOR) / (of_judges(probability) + 2 * PRIOR)
        fine = 1 - probability
        specificity = (of_judges(fine * (1 - found)) + PRIOR) / (of_judges(fine) + 2 * PRIOR)
        share = min(max(float(error.mean()), PRIOR), 1 - PRIOR)
        for_error = np.where(found == 1, np.log(sensitivity)[verdicts.judge], np.log(1 - sensitivity)[verdicts.judge])
        against = np.where(found == 1, np.log(1 - specificity)[verdicts.judge], np.log(specificity)[verdicts.judge])
        odds = np.bincount(verdicts.unit, weights=for_error - against, minlength=verdicts.units)
        error = np.round(1 / (1 + np.exp(-(odds + np.log(share / (1 - share))))) / GRID) * GRID
        if np.abs(error - before).max(initial=0) < NEAR:
            return Model(error, sensitivity, specificity, number, is_settled=True)
    return Model(error, sensitivity, specificity, MOST_ROUNDS, is_settled=False)
