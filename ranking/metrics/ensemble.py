"""A metric made of metrics: a ridge regression on their features, trained to predict human scores (GMEG-Metric).

The paper (Napoles et al. 2019) names the kinds of its 73 features but does not list them. With ERRANT, chrF++, M2,
GLEU, charGLEU and the I-measure they are: precision and recall by ERRANT for each of 24 kinds of error, by chrF++ and
by M2 (52); GLEU and charGLEU (2); and by the I-measure, of detection and of correction, P, R, Acc, Acc of the source,
WAcc, WAcc of the source and I (14), and five counts of corrections per sentence (5).

Training data are systems and their mixtures on one set of texts. Ridge regression finds the weights w and
the constant c that make the sum of (y - X w - c)^2 + alpha |w|^2 least. The model is saved as JSON.

Toy: X = (0, 1, 2), y = (0, 1, 2) and alpha = 2 give w = 2 / (2 + 2) = 1/2 and c = 1 - 1/2 = 1/2.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import combinations
from typing import Any, NamedTuple, Self

import numpy as np

from ranking.metrics.base import Metric, Progress, Scores, no_progress
from ranking.metrics.material import Candidates, Material, MetricError

ALPHA = 0.001
SHARES = tuple(number / 10 for number in range(1, 10))
COPIES = 5
FORMAT = "ensemble of appraise-gec, 1"


@dataclass(frozen=True)
class Hybrids:
    """Synthetic systems: mixtures of the sentences of two (Graham and Liu 2016; Napoles et al. 2019, section 5.2).

    A few systems are not enough to train on, and make correlations unstable. Every pair of systems gives mixtures that
    take 10, 20 ... 90% of the sentences, drawn at random, from the first and the rest from the second. Nothing is
    scored again: a mixture is a choice among candidates already counted, and people's score of it is the mean over its
    sentences. Mixtures are not independent of each other or of their systems: a p-value over 675 of them says little.

    Toy: 6 systems have 15 pairs; with 9 shares and 5 mixtures of each that makes 675.
    """

    pairs: np.ndarray  # the systems of each mixture
    is_first: np.ndarray  # for each sentence, whether it comes from the first

    def __len__(self) -> int:
        return len(self.pairs)

    def choose(self, values: np.ndarray) -> np.ndarray:
        first, second = self.pairs.T
        return np.where(self.is_first, values[first], values[second])


def mix_systems(systems: int, sentences: int, seed: int, copies: int = COPIES) -> Hybrids:
    """Mix all pairs of systems, a few times for each share; the same seed gives the same mixtures."""
    random = np.random.default_rng(seed)
    pairs = [pair for pair in combinations(range(systems), 2) for _ in range(copies * len(SHARES))]
    shares = np.tile(np.repeat(SHARES, copies), len(pairs) // (copies * len(SHARES)))
    wanted = np.rint(shares * sentences).astype(int)
    is_first = np.zeros((len(pairs), sentences), dtype=bool)
    for number, many in enumerate(wanted):
        is_first[number, random.permutation(sentences)[:many]] = True
    return Hybrids(np.array(pairs, dtype=np.int64).reshape(-1, 2), is_first)


def means(scores: np.ndarray) -> np.ndarray:
    """Mean of each row over the sentences with a human score; NaN marks those without one."""
    known = ~np.isnan(scores)
    return np.where(known, scores, 0.0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)


class JudgedTexts(NamedTuple):
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


def measure_features(
    given: JudgedTexts, metrics: Mapping[str, Metric], seed: int, sentences: np.ndarray | None = None,
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
    hybrids = mix_systems(len(chosen), len(kept), seed)
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


def join_domains(domains: Sequence[Domain]) -> tuple[Scores, np.ndarray]:
    names = domains[0].features
    features = {name: np.concatenate([domain.features[name] for domain in domains]) for name in names}
    return features, np.concatenate([domain.human for domain in domains])


def halves(sentences: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Split the sentences at random into halves to train and to test on, each in the order of the texts."""
    order = np.random.default_rng(seed).permutation(sentences)
    return np.sort(order[: sentences // 2]), np.sort(order[sentences // 2 :])


class RidgeFit(NamedTuple):
    weights: np.ndarray
    constant: float

    def predict(self, features: np.ndarray) -> np.ndarray:
        return features @ self.weights + self.constant


def fit(features: np.ndarray, wanted: np.ndarray, alpha: float = ALPHA) -> RidgeFit:
    """Ridge regression on one row of features per target; the constant is not penalised."""
    center, mean = features.mean(axis=0), wanted.mean()
    spread = features - center
    held = spread.T @ spread + alpha * np.eye(features.shape[1])
    weights = np.linalg.solve(held, spread.T @ (wanted - mean))
    return RidgeFit(weights, float(mean - center @ weights))


@dataclass(frozen=True)
class EnsembleModel:
    """Weights by feature, a constant, and the recipe: metrics, their settings, and the training data."""

    features: tuple[str, ...]
    weights: tuple[float, ...]
    constant: float
    alpha: float
    metrics: tuple[str, ...]
    signatures: tuple[str, ...]
    trained_on: str
    instances: int

    @classmethod
    def train(
        cls, scores: Scores, human: np.ndarray, metrics: dict[str, str], trained_on: str, alpha: float = ALPHA
    ) -> Self:
        """Learn to predict human scores of systems; `metrics` maps the name of a metric to its signature."""
        found = fit(matrix(scores, tuple(scores)), human, alpha)
        return cls(
            features=tuple(scores), weights=tuple(found.weights.tolist()), constant=found.constant, alpha=alpha,
            metrics=tuple(metrics), signatures=tuple(metrics.values()), trained_on=trained_on, instances=len(human),
        )  # fmt: skip

    def predict(self, scores: Scores) -> np.ndarray:
        return RidgeFit(np.array(self.weights), self.constant).predict(matrix(scores, self.features))

    @property
    def signature(self) -> str:
        """A digest of everything that affects a score."""
        digest = sha256(self.as_json().encode()).hexdigest()[:12]
        return f"ensemble|features:{len(self.features)}|alpha:{self.alpha}|trained-on:{self.trained_on}|model:{digest}"

    def as_json(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def read(cls, text: str) -> Self:
        """Parse the text from `as_json`; nothing in it is executed."""
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise MetricError(
                "This is not an ensemble model: the file is not JSON. Train a model and use its file."
            ) from error
        if not isinstance(values, dict) or values.pop("format", None) != FORMAT:
            raise MetricError(f"This is not an ensemble model of this version; its format must be {FORMAT!r}.")
        if fault := _fault(values):
            raise MetricError(f"The ensemble model is damaged: {fault}. Train it again.")
        given: Any = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
        return cls(**given)


def matrix(scores: Scores, features: tuple[str, ...]) -> np.ndarray:
    if missing := [name for name in features if name not in scores]:
        raise MetricError(f"The ensemble needs {', '.join(missing[:5])}, which these metrics do not compute.")
    return np.stack([np.asarray(scores[name], dtype=float) for name in features], axis=-1)


def _fault(values: dict[str, Any]) -> str | None:
    kinds = {
        "features": list, "weights": list, "constant": float, "alpha": float, "metrics": list, "signatures": list,
        "trained_on": str, "instances": int,
    }  # fmt: skip
    if values.keys() != kinds.keys():
        return f"it has {', '.join(sorted(values))[:200] or 'nothing'}"
    for name, kind in kinds.items():
        if not isinstance(values[name], (kind, int) if kind is float else kind):
            return f"{name} has a wrong type"
    numbers = [*values["weights"], values["constant"], values["alpha"]]
    if not all(isinstance(number, int | float) and np.isfinite(number) for number in numbers):
        return "a weight is not a number"
    if len(values["features"]) != len(values["weights"]):
        return "the numbers of weights and features differ"
    if not all(isinstance(name, str) for key in ("features", "metrics", "signatures") for name in values[key]):
        return "a name is not text"
    return None


@dataclass(frozen=True)
class Ensemble(Metric):
    """A model with its component metrics by name; its counts are the list of theirs."""

    model: EnsembleModel
    parts: Mapping[str, Metric]

    name = "ensemble"
    by_reference = False
    title = "Ensemble"

    def __post_init__(self) -> None:
        for name in ("reads_edits", "among_systems", "cuts_words"):
            object.__setattr__(self, name, any(getattr(metric, name) for metric in self.parts.values()))

    def signature(self, material: Material) -> str:
        parts = " ".join(metric.signature(material) for metric in self.parts.values())
        return f"{self.model.signature}|parts:{parts}"

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> Any:
        counts = []
        for number, metric in enumerate(self.parts.values(), 1):
            counts.append(metric.count(material, candidates))
            progress(number, len(self.parts))
        return counts

    def of_systems(self, counts: Any, chosen: np.ndarray) -> Scores:
        return self._predict(counts, [chosen] * len(counts))

    def of_candidates(self, counts: Any) -> Scores:
        """Predict scores of single candidates; roughly, because the model was trained on whole outputs."""
        return self._predict(counts, [np.arange(len(part))[:, None] for part in counts])

    def _predict(self, counts: Any, chosen: list[np.ndarray]) -> Scores:
        scores: Scores = {}
        for metric, part, rows in zip(self.parts.values(), counts, chosen, strict=True):
            scores |= metric.of_systems(part, rows)
        return {self.title: self.model.predict(scores)}
