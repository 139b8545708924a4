"""Agreement of metrics with people: over systems, pairs of systems, and outputs of single sentences.

The human ranking of the systems, and the metrics to compare with it.

Comparisons of metrics: with each other, among neighbouring systems, with calibrated ties, with other betas.

    F_beta = (1 + beta^2) P R / (beta^2 P + R),   0 where P or R is 0.

With beta below 1 precision counts more. The sweep of Grundkiewicz et al. (2015, Figure 3) goes from 1.00 down to 0.01
in steps of 0.01.

Toy: P = 1/2 and R = 1/4 have F_1 = 1/3, F_0.5 = (5/4)(1/8) / (1/8 + 1/4) = 5/12, and F approaches P as beta goes to 0.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, wraps

import numpy as np

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.comparisons.study import ComparisonStudy
from ranking.stats.metaevaluation import overview
from ranking.stats.metaevaluation.correlations import (
    PUBLISHED,
    RECOMMENDED,
    SEEDA,
    Choices,
    Coefficient,
    by_sentences,
    by_systems,
    correlation,
    drawn_sentences,
    mean_scores,
    outliers,
    pairwise_accuracy,
    pairwise_interval,
    permutation_p,
    replicate_p,
    resolved_pairs,
    soft_pairwise_accuracy,
)
from ranking.stats.metaevaluation.scores import Level, MetricScores, calibrate, pairs_of_ballots, pairs_of_systems
from ranking.stats.metaevaluation.tables import (
    ALL_SYSTEMS,
    CORRELATIONS,
    DIFFERENT_TEXTS,
    SYSTEM,
    ScoredSystems,
    label,
    leave_out_of,
    scatter_of,
    sentence_rows,
    williams_of,
    windows_of,
)
from ranking.stats.rankings.methods import METHODS, Method
from ranking.stats.resampling import Unit

MEAN = "mean of sentences"

# How to correlate, by the choice `correlations` of a report.
CORRELATED = {"plain": RECOMMENDED, "published": PUBLISHED, "kobayashi2024": SEEDA}


@dataclass(frozen=True)
class People:
    """The human ranking, by the first method that can rank."""

    study: ComparisonStudy
    method: Method
    unit: Unit
    scores: np.ndarray
    replicates: np.ndarray

    @classmethod
    def of(cls, study: ComparisonStudy) -> "People":
        unit = Unit(study.parameters.unit)
        for method in (METHODS[name] for name in study.parameters.methods):
            with suppress(StatisticsError):
                return cls(study, method, unit, study.scores(method), study.replicates(method))
        raise StatisticsError("No method could rank the systems, so there is nothing to compare metrics with.")

    @property
    def choices(self) -> Choices:
        return CORRELATED[self.study.parameters.correlations]

    @cached_property
    def judged(self) -> np.ndarray:
        """Sentences that were judged; metrics are compared with people on these."""
        return np.bincount(self.study.ballots.segment, minlength=self.study.ballots.segments) > 0

    @cached_property
    def metrics(self) -> list[ScoredSystems]:
        """Scores of systems by every metric, if need be as means over sentences."""
        return [self._scored(metric) for metric in self.study.covariates.metrics]

    def _scored(self, metric: MetricScores) -> ScoredSystems:
        if metric.level is Level.SYSTEM:
            return ScoredSystems(metric.metric, SYSTEM, metric.scores)
        chosen, ballots = self.study.parameters, self.study.ballots
        mean = mean_scores(metric.scores, self.judged[:, None])[0]
        drawn = None
        if self.unit.drawn is Unit.SENTENCE:
            drawn = mean_scores(metric.scores, drawn_sentences(ballots, chosen.replicates, chosen.seed))
        return ScoredSystems(metric.metric, MEAN, mean, drawn, metric.scores)


def people_of(study: ComparisonStudy) -> People | None:
    """Return the human ranking, or None if no method can rank; `metric_correlations` reports the reason."""
    try:
        return People.of(study)
    except StatisticsError:
        return None


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


BETAS = np.arange(100, 0, -1) / 100
PRECISION, RECALL = (" p", " precision"), (" r", " recall")
Tables = Iterator[Table | Gap]


def of_metrics(least: int) -> Callable[[Callable[[People], Tables]], Callable[[ComparisonStudy], Tables]]:
    """Turn tables into a section, empty without enough metrics or a human ranking; `metric_correlations` says why."""

    def section_of(tables: Callable[[People], Tables]) -> Callable[[ComparisonStudy], Tables]:
        @wraps(tables)
        def section(study: ComparisonStudy) -> Tables:
            people = people_of(study) if len(study.covariates.metrics) >= least else None
            if people:
                yield from tables(people)

        return section

    return section_of


@of_metrics(2)
def williams(people: People) -> Tables:
    """Test whether one metric correlates better than another on these systems."""
    decimals = people.choices.decimals
    yield from williams_of(np.round(people.scores, decimals) if decimals else people.scores, people.metrics)


@of_metrics(1)
def metric_windows(people: People) -> Tables:
    """Correlation among the best systems, and among neighbours."""
    yield from windows_of(people.scores, people.metrics, people.choices)


@of_metrics(1)
def metric_leave_out(people: People) -> Tables:
    yield from leave_out_of(people.study.names.systems, people.scores, people.metrics, people.choices)


@of_metrics(1)
def metric_scatter(people: People) -> Tables:
    yield from scatter_of(people.study.names.systems, people.scores, people.metrics)


@of_metrics(1)
def meta_evaluation(people: People) -> Iterator[Table | Gap]:
    """Every metric against the ranking by each method of the report, in the one table that papers print."""
    study, ways = people.study, []
    pairs = (lambda scores: pairs_of_systems(study.ballots, scores, distinct=True)) if are_few(people) else None
    for method in (METHODS[name] for name in study.parameters.methods):
        with suppress(StatisticsError):
            ways.append(
                overview.People(method.label, study.scores(method), study.replicates(method), pairs, people.judged)
            )
    named = [replace(metric, name=label(metric, people.metrics)) for metric in people.metrics]
    chosen = study.parameters
    for part in overview.overview(ways, named, chosen.seed, people.choices, chosen.level):
        if isinstance(part, Gap) or part.name == overview.NAME:  # windows and ties have tables of their own
            yield part


def tie_calibration(study: ComparisonStudy) -> Iterator[Table]:
    """Largest difference of a metric's scores that counts as a tie, fitted to the ties of people."""
    rows = []
    for metric in study.covariates.metrics:
        if metric.level is Level.SENTENCE:
            try:
                found = calibrate(pairs_of_ballots(study.ballots, metric.scores))
            except StatisticsError:
                continue
            rows.append((metric.metric, found.epsilon, found.accuracy, found.uncalibrated))
    if rows:
        yield Table.of("tie_calibration", ("metric", "epsilon", "accuracy", "uncalibrated"), rows)


@of_metrics(2)
def f_beta(people: People) -> Tables:
    """Correlation of F with people for every beta, for metrics with known precision and recall (Figure 3)."""
    rows = []
    for name, precision, recall in _precision_and_recall(people.metrics):
        found = curves(people.scores, precision, recall, choices=people.choices)
        rows += [(name, *values) for values in zip(BETAS, *found.values(), strict=True)]
    if rows:
        yield Table.of("f_beta", ("metric", "beta", *(coefficient.value for coefficient in Coefficient)), rows)


def f_score(precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
    precision, recall, square = np.broadcast_arrays(precision, recall, np.square(beta, dtype=float))
    below = square * precision + recall
    both = (precision > 0) & (recall > 0)
    return np.divide((1 + square) * precision * recall, below, out=np.zeros(below.shape), where=both)


def curves(
    human: np.ndarray, precision: np.ndarray, recall: np.ndarray, choices: Choices = RECOMMENDED
) -> dict[Coefficient, np.ndarray]:
    """For each coefficient the correlation of F with people, by beta (Figure 3)."""
    scores = [f_score(precision, recall, beta) for beta in BETAS]
    return {
        coefficient: np.array([correlation(human, score, coefficient, choices) for score in scores])
        for coefficient in Coefficient
    }


def _precision_and_recall(metrics: list[ScoredSystems]) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield the metrics named `NAME P` and `NAME R`."""
    recalls = {name: metric.scores for metric in metrics if (name := _before(metric.name, RECALL))}
    for metric in metrics:
        if (name := _before(metric.name, PRECISION)) and name in recalls:
            yield name, metric.scores, recalls[name]


def _before(name: str, ends: tuple[str, ...]) -> str:
    """Strip one of these endings; return an empty string if there is none."""
    return next((name[: -len(end)] for end in ends if name.casefold().endswith(end)), "")
