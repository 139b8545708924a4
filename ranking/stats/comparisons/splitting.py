"""Replicates of a study in parts, for several workers.

The seed of every replicate is derived from the report's seed and its number, so no replicate depends on another and the
split does not affect the numbers.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ranking.stats.comparisons.study import ComparisonStudy, Parameters
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit


class ReplicatePart(NamedTuple):
    """Replicates first .. first + number - 1 of a method, drawn by a unit."""

    method: str
    unit: str
    first: int
    number: int


def parts_of(parameters: Parameters, workers: int) -> list[ReplicatePart]:
    """Split the replicates of each method evenly over the workers."""
    parts = []
    for method in parameters.methods:
        for unit in METHODS[method].units(Unit(parameters.unit)):
            replicates = parameters.replicates_by(unit)
            ends = [replicates * number // workers for number in range(workers + 1)]
            parts += [
                ReplicatePart(method, unit.value, first, end - first) for first, end in pairwise(ends) if end > first
            ]
    return parts


def scores_of_part(study: ComparisonStudy, part: ReplicatePart) -> np.ndarray:
    method = METHODS[part.method]
    study.check(method)
    method.check(Unit(study.parameters.unit))
    return study.draw(method, Unit(part.unit), part.number, part.first)


def join_parts(parts: dict[ReplicatePart, np.ndarray], parameters: Parameters) -> dict[tuple[str, str], np.ndarray]:
    """Concatenate the replicates of each method and unit, in order; leave out those with a part missing."""
    found: dict[tuple[str, str], list[np.ndarray]] = {}
    for part in sorted(parts, key=lambda part: part.first):
        found.setdefault((part.method, part.unit), []).append(parts[part])
    together = {key: np.concatenate(scores) for key, scores in found.items()}
    return {key: scores for key, scores in together.items() if len(scores) == parameters.replicates_by(Unit(key[1]))}
