"""True classes when judges differ in skill: the model of Dawid and Skene (1979), fitted by expectation-maximisation.

Every instance has a true class, and every judge a probability of giving each class for each true class. The majority
gives first probabilities, these give classes, and so on until convergence. With few verdicts from each judge the model
can do worse than the majority, because the likelihood is nearly flat.

Toy: with two judges who always agree and a third who always gives the opposite, the third's verdicts count reversed.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ranking.stats.verdicts.crowd import ERROR, UNKNOWN, Verdicts, crowd_of

MOST_ROUNDS, NEAR = 500, 1e-8
# Each judge is credited with this many verdicts of each kind in advance, so that no probability is 0.
PRIOR = 0.01


class Model(NamedTuple):
    """The probability of an error in each instance, and each judge's sensitivity and specificity."""

    error: np.ndarray
    sensitivity: np.ndarray
    specificity: np.ndarray
    rounds: int
    is_settled: bool


def dawid_skene(verdicts: Verdicts) -> Model:
    """Fit to verdicts other than unknown; an instance without any gets the mean probability of the others."""
    decided = verdicts.choose(verdicts.finding != UNKNOWN)
    # Instances without verdicts would hold the share of errors at its first value.
    met, instance = np.unique(decided.instance, return_inverse=True)
    found = _settled(replace(decided, instance=instance, instances=len(met)))
    error = np.full(verdicts.instances, found.error.mean())
    error[met] = found.error
    return found._replace(error=error)


def _settled(verdicts: Verdicts) -> Model:
    """Iterate on instances that all have a verdict."""
    found = (verdicts.finding == ERROR).astype(float)
    error = crowd_of(verdicts).proportion
    for number in range(1, MOST_ROUNDS + 1):
        before = error
        sensitivity, specificity = _skills(verdicts, found, error)
        error = _errors(verdicts, found, sensitivity, specificity, float(error.mean()))
        if np.abs(error - before).max(initial=0) < NEAR:
            return Model(error, sensitivity, specificity, number, is_settled=True)
    return Model(error, sensitivity, specificity, MOST_ROUNDS, is_settled=False)


def _skills(verdicts: Verdicts, found: np.ndarray, error: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    def sums(values: np.ndarray) -> np.ndarray:
        return np.bincount(verdicts.judge, weights=values, minlength=verdicts.judges)

    probability = error[verdicts.instance]
    sensitivity = (sums(probability * found) + PRIOR) / (sums(probability) + 2 * PRIOR)
    specificity = (sums((1 - probability) * (1 - found)) + PRIOR) / (sums(1 - probability) + 2 * PRIOR)
    return sensitivity, specificity


def _errors(
    verdicts: Verdicts, found: np.ndarray, sensitivity: np.ndarray, specificity: np.ndarray, share: float
) -> np.ndarray:
    """The probability of an error given all verdicts, computed from log odds."""
    for_error = np.where(found == 1, np.log(sensitivity)[verdicts.judge], np.log(1 - sensitivity)[verdicts.judge])
    against = np.where(found == 1, np.log(1 - specificity)[verdicts.judge], np.log(specificity)[verdicts.judge])
    odds = np.bincount(verdicts.instance, weights=for_error - against, minlength=verdicts.instances)
    share = min(max(share, PRIOR), 1 - PRIOR)
    return 1 / (1 + np.exp(-(odds + np.log(share / (1 - share)))))
