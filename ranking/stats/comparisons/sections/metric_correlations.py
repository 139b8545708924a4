"""Agreement of metrics with people: over systems, pairs of systems, and outputs of single sentences."""

from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.comparisons.sections.people import People
from ranking.stats.comparisons.study import ComparisonStudy
from ranking.stats.metaevaluation.correlations import Coefficient, by_sentences, by_systems, outliers
from ranking.stats.metaevaluation.pairwise_accuracy import (
    pairwise_accuracy,
    pairwise_interval,
    permutation_p,
    replicate_p,
    resolved_pairs,
    soft_pairwise_accuracy,
)
from ranking.stats.metaevaluation.scores import Level, MetricScores, pairs_of_ballots, pairs_of_systems
from ranking.stats.metaevaluation.tables import (
    ALL_SYSTEMS,
    CORRELATIONS,
    DIFFERENT_TEXTS,
    SYSTEM,
    ScoredSystems,
    sentence_rows,
)

INTERVALS = ("metric", "level", "coefficient", "drawn", "value", "low", "high")
SENTENCE, INLIERS = "sentence", "system, without outliers"
MOST_PAIRS = 5_000_000


def metric_correlations(study: ComparisonStudy) -> Iterator[Table | Gap]:
    """Every metric against people: over systems, over pairs of systems, and over outputs of single sentences."""
    yield from (Gap(f"metric {name}", reason) for name, reason in study.covariates.lacking.items())
    if not study.covariates.metrics:
        return
    people = People.of(study)
    rows: list[tuple] = []
    intervals: list[tuple] = []
    for metric, given in zip(people.metrics, study.covariates.metrics, strict=True):
        try:
            intervals += _of_systems(people, metric)
            rows += _pairs_of_systems(people, metric, given)
        except StatisticsError as reason:
            yield Gap(f"metric {metric.name}", str(reason))
    by_sentence = [given for given in study.covariates.metrics if given.level is Level.SENTENCE]
    for given in by_sentence:
        try:
            rows += _of_sentences(people, given)
        except StatisticsError as reason:
            yield Gap(f"metric {given.metric}, by sentence", str(reason))
    if by_sentence and not are_few(people):
        yield Gap(f"metrics, {ALL_SYSTEMS}", f"There are more than {MOST_PAIRS:,} pairs of systems; see {SENTENCE}.")
    if intervals or rows:
        # This table has the intervals from drawing the unit of the ranking.
        of_unit = [(*row[:3], *row[4:]) for row in intervals if row[3] == people.unit]
        yield Table.of("metric_correlations", CORRELATIONS, sorted([*of_unit, *rows], key=lambda row: str(row[0])))
        yield Table.of("metric_intervals", INTERVALS, [row[:-1] for row in intervals])


def _of_systems(people: People, metric: ScoredSystems) -> Iterator[tuple]:
    """Correlate a metric over systems, with intervals from drawing units and from drawing systems."""
    systems = {metric.level: np.ones(len(people.scores), dtype=bool)}
    with suppress(StatisticsError):
        away = outliers(people.scores)
        if away.any() and metric.level == SYSTEM:
            systems[INLIERS] = ~away
    for level, kept in systems.items():
        human, replicates, scores = people.scores[kept], people.replicates[:, kept], metric.scores[kept]
        others = None if metric.replicates is None else metric.replicates[:, kept]
        chosen = people.study.parameters
        for coefficient in Coefficient:
            by_unit = by_sentences(human, scores, replicates, coefficient, others, chosen.level, people.choices)
            draws = (chosen.replicates, chosen.seed, chosen.level)
            for drawn, found in (
                (people.unit.value, by_unit),
                ("system", by_systems(human, scores, coefficient, *draws, people.choices)),
            ):
                yield metric.name, level, coefficient.value, drawn, found.value, *found.interval, int(kept.sum())


def _pairs_of_systems(people: People, metric: ScoredSystems, given: MetricScores) -> Iterator[tuple]:
    """Pairwise accuracy over all pairs and over those that people resolve, and soft pairwise accuracy."""
    chosen, p_human = people.study.parameters, replicate_p(people.replicates)
    resolved = resolved_pairs(p_human, chosen.level)
    others = metric.replicates if metric.replicates is not None else [metric.scores] * len(people.replicates)
    for name, pairs in (("pairwise accuracy", None), ("pairwise accuracy, pairs that differ", resolved)):
        if pairs is None or np.triu(pairs, 1).any():
            value = pairwise_accuracy(people.scores, metric.scores, pairs)
            interval = pairwise_interval(people.replicates, others, chosen.level, pairs)
            yield metric.name, metric.level, name, value, *interval, len(people.scores)
    if given.level is Level.SENTENCE:
        scores = given.scores[people.judged]
        complete = scores[np.isfinite(scores).all(axis=1)]
        if len(complete):
            soft = soft_pairwise_accuracy(p_human, permutation_p(complete, chosen.replicates, chosen.seed))
            yield metric.name, metric.level, "soft pairwise accuracy", soft, None, None, len(people.scores)


def _of_sentences(people: People, metric: MetricScores) -> Iterator[tuple]:
    """Agreement over all comparisons: of distinct outputs, of all their systems, of systems whose texts differ."""
    chosen, ballots = people.study.parameters, people.study.ballots
    levels = {SENTENCE: lambda: pairs_of_ballots(ballots, metric.scores)}
    if are_few(people):
        levels[ALL_SYSTEMS] = lambda: pairs_of_systems(ballots, metric.scores)
        levels[DIFFERENT_TEXTS] = lambda: pairs_of_systems(ballots, metric.scores, distinct=True)
    for level, pairs in levels.items():
        for row in sentence_rows(pairs(), chosen.replicates, chosen.seed, chosen.level):
            yield metric.metric, level, *row, len(people.scores)


def are_few(people: People) -> bool:
    """Whether all pairs of systems on all ballots fit into memory."""
    return int(people.study.counted.compared.sum()) // 2 <= MOST_PAIRS
