"""Metrics ranked as people are, and how well people correlate with themselves.

A metric is aggregated as people are: its own comparisons of outputs, ranked by the method that ranks systems by people.

People compare outputs sentence by sentence, and a method makes a ranking of these comparisons; a metric is mostly asked
for one score of each system instead, or for the mean of its sentences. So the two differ by how they are aggregated as
well as by what they say (Goto et al. 2025). Here each ballot that people gave is filled in by the metric: the same
candidates of the same sentences, as often as they were judged, with the metric's scores as their merits. Equal scores
tie. A candidate without a score is taken from the ballot.

Toy: a judge said A > B = C, and the metric scores them .5, .5 and .1: its ballot says A = B > C.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ranking.numbers.intervals import interval_of
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.ballots import Ballots
from ranking.stats.comparisons.sections.people import People, people_of
from ranking.stats.comparisons.study import Study
from ranking.stats.metaevaluation.ceiling import Halves, ceiling, splits_of
from ranking.stats.metaevaluation.correlations import Coefficient, correlation, correlations
from ranking.stats.metaevaluation.score_types import Level, MetricScores
from ranking.stats.rankings.methods import METHODS, Method

RANKINGS = ("metric", "method", "coefficient", "value", "low", "high", "systems")
CEILING = ("halves", "method", "coefficient", "value", "splits")
# Comparisons are what the paper has, whatever else ranks people.
BY_COMPARISONS = ("expected-wins", "trueskill")
# Methods that counts are not enough for go over all comparisons a hundred times, for each metric.
MOST_COMPARISONS = 500_000
NOT_KNOWN = None, None


def metric_rankings(study: Study) -> Iterator[Table | Gap]:
    """Metrics that scored sentences, aggregated by the method that ranks systems by people, and by comparisons."""
    given = [metric for metric in study.covariates.metrics if metric.level is Level.SENTENCE]
    people = people_of(study)
    if not given or not people:
        return
    rows: list[tuple] = []
    for name in dict.fromkeys((people.method.name, *BY_COMPARISONS)):
        method = METHODS[name]
        if method.of_tally is None and int(study.counted.compared.sum()) // 2 > MOST_COMPARISONS:
            yield Gap(
                f"metrics by {method.label}", f"It takes too long with more than {MOST_COMPARISONS:,} comparisons."
            )
            continue
        try:
            human = method.scores(study.ballots)
        except StatisticsError:
            continue
        for metric in given:
            try:
                rows += _ranked(people, method, human, metric)
            except StatisticsError as reason:
                yield Gap(f"metric {metric.metric}, by {method.label}", str(reason))
    if rows:
        yield Table.of("metric_rankings", RANKINGS, rows)


def _ranked(people: People, method: Method, human: np.ndarray, metric: MetricScores) -> Iterator[tuple]:
    """The correlations of the two rankings, with intervals where replicates are made of counts alone."""
    own = as_told_by(people.study.ballots, metric.scores)
    scores = method.scores(own)
    drawn = _drawn(people, method, own)
    for coefficient in Coefficient:
        value = correlation(human, scores, coefficient, people.choices)
        bounds: tuple[float | None, float | None] = NOT_KNOWN
        if drawn:
            found = correlations(*drawn, coefficient, people.choices)
            bounds = interval_of(found, people.study.parameters.level)
        yield metric.metric, method.name, coefficient.value, value, *bounds, len(human)


def _drawn(people: People, method: Method, own: Ballots) -> tuple[np.ndarray, np.ndarray] | None:
    """The scores of both when the same units are drawn: the metric's ballots are those of people, filled in anew."""
    if method.of_tally is None:
        return None
    chosen = people.study.parameters
    try:
        human = people.study.replicates(method, people.unit)
        return human, method.replicates(own, people.unit, chosen.replicates, chosen.seed, 0)
    except StatisticsError:
        return None


def human_ceiling(study: Study) -> Iterator[Table | Gap]:
    """How well one half of people ranks the systems as the other half does."""
    people = people_of(study)
    if not study.covariates.metrics or not people:
        return
    method, chosen = _quick(people), study.parameters
    splits = splits_of(len(study.ballots))
    rows: list[tuple] = []
    for halves in Halves:
        try:
            found = ceiling(
                study.ballots, len(study.names.judges), method.scores, halves, chosen.seed, splits, people.choices
            )
        except StatisticsError as reason:
            yield Gap(f"halves of {halves}", str(reason))
            continue
        rows += [(halves.value, method.name, one.coefficient.value, one.value, one.splits) for one in found]
    if rows:
        yield Table.of("human_ceiling", CEILING, rows)


def _quick(people: People) -> Method:
    """The method of the human ranking; where counts are not enough for it, many rankings take long: Expected Wins."""
    return people.method if people.method.of_tally else METHODS[BY_COMPARISONS[0]]


def as_told_by(ballots: Ballots, metric: np.ndarray) -> Ballots:
    """These ballots by a metric with a row a segment and a column a system; candidates have one text, so one score."""
    first = ballots.candidates.members[ballots.candidates.starts[:-1]]
    score = np.asarray(metric, dtype=float)[ballots.segment[ballots.ballot_of], first[ballots.candidate]]
    known = np.isfinite(score)
    if not known.any():
        raise StatisticsError("The metric scored nothing that people judged; score the sentences of this campaign.")
    sizes = np.bincount(ballots.ballot_of[known], minlength=len(ballots))
    return replace(
        ballots,
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        candidate=ballots.candidate[known],
        merit=score[known],
    )
