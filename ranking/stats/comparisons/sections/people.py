"""The human ranking of the systems, and the metrics to compare with it."""

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.comparisons.study import ComparisonStudy
from ranking.stats.metaevaluation.correlations import (
    PUBLISHED,
    RECOMMENDED,
    SEEDA,
    Choices,
    drawn_sentences,
    mean_scores,
)
from ranking.stats.metaevaluation.scores import Level, MetricScores
from ranking.stats.metaevaluation.tables import SYSTEM, ScoredSystems
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
