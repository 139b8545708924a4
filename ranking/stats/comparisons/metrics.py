"""Agreement of metrics with the human ranking of a report: over systems, pairs of systems, and outputs of sentences.

Metrics are also compared with each other, among neighbouring systems, with calibrated ties, and with other betas:

    F_beta = (1 + beta^2) P R / (beta^2 P + R),   0 where P or R is 0.

With beta below 1 precision counts more. The sweep of Grundkiewicz et al. (2015, Figure 3) goes from 1.00 down to 0.01
in steps of 0.01.

Toy: P = 1/2 and R = 1/4 have F_1 = 1/3, F_0.5 = (5/4)(1/8) / (1/8 + 1/4) = 5/12, and F approaches P as beta goes to 0.

Metrics are ranked by the methods for people, too, and people are correlated with themselves. People compare outputs
sentence by sentence, and a method turns these comparisons into a ranking; a metric usually gives each system one score,
or the mean of its sentences. So the two differ in aggregation as well as in their scores (Goto et al. 2025). Here the
metric is aggregated like people: it fills in each ballot that people gave, with the same candidates of the same
sentences, as often as they were judged, and with its scores as merits. Equal scores tie. Candidates without a score are
removed from the ballot.

Toy: a judge's ballot is A > B = C, and the metric scores them .5, .5 and .1: its ballot is A = B > C.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ranking.numbers.intervals import NOT_KNOWN, interval_of
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.ballots import Ballots, starts_of
from ranking.stats.comparisons.study import ComparisonStudy
from ranking.stats.metaevaluation.correlations import (
    ACCURACY,
    CORRELATIONS,
    PUBLISHED,
    RECOMMENDED,
    SEEDA,
    SOFT_ACCURACY,
    Coefficient,
    CorrelationChoices,
    accuracy,
    by_systems,
    correlate,
    correlation,
    drawn_sentences,
    outliers,
    resolved_pairs,
    system_rows,
)
from ranking.stats.metaevaluation.human_agreement import Halves, ceiling, splits_of
from ranking.stats.metaevaluation.overview import behind_correlations, overview, windows_of
from ranking.stats.metaevaluation.scores import (
    SYSTEM,
    HumanScores,
    MetricScores,
    ScoredSystems,
    ScoreLevel,
    join_levels,
    pairs_of_ballots,
    pairs_of_systems,
)
from ranking.stats.metaevaluation.sentences import ALL_SYSTEMS, DIFFERENT_TEXTS, sentence_rows
from ranking.stats.rankings.method import Method
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit

# How to correlate, by the choice `correlations` of a report.
CORRELATED = {"plain": RECOMMENDED, "published": PUBLISHED, "kobayashi2024": SEEDA}
# The last two are the interval over other systems of this kind.
OF_REPORTS = *CORRELATIONS, "other_systems_low", "other_systems_high"
SENTENCE, INLIERS = "sentence", "system, without outliers"
MOST_PAIRS = 5_000_000
BETAS = np.arange(100, 0, -1) / 100
# Names of scores that are the precision or the recall of a metric.
PRECISION_OR_RECALL = re.compile(r"(.+) (?:(p|precision)|r|recall)", re.IGNORECASE | re.DOTALL)
RANKINGS = ("metric", "method", "coefficient", "value", "low", "high", "systems")
# The methods of the paper, which rank by comparisons.
BY_COMPARISONS = ("expected-wins", "trueskill")
# Methods that need more than counts pass over all comparisons a hundred times, for each metric.
MOST_COMPARISONS = 500_000
Tables = Iterator[Table | Gap]


def rankings_of(study: ComparisonStudy) -> Iterator[tuple[Method, HumanScores]]:
    """Yield the human ranking by each method that can rank; metrics are compared with the first."""
    pairs = (lambda scores: pairs_of_systems(study.ballots, scores, distinct=True)) if _are_few(study) else None
    for method in study.methods:
        with suppress(StatisticsError):
            scores, replicates = study.scores(method), study.replicates(method)
            yield method, HumanScores(method.label, scores, replicates, pairs, study.ballots.judged)


@dataclass(frozen=True)
class RankedStudy:
    """A study with its first human ranking, which metrics are compared with, and the method of that ranking."""

    study: ComparisonStudy
    method: Method
    people: HumanScores

    @property
    def choices(self) -> CorrelationChoices:
        return CORRELATED[self.study.parameters.correlations]

    @cached_property
    def metrics(self) -> list[ScoredSystems]:
        """Every metric by its own scores of systems or, without any, by the means of its judged sentences."""
        return self.join(self.study.covariates.metrics)

    @property
    def compared(self) -> list[ScoredSystems]:
        """Without precision and recall of metrics that have F: they would be tested against their own F."""
        names = [metric.name.casefold() for metric in self.metrics]
        stems = {name[: name.rindex(" f") + 1] for name in names if " f" in name}
        parts = {f"{stem}{part}" for stem in stems for part in ("p", "precision", "r", "recall")}
        return [metric for metric, name in zip(self.metrics, names, strict=True) if name not in parts]

    def join(self, metrics: Sequence[MetricScores]) -> list[ScoredSystems]:
        chosen, times = self.study.parameters, None
        if chosen.drawn is Unit.SENTENCE and any(one.level is ScoreLevel.SENTENCE for one in metrics):
            times = drawn_sentences(self.study.ballots, chosen.replicates, chosen.seed)
        return join_levels(metrics, self.study.ballots.judged, times)


def ranked_study(study: ComparisonStudy, fewest: int = 1) -> RankedStudy | None:
    """Return None if there are fewer metrics, or no method can rank; `metric_correlations` reports the reason."""
    rankings = rankings_of(study) if len(study.covariates.metrics) >= fewest else ()
    return next((RankedStudy(study, *ranking) for ranking in rankings), None)


def _are_few(study: ComparisonStudy) -> bool:
    """Whether all pairs of systems on all ballots fit into memory."""
    return int(study.counted.compared.sum()) // 2 <= MOST_PAIRS


def metric_correlations(study: ComparisonStudy) -> Tables:
    """Every metric against people: over systems, over pairs of systems, and over outputs of single sentences."""
    yield from (Gap(f"metric {name}", reason) for name, reason in study.covariates.lacking.items())
    if not study.covariates.metrics:
        return
    if (given := ranked_study(study)) is None:
        raise StatisticsError("No method could rank the systems, so there is nothing to compare metrics with.")
    rows: list[tuple] = []
    by_sentence = [metric for metric in study.covariates.metrics if metric.level is ScoreLevel.SENTENCE]
    with_own = {metric.name for metric in given.metrics if metric.level == SYSTEM}
    for metric in (*given.metrics, *given.join([one for one in by_sentence if one.metric in with_own])):
        try:
            rows += _over_systems(given, metric)
        except StatisticsError as reason:
            yield Gap(f"metric {metric.name}", str(reason))
    are_few, chosen, ballots = _are_few(study), study.parameters, study.ballots
    for of_sentences in by_sentence:
        # Over all comparisons: of distinct outputs, of all their systems, of systems whose texts differ.
        levels = {SENTENCE: lambda scores: pairs_of_ballots(ballots, scores)}
        if are_few:
            levels[ALL_SYSTEMS] = lambda scores: pairs_of_systems(ballots, scores)
            levels[DIFFERENT_TEXTS] = lambda scores: pairs_of_systems(ballots, scores, distinct=True)
        try:
            for level, pairs in levels.items():
                for row in sentence_rows(pairs(of_sentences.scores), chosen.replicates, chosen.seed, chosen.level):
                    rows.append((of_sentences.metric, level, *row, ballots.systems, *NOT_KNOWN))
        except StatisticsError as reason:
            yield Gap(f"metric {of_sentences.metric}, by sentence", str(reason))
    if by_sentence and not are_few:
        yield Gap(f"metrics, {ALL_SYSTEMS}", f"There are more than {MOST_PAIRS:,} pairs of systems; see {SENTENCE}.")
    if rows:
        yield Table.of("metric_correlations", OF_REPORTS, sorted(rows, key=lambda row: str(row[0])))
    yield from behind_correlations(study.names.systems, given.people.scores, given.compared, given.choices)


def _over_systems(given: RankedStudy, metric: ScoredSystems) -> Iterator[tuple]:
    """Numbers over systems, with intervals from drawing units and from drawing systems, and over pairs that differ."""
    chosen, people = given.study.parameters, given.people
    draws = (chosen.replicates, chosen.seed, chosen.level, given.choices)
    systems = {metric.level: np.ones(len(people.scores), dtype=bool)}
    with suppress(StatisticsError):
        away = outliers(people.scores)
        if away.any() and metric.level == SYSTEM:
            systems[INLIERS] = ~away
    for level, kept in systems.items():
        human, scores = people.at(kept), metric.at(kept)
        for name, *numbers in system_rows(human, scores, *draws):
            if name == SOFT_ACCURACY and metric.level == SYSTEM:
                continue  # it is that of the means, which have rows of their own
            over_others: tuple[float | None, float | None] = NOT_KNOWN
            if name in list(Coefficient):
                over_others = by_systems(human.scores, scores.scores, Coefficient(name), *draws).interval
            yield metric.name, level, name, *numbers, int(kept.sum()), *over_others
    if np.triu(resolved := resolved_pairs(people.p_better(given.study.ballots.judged), chosen.level), 1).any():
        found = accuracy(people, metric, chosen.level, resolved)
        yield metric.name, metric.level, f"{ACCURACY}, pairs that differ", *found, len(people.scores), *NOT_KNOWN


def meta_evaluation(study: ComparisonStudy) -> Tables:
    """Every metric against the ranking by each method of the report: what papers print, tests, and windows."""
    if not (given := ranked_study(study)):
        return
    ways = [ranking for _, ranking in rankings_of(study)]
    chosen = study.parameters
    yield from overview(ways, given.compared, chosen.seed, given.choices, chosen.level, chosen.replicates)
    # Windows of all rankings would be half of the rows of a page.
    yield from windows_of(ways[:1], given.compared, given.choices)


def f_beta(study: ComparisonStudy) -> Tables:
    """Correlation of F with people for every beta, for metrics with known precision and recall (Figure 3)."""
    if not (given := ranked_study(study, fewest=2)):
        return
    matches = ((PRECISION_OR_RECALL.fullmatch(metric.name), metric.scores) for metric in given.metrics)
    parts = [(found[1], bool(found[2]), scores) for found, scores in matches if found]
    recalls = {name: scores for name, is_precision, scores in parts if not is_precision}
    rows = []
    for name, is_precision, precision in parts:
        if is_precision and name in recalls:
            by_coefficient = curves(given.people.scores, precision, recalls[name], given.choices)
            rows += [(name, *values) for values in zip(BETAS, *by_coefficient.values(), strict=True)]
    if rows:
        yield Table.of("f_beta", ("metric", "beta", *(coefficient.value for coefficient in Coefficient)), rows)


def f_score(precision: np.ndarray, recall: np.ndarray, beta: float) -> np.ndarray:
    precision, recall, square = np.broadcast_arrays(precision, recall, np.square(beta, dtype=float))
    below = square * precision + recall
    both = (precision > 0) & (recall > 0)
    return np.divide((1 + square) * precision * recall, below, out=np.zeros(below.shape), where=both)


def curves(
    human: np.ndarray, precision: np.ndarray, recall: np.ndarray, choices: CorrelationChoices = RECOMMENDED
) -> dict[Coefficient, np.ndarray]:
    """For each coefficient the correlation of F with people, by beta (Figure 3)."""
    scores = [f_score(precision, recall, beta) for beta in BETAS]
    return {
        coefficient: np.array([correlation(human, score, coefficient, choices) for score in scores])
        for coefficient in Coefficient
    }


def metric_rankings(study: ComparisonStudy) -> Iterator[Table | Gap]:
    """Rank by metrics that scored sentences, using the method of the human ranking and methods for comparisons."""
    metrics = [metric for metric in study.covariates.metrics if metric.level is ScoreLevel.SENTENCE]
    given = ranked_study(study) if metrics else None
    if not given:
        return
    rows: list[tuple] = []
    for method in (METHODS[name] for name in dict.fromkeys((given.method.name, *BY_COMPARISONS))):
        if method.of_tally is None and int(study.counted.compared.sum()) // 2 > MOST_COMPARISONS:
            reason = f"This takes too long with more than {MOST_COMPARISONS:,} comparisons."
            yield Gap(f"metrics by {method.label}", reason)
            continue
        try:
            human = method.scores(study.ballots)
        except StatisticsError:
            continue
        for metric in metrics:
            try:
                rows += _rows_by(method, given, human, metric)
            except StatisticsError as reason:
                yield Gap(f"metric {metric.metric}, by {method.label}", str(reason))
    if rows:
        yield Table.of("metric_rankings", RANKINGS, rows)


def _rows_by(method: Method, given: RankedStudy, human: np.ndarray, metric: MetricScores) -> Iterator[tuple]:
    """Correlations of the two rankings; intervals only if the method needs just counts.

    Both draw the same replicates: the metric's ballots are those of people with other merits.
    """
    chosen, own = given.study.parameters, ballots_by_metric(given.study.ballots, metric.scores)
    scores, drawn = method.scores(own), None
    if method.of_tally is not None:
        with suppress(StatisticsError):
            unit = Unit(chosen.unit).drawn
            drawn = given.study.replicates(method), method.replicates(own, unit, chosen.replicates, chosen.seed, 0)
    for coefficient in Coefficient:
        value = correlation(human, scores, coefficient, given.choices)
        again = correlate(*drawn, coefficient, given.choices) if drawn else None
        bounds = NOT_KNOWN if again is None else interval_of(again, chosen.level)
        yield metric.metric, method.name, coefficient.value, value, *bounds, len(human)


def human_ceiling(study: ComparisonStudy) -> Iterator[Table | Gap]:
    """How well the ranking from one half of the judgments matches that from the other half."""
    if not (given := ranked_study(study)):
        return
    chosen, splits = study.parameters, splits_of(len(study.ballots))
    # Methods that need more than counts take too long.
    method = given.method if given.method.of_tally else METHODS[BY_COMPARISONS[0]]
    rows: list[tuple] = []
    for halves in Halves:
        try:
            draws = (halves, chosen.seed, splits, given.choices)
            found = ceiling(study.ballots, len(study.names.judges), method.scores, *draws)
        except StatisticsError as reason:
            yield Gap(f"halves of {halves}", str(reason))
            continue
        rows += [(halves.value, method.name, name.value, value, used) for name, value, used in found]
    if rows:
        yield Table.of("human_ceiling", ("halves", "method", "coefficient", "value", "splits"), rows)


def ballots_by_metric(ballots: Ballots, metric: np.ndarray) -> Ballots:
    """Ballots with a metric's scores (segments by systems) as merits; candidates have one text, so one score."""
    first = ballots.candidates.members[ballots.candidates.starts[:-1]]
    score = np.asarray(metric, dtype=float)[ballots.segment[ballots.ballot_of], first[ballots.candidate]]
    known = np.isfinite(score)
    if not known.any():
        raise StatisticsError("The metric scored no judged output; score the sentences of this campaign.")
    starts = starts_of(np.bincount(ballots.ballot_of[known], minlength=len(ballots)))
    return replace(ballots, starts=starts, candidate=ballots.candidate[known], merit=score[known])
