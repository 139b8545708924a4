"""Metrics ranked by the methods for people, and the correlation of people with themselves.

People compare outputs sentence by sentence, and a method turns these comparisons into a ranking; a metric usually gives
each system one score, or the mean of its sentences. So the two differ in aggregation as well as in their scores (Goto
et al. 2025). Here the metric is aggregated like people: it fills in each ballot that people gave, with the same
candidates of the same sentences, as often as they were judged, and with its scores as merits. Equal scores tie.
Candidates without a score are removed from the ballot.

Toy: a judge's ballot is A > B = C, and the metric scores them .5, .5 and .1: its ballot is A = B > C.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np

from ranking.numbers.intervals import interval_of
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.ballots import Ballots, starts_of
from ranking.stats.comparisons.metrics import RankedStudy, ranked_study
from ranking.stats.comparisons.study import ComparisonStudy
from ranking.stats.metaevaluation.correlations import Coefficient, correlate, correlation
from ranking.stats.metaevaluation.human_agreement import Halves, ceiling, splits_of
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel
from ranking.stats.rankings.method import Method
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit

RANKINGS = ("metric", "method", "coefficient", "value", "low", "high", "systems")
CEILING = ("halves", "method", "coefficient", "value", "splits")
# The methods of the paper, which rank by comparisons.
BY_COMPARISONS = ("expected-wins", "trueskill")
# Methods that need more than counts pass over all comparisons a hundred times, for each metric.
MOST_COMPARISONS = 500_000
NOT_KNOWN = None, None


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
        yield Table.of("human_ceiling", CEILING, rows)


def ballots_by_metric(ballots: Ballots, metric: np.ndarray) -> Ballots:
    """Ballots with a metric's scores (segments by systems) as merits; candidates have one text, so one score."""
    first = ballots.candidates.members[ballots.candidates.starts[:-1]]
    score = np.asarray(metric, dtype=float)[ballots.segment[ballots.ballot_of], first[ballots.candidate]]
    known = np.isfinite(score)
    if not known.any():
        raise StatisticsError("The metric scored no judged output; score the sentences of this campaign.")
    starts = starts_of(np.bincount(ballots.ballot_of[known], minlength=len(ballots)))
    return replace(ballots, starts=starts, candidate=ballots.candidate[known], merit=score[known])
