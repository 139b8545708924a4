"""A trained ensemble: features, weights and training data, saved as JSON and usable as a metric.

Ridge regression: the weights w and constant c that make the sum of (y - X w - c)^2 + alpha |w|^2 least.

Toy: X = (0, 1, 2), y = (0, 1, 2) and alpha = 2 give w = 2 / (2 + 2) = 1/2 and c = 1 - 1/2 = 1/2.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, NamedTuple, Self

import numpy as np

from ranking.metrics.base import Metric, Progress, Scores, no_progress
from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material, MetricError

ALPHA = 0.001


class Fit(NamedTuple):
    weights: np.ndarray
    constant: float

    def predict(self, features: np.ndarray) -> np.ndarray:
        return features @ self.weights + self.constant


def fit(features: np.ndarray, wanted: np.ndarray, alpha: float = ALPHA) -> Fit:
    """Ridge regression on one row of features per target; the constant is not penalised."""
    center, mean = features.mean(axis=0), wanted.mean()
    spread = features - center
    held = spread.T @ spread + alpha * np.eye(features.shape[1])
    weights = np.linalg.solve(held, spread.T @ (wanted - mean))
    return Fit(weights, float(mean - center @ weights))


FORMAT = "ensemble of appraise-gec, 1"


@dataclass(frozen=True)
class Model:
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
    def trained(
        cls, scores: Scores, human: np.ndarray, metrics: dict[str, str], trained_on: str, alpha: float = ALPHA
    ) -> Self:
        """Learn to predict human scores of systems; `metrics` maps the name of a metric to its signature."""
        found = fit(matrix(scores, tuple(scores)), human, alpha)
        return cls(
            features=tuple(scores), weights=tuple(found.weights.tolist()), constant=found.constant, alpha=alpha,
            metrics=tuple(metrics), signatures=tuple(metrics.values()), trained_on=trained_on, instances=len(human),
        )  # fmt: skip

    def predict(self, scores: Scores) -> np.ndarray:
        return Fit(np.array(self.weights), self.constant).predict(matrix(scores, self.features))

    @property
    def signature(self) -> str:
        """A digest of everything that affects a score."""
        digest = sha256(self.written().encode()).hexdigest()[:12]
        return f"ensemble|features:{len(self.features)}|alpha:{self.alpha}|trained-on:{self.trained_on}|model:{digest}"

    def written(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def read(cls, text: str) -> Self:
        """Parse the text from `written`; nothing in it is executed."""
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

    model: Model
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
        return self._predicted(counts, [chosen] * len(counts))

    def of_candidates(self, counts: Any) -> Scores:
        """Predict scores of single candidates; roughly, because the model was trained on whole outputs."""
        return self._predicted(counts, [np.arange(len(part))[:, None] for part in counts])

    def _predicted(self, counts: Any, chosen: list[np.ndarray]) -> Scores:
        scores: Scores = {}
        for metric, part, rows in zip(self.parts.values(), counts, chosen, strict=True):
            scores |= metric.of_systems(part, rows)
        return {self.title: self.model.predict(scores)}
