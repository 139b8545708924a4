"""How close systems come to people: the ratio scoring of Bryant and Ng (2015).

Each reference is scored against the others as if it were an output. With R references, and for i from 1 to R - 1,

    human_i = mean over all subsets X of i references of the mean over each reference a not in X of the score of a by X
    system_i = mean over all subsets X of i references of the score of the system by X
    ratio_i = system_i / human_i

so that systems and people are scored against equally many references; scores rise with every reference. If a reference
lacks a sentence, its output there is the source.

Toy: two references score 0.4 and 0.6 against each other, so human_1 is 0.5; a system that scores 0.3 against one and
0.5 against the other has system_1 = 0.4 and ratio_1 = 0.8.
"""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from random import Random
from typing import NamedTuple

import numpy as np

from ranking.metrics.base import Metric, Progress, Scores, by_subset, no_progress
from ranking.metrics.material import Candidates, Material, MetricError

# With more references, as many subsets are drawn as there are of this number of references.
EXACT_TO = 12
DRAWN = 1 << EXACT_TO

Subset = tuple[int, ...]


class RatioScores(NamedTuple):
    """Scores against i references at place i - 1 of the last axis; the axis before it is the system.

    Systems also have a score against all references.
    """

    humans: np.ndarray
    systems: np.ndarray
    ratios: np.ndarray


def ratio_scores(metric: Metric, material: Material, outputs: Sequence[Sequence[str]], seed: int = 0) -> RatioScores:
    if material.references < 2:
        raise MetricError(
            "Comparing people needs at least two references, and there are fewer. Add one, or leave the ratio out."
        )
    by_size = subsets_by_size(material.references, seed)
    candidates = Candidates.of(outputs, as_outputs(material))
    _, scores = counted_by_subset(metric, material, candidates, by_size)
    return compare_with_people(scores[metric.main_scores[0]], len(outputs), by_size)


def counted_by_subset(
    metric: Metric,
    material: Material,
    candidates: Candidates,
    by_size: Sequence[Sequence[Subset]],
    progress: Progress = no_progress,
) -> tuple[np.ndarray, Scores]:
    """Return counts against all references, and the scores of whole outputs, a row per subset of the references."""
    subsets = [subset for size in by_size for subset in size]
    if metric.by_reference:
        counts = metric.count(material, candidates, progress)
        return counts, metric.of_subsets(counts, candidates.chosen, subsets)
    scores = []
    for counts in metric.counts_of_subsets(material, candidates, subsets, progress):
        scores.append(metric.of_systems(counts, candidates.chosen))
    # The last subset has all references.
    return counts, by_subset(scores)


def compare_with_people(scores: np.ndarray, outputs: int, by_size: Sequence[Sequence[Subset]]) -> RatioScores:
    """Compare systems with people, whose scores are behind theirs, by the scores against each subset."""
    subsets = [subset for size in by_size for subset in size]
    of_systems, people = scores[:, :outputs], scores[:, outputs:]
    others = (np.delete(row, subset) for row, subset in zip(people, subsets, strict=True))
    of_humans = np.array([row.mean() if len(row) else np.nan for row in others])
    ends = np.cumsum([len(size) for size in by_size])[:-1]
    systems = np.stack([part.mean(axis=0) for part in np.split(of_systems, ends)], axis=-1)
    humans = np.array([part.mean() for part in np.split(of_humans, ends)[:-1]])
    if (humans <= 0).any():
        raise MetricError(
            "The references score 0 or less against one another, so there is no human score to compare with."
            " Leave the ratio out, or the reference that has nothing in common with the others."
        )
    return RatioScores(humans, systems, systems[:, :-1] / humans)


def subsets_by_size(references: int, seed: int, most: int | None = None) -> list[list[Subset]]:
    """Return subsets of 1, 2, ... references: all of them, or about `most` random ones if there are more."""
    are_all = references <= EXACT_TO if most is None else 1 << references <= most
    whole = DRAWN if most is None else most
    rng, share = Random(seed), whole if are_all else max(whole // references, 1)
    found: list[list[Subset]] = []
    for size in range(1, references + 1):
        if comb(references, size) <= share:
            found.append(list(combinations(range(references), size)))
            continue
        drawn: set[Subset] = set()
        while len(drawn) < share:
            drawn.add(tuple(sorted(rng.sample(range(references), size))))
        found.append(sorted(drawn))
    return found


def as_outputs(material: Material) -> list[list[str]]:
    """Return the text of each reference, or the source where it has none."""
    return [
        [source if text is None else text for source, text in zip(material.source, texts, strict=True)]
        for texts in material.texts
    ]
