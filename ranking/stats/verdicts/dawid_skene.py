"""Who is right when judges differ in skill: the model of Dawid and Skene (1979), by expectation-maximisation.

Every instance has a true class, and every judge a chance of saying each class where another is true. From the majority
the chances are reckoned, from the chances the classes, and so on until nothing moves. The model can do worse than the
majority with few verdicts a judge; then its likelihood has little to hold on to.

Toy: two judges who always agree and a third who always says the opposite: the third's verdicts count against what they
say.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ranking.stats.verdicts.crowd import ERROR, UNKNOWN, Verdicts, crowd_of

MOST_ROUNDS, NEAR = 500, 1e-8
# What each judge is taken to have said once of each kind before anything is known, so that no chance is 0.
PRIOR = 0.01


class Model(NamedTuple):
    """The chance of an error in each instance, each judge's sensitivity and specificity, and whether all settled."""

    error: np.ndarray
    sensitivity: np.ndarray
    specificity: np.ndarray
    rounds: int
    is_settled: bool


def dawid_skene(verdicts: Verdicts) -> Model:
    """Of verdicts that tell; an instance without any has the chance of errors among those with some."""
    told = verdicts.choose(verdicts.finding != UNKNOWN)
    # What nobody told of would hold the share of errors where it began.
    met, instance = np.unique(told.instance, return_inverse=True)
    found = _settled(replace(told, instance=instance.reshape(-1), instances=len(met)))
    error = np.full(verdicts.instances, found.error.mean())
    error[met] = found.error
    return found._replace(error=error)


def _settled(told: Verdicts) -> Model:
    """Of instances that all have a verdict that tells."""
    said = (told.finding == ERROR).astype(float)
    error = crowd_of(told).proportion
    for number in range(1, MOST_ROUNDS + 1):
        before = error
        sensitivity, specificity = _skills(told, said, error)
        error = _errors(told, said, sensitivity, specificity, float(error.mean()))
        if np.abs(error - before).max(initial=0) < NEAR:
            return Model(error, sensitivity, specificity, number, is_settled=True)
    return Model(error, sensitivity, specificity, MOST_ROUNDS, is_settled=False)


def _skills(told: Verdicts, said: np.ndarray, error: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    def sums(values: np.ndarray) -> np.ndarray:
        return np.bincount(told.judge, weights=values, minlength=told.judges)

    of_error = error[told.instance]
    sensitivity = (sums(of_error * said) + PRIOR) / (sums(of_error) + 2 * PRIOR)
    specificity = (sums((1 - of_error) * (1 - said)) + PRIOR) / (sums(1 - of_error) + 2 * PRIOR)
    return sensitivity, specificity


def _errors(
    told: Verdicts, said: np.ndarray, sensitivity: np.ndarray, specificity: np.ndarray, share: float
) -> np.ndarray:
    """The chance of an error by all verdicts, in logarithms."""
    hit, miss = np.log(sensitivity)[told.judge], np.log(1 - sensitivity)[told.judge]
    right, wrong = np.log(specificity)[told.judge], np.log(1 - specificity)[told.judge]
    for_error = np.where(said == 1, hit, miss)
    against = np.where(said == 1, wrong, right)
    odds = np.bincount(told.instance, weights=for_error - against, minlength=told.instances)
    share = min(max(share, PRIOR), 1 - PRIOR)
    return 1 / (1 + np.exp(-(odds + np.log(share / (1 - share)))))
