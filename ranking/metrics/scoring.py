"""One metric on the outputs of several systems: scores with intervals, scores of each sentence, and tables of these."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from ranking.metrics.base import Metric, Progress, Scores, no_progress
from ranking.metrics.material import Candidates, Material, MetricError, count_lines
from ranking.metrics.ratio import (
    RatioScores,
    as_outputs,
    compare_with_people,
    counted_by_subset,
    ratio_scores,
    subsets_by_size,
)  # fmt: skip
from ranking.numbers.intervals import LEVEL, interval_of
from ranking.numbers.tables import Cell, Table, plain

# The number of replicates of sentences for the interval of a system's score.
REPLICATES, SEED = 200, 17
SCORES = "metric_scores"
COLUMNS = ("metric", "level", "system", "sentence", "value")


@dataclass(frozen=True)
class Scored:
    """Scores of a metric by name: one for each system, and a row per sentence with one for each system.

    `counts` and `candidates` allow further scores; `replicates` has a row per system for each score.
    """

    metric: Metric
    signature: str
    names: tuple[str, ...]
    systems: Scores
    sentences: Scores
    tables: tuple[Table, ...]
    counts: np.ndarray
    candidates: Candidates
    replicates: Scores

    @property
    def main_scores(self) -> tuple[str, ...]:
        return self.metric.main_scores


def score(
    metric: Metric,
    material: Material,
    names: Sequence[str],
    outputs: Sequence[Sequence[str]],
    progress: Progress = no_progress,
) -> Scored:
    """Score outputs against the references; outputs have one line per sentence."""
    check_lines(material, names, outputs)
    scorable = material.as_edits() if metric.reads_edits else material
    counts, candidates, ratios = _count(metric, material, scorable, outputs, progress)
    systems = metric.of_systems(counts, candidates.chosen)
    single = metric.of_candidates(counts)
    sentences = {name: values[candidates.chosen.T] for name, values in single.items()}
    replicates = drawn_scores(metric, counts, candidates)
    intervals = [
        (kept, name, systems[kept][number], *interval_of(replicates[kept][number], LEVEL))
        for number, name in enumerate(names)
        for kept in metric.main_scores
    ]
    tables = [
        Table.of("score_intervals", ("metric", "system", "value", "low", "high"), intervals),
        *metric.tables(counts, candidates.chosen, names),
    ]
    if ratios:
        rows = [
            (metric.main_scores[0], name, number, human, ratios.systems[system, number - 1], ratio)
            for system, name in enumerate(names)
            for number, (human, ratio) in enumerate(zip(ratios.humans.tolist(), ratios.ratios[system], strict=True), 1)
        ]
        tables.append(Table.of("ratios", ("metric", "system", "references", "human", "score", "ratio"), rows))
    among = f"|{candidates.signature}" if metric.among_systems else ""
    signature = f"{metric.signature(material)}{among}{scorable.convention}|data:{material.digest}"
    return Scored(metric, signature, tuple(names), systems, sentences, tuple(tables), counts, candidates, replicates)


def check_lines(material: Material, names: Sequence[str], outputs: Sequence[Sequence[str]]) -> None:
    """Refuse outputs that do not have a line for each sentence."""
    if not outputs or not material.sentences:
        raise MetricError("There is nothing to score; give the source and the outputs of the systems.")
    for name, lines in zip(names, outputs, strict=True):
        if len(lines) != material.sentences:
            raise MetricError(
                f"{name} has {count_lines(lines)} where the source has {material.sentences};"
                " every output needs one line per sentence."
            )


def drawn_sentences(sentences: int) -> np.ndarray:
    """Draw the sentences of each replicate, a row each: the same for all systems, metrics and people."""
    return np.random.default_rng(SEED).integers(0, sentences, (REPLICATES, sentences))


def _count(
    metric: Metric, material: Material, scorable: Material, outputs: Sequence[Sequence[str]], progress: Progress
) -> tuple[np.ndarray, Candidates, RatioScores | None]:
    """Count the outputs, and compare them with people if there are several references, counting both together."""
    if scorable.references < 2 or scorable.texts != material.texts:
        candidates = Candidates.of(outputs)
        counts, ratios = metric.count(material, candidates, progress), None
        with suppress(MetricError):
            ratios = ratio_scores(metric, scorable, outputs, SEED)
        return counts, candidates, ratios
    both = Candidates.of(outputs, as_outputs(material))
    by_size = subsets_by_size(material.references, SEED)
    counts, scores = counted_by_subset(metric, material, both, by_size, progress)
    ratios = None
    with suppress(MetricError):
        ratios = compare_with_people(scores[metric.main_scores[0]], len(outputs), by_size)
    return counts, replace(both, chosen=both.of_systems, people=0), ratios


def drawn_scores(metric: Metric, counts: np.ndarray, candidates: Candidates) -> Scores:
    return metric.of_resampled(counts, candidates.chosen, drawn_sentences(candidates.chosen.shape[1]))


def tables_of(scored: Iterable[Scored]) -> list[Table]:
    """Return all tables of several metrics on the same outputs."""
    found = list(scored)
    signatures = Table.of("signatures", ("metric", "signature"), [(one.main_scores[0], one.signature) for one in found])
    rows = (
        score_rows(one.names, one.systems, {name: one.sentences[name] for name in one.main_scores}) for one in found
    )
    scores = Table(SCORES, COLUMNS, tuple(chain.from_iterable(rows)))
    return merge_tables([scores, signatures, *(table for one in found for table in one.tables)])


def merge_tables(tables: Iterable[Table]) -> list[Table]:
    """Join tables of the same name; rows they share appear once."""
    found: dict[str, Table] = {}
    for table in tables:
        before = found.get(table.name)
        rows = tuple(dict.fromkeys((*before.rows, *table.rows))) if before else table.rows
        found[table.name] = Table(table.name, table.columns, rows)
    return list(found.values())


def score_rows(names: Sequence[str], systems: Scores, sentences: Scores) -> Iterator[tuple[Cell, ...]]:
    """Yield scores of whole outputs, then those of each sentence, numbered from 1."""
    for name, values in systems.items():
        for system, value in zip(names, values.tolist(), strict=True):
            yield name, "system", system, None, plain(value)
    for name, scores in sentences.items():
        distinct, which = np.unique(scores, return_inverse=True)
        cells = [plain(value) for value in distinct.tolist()]
        for number, row in enumerate(which.reshape(scores.shape), 1):
            for system, place in zip(names, row.tolist(), strict=True):
                yield name, "sentence", system, number, cells[place]
