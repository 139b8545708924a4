"""Metrics compared with people on plain files: over systems, over pairs of systems, and over outputs of sentences.

People's score of a system is the mean over the sentences that they scored; that of a metric is its usual corpus score.
Intervals draw sentences, the same for people and metrics, and metrics recompute the score of each draw.

The human ceiling: the correlation of one half of the people, or of their judgments, with the other half.

A metric can hardly agree better with people than they do with each other. Ballots are split at random into halves, each
half ranks the systems, and the two rankings are correlated; the result is the mean over splits.

JUDGMENTS assigns the ballots of each sentence to the halves alternately, with a random start; JUDGES splits the judges.
Automatic ties, which nobody judged, are in both halves.

Halves have fewer judgments than the whole, so they agree less: the number is below the ceiling for correlations with
all judgments. It is not extrapolated (Spearman and Brown), as halves share sentences and systems.

Napoles et al. (2019, Table 8) call this Human: halves of 4 of 8 ratings, 100 splits.

Toy: two judges with the same ranking of four systems are two halves with a correlation of 1.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ranking.metrics.scoring import SEED, Scored, drawn_scores, drawn_sentences
from ranking.numbers.intervals import LEVEL
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.ballots import Ballots
from ranking.stats.metaevaluation.correlations import (
    RECOMMENDED,
    Choices,
    Coefficient,
    by_sentences,
    correlations,
    mean_scores,
    pairwise_accuracy,
    pairwise_interval,
    permutation_p,
    soft_pairwise_accuracy,
)
from ranking.stats.metaevaluation.scores import Level, MetricScores, pairs_of_scores
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
)
from ranking.stats.resampling import generator

# Permutations of sentence scores, which are cheap.
DRAWN = 1000
MACRO = " macro "


@dataclass(frozen=True)
class Human:
    """Outputs to compare metrics on, and people's scores, one row per sentence; NaN where there is none."""

    names: tuple[str, ...]
    scores: np.ndarray


class Compared(NamedTuple):
    """A metric's scores of systems, and the name of those of sentences."""

    systems: ScoredSystems
    by_sentence: str


@dataclass(frozen=True)
class Sides:
    """People's scores of sentences, and metrics' scores of the same outputs in the same order.

    `outside` are scores computed elsewhere; those of sentences make a system's score by their mean. With `macro`,
    systems get the mean over kinds of error from metrics that have one; sentences are too short for it.
    """

    human: Human
    scored: tuple[Scored, ...]
    macro: bool = False
    outside: tuple[MetricScores, ...] = ()
    correlated: Choices = RECOMMENDED

    @cached_property
    def places(self) -> list[int]:
        return [self.scored[0].names.index(name) for name in self.human.names]

    @cached_property
    def texts(self) -> np.ndarray:
        """A number for each text, a row a sentence; equal texts of a sentence have the same."""
        return self.scored[0].candidates.chosen[self.places].T

    @cached_property
    def people(self) -> np.ndarray:
        return np.nanmean(self.human.scores, axis=0)

    @cached_property
    def people_replicates(self) -> np.ndarray:
        """People's scores when sentences are drawn, one row each; NaN if no drawn sentence was scored."""
        return mean_scores(self.human.scores, times_drawn(len(self.human.scores)))

    @cached_property
    def names(self) -> list[str]:
        """Name of each metric: its score, with its signature if two metrics share the score."""
        known = [self.score_of(one) for one in self.scored]
        return [
            name if known.count(name) == 1 else f"{name} ({one.signature})"
            for name, one in zip(known, self.scored, strict=True)
        ]

    @cached_property
    def compared(self) -> list[Compared]:
        found = []
        for name, one in zip(self.names, self.scored, strict=True):
            score = self.score_of(one)
            drawn = one.replicates
            if score not in one.main_scores:
                drawn = drawn_scores(one.metric, one.counts, one.candidates, [score])
            sentences = one.sentences[one.main_scores[0]][:, self.places]
            systems, replicates = one.systems[score][self.places], drawn[score][self.places].T
            by_sentence = name if score == one.main_scores[0] else one.main_scores[0]
            found.append(Compared(ScoredSystems(name, SYSTEM, systems, replicates, sentences), by_sentence))
        return [*found, *map(compared_outside, self.outside)]

    @property
    def metrics(self) -> list[ScoredSystems]:
        return [one.systems for one in self.compared]

    def score_of(self, scored: Scored) -> str:
        """Return the name of the score that is compared with people over systems."""
        kinds = (name for name in scored.systems if self.macro and MACRO in name)
        return next(kinds, scored.main_scores[0])


def compared_outside(given: MetricScores) -> Compared:
    if given.level is Level.SYSTEM:
        return Compared(ScoredSystems(given.metric, SYSTEM, given.scores), given.metric)
    means, replicates = np.nanmean(given.scores, axis=0), mean_scores(given.scores, times_drawn(len(given.scores)))
    return Compared(ScoredSystems(given.metric, SYSTEM, means, replicates, given.scores), given.metric)


def times_drawn(sentences: int) -> np.ndarray:
    """How often each sentence (row) is in each replicate (column), the same for people and all metrics."""
    return np.stack([np.bincount(drawn, minlength=sentences) for drawn in drawn_sentences(sentences)], axis=1)


def correlations_of_systems(sides: Sides) -> Iterator[tuple | Gap]:
    for one in sides.compared:
        try:
            rows = (_of_systems(sides, one.systems), _of_pairs(sides, one), _of_sentences(sides, one))
            yield from [row for of_kind in rows for row in of_kind]
        except StatisticsError as reason:
            yield Gap(one.systems.name, str(reason))


def tables_of_systems(sides: Sides) -> Iterator[Table]:
    """Yield tables on metrics: against each other, without each system, and as a scatter plot."""
    if len(sides.people) >= FEWEST_TO_TEST:
        yield from williams_of(sides.people, sides.metrics)
    yield from leave_out_of(sides.human.names, sides.people, sides.metrics, sides.correlated)
    yield from scatter_of(sides.human.names, sides.people, sides.metrics)


def _of_systems(sides: Sides, metric: ScoredSystems) -> Iterator[tuple]:
    for coefficient in Coefficient:
        found = by_sentences(
            sides.people,
            metric.scores,
            sides.people_replicates,
            coefficient,
            metric.replicates,
            LEVEL,
            sides.correlated,
        )
        yield metric.name, SYSTEM, coefficient.value, found.value, *found.interval, len(sides.people)


def _of_pairs(sides: Sides, one: Compared) -> Iterator[tuple]:
    """Pairwise accuracy, and soft pairwise accuracy on sentences with scores of every output by people and metric."""
    systems, metric = len(sides.people), one.systems
    value = pairwise_accuracy(sides.people, metric.scores)
    people = sides.people_replicates
    others = [metric.scores] * len(people) if metric.replicates is None else metric.replicates
    interval = pairwise_interval(people, others, LEVEL)
    yield metric.name, SYSTEM, "pairwise accuracy", value, *interval, systems
    if metric.sentences is None:
        return
    complete = (np.isfinite(sides.human.scores) & np.isfinite(metric.sentences)).all(axis=1)
    if complete.any():
        p_values = [permutation_p(scores[complete], DRAWN, SEED) for scores in (sides.human.scores, metric.sentences)]
        soft = soft_pairwise_accuracy(*p_values)
        yield one.by_sentence, SYSTEM, "soft pairwise accuracy", soft, None, None, systems


def _of_sentences(sides: Sides, one: Compared) -> Iterator[tuple]:
    """Yield rows with and without pairs of systems that have the same text."""
    scores = one.systems.sentences
    if scores is None:
        return
    for level, distinct in ((ALL_SYSTEMS, None), (DIFFERENT_TEXTS, sides.texts)):
        for row in sentence_rows(pairs_of_scores(sides.human.scores, scores, texts=distinct), DRAWN, SEED, LEVEL):
            yield one.by_sentence, level, *row, len(sides.people)


SPLITS = 100
# With more judgments than this a few splits are as good as many, and each takes a second.
MANY_JUDGMENTS, FEW_SPLITS = 100_000, 10


class Halves(StrEnum):
    JUDGMENTS = "judgments"
    JUDGES = "judges"


class Ceiling(NamedTuple):
    coefficient: Coefficient
    value: float
    splits: int


def splits_of(judgments: int) -> int:
    return SPLITS if judgments <= MANY_JUDGMENTS else FEW_SPLITS


def ceiling(
    ballots: Ballots, people: int, scoring: Callable[[Ballots], np.ndarray], halves: Halves, seed: int,
    splits: int = SPLITS, choices: Choices = RECOMMENDED,
) -> list[Ceiling]:  # fmt: skip
    """One ceiling for each coefficient; judges from number `people` on are automatic ties."""
    by_people = ballots.judge < people
    if len(np.unique(ballots.judge[by_people])) < 2 and halves is Halves.JUDGES:
        raise StatisticsError("There is only one judge, so judges cannot be split; have another one judge.")
    halve = _half_of_judges if halves is Halves.JUDGES else _half_of_each
    known = []
    for number in range(splits):
        in_first = halve(ballots, by_people, generator(seed, number))
        with suppress(StatisticsError):
            known.append([scoring(ballots.choose(half | ~by_people)) for half in (in_first, ~in_first)])
    if not known:
        raise StatisticsError("No half of the judgments is enough to rank all systems; collect more judgments.")
    one, other = np.array(known).swapaxes(0, 1)
    found = []
    for coefficient in Coefficient:
        values = correlations(one, other, coefficient, choices)
        values = values[~np.isnan(values)]
        if len(values):
            found.append(Ceiling(coefficient, float(values.mean()), len(values)))
    return found


def _half_of_judges(ballots: Ballots, by_people: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """If the number of judges is odd, the first half has one fewer."""
    judges = random.permutation(np.unique(ballots.judge[by_people]))
    return np.isin(ballots.judge, judges[: len(judges) // 2])


def _half_of_each(ballots: Ballots, by_people: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Alternate within each sentence in random order, starting with a random half."""
    segment = ballots.segment
    order = np.lexsort((random.random(len(segment)), segment, ~by_people))
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = (segment[order][1:] != segment[order][:-1]) | (by_people[order][1:] != by_people[order][:-1])
    part = np.cumsum(begins) - 1
    place = np.arange(len(order)) - np.flatnonzero(begins)[part]
    in_first = np.empty(len(order), dtype=bool)
    in_first[order] = (place + random.integers(0, 2, int(begins.sum()))[part]) % 2 == 0
    return in_first
