"""Every metric by name, and how its settings are written after the name.

Toy: `m2:beta=0.2:unchanged=3` is M2 with two settings of its own.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields
from math import inf, isfinite
from typing import Any

from ranking.metrics.base import Metric
from ranking.metrics.ensemble.model import Ensemble, Model
from ranking.metrics.errant.metric import Errant
from ranking.metrics.errant.parsing import is_installed
from ranking.metrics.imeasure.metric import IMeasure
from ranking.metrics.labelled import Labelled
from ranking.metrics.material import MetricError
from ranking.metrics.maxmatch.metric import MaxMatch
from ranking.metrics.meteor.metric import Meteor
from ranking.metrics.ngrams.bleu import Bleu
from ranking.metrics.ngrams.chrf import Chrf, ChrfPlusPlus
from ranking.metrics.ngrams.gleu import CharGleu, CharGleuExpected, Gleu, GleuExpected

METRICS: dict[str, Callable[..., Metric]] = {
    "m2": MaxMatch,
    "gleu": Gleu,
    "gleu-expected": GleuExpected,
    "chargleu": CharGleu,
    "chargleu-expected": CharGleuExpected,
    "i-measure": IMeasure,
    "bleu": Bleu,
    "chrf": Chrf,
    "chrf++": ChrfPlusPlus,
    "meteor": Meteor,
    "errant": Errant,
}
# The default metrics; ERRANT needs an extra.
ALWAYS = ("m2", "gleu", "chargleu", "i-measure", "bleu", "chrf++", "meteor")
USUAL: tuple[str, ...] = (*ALWAYS, "errant") if is_installed() else ALWAYS


def metric_of(spec: str) -> Metric:
    """The metric for a name with settings; settings that are not the default become part of the names of its scores."""
    name, others = _parsed(spec)
    metric = METRICS[name](**others)
    return Labelled(metric, ", ".join(_written(others))) if others else metric


def canonical(spec: str) -> str:
    """The one spelling of a metric and its settings, whatever order they were written in."""
    name, others = _parsed(spec)
    METRICS[name](**others)
    return ":".join([name, *_written(others)])


def metrics_of(spec: str) -> dict[str, Metric]:
    """The metrics of a comma-separated list, by the way each was written."""
    names = [one.strip() for one in spec.split(",") if one.strip()]
    if not names:
        raise MetricError(f"Name at least one metric; choose from {', '.join(METRICS)}.")
    return {canonical(name): metric_of(name) for name in names}


def _parsed(spec: str) -> tuple[str, dict[str, Any]]:
    """The name of a metric and its settings that differ from the default."""
    name, *settings = spec.strip().casefold().split(":")
    if name not in METRICS:
        raise MetricError(f"There is no metric {name!r}; choose from {', '.join(METRICS)}.")
    usual = METRICS[name]()
    given = dict(_setting(name, usual, setting) for setting in settings)
    return name, {key: value for key, value in sorted(given.items()) if value != getattr(usual, key)}


def _written(settings: dict[str, Any]) -> Iterator[str]:
    for key, value in settings.items():
        if isinstance(value, bool):
            value = "yes" if value else "no"
        yield f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}"


def ensemble_of(model: str) -> Ensemble:
    """The ensemble of a saved model, with the metrics that it was trained with."""
    read = Model.read(model)
    return Ensemble(read, {name: metric_of(name) for name in read.metrics})


def _setting(name: str, usual: Metric, text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    values = {field.name: getattr(usual, field.name) for field in fields(usual)}  # type: ignore[arg-type]
    known = {name: value for name, value in values.items() if isinstance(value, bool | int | float | str)}
    if not equals or key not in known:
        there = ", ".join(f"{setting}={value}" for setting, value in known.items()) or "none"
        raise MetricError(f"{name} has no setting {text!r}; it has {there}.")
    return key, _read(name, key, known[key], value)


def _read(name: str, key: str, usual: Any, value: str) -> Any:
    if isinstance(usual, bool):
        if value not in ("yes", "no"):
            raise MetricError(f"{name}: {key} is yes or no, not {value!r}.")
        return value == "yes"
    if isinstance(usual, str):
        return value
    try:
        found = type(usual)(value)
    except ValueError:
        found = inf
    if not isfinite(found):
        kind = "a whole number" if isinstance(usual, int) else "a number"
        raise MetricError(f"{name}: {key} is {kind}, not {value!r}.")
    return found
