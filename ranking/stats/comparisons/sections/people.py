"""The human ranking of the systems, and each metric as it is compared with it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.comparisons.study import Study
from ranking.stats.metaevaluation.correlations import PUBLISHED, RECOMMENDED, Choices, drawn_sentences, mean_scores
from ranking.stats.metaevaluation.scores import Level, MetricScores
from ranking.stats.metaevaluation.tables import SYSTEM, ScoredSystems
from ranking.stats.rankings.methods import METHODS, Method
from ranking.stats.resampling import Unit

MEAN = "mean of sentences"


@dataclass(frozen=True)
class People:
    """The human side of a study: the ranking by the first method that can rank."""

    study: Study

    def check(self) -> None:
        """Raise an error if no method can rank the systems."""
        _ = self.method

    @cached_property
    def method(self) -> Method:
        for name in self.study.parameters.methods:
            try:
                self.study.scores(METHODS[name])
                self.study.replicates(METHODS[name], self.unit)
            except StatisticsError:
                continue
            return METHODS[name]
        raise StatisticsError("No method could rank the systems, so there is nothing to compare metrics with.")

    @property
    def unit(self) -> Unit:
        return Unit(self.study.parameters.unit)

    @cached_property
    def scores(self) -> np.ndarray:
        return self.study.scores(self.method)

    @cached_property
    def replicates(self) -> np.ndarray:
        return self.study.replicates(self.method, self.unit)

    @property
    def choices(self) -> Choices:
        return PUBLISHED if self.study.parameters.correlations == "published" else RECOMMENDED

    @cached_property
    def judged(self) -> np.ndarray:
        """The sentences that were judged; metrics are compared with people on these."""
        return np.bincount(self.study.ballots.segment, minlength=self.study.ballots.segments) > 0

    @cached_property
    def metrics(self) -> list[ScoredSystems]:
        """Every metric, by its scores of systems or by the mean of its scores of sentences."""
        return [self._scored(metric) for metric in self.study.covariates.metrics]

    def _scored(self, metric: MetricScores) -> ScoredSystems:
        if metric.level is Level.SYSTEM:
            return ScoredSystems(metric.metric, SYSTEM, metric.scores)
        chosen, ballots = self.study.parameters, self.study.ballots
        mean = mean_scores(metric.scores, self.judged[:, None])[0]
        drawn = None
        if self.unit is Unit.SENTENCE:
            drawn = mean_scores(metric.scores, drawn_sentences(ballots, chosen.replicates, chosen.seed))
        return ScoredSystems(metric.metric, MEAN, mean, drawn)


def people_of(study: Study) -> People | None:
    """The human side, or None if no method can rank; the section on correlations reports the reason."""
    people = People(study)
    try:
        people.check()
    except StatisticsError:
        return None
    return people
