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
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random
from typing import NamedTuple

import numpy as np

from ranking.metrics.base import Metric, Progress, Scores, by_subset, no_progress
from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material, MetricError

# With more references, as many subsets are drawn as this number of references has.
EXACT_TO = 12
DRAWN = 1 << EXACT_TO
REPLICATES = 1000
LEVEL = 0.95

Subset = tuple[int, ...]


class Figures(NamedTuple):
    """By i references at place i - 1 of the last axis; the axis before it is the system. Systems also have a score by
    all references.
    """

    humans: np.ndarray
    systems: np.ndarray
    ratios: np.ndarray


@dataclass(frozen=True)
class Ratios:
    """The ratios, the number of subsets of each size, and bounds where subsets were sampled.

    The bounds say what other subsets might have given; where all were taken there are none.
    """

    signature: str
    found: Figures
    subsets: tuple[int, ...]
    bounds: tuple[Figures, Figures] | None


def ratio_scores(
    metric: Metric,
    material: Material,
    outputs: Sequence[Sequence[str]],
    seed: int = 0,
    progress: Progress = no_progress,
) -> Ratios:
    """Ratios of every output, by the metric's main score."""
    if material.references < 2:
        raise MetricError(
            "Comparing people needs at least two references, and there are fewer. Add one, or leave the ratio out."
        )
    by_size = subsets_by_size(material.references, seed)
    subsets = [subset for size in by_size for subset in size]
    candidates = Candidates.of([*outputs, *as_outputs(material)])
    scores = _scores(metric, material, candidates, subsets, progress)[metric.kept[0]]
    systems, people = scores[:, : len(outputs)], scores[:, len(outputs) :]
    # The mean over the references outside a subset; without any it is 0 and not used.
    others = (np.delete(row, subset) for row, subset in zip(people, subsets, strict=True))
    humans = np.array([float(row.mean()) if len(row) else 0.0 for row in others])
    ends = np.cumsum([len(size) for size in by_size])[:-1]
    parts = list(zip(np.split(systems, ends), np.split(humans, ends), strict=True))
    are_all = material.references <= EXACT_TO
    subsets_text = "all" if are_all else f"{DRAWN // material.references}|seed:{seed}"
    return Ratios(
        f"ratio|score:{metric.kept[0]}|subsets:{subsets_text}|{metric.signature(material)}",
        _figures(parts),
        tuple(map(len, by_size)),
        None if are_all else _bounds(parts, [comb(material.references, len(size[0])) for size in by_size], seed),
    )


def subsets_by_size(references: int, seed: int, most: int | None = None) -> list[list[Subset]]:
    """Subsets of 1, 2, ... references: all of them, or a random `most` of them where there are more."""
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
    """The text of each reference, or the source where it has none."""
    return [
        [source if text is None else text for source, text in zip(material.source, texts, strict=True)]
        for texts in material.texts
    ]


def _scores(
    metric: Metric, material: Material, candidates: Candidates, subsets: Sequence[Subset], progress: Progress
) -> Scores:
    """Scores by each subset, from counts made once where they are kept by reference, else from new counts."""
    if metric.by_reference:
        return metric.of_subsets(metric.count(material, candidates, progress), candidates.chosen, subsets)

    def anew(done: int, subset: Subset) -> Scores:
        counts = metric.count(material.only(subset), candidates)
        progress(done, len(subsets))
        return metric.of_systems(counts, candidates.chosen)

    return by_subset(anew(done, subset) for done, subset in enumerate(subsets, 1))


def _figures(parts: Sequence[tuple[np.ndarray, np.ndarray]]) -> Figures:
    """Means over the subsets of each size; axes before that of subsets, if any, are replicates."""
    systems = np.stack([systems.mean(axis=-2) for systems, _ in parts], axis=-1)
    humans = np.stack([humans.mean(axis=-1) for _, humans in parts[:-1]], axis=-1)
    if (humans <= 0).any():
        raise MetricError(
            "The references score 0 or less against one another, so there is no human score to compare with."
            " Leave the ratio out, or the reference that has nothing in common with the others."
        )
    return Figures(humans, systems, systems[..., :-1] / humans[..., None, :])


def _bounds(
    parts: Sequence[tuple[np.ndarray, np.ndarray]], possible: Sequence[int], seed: int
) -> tuple[Figures, Figures]:
    """Bounds from resamples of the sampled subsets; complete sets are not resampled."""
    rng = np.random.default_rng(seed)
    resampled = []
    for (systems, humans), many in zip(parts, possible, strict=True):
        rows = np.tile(np.arange(len(humans)), (REPLICATES, 1))
        if len(humans) < many:
            rows = rng.integers(len(humans), size=rows.shape)
        resampled.append((systems[rows], humans[rows]))
    replicates = _figures(resampled)
    low, high = zip(
        *(np.quantile(values, ((1 - LEVEL) / 2, (1 + LEVEL) / 2), axis=0) for values in replicates), strict=True
    )
    return Figures(*low), Figures(*high)
