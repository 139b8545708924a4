"""Scores of outputs by metrics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from judgments.rules.files.problems import Problems
from judgments.rules.texts.m2 import UNCLEAR
from ranking.library import Result
from ranking.metrics import catalogue
from ranking.metrics.base import Metric
from ranking.metrics.material import Material, MetricError
from ranking.metrics.scoring import score as score_by
from ranking.metrics.scoring import tables_of
from ranking.scores.files import GivenFile, read_lines, read_material, read_outputs

# A file with a sentence per line, or the sentences.
Lines = str | Path | Sequence[str]


@dataclass(frozen=True)
class Scores(Result):
    """Scores by the name of the score and of the system; those of sentences are in the order of the source.

    `systems["M2 F0.5"]["A"]` is a score of a whole output, `intervals["M2 F0.5"]["A"]` its 95% interval by drawing
    sentences, and `sentences["M2 F0.5"]["A"]` has a score for each sentence. `counts["m2"]["A"]` has what the metric
    counted, a row per sentence; `signatures["m2"]` says how, and from which data.
    """

    systems: Mapping[str, Mapping[str, float]]
    sentences: Mapping[str, Mapping[str, np.ndarray]]
    intervals: Mapping[str, Mapping[str, tuple[float, float]]]
    counts: Mapping[str, Mapping[str, np.ndarray]]
    signatures: Mapping[str, str]


def score(
    source: Lines | None,
    outputs: Mapping[str, Lines] | Sequence[str | Path],
    references: Sequence[Lines] = (),
    *,
    m2: str | Path | None = None,
    metrics: Sequence[str | Metric] | None = None,
    apply_unclear: bool = False,
) -> Scores:
    """Score outputs, given by name or as files called as their systems are, against texts, an M2 file, or both.

    Metrics are named as in docs/metrics.md, with settings after colons: `["gleu", "m2:beta=1"]`. Without a source the
    sentences are those of the M2 file. Raises a `ValueError` that says what is wrong with the texts.
    """
    for what, given in (("outputs", outputs), ("references", references), ("metrics", metrics)):
        if isinstance(given, str | Path):
            raise MetricError(f"Give {what} as a list, such as [{str(given)!r}].")
    try:
        lines = _lines_by_system(outputs)
        material = _material(source, references, m2, frozenset() if apply_unclear else UNCLEAR)
    except Problems as reason:
        raise MetricError(str(reason)) from reason
    chosen = [
        (one.name, one) if isinstance(one, Metric) else (catalogue.canonical(one), catalogue.metric_of(one))
        for one in (catalogue.USUAL if metrics is None else metrics)
    ]
    found = {name: score_by(metric, material, list(lines), list(lines.values())) for name, metric in chosen}
    tables = {table.name: table for table in tables_of(found.values())}
    intervals: dict[str, dict[str, tuple[float, float]]] = {}
    for name, system, _, low, high in tables["score_intervals"].rows:
        intervals.setdefault(str(name), {})[str(system)] = (float(low or 0), float(high or 0))
    return Scores(
        tables=tables,
        systems={
            score: dict(zip(lines, map(float, values), strict=True))
            for one in found.values()
            for score, values in one.systems.items()
        },
        sentences={
            score: dict(zip(lines, values.T, strict=True))
            for one in found.values()
            for score, values in one.sentences.items()
        },
        intervals=intervals,
        counts={
            name: {system: one.counts[chosen] for system, chosen in zip(lines, one.candidates.chosen, strict=True)}
            for name, one in found.items()
        },
        signatures={name: one.signature for name, one in found.items()},
    )


def _lines_by_system(outputs: Mapping[str, Lines] | Sequence[str | Path]) -> dict[str, tuple[str, ...]]:
    if isinstance(outputs, Mapping):
        return {name: _lines(given, name) for name, given in outputs.items()}
    return read_outputs([_file(path) for path in outputs])


def _material(
    source: Lines | None, references: Sequence[Lines], m2: str | Path | None, left_out: frozenset[str]
) -> Material:
    sentences = None if source is None else _lines(source, "source")
    texts = [_lines(one, f"reference {number}") for number, one in enumerate(references, 1)]
    if m2:
        edits = read_material(sentences, [], _file(m2), left_out)
        if not texts:
            return edits
        return Material.of_texts(edits.source if sentences is None else sentences, texts).with_edits_of(edits)
    if not texts:
        raise MetricError("There are no references; give texts, or an M2 file.")
    if sentences is None:
        raise MetricError("There is no source; give its sentences, or an M2 file.")
    return Material.of_texts(sentences, texts)


def _lines(given: Lines, name: str) -> tuple[str, ...]:
    if isinstance(given, str | Path):
        return read_lines(_file(given))
    lines = tuple(given)
    for faulty in (line for line in lines if not isinstance(line, str)):
        raise MetricError(f"{name}: {faulty!r} is not a sentence; give text, one sentence for each of the source.")
    return lines


def _file(path: str | Path) -> GivenFile:
    return GivenFile(Path(path).name, Path(path).read_bytes())
