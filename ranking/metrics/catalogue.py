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

from ranking.metrics.base import Metric, Progress, Scores, no_progress
from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material, MetricError
from ranking.numbers.tables import Cell, Table

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
        return tuple(map(self.named, self.metric.main_scores))

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(map(self.named, self.metric.features))

    def signature(self, material: Material) -> str:
        return self.metric.signature(material) + (f"|{TOKENS}:{CHARACTERS}" if self.in_characters else "")

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        return self.metric.count(*self._cut(material, candidates), progress)

    def counts_of_subsets(
        self,
        material: Material,
        candidates: Candidates,
        subsets: Sequence[Sequence[int]],
        progress: Progress = no_progress,
    ) -> Iterator[np.ndarray]:
        return self.metric.counts_of_subsets(*self._cut(material, candidates), subsets, progress)

    def _cut(self, material: Material, candidates: Candidates) -> tuple[Material, Candidates]:
        if not self.in_characters:
            return material, candidates
        return material.in_characters(), candidates.in_characters()

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        return self._all_named(self.metric.of_systems(counts, chosen))

    def of_candidates(self, counts: np.ndarray) -> Scores:
        return self._all_named(self.metric.of_candidates(counts))

    def of_subsets(self, counts: np.ndarray, chosen: np.ndarray, subsets: Sequence[Sequence[int]]) -> Scores:
        return self._all_named(self.metric.of_subsets(counts, chosen, subsets))

    def for_intervals(self) -> Metric:
        return Labelled(self.metric.for_intervals(), self.label)

    def tables(self, counts: np.ndarray, chosen: np.ndarray, names: Sequence[str]) -> list[Table]:
        return [
            Table(table.name, table.columns, tuple(self._row(row, table.columns.index("metric")) for row in table.rows))
            for table in self.metric.tables(counts, chosen, names)
        ]

    def named(self, name: str) -> str:
        first, *rest = name.split(" ", 1)
        return " ".join([first, f"({self.label})", *rest])

    def _all_named(self, scores: Scores) -> Scores:
        return {self.named(name): values for name, values in scores.items()}

    def _row(self, row: tuple[Cell, ...], place: int) -> tuple[Cell, ...]:
        return (*row[:place], self.named(str(row[place])), *row[place + 1 :])


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
    name, others = _parsed(spec)
    metric = _made(name, others)
    return Labelled(metric, ", ".join(_written(others)), TOKENS in others) if others else metric


def canonical(spec: str) -> str:
    """Normalise the spelling of a metric and the order of its settings."""
    name, others = _parsed(spec)
    _made(name, others)
    return ":".join([name, *_written(others)])


def language_of(spec: str) -> str | None:
    """The only language that a metric knows, if there is one."""
    name, others = _parsed(spec)
    if name in ("meteor", "errant") or others.get("edits") == "errant":
        return others.get(LANGUAGE, ENGLISH)
    return None


def metrics_of(spec: str) -> dict[str, Metric]:
    """Make the metrics of a comma-separated list, by their canonical names."""
    names = [one.strip() for one in spec.split(",") if one.strip()]
    if not names:
        raise MetricError(f"Name at least one metric; choose from {', '.join(METRICS)}.")
    return {canonical(name): metric_of(name) for name in names}


def _made(name: str, others: dict[str, Any]) -> Metric:
    metric = METRICS[name](**{key: value for key, value in others.items() if key != TOKENS})
    if TOKENS in others and not metric.cuts_words:
        raise MetricError(f"{name} does not take characters for words; leave {TOKENS}={CHARACTERS} out.")
    return metric


def _parsed(spec: str) -> tuple[str, dict[str, Any]]:
    """Parse the name of a metric and the settings that differ from the default."""
    name, *settings = spec.strip().casefold().split(":")
    if name not in METRICS:
        raise MetricError(f"There is no metric {name!r}; choose from {', '.join(METRICS)}.")
    usual = METRICS[name]()
    given = dict(_setting(name, usual, setting) for setting in settings)
    return name, {key: value for key, value in sorted(given.items()) if value != getattr(usual, key, WORDS)}


def _written(settings: dict[str, Any]) -> Iterator[str]:
    for key, value in settings.items():
        if isinstance(value, bool):
            value = "yes" if value else "no"
        yield f"{key}={value:g}" if isinstance(value, float) else f"{key}={value}"


def ensemble_of(model: str) -> Metric:
    """Load an ensemble from a saved model, with the metrics that it was trained with."""
    from ranking.metrics.ensemble import Ensemble, EnsembleModel

    read = EnsembleModel.read(model)
    return Ensemble(read, {name: metric_of(name) for name in read.metrics})


def _setting(name: str, usual: Metric, text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    values = {field.name: getattr(usual, field.name) for field in fields(usual)}  # type: ignore[arg-type]
    known = {name: value for name, value in values.items() if isinstance(value, bool | int | float | str)}
    known[TOKENS] = WORDS
    if not equals or key not in known:
        there = ", ".join(f"{setting}={value}" for setting, value in known.items()) or "none"
        raise MetricError(f"{name} has no setting {text!r}; it has {there}.")
    if key == TOKENS and value not in (WORDS, CHARACTERS):
        raise MetricError(f"{name}: {TOKENS} is {WORDS} or {CHARACTERS}, not {value!r}.")
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
