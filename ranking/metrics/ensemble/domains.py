"""Training data of an ensemble: systems and their mixtures on one set of texts, with their human scores.

The paper names the kinds of its 73 features but does not list them. With ERRANT, chrF++, M2, GLEU, charGLEU and the
I-measure they are: precision and recall by ERRANT for each of 24 kinds of error, by chrF++ and by M2 (52); GLEU and
charGLEU (2); and by the I-measure, of detection and of correction, P, R, Acc, Acc of the source, WAcc, WAcc of the
source and I (14), and five counts of corrections per sentence (5).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np

from ranking.metrics.base import Metric, Progress, Scores, no_progress
from ranking.metrics.candidates import Candidates
from ranking.metrics.ensemble.hybrids import means, mixed
from ranking.metrics.material import Material, MetricError


class Scored(NamedTuple):
    """Texts with human scores, a row per sentence and a column per system; NaN where there is none."""

    name: str
    material: Material
    outputs: Sequence[Sequence[str]]
    human: np.ndarray
    systems: tuple[str, ...]


@dataclass(frozen=True)
class Domain:
    """Features of systems and mixtures, their human scores, and the systems in them."""

    name: str
    features: Scores
    human: np.ndarray
    systems: int
    pairs: np.ndarray

    def choose(self, rows: np.ndarray) -> Self:
        features = {name: values[rows] for name, values in self.features.items()}
        return type(self)(self.name, features, self.human[rows], self.systems, self.pairs[rows])

    def only(self, features: Iterable[str]) -> Self:
        return replace(self, features={name: self.features[name] for name in features})

    def without(self, system: int) -> Self:
        """Keep the rows without any sentence of a system."""
        return self.choose((self.pairs != system).all(axis=1))

    def __len__(self) -> int:
        return len(self.human)


def measured(
    given: Scored, metrics: Mapping[str, Metric], seed: int, sentences: np.ndarray | None = None,
    progress: Progress = no_progress,
) -> Domain:  # fmt: skip
    """Count each candidate once, and compute the features of systems and mixtures from the counts."""
    if given.human.shape != (given.material.sentences, len(given.outputs)):
        raise MetricError(
            f"{given.name} has people's scores of {given.human.shape[0]} sentences by {given.human.shape[1]} systems,"
            f" and texts of {given.material.sentences} by {len(given.outputs)}; they must be the same."
        )
    candidates = Candidates.of(given.outputs)
    kept = np.arange(given.material.sentences) if sentences is None else sentences
    chosen, human = candidates.chosen[:, kept], given.human.T[:, kept]
    hybrids = mixed(len(chosen), len(kept), seed)
    rows = np.concatenate([chosen, hybrids.choose(chosen)])
    features: Scores = {}
    for number, metric in enumerate(metrics.values(), 1):
        scores = metric.of_systems(metric.count(given.material, candidates), rows)
        features |= {name: scores[name] for name in metric.features}
        progress(number, len(metrics))
    human = np.concatenate([means(human), means(hybrids.choose(human))])
    # A single system is paired with itself.
    pairs = np.concatenate([np.repeat(np.arange(len(chosen))[:, None], 2, axis=1), hybrids.pairs])
    return Domain(given.name, features, human, len(chosen), pairs)


def joined(domains: Sequence[Domain]) -> tuple[Scores, np.ndarray]:
    names = domains[0].features
    features = {name: np.concatenate([domain.features[name] for domain in domains]) for name in names}
    return features, np.concatenate([domain.human for domain in domains])


def halves(sentences: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Split the sentences at random into halves to train and to test on, each in the order of the texts."""
    order = np.random.default_rng(seed).permutation(sentences)
    return np.sort(order[: sentences // 2]), np.sort(order[sentences // 2 :])
