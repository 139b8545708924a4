"""The stability of weighted and unweighted measures: their spread when judges are drawn with replacement.

All verdicts of a judge are drawn together. The crowd of a replicate consists of the judges drawn, each as often as
drawn; a replicate in which a system has no instance with a verdict has no measures. An unweighted measure jumps when a
majority changes; a weighted one changes by the one verdict alone (Madnani et al. 2011, section 4.1).

Toy: 8 of 15 judges find an error that a system found. If one of them had not, the majority would make it a false
positive, 1 instead of 0; weighted, it would be 8/15 of one instead of 7/15.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array, csr_array

from ranking.numbers.intervals import LEVEL, Interval, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.resampling import draw
from ranking.stats.verdicts.crowd import ERROR, UNKNOWN, Verdicts, crowd_of
from ranking.stats.verdicts.measures import both, ratios

NAMES = ("precision", "recall", "f")
# The largest number of instances times replicates held in memory.
CELLS_AT_ONCE = 4_000_000


class Stability(NamedTuple):
    """A measure, its spread (standard deviation over the replicates), and its interval."""

    measure: str
    weighted: bool
    value: float
    spread: float
    interval: Interval


def stability(
    classes: np.ndarray, verdicts: Verdicts, replicates: int, seed: int, level: float = LEVEL
) -> list[list[Stability]]:
    """Precision, recall and F, weighted and unweighted, of each system (a row of classes)."""
    drawn = _drawn(classes, verdicts, replicates, seed)
    crowd = crowd_of(verdicts)
    return [
        [
            _line(name, weighted, getattr(here, name), drawn[system, place, 1 - weighted], level)
            for place, name in enumerate(NAMES)
            for weighted in (True, False)
            for here in [found.weighted if weighted else found.unweighted]
        ]
        for system, found in enumerate(both(row, crowd) for row in classes)
    ]


def _line(name: str, weighted: bool, value: float, drawn: np.ndarray, level: float) -> Stability:
    return Stability(name, weighted, value, float(np.nanstd(drawn)), interval_of(drawn, level))


def _drawn(classes: np.ndarray, verdicts: Verdicts, replicates: int, seed: int) -> np.ndarray:
    """Systems by measures by (weighted, unweighted) by replicates."""
    decided = verdicts.choose(verdicts.finding != UNKNOWN)
    present, judge = np.unique(decided.judge, return_inverse=True)
    if len(present) < 2:
        raise StatisticsError("Only one judge has decided verdicts, so drawing judges says nothing about chance.")
    shape = (decided.instances, len(present))
    everything = _matrix(np.ones(len(decided)), decided.instance, judge, shape)
    errors = _matrix(decided.finding == ERROR, decided.instance, judge, shape)
    step = max(1, CELLS_AT_ONCE // decided.instances)
    parts = [
        _measured(classes, errors, everything, draw(len(present), min(step, replicates - at), seed, at))
        for at in range(0, replicates, step)
    ]
    return np.concatenate(parts, axis=-1)


def _matrix(values: np.ndarray, instance: np.ndarray, judge: np.ndarray, shape: tuple[int, int]) -> csr_array:
    return csr_array(coo_array((values.astype(float), (instance, judge.reshape(-1))), shape=shape))


def _measured(classes: np.ndarray, errors: csr_array, everything: csr_array, weights: np.ndarray) -> np.ndarray:
    many, found = everything @ weights, errors @ weights
    known = many > 0
    share = np.divide(found, many, out=np.zeros_like(found), where=known)
    decided = known & (2 * found != many)
    majority = (2 * found > many).astype(float)
    covers = np.isfinite(classes).astype(float)
    known_classes = np.where(np.isfinite(classes), classes, 0.0)
    ways: Sequence[tuple[np.ndarray, np.ndarray]] = ((share, known), (np.where(decided, majority, 0.0), decided))
    return np.stack([_ratios(known_classes, covers, right, usable.astype(float)) for right, usable in ways], axis=2)


def _ratios(classes: np.ndarray, covers: np.ndarray, right: np.ndarray, usable: np.ndarray) -> np.ndarray:
    """Systems by measures by replicates."""
    hits = classes @ right
    found = np.stack(ratios(hits, (covers - classes) @ right, classes @ usable - hits), axis=1)
    met = covers @ usable > 0
    return np.where(met[:, None, :], found, np.nan)
