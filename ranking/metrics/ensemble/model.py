"""A trained ensemble: its features by name, their weights, and what it was trained on; saved as JSON."""

import json
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Self

import numpy as np

from ranking.metrics.base import Scores
from ranking.metrics.ensemble.ridge import ALPHA, Fit, fit
from ranking.metrics.material import MetricError

FORMAT = "ensemble of appraise-gec, 1"


@dataclass(frozen=True)
class Model:
    """Weights by feature, a constant, and the recipe: which metrics with which settings, trained on what."""

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
        """Learn to say what people say of systems; `metrics` are signatures by the name a metric is asked for."""
        found = fit(matrix(scores, tuple(scores)), human, alpha)
        return cls(
            features=tuple(scores), weights=tuple(found.weights.tolist()), constant=found.constant, alpha=alpha,
            metrics=tuple(metrics), signatures=tuple(metrics.values()), trained_on=trained_on, instances=len(human),
        )  # fmt: skip

    def foretell(self, scores: Scores) -> np.ndarray:
        """What people would say of systems with these scores."""
        return Fit(np.array(self.weights), self.constant).foretell(matrix(scores, self.features))

    @property
    def signature(self) -> str:
        """A digest of everything that decides a score."""
        digest = sha256(self.written().encode()).hexdigest()[:12]
        return f"ensemble|features:{len(self.features)}|alpha:{self.alpha}|trained-on:{self.trained_on}|model:{digest}"

    def written(self) -> str:
        """As a file."""
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def read(cls, text: str) -> Self:
        """From a file that `written` made; nothing in it is run."""
        try:
            told = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise MetricError(
                "This is no model of an ensemble: it is not JSON. Train one, and give its file."
            ) from error
        if not isinstance(told, dict) or told.pop("format", None) != FORMAT:
            raise MetricError(f"This is no model of an ensemble, or of another version; it must be {FORMAT!r}.")
        if fault := _fault(told):
            raise MetricError(f"The model of the ensemble is damaged: {fault}. Train it again.")
        given: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value for name, value in told.items()
        }
        return cls(**given)


def matrix(scores: Scores, features: tuple[str, ...]) -> np.ndarray:
    """A row a system, a column a feature."""
    if missing := [name for name in features if name not in scores]:
        raise MetricError(f"The ensemble needs {', '.join(missing[:5])}, which these metrics do not tell.")
    return np.stack([np.asarray(scores[name], dtype=float) for name in features], axis=-1)


def _fault(told: dict[str, Any]) -> str | None:
    """What is wrong with what a file says."""
    kinds = {
        "features": list, "weights": list, "constant": float, "alpha": float, "metrics": list, "signatures": list,
        "trained_on": str, "instances": int,
    }  # fmt: skip
    if told.keys() != kinds.keys():
        return f"it has {', '.join(sorted(told))[:200] or 'nothing'}"
    for name, kind in kinds.items():
        if not isinstance(told[name], (kind, int) if kind is float else kind):
            return f"{name} is not what it should be"
    numbers = [*told["weights"], told["constant"], told["alpha"]]
    if not all(isinstance(number, int | float) and np.isfinite(number) for number in numbers):
        return "a weight is no number"
    if len(told["features"]) != len(told["weights"]):
        return "it has not a weight a feature"
    if not all(isinstance(name, str) for key in ("features", "metrics", "signatures") for name in told[key]):
        return "a name is no text"
    return None
