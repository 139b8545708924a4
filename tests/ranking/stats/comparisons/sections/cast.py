"""A small study whose ranking is plain to see: A before B before C before D, on every sentence."""

from collections.abc import Sequence

import numpy as np

from ranking.numbers.tables import Gap, Table
from ranking.stats.ballots import Ballots
from ranking.stats.comparisons.study import ComparisonStudy, Covariates, Names, Parameters
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel
from tests import published
from tests.ranking.stats.ballots import ballot, columns, published_columns

SYSTEMS = ("A", "B", "C", "D")
QUICK = Parameters(replicates=200, seed=3)


def plain_ballots(sentences: int = 12) -> Ballots:
    """Two judges agree on every sentence but the first, where one of them turns the order round."""
    ballots = []
    for segment in range(sentences):
        for judge in range(2):
            ranks = (4, 3, 2, 1) if segment + judge == 0 else (1, 2, 3, 4)
            ballots.append(ballot(*zip(SYSTEMS, ranks, strict=True), judge=judge, segment=segment))
    return columns(ballots, 4, 2)


def study(
    parameters: Parameters = QUICK, metrics: Sequence[MetricScores] = (), days: tuple = (), **covariates
) -> ComparisonStudy:
    known = Covariates(metrics=tuple(metrics), **covariates)
    return ComparisonStudy(plain_ballots(), Names(SYSTEMS, ("ada", "ben")), parameters, covariates=known, days=days)


def published_study(parameters: Parameters = QUICK, metrics: Sequence[MetricScores] = ()) -> ComparisonStudy:
    names = Names(tuple(published.golden()["systems"]), tuple(published.golden()["judges"]))
    return ComparisonStudy(published_columns(), names, parameters, covariates=Covariates(metrics=tuple(metrics)))


def of_systems(name: str, *scores: float) -> MetricScores:
    return MetricScores(name, ScoreLevel.SYSTEM, np.array(scores))


def of_sentences(name: str, scores: Sequence[Sequence[float]]) -> MetricScores:
    return MetricScores(name, ScoreLevel.SENTENCE, np.array(scores, dtype=float))


def made(section, of: ComparisonStudy) -> tuple[dict[str, Table], dict[str, str]]:
    parts = list(section(of))
    tables = {part.name: part for part in parts if isinstance(part, Table)}
    return tables, {part.name: part.reason for part in parts if isinstance(part, Gap)}
