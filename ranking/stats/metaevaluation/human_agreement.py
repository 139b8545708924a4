"""Metrics compared with people on plain files: over systems, over pairs of systems, and over outputs of sentences.

People's score of a system is the mean over the sentences that they scored; that of a metric is its usual corpus score.
Intervals draw sentences, the same for people and metrics, and metrics recompute the score of each draw.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ranking.metrics.scoring import SEED, Scored, drawn_scores, drawn_sentences
from ranking.numbers.intervals import LEVEL
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.metaevaluation.correlations import Coefficient, by_sentences, mean_scores
from ranking.stats.metaevaluation.pairwise_accuracy import (
    pairwise_accuracy,
    pairwise_interval,
    permutation_p,
    soft_pairwise_accuracy,
)
from ranking.stats.metaevaluation.scores import pairs_of_scores
from ranking.stats.metaevaluation.tables import (
    ALL_SYSTEMS,
    DIFFERENT_TEXTS,
    FEWEST_TO_TEST,
    SYSTEM,
    ScoredSystems,
    leave_out_of,
    scatter_of,
    sentence_rows,
    williams_of,
    windows_of,
)

# Permutations of sentence scores, which are cheap.
DRAWN = 1000
MACRO = " macro "


@dataclass(frozen=True)
class Human:
    """Outputs to compare metrics on, and people's scores, one row per sentence; NaN where there is none."""

    names: tuple[str, ...]
    scores: np.ndarray


@dataclass(frozen=True)
class Sides:
    """People's scores of sentences, and metrics' scores of the same outputs in the same order.

    With `macro`, systems get the mean over kinds of error from metrics that have one; sentences are too short for it.
    """

    human: Human
    scored: tuple[Scored, ...]
    macro: bool = False

    @cached_property
    def places(self) -> list[int]:
        return [self.scored[0].names.index(name) for name in self.human.names]

    @cached_property
    def people(self) -> np.ndarray:
        return np.nanmean(self.human.scores, axis=0)

    @cached_property
    def people_replicates(self) -> np.ndarray:
        """People's scores when sentences are drawn, one row each; NaN if no drawn sentence was scored."""
        draws = drawn_sentences(len(self.human.scores))
        times = [np.bincount(drawn, minlength=len(self.human.scores)) for drawn in draws]
        return mean_scores(self.human.scores, np.stack(times, axis=1))

    @cached_property
    def names(self) -> list[str]:
        """Name of each metric: its score, with its signature if two metrics share the score."""
        known = [self.score_of(one) for one in self.scored]
        return [
            name if known.count(name) == 1 else f"{name} ({one.signature})"
            for name, one in zip(known, self.scored, strict=True)
        ]

    @cached_property
    def metrics(self) -> list[ScoredSystems]:
        found = []
        for name, one in zip(self.names, self.scored, strict=True):
            score = self.score_of(one)
            drawn = one.replicates
            if score not in one.kept:
                drawn = drawn_scores(one.metric, one.counts, one.candidates, [score])
            found.append(ScoredSystems(name, SYSTEM, one.systems[score][self.places], drawn[score][self.places].T))
        return found

    def score_of(self, scored: Scored) -> str:
        """Return the name of the score that is compared with people over systems."""
        kinds = (name for name in scored.systems if self.macro and MACRO in name)
        return next(kinds, scored.kept[0])

    def name_by_sentence(self, metric: ScoredSystems, scored: Scored) -> str:
        return metric.name if self.score_of(scored) == scored.kept[0] else scored.kept[0]

    def sentences(self, scored: Scored) -> np.ndarray:
        return scored.sentences[scored.kept[0]][:, self.places]


def correlations_of_systems(sides: Sides) -> Iterator[tuple | Gap]:
    for metric, scored in zip(sides.metrics, sides.scored, strict=True):
        try:
            rows = (_of_systems(sides, metric), _of_pairs(sides, metric, scored), _of_sentences(sides, metric, scored))
            yield from [row for of_kind in rows for row in of_kind]
        except StatisticsError as reason:
            yield Gap(metric.name, str(reason))


def tables_of_systems(sides: Sides) -> Iterator[Table]:
    """Yield tables on metrics: against each other, in windows, without each system, and as a scatter plot."""
    if len(sides.people) >= FEWEST_TO_TEST:
        yield from williams_of(sides.people, sides.metrics)
    yield from windows_of(sides.people, sides.metrics)
    yield from leave_out_of(sides.human.names, sides.people, sides.metrics)
    yield from scatter_of(sides.human.names, sides.people, sides.metrics)


def _of_systems(sides: Sides, metric: ScoredSystems) -> Iterator[tuple]:
    for coefficient in Coefficient:
        found = by_sentences(sides.people, metric.scores, sides.people_replicates, coefficient, metric.replicates)
        yield metric.name, SYSTEM, coefficient.value, found.value, *found.interval, len(sides.people)


def _of_pairs(sides: Sides, metric: ScoredSystems, scored: Scored) -> Iterator[tuple]:
    """Pairwise accuracy, and soft pairwise accuracy on sentences with human scores of every output."""
    systems = len(sides.people)
    value = pairwise_accuracy(sides.people, metric.scores)
    others = [] if metric.replicates is None else list(metric.replicates)
    interval = pairwise_interval(sides.people_replicates, others, LEVEL)
    yield metric.name, SYSTEM, "pairwise accuracy", value, *interval, systems
    complete = np.isfinite(sides.human.scores).all(axis=1)
    if complete.any():
        p_values = [
            permutation_p(scores[complete], DRAWN, SEED) for scores in (sides.human.scores, sides.sentences(scored))
        ]
        soft = soft_pairwise_accuracy(*p_values)
        yield sides.name_by_sentence(metric, scored), SYSTEM, "soft pairwise accuracy", soft, None, None, systems


def _of_sentences(sides: Sides, metric: ScoredSystems, scored: Scored) -> Iterator[tuple]:
    """Yield rows with and without pairs of systems that have the same text."""
    human, own = sides.human.scores, sides.sentences(scored)
    texts = scored.candidates.chosen[sides.places].T
    for level, distinct in ((ALL_SYSTEMS, None), (DIFFERENT_TEXTS, texts)):
        for row in sentence_rows(pairs_of_scores(human, own, texts=distinct), DRAWN, SEED, LEVEL):
            yield sides.name_by_sentence(metric, scored), level, *row, len(sides.people)
