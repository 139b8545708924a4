"""Correlations over systems and their mixtures, as Napoles et al. (2019) have them, and how sure these are.

Mixtures are scored from counts, and people's score of one is the mean over its sentences. The paper's Williams test
takes 681 systems for independent; the bootstrap of systems does not.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ranking.metrics.against_people import Sides
from ranking.metrics.ensemble.hybrids import Hybrids, means, mixed
from ranking.metrics.scoring import SEED
from ranking.stats.ballots import StatisticsError
from ranking.stats.metaevaluation.correlations import Coefficient
from ranking.stats.metaevaluation.mixtures import differences, drawn_mixtures, over_mixtures
from ranking.stats.sections.metric_tables import williams_of
from ranking.stats.sections.people import Scored as OfSystems
from ranking.stats.tables import Gap, Table

LEVEL_OF_HYBRIDS = "system, with hybrids"
REPLICATES = 1000
DIFFERENCES = ("metric", "other", "difference", "low", "high", "p_value")


@dataclass(frozen=True)
class Mixed:
    """Systems and then their mixtures, by people and by every metric."""

    sides: Sides
    seed: int = SEED

    @cached_property
    def _hybrids(self) -> Hybrids:
        return mixed(len(self.sides.human.names), len(self.sides.human.scores), self.seed)

    @cached_property
    def people(self) -> np.ndarray:
        """What people say of each."""
        human = self.sides.human.scores.T
        return np.concatenate([means(human), means(self._hybrids.choose(human))])

    @cached_property
    def metrics(self) -> list[OfSystems]:
        """What every metric says of each."""
        found = []
        for name, one in zip(self.sides.names, self.sides.scored, strict=True):
            chosen = one.candidates.chosen[self.sides.places]
            rows = np.concatenate([chosen, self._hybrids.choose(chosen)])
            found.append(
                OfSystems(name, LEVEL_OF_HYBRIDS, one.metric.of_systems(one.counts, rows)[self.sides.score_of(one)])
            )
        return found

    def drawn(self) -> list[np.ndarray]:
        """The rows of each replicate of the bootstrap."""
        return drawn_mixtures(len(self.sides.human.names), self._hybrids.pairs, REPLICATES, self.seed)


def correlations_of(both: Mixed) -> Iterator[tuple | Gap]:
    """Pearson and Spearman over all of them, as rows of `metric_correlations`."""
    drawn = both.drawn()
    for metric in both.metrics:
        try:
            for coefficient in (Coefficient.PEARSON, Coefficient.SPEARMAN):
                found = over_mixtures(both.people, metric.scores, coefficient, drawn)
                yield metric.name, metric.level, coefficient.value, found.value, *found.interval, len(both.people)
        except StatisticsError as reason:
            yield Gap(f"{metric.name}, {LEVEL_OF_HYBRIDS}", str(reason))


def differences_of(both: Mixed) -> Iterator[Table]:
    """How much better each metric correlates than each other one, by the bootstrap of systems."""
    metrics = [metric for metric in both.metrics if np.ptp(metric.scores) > 0]
    if len(metrics) < 2:
        return
    found = differences(both.people, np.array([metric.scores for metric in metrics]), both.drawn())
    rows = [(metrics[one.metric].name, metrics[one.other].name, *one[2:]) for one in found]
    yield Table.of("hybrid_differences", DIFFERENCES, rows)


def williams_as_published(both: Mixed) -> Iterator[Table]:
    """Williams' test as if all mixtures were independent systems (Figure 3)."""
    yield from (replace(table, name="williams_hybrids") for table in williams_of(both.people, both.metrics))
