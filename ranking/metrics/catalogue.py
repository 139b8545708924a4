"""All metrics by name, and the syntax of their settings.

Toy: `m2:beta=0.2:unchanged=3` is M2 with two settings; with `tokens=characters` it would count characters.
"""

from collections import UserDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from math import inf, isfinite
from typing import Any

import numpy as np

from ranking.metrics.base import Metric, Progress, Scores, Subsets, no_progress
from ranking.metrics.material import Candidates, Material, MetricError
from ranking.numbers.tables import Table

# A setting that every metric of words has: what it takes for a word.
TOKENS, WORDS, CHARACTERS = "tokens", "words", "characters"


@dataclass(frozen=True)
class Labelled(Metric):
    """A metric with a label in the names of its scores, which distinguishes them from those with default settings.

    If `in_characters`, the metric takes each character for a word.

    Toy: with the label `unchanged=3` the score `M2 F0.5` becomes `M2 (unchanged=3) F0.5`.
    """

    metric: Metric
    label: str
    in_characters: bool = False

    def __post_init__(self) -> None:
        for name in ("name", "by_reference", "reads_edits", "among_systems"):
            object.__setattr__(self, name, getattr(self.metric, name))
        object.__setattr__(self, "cuts_words", self.metric.cuts_words and not self.in_characters)

    @property
    def main_scores(self) -> tuple[str, ...]:
        return tuple(map(self._with_label, self.metric.main_scores))

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(map(self._with_label, self.metric.features))

    def signature(self, material: Material) -> str:
        return self.metric.signature(material) + (f"|{TOKENS}:{CHARACTERS}" if self.in_characters else "")

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        return self.metric.count(*self._in_units(material, candidates), progress)

    def counts_of_subsets(
        self, material: Material, candidates: Candidates, subsets: Subsets, progress: Progress = no_progress
    ) -> Iterator[np.ndarray]:
        return self.metric.counts_of_subsets(*self._in_units(material, candidates), subsets, progress)

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        return self._label_all(self.metric.of_systems(counts, chosen))

    def of_candidates(self, counts: np.ndarray) -> Scores:
        return self._label_all(self.metric.of_candidates(counts))

    def of_subsets(self, counts: np.ndarray, chosen: np.ndarray, subsets: Subsets) -> Scores:
        return self._label_all(self.metric.of_subsets(counts, chosen, subsets))

    def of_resampled(self, counts: np.ndarray, chosen: np.ndarray, draws: np.ndarray) -> Scores:
        return self._label_all(self.metric.of_resampled(counts, chosen, draws))

    def tables(self, counts: np.ndarray, chosen: np.ndarray, names: Sequence[str]) -> list[Table]:
        found = []
        for table in self.metric.tables(counts, chosen, names):
            at = table.columns.index("metric")
            rows = [(*row[:at], self._with_label(str(row[at])), *row[at + 1 :]) for row in table.rows]
            found.append(Table(table.name, table.columns, tuple(rows)))
        return found

    def _in_units(self, material: Material, candidates: Candidates) -> tuple[Material, Candidates]:
        return (material.in_characters(), candidates.in_characters()) if self.in_characters else (material, candidates)

    def _with_label(self, name: str) -> str:
        first, *rest = name.split(" ", 1)
        return " ".join([first, f"({self.label})", *rest])

    def _label_all(self, scores: Scores) -> Scores:
        return {self._with_label(name): values for name, values in scores.items()}


class Catalogue(UserDict[str, type[Metric]]):
    """Metrics by name, each imported when it is first needed, because Numba and most kernels are slow to load."""

    def __init__(self, places: dict[str, str]) -> None:
        super().__init__()
        self.data: dict[str, Any] = dict(places)

    def __getitem__(self, name: str) -> type[Metric]:
        if isinstance(place := self.data[name], str):
            module, _, metric = place.partition(":")
            self.data[name] = getattr(import_module(f"ranking.metrics.{module}"), metric)
        return self.data[name]


METRICS = Catalogue(
    {
        "m2": "maxmatch:MaxMatch",
        "gleu": "gleu:Gleu",
        "gleu-expected": "gleu:GleuExpected",
        "chargleu": "gleu:CharGleu",
        "chargleu-expected": "gleu:CharGleuExpected",
        "green": "green:Green",
        "i-measure": "imeasure:IMeasure",
        "bleu": "bleu:Bleu",
        "chrf": "chrf:Chrf",
        "chrf++": "chrf:ChrfPlusPlus",
        "meteor": "meteor:Meteor",
        "errant": "errant:Errant",
        "gotoscorer": "gotoscorer:GoToScorer",
        "cleme": "cleme:Cleme",
        "cleme-independent": "cleme:ClemeIndependent",
        "cleme2": "cleme:Cleme2",
        "cleme2-independent": "cleme:Cleme2Independent",
    }
)
# The default metrics; ERRANT needs an optional dependency.
ALWAYS = ("m2", "gleu", "chargleu", "i-measure", "bleu", "chrf++", "meteor")
USUAL: tuple[str, ...]
# Metrics that know one language: METEOR, and those with a parser, whose edits are those of ERRANT.
ENGLISH, LANGUAGE = "en", "language"


def __getattr__(name: str) -> Any:
    """Look for the dependency of ERRANT only if somebody asks for USUAL."""
    if name != "USUAL":
        raise AttributeError(name)
    from ranking.metrics.errant_parser import is_installed

    return (*ALWAYS, "errant") if is_installed() else ALWAYS


def metric_of(spec: str) -> Metric:
    """Make a metric from its name and settings; settings that are not the default label its scores."""
    name, settings = _read_spec(spec)
    metric = METRICS[name](**{key: value for key, value in settings.items() if key != TOKENS})
    if TOKENS in settings and not metric.cuts_words:
        raise MetricError(f"{name} does not take characters for words; leave {TOKENS}={CHARACTERS} out.")
    return Labelled(metric, ", ".join(_write_settings(settings)), TOKENS in settings) if settings else metric


def canonical(spec: str) -> str:
    """Normalise the spelling of a metric and the order of its settings."""
    metric_of(spec)
    name, settings = _read_spec(spec)
    return ":".join([name, *_write_settings(settings)])


def language_of(spec: str) -> str | None:
    """The only language that a metric knows, if there is one."""
    name, settings = _read_spec(spec)
    if name in ("meteor", "errant") or settings.get("edits") == "errant":
        return settings.get(LANGUAGE, ENGLISH)
    return None


def metrics_of(spec: str) -> dict[str, Metric]:
    """Make the metrics of a comma-separated list, by their canonical names."""
    names = [one.strip() for one in spec.split(",") if one.strip()]
    if not names:
        raise MetricError(f"Name at least one metric; choose from {', '.join(METRICS)}.")
    return {canonical(name): metric_of(name) for name in names}


def ensemble_of(model: str) -> Metric:
    """Load an ensemble from a saved model, with the metrics that it was trained with."""
    from ranking.metrics.ensemble import Ensemble, EnsembleModel

    read = EnsembleModel.read(model)
    return Ensemble(read, {name: metric_of(name) for name in read.metrics})


def _read_spec(spec: str) -> tuple[str, dict[str, Any]]:
    """Read the name of a metric and the settings that differ from the default."""
    name, *settings = spec.strip().casefold().split(":")
    if name not in METRICS:
        raise MetricError(f"There is no metric {name!r}; choose from {', '.join(METRICS)}.")
    values = {field.name: getattr(METRICS[name](), field.name) for field in fields(METRICS[name])}  # type: ignore[arg-type]
    usual = {key: value for key, value in values.items() if isinstance(value, bool | int | float | str)}
    usual[TOKENS] = WORDS
    given = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or key not in usual:
            there = ", ".join(f"{setting}={value}" for setting, value in usual.items())
            raise MetricError(f"{name} has no setting {setting!r}; it has {there}.")
        given[key] = _read_value(name, key, usual[key], value)
    return name, {key: value for key, value in sorted(given.items()) if value != usual[key]}


def _read_value(name: str, key: str, usual: Any, value: str) -> Any:
    if key == TOKENS and value not in (WORDS, CHARACTERS):
        raise MetricError(f"{name}: {TOKENS} is {WORDS} or {CHARACTERS}, not {value!r}.")
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


def _write_settings(settings: dict[str, Any]) -> Iterator[str]:
    for key, value in settings.items():
        if isinstance(value, bool):
            value = "yes" if value else "no"
        yield f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}"
