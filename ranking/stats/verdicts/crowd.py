"""Verdicts of many judges on instances of usage, and the verdict of the crowd on each.

A judge finds an error, finds none, or cannot tell. The proportion p of an instance is the share of errors among all
verdicts other than unknown; unknown ones are counted separately. The majority finds an error if p is above one half; at
exactly one half the instance has no majority.

Toy: error, error, OK, unknown on one instance: p = 2/3 of 3 verdicts, 1 unknown, and the majority finds an error.
"""

from dataclasses import dataclass

import numpy as np

from ranking.stats.resampling import ratio

UNKNOWN, OK, ERROR = -1, 0, 1


@dataclass(frozen=True)
class Verdicts:
    """Verdicts in columns: instance, judge and finding; instances and judges are numbered from 0."""

    instance: np.ndarray
    judge: np.ndarray
    finding: np.ndarray
    instances: int
    judges: int

    def __len__(self) -> int:
        return len(self.finding)

    def choose(self, rows: np.ndarray) -> "Verdicts":
        return Verdicts(self.instance[rows], self.judge[rows], self.finding[rows], self.instances, self.judges)


@dataclass(frozen=True)
class Crowd:
    """For each instance the numbers of judges who found an error, found none, or could not tell."""

    errors: np.ndarray
    fine: np.ndarray
    unknown: np.ndarray

    @property
    def decided(self) -> np.ndarray:
        return self.errors + self.fine

    @property
    def known(self) -> np.ndarray:
        return self.decided > 0

    @property
    def proportion(self) -> np.ndarray:
        """p: the share of errors; NaN where all verdicts are unknown."""
        return ratio(self.errors, self.decided)

    @property
    def majority(self) -> np.ndarray:
        """1 if most verdicts are errors, 0 if most are not, NaN for a draw."""
        half = self.errors == self.fine
        return np.where(half, np.nan, (self.errors > self.fine).astype(float))

    @property
    def agreement(self) -> np.ndarray:
        """The share of the larger side, from one half to 1; NaN where all verdicts are unknown."""
        return np.maximum(self.proportion, 1 - self.proportion)


def crowd_of(verdicts: Verdicts, weights: np.ndarray | None = None) -> Crowd:
    """The crowd of all judges, each counted as often as `weights` says."""

    def counted(finding: int) -> np.ndarray:
        found = verdicts.finding == finding
        times = None if weights is None else weights[verdicts.judge[found]]
        return np.bincount(verdicts.instance[found], weights=times, minlength=verdicts.instances)

    return Crowd(counted(ERROR), counted(OK), counted(UNKNOWN))
