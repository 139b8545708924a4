"""Ratings of whole texts on several scales: means by scale, agreement, correlations of scales, weighted errors.

A scale is judged like a campaign of its own: the versions on which a judge could not say are no answers. Its means,
z-scores and mixed model are those of ratings (`ranking.stats.rankings`), in the numbers of the scale; texts and judges
are drawn as there. Alpha takes the numbers as ordinal, because a step of a scale need not mean the same everywhere.

The penalty of a version is the sum of the weights of its marked errors; that of a system the mean over its versions as
judged. Toy: two minor errors (1) and a major one (5) make 7; versions with 7 and 1 make 4.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ranking.numbers.correlation import pearson, spearman
from ranking.numbers.intervals import LEVEL, Estimate, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.alpha import Scale, alpha_estimate, merits_of
from ranking.stats.agreement.reliability import icc_estimates
from ranking.stats.ballots import Ballots, starts_of
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.two_way import with_other_judges
from ranking.stats.resampling import Unit, ratio

MEASURES = ("mean-score", "z-score", "mixed-model")
FEWEST = 3


@dataclass(frozen=True)
class EssayRatings:
    """Ballots with the mean of the scales as merit; by row, the numbers on each scale and the errors of each severity.

    NaN stands for a judge who could not say.
    """

    ballots: Ballots
    scales: tuple[str, ...]
    numbers: np.ndarray
    severities: tuple[str, ...]
    weights: tuple[float, ...]
    errors: np.ndarray

    def on(self, scale: int) -> Ballots:
        """The answers on one scale; ballots without any stay, as skips do."""
        return _with_merits(self.ballots, self.numbers[:, scale])

    def penalties(self) -> Ballots:
        """The weighted count of errors of each version, as a merit of which less is better."""
        return _with_merits(self.ballots, self.errors @ np.array(self.weights))


class OfSystem(NamedTuple):
    """A measure of one system on one scale, and how many numbers it rests on."""

    scale: str
    system: int
    measure: str
    estimate: Estimate
    ratings: int


class OfScale(NamedTuple):
    """Agreement on one scale, and the share of answers that could not say."""

    scale: str
    alpha: Estimate | None
    single: Estimate | None
    mean: Estimate | None
    unsaid: float


class OfScales(NamedTuple):
    """How two scales go together, over single answers and over the means of systems."""

    one: str
    other: str
    answers: int
    pearson: float | None
    spearman: float | None
    of_systems: float | None


def by_scale(ratings: EssayRatings, unit: Unit, replicates: int, seed: int, level: float = LEVEL) -> Iterator[OfSystem]:
    """Every measure of every system on every scale; a measure that the ratings do not allow is left out."""
    for number, scale in enumerate(ratings.scales):
        ballots = ratings.on(number)
        counts = _counts(ballots)
        for measure in MEASURES:
            try:
                found = _estimates(ballots, measure, unit, replicates, seed, level)
            except StatisticsError:
                continue
            yield from (
                OfSystem(scale, system, measure, estimate, int(counts[system]))
                for system, estimate in enumerate(found)
                if estimate is not None
            )


def agreement(ratings: EssayRatings, replicates: int, seed: int, level: float = LEVEL) -> Iterator[OfScale]:
    for number, scale in enumerate(ratings.scales):
        ballots = ratings.on(number)
        unsaid = float(np.isnan(ratings.numbers[:, number]).mean()) if len(ratings.numbers) else 0.0
        alpha = single = mean = None
        try:
            alpha = alpha_estimate(merits_of(ballots), Scale.ORDINAL, replicates, seed, level)
            single, mean = icc_estimates(ballots, replicates, seed, level)
        except StatisticsError:
            pass  # too few numbers; what could be computed stays
        yield OfScale(scale, alpha, single, mean, unsaid)


def correlations(ratings: EssayRatings) -> Iterator[OfScales]:
    """Every two scales, over the answers on both; over systems only where there are three."""
    means = [_means(ratings.on(number)) for number in range(len(ratings.scales))]
    for one in range(len(ratings.scales)):
        for other in range(one + 1, len(ratings.scales)):
            both = ~np.isnan(ratings.numbers[:, [one, other]]).any(axis=1)
            left, right = ratings.numbers[both, one], ratings.numbers[both, other]
            yield OfScales(
                ratings.scales[one],
                ratings.scales[other],
                int(both.sum()),
                _known(pearson(left, right)) if both.sum() >= FEWEST else None,
                _known(spearman(left, right)) if both.sum() >= FEWEST else None,
                _known(pearson(means[one], means[other])) if len(means[one]) >= FEWEST else None,
            )


def penalties(
    ratings: EssayRatings, unit: Unit, replicates: int, seed: int, level: float = LEVEL
) -> list[Estimate | None]:
    """The mean penalty of each system."""
    return _estimates(ratings.penalties(), "mean-score", unit, replicates, seed, level)


def error_counts(ratings: EssayRatings) -> np.ndarray:
    """The mean number of errors of each severity (column) in a version of each system (row), as judged."""
    rows, systems = _of_systems(ratings.ballots)
    counts = np.bincount(systems, minlength=ratings.ballots.systems)
    sums = [np.bincount(systems, weights=each[rows], minlength=len(counts)) for each in ratings.errors.T]
    totals = np.array(sums).T.reshape(len(counts), -1)
    return ratio(totals, np.broadcast_to(counts[:, None], totals.shape))


def _with_merits(ballots: Ballots, merits: np.ndarray) -> Ballots:
    kept = ~np.isnan(merits)
    sizes = np.bincount(ballots.ballot_of[kept], minlength=len(ballots))
    return replace(ballots, starts=starts_of(sizes), candidate=ballots.candidate[kept], merit=merits[kept])


def _of_systems(ballots: Ballots) -> tuple[np.ndarray, np.ndarray]:
    """A row for each system behind each answer: the number of the answer, and the system."""
    behind = ballots.candidates
    sizes = behind.sizes[ballots.candidate]
    rows = np.repeat(np.arange(len(ballots.candidate)), sizes)
    firsts = np.repeat(behind.starts[ballots.candidate] - starts_of(sizes)[:-1], sizes)
    return rows, behind.members[firsts + np.arange(len(rows))]


def _counts(ballots: Ballots) -> np.ndarray:
    return np.bincount(_of_systems(ballots)[1], minlength=ballots.systems)


def _means(ballots: Ballots) -> np.ndarray:
    rows, systems = _of_systems(ballots)
    sums = np.bincount(systems, weights=ballots.merit[rows], minlength=ballots.systems)
    return ratio(sums, _counts(ballots))


def _estimates(
    ballots: Ballots, measure: str, unit: Unit, replicates: int, seed: int, level: float
) -> list[Estimate | None]:
    method = METHODS[measure]
    method.check(unit)
    scores = method.scores(ballots)
    drawn = [method.replicates(ballots, one, replicates, seed, 0) for one in method.units(unit)]
    if len(drawn) > 1:
        known = np.isfinite(scores)
        judges = len(np.unique(ballots.judge))
        by_text, by_judge, by_ballot = (each[:, known] for each in drawn)
        both = with_other_judges(by_text, by_judge, by_ballot, judges, seed)
        found = np.full_like(drawn[0], np.nan)
        found[:, known] = both
        drawn = [found]
    return [
        Estimate(float(score), interval_of(drawn[0][:, system], level)) if np.isfinite(score) else None
        for system, score in enumerate(scores)
    ]


def _known(value: np.ndarray) -> float | None:
    return None if np.isnan(value) else float(value)
