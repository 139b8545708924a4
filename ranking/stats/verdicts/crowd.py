"""Verdicts of many judges on instances of usage, and what the crowd says of each.

A judge finds an error, finds none, or cannot tell. The proportion p of an instance is that of errors among the verdicts
that tell; who cannot tell is counted apart. The majority says error where p is above one half; at exactly one half it
says nothing, and such an instance has no majority.

Toy: error, error, OK, unknown on one instance: p = 2/3 of 3 verdicts, 1 unknown, and the majority says error.
"""

from dataclasses import dataclass

import numpy as np

UNKNOWN, OK, ERROR = -1, 0, 1


@dataclass(frozen=True)
class Verdicts:
    """One row a verdict: its instance, its judge, and what was found; instances and judges are numbered from 0."""

    instance: np.ndarray
    judge: np.ndarray
    finding: np.ndarray
    instances: int
    judges: int

    def __len__(self) -> int:
        return len(self.finding)

    def choose(self, rows: np.ndarray) -> "Verdicts":
        """Some of the verdicts."""
        return Verdicts(self.instance[rows], self.judge[rows], self.finding[rows], self.instances, self.judges)


@dataclass(frozen=True)
class Crowd:
    """For each instance how many found an error, how many none, and how many could not tell."""

    errors: np.ndarray
    fine: np.ndarray
    unknown: np.ndarray

    @property
    def told(self) -> np.ndarray:
        """How many verdicts tell something."""
        return self.errors + self.fine

    @property
    def known(self) -> np.ndarray:
        """Which instances have a verdict that tells something."""
        return self.told > 0

    @property
    def proportion(self) -> np.ndarray:
        """p: the share of errors; NaN where nobody told."""
        return np.divide(self.errors, self.told, out=np.full(self.errors.shape, np.nan), where=self.known)

    @property
    def majority(self) -> np.ndarray:
        """1 where most found an error, 0 where most found none, NaN where neither is more."""
        half = self.errors == self.fine
        return np.where(half, np.nan, (self.errors > self.fine).astype(float))

    @property
    def agreement(self) -> np.ndarray:
        """The share of the larger side, from one half to 1; NaN where nobody told."""
        return np.maximum(self.proportion, 1 - self.proportion)


def crowd_of(verdicts: Verdicts, weights: np.ndarray | None = None) -> Crowd:
    """The crowd of all judges, or of judges who count so many times each."""
    times = None if weights is None else weights[verdicts.judge]

    def counted(finding: int) -> np.ndarray:
        found = verdicts.finding == finding
        many = None if times is None else times[found]
        return np.bincount(verdicts.instance[found], weights=many, minlength=verdicts.instances)

    return Crowd(counted(ERROR), counted(OK), counted(UNKNOWN))
