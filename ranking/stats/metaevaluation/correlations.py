"""Agreement over systems: whether systems that people prefer get better scores from a metric.

With human scores h and metric scores m of n systems, and d the difference of a system's two ranks,

    Pearson's r      = sum (h - mean h)(m - mean m) / sqrt(sum (h - mean h)^2 sum (m - mean m)^2),
    Spearman's rho   = Pearson's r of the ranks, where equal scores share the mean of their ranks,
    Kendall's tau-b  = (C - D) / sqrt((P - H)(P - M)),

where P are all pairs of systems, C and D those that metric and people order alike and oppositely, H and M those with
equal human and equal metric scores.

Grundkiewicz et al. (2015, Table 5) use the human scores as printed, to three decimals (`decimals`), which moves r by up
to .003, and rho = 1 - 6 sum d^2 / (n (n^2 - 1)), where equal scores get different ranks (`shared_ranks`); here the
later system comes first. These are the choices `PUBLISHED`.

Intervals come from drawing systems (would it hold for other systems of this kind?) or sentences (for other sentences?
then the human scores, and those of a metric that is a mean over sentences, change with every replicate).

Toy: h = 1 2 3 and m = 1 3 2 have r = rho = 1/2 and tau-b = (2 - 1) / 3 = 1/3.

Outliers are systems so much better or worse than the others that they alone make a correlation high: those whose human
score h is further than 2.5 from the median, in units of the median absolute deviation,

    |h - median| / (1.4826 median |h - median|) > 2.5

(Leys et al. 2013; for metrics Mathur et al. 2020 and the WMT metrics tasks since 2020). Only people's scores matter, so
the same systems are left out for every metric.

Toy: of 1 2 3 4 5 20 the median is 3.5 and the deviation 1.5 * 1.4826; only 20 is more than 2.5 deviations away.

Pairwise accuracy: the share of pairs of systems that a metric orders as people do (Kocmi et al. 2021).

    accuracy = share of pairs (i, j) with sign(metric_i - metric_j) = sign(human_i - human_j).

A tie is right only if both tie. Pairs that people could not tell apart can be left out (`resolved_pairs`), as Kocmi et
al. do; then a wrong order is an error of the metric, not chance.

Soft pairwise accuracy (Thompson et al. 2024) compares the certainty of the metric with that of people:

    soft accuracy = mean over pairs of 1 - |p_metric(i, j) - p_human(i, j)|,

where p(i, j) is the one-sided p of "i is better than j", from a permutation of sentences as published (`permutation_p`)
or from the replicates of any ranking (`HumanScores.p_better`). A permuted difference equal to the observed one counts
half, so that p(i, j) + p(j, i) = 1 whatever the order of the systems; the published program counts it in full, for i
before j only.

Toy: people score 3 systems 3 2 1 and a metric 2 3 1; two pairs of three are right. With p_human = 0 0 0 and p_metric =
.9 0 .1 for the pairs the soft accuracy is 1 - 1 / 3 = 2/3.

Windows show whether a metric still separates systems that people find nearly equal. Systems are sorted by human score,
the best first. A window is a number of neighbours in that order and slides down by one system at a time; a top is a
window that begins at the best system (Mathur et al. 2020, section 4.1: over all systems a correlation is high as soon
as good and bad systems are separated).

Toy: four systems have two windows of three: the first to third, and the second to fourth.

Correlation without each system in turn shows whether it depends on a single one. The scores do not change; only the
point of one system is removed.

Toy: people 1 2 3 10 and a metric 3 2 1 10 have r = .92; without the last system r = -1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np

from ranking.numbers.correlation import kendall, pearson, spearman
from ranking.numbers.intervals import LEVEL, NOT_KNOWN, Estimate, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.metaevaluation.scores import HumanScores, ScoredSystems
from ranking.stats.rankings.uncertainty import ranks_of
from ranking.stats.resampling import Unit, draw, generator, units_of

FEWEST_SYSTEMS, FEWEST_TO_TEST, FEWEST_TO_DRAW = 3, 4, 5
# The first scales the deviation to the standard deviation of a normal distribution.
CONSISTENT, FARTHEST = 1.4826, 2.5
PERMUTATIONS_AT_ONCE = 256
ACCURACY, SOFT_ACCURACY = "pairwise accuracy", "soft pairwise accuracy"
CORRELATIONS = ("metric", "level", "coefficient", "value", "low", "high", "systems")
WINDOWS = ("people", "metric", "kind", "first", "last", "coefficient", "value")
SCATTER = ("metric", "level", "system", "people", "score")


class Coefficient(StrEnum):
    PEARSON = "pearson"
    SPEARMAN = "spearman"
    KENDALL = "kendall"


@dataclass(frozen=True)
class CorrelationChoices:
    """Decimals of human scores (None keeps all), and whether equal scores share a rank in rho.

    `window` is the number of systems in a window (None: half of them, at least four).
    """

    decimals: int | None = None
    shared_ranks: bool = True
    window: int | None = None


RECOMMENDED = CorrelationChoices()
PUBLISHED = CorrelationChoices(decimals=3, shared_ranks=False)
SEEDA = CorrelationChoices(window=4)


def correlation(
    human: np.ndarray, metric: np.ndarray, coefficient: Coefficient, choices: CorrelationChoices = RECOMMENDED
) -> float:
    check_scores(human, metric)
    value = float(correlate(human, metric, coefficient, choices))
    if np.isnan(value):
        raise StatisticsError("All scores are equal up to rounding, so their correlation is undefined.")
    return value


def correlate(
    human: np.ndarray, metric: np.ndarray, coefficient: Coefficient, choices: CorrelationChoices = RECOMMENDED
) -> np.ndarray:
    """Return the correlation of each replicate, along the last axis; NaN if its scores are missing or all equal."""
    human, metric = np.broadcast_arrays(np.asarray(human, dtype=float), np.asarray(metric, dtype=float))
    human = human if choices.decimals is None else np.round(human, choices.decimals)
    known = _varied(human) & _varied(metric)
    x, y = human[known], metric[known]
    found = np.full(known.shape, np.nan)
    if coefficient is Coefficient.PEARSON:
        found[known] = pearson(x, y)
    elif coefficient is Coefficient.KENDALL:
        found[known] = kendall(x, y)
    elif choices.shared_ranks:
        found[known] = spearman(x, y)
    else:
        systems = x.shape[-1]
        apart = ((ranks_of(x) - ranks_of(y)) ** 2).sum(axis=-1)
        found[known] = 1 - 6 * apart / (systems * (systems**2 - 1))
    return found


def by_systems(
    human: np.ndarray, metric: np.ndarray, coefficient: Coefficient, replicates: int, seed: int,
    level: float = LEVEL, choices: CorrelationChoices = RECOMMENDED,
) -> Estimate:  # fmt: skip
    """Return the correlation, and its interval for other systems of this kind, if there are enough to draw."""
    value = correlation(human, metric, coefficient, choices)
    if len(human) < FEWEST_TO_DRAW:
        return Estimate(value, NOT_KNOWN)
    drawn = _drawn_systems(len(human), replicates, seed)
    found = correlate(np.asarray(human)[drawn], np.asarray(metric)[drawn], coefficient, choices)
    return Estimate(value, interval_of(found, level))


@lru_cache(maxsize=4)
def _drawn_systems(systems: int, replicates: int, seed: int) -> np.ndarray:
    """The systems of each replicate (row), the same for all metrics and coefficients; two have no correlation."""
    drawn = np.array([generator(seed, number).integers(0, systems, systems) for number in range(replicates)])
    return drawn[(np.diff(np.sort(drawn, axis=1), axis=1) > 0).sum(axis=1) >= FEWEST_SYSTEMS - 1]


def over_systems(
    people: HumanScores, metric: ScoredSystems, coefficient: Coefficient, replicates: int, seed: int,
    level: float = LEVEL, choices: CorrelationChoices = RECOMMENDED,
) -> Estimate:  # fmt: skip
    """Return the correlation, and its interval for other sentences, from the replicates of both.

    Without replicates of people it is that for other systems, by so many draws of them.
    """
    if people.replicates is None:
        return by_systems(people.scores, metric.scores, coefficient, replicates, seed, level, choices)
    value = correlation(people.scores, metric.scores, coefficient, choices)
    other = metric.scores if metric.replicates is None else metric.replicates
    return Estimate(value, interval_of(correlate(people.replicates, other, coefficient, choices), level))


def system_rows(
    people: HumanScores, metric: ScoredSystems, replicates: int, seed: int, level: float, choices: CorrelationChoices
) -> Iterator[tuple]:
    """The names of the numbers over systems and over pairs of them, each with its value and the ends of an interval."""
    for coefficient in Coefficient:
        found = over_systems(people, metric, coefficient, replicates, seed, level, choices)
        yield coefficient.value, found.value, *found.interval
    yield ACCURACY, *accuracy(people, metric, level)
    if metric.sentences is not None and (complete := people.sentences_with(metric)).any():
        p_metric = permutation_p(metric.sentences[complete], replicates, seed)
        yield SOFT_ACCURACY, soft_pairwise_accuracy(people.p_better(complete), p_metric), *NOT_KNOWN


def drawn_sentences(ballots: Ballots, replicates: int, seed: int, with_others: bool = False) -> np.ndarray:
    """How often each segment (row) is in each replicate (column) when `resample` draws sentences of these ballots.

    With others, as many of those that nobody judged are drawn as there are.
    """
    _, parts = units_of(ballots, Unit.SENTENCE)
    weights = np.zeros((ballots.segments, replicates), dtype=np.uint8)
    weights[ballots.judged] = draw(parts, replicates, seed)
    if with_others and (others := np.flatnonzero(~ballots.judged)).size:
        # By other random numbers than those for the sentences that were judged.
        weights[others] = draw(len(others), replicates, seed, first=replicates)
    return weights


def check_scores(human: np.ndarray, metric: np.ndarray) -> None:
    if np.shape(human) != np.shape(metric):
        both = f"{np.size(human)} and {np.size(metric)}"
        raise StatisticsError(f"Each system needs a score by people and by the metric, but there are {both} scores.")
    if np.size(human) < FEWEST_SYSTEMS:
        raise StatisticsError(f"A correlation needs scores of {FEWEST_SYSTEMS} systems or more, not {np.size(human)}.")
    for scores, whose in ((human, "people"), (metric, "the metric")):
        if not np.isfinite(scores).all():
            raise StatisticsError(f"A score by {whose} is missing; leave its system out, or have it scored.")
        if not _varied(np.asarray(scores)):
            raise StatisticsError(f"All scores by {whose} are equal, so their correlation is undefined.")


def _varied(scores: np.ndarray) -> np.ndarray:
    """Whether the scores along the last axis are all known and not all equal."""
    return np.isfinite(scores).all(axis=-1) & (scores != scores[..., :1]).any(axis=-1)


def outliers(human: np.ndarray) -> np.ndarray:
    human = np.asarray(human, dtype=float)
    if not len(human) or not np.isfinite(human).all():
        raise StatisticsError("A system lacks a human score, so outliers are unknown; leave it out.")
    away = np.abs(human - np.median(human))
    deviation = CONSISTENT * float(np.median(away))
    if not deviation:
        raise StatisticsError("Half of the systems have the same human score, so outliers are undefined.")
    return away / deviation > FARTHEST


def pairwise_accuracy(human: np.ndarray, metric: np.ndarray, chosen: np.ndarray | None = None) -> float:
    """Return the share of all pairs, or of those chosen in a matrix, that the metric orders as people do."""
    human, metric = np.asarray(human, dtype=float), np.asarray(metric, dtype=float)
    if human.shape != metric.shape or not (np.isfinite(human).all() and np.isfinite(metric).all()):
        raise StatisticsError("A system has no score by people or by the metric; leave it out, or have it scored.")
    above = _pairs(len(human), chosen)
    return float((np.sign(_differences(human))[above] == np.sign(_differences(metric))[above]).mean())


def accuracy(people: HumanScores, metric: ScoredSystems, level: float, chosen: np.ndarray | None = None) -> tuple:
    """Pairwise accuracy, and the ends of its interval for other sentences, from the replicates of both."""
    value = pairwise_accuracy(people.scores, metric.scores, chosen)
    if people.replicates is None:
        return value, *NOT_KNOWN
    others = metric.scores if metric.replicates is None else metric.replicates
    drawn, others = np.broadcast_arrays(people.replicates, others)
    known, above = np.isfinite(drawn + others).all(axis=1), (..., *_pairs(len(people.scores), chosen))
    ours, theirs = (np.sign(_differences(one[known]))[above] for one in (drawn, others))
    return value, *interval_of((ours == theirs).mean(axis=-1), level)


def soft_pairwise_accuracy(p_human: np.ndarray, p_metric: np.ndarray) -> float:
    """Return the similarity of a metric's p-values to people's; matrices hold p of "row better than column"."""
    above = _pairs(len(p_human))
    return float((1 - np.abs(p_human[above] - p_metric[above])).mean())


def permutation_p(scores: np.ndarray, permutations: int, seed: int) -> np.ndarray:
    """One-sided p of "row better than column" from scores of sentences (rows) by system (columns)."""
    if not np.isfinite(scores).all():
        raise StatisticsError("A sentence lacks a score of some system; use only sentences with a score of each.")
    observed = _differences(scores.sum(axis=0))
    # Differences that are equal up to rounding count as equal.
    near = 1e-9 * max(float(np.abs(scores).sum(axis=0).max()), 1e-300)
    reached, coins = np.zeros(observed.shape), _coins(len(scores), permutations, seed)
    for at in range(0, permutations, PERMUTATIONS_AT_ONCE):
        sides = np.unpackbits(coins[at : at + PERMUTATIONS_AT_ONCE], axis=1, count=len(scores)) * 2.0 - 1
        beyond = _differences(sides @ scores) - observed
        reached += (beyond > near).sum(axis=0) + (np.abs(beyond) <= near).sum(axis=0) / 2
    return reached / permutations


@lru_cache(maxsize=1)
def _coins(sentences: int, permutations: int, seed: int) -> np.ndarray:
    """A row of bits for each permutation: on each sentence a coin decides whether two systems swap scores.

    They are the same for all pairs and for all metrics.
    """
    drawn = (generator(seed, number).integers(0, 2, sentences) for number in range(permutations))
    return np.array([np.packbits(coins > 0) for coins in drawn])


def resolved_pairs(p_human: np.ndarray, level: float = LEVEL) -> np.ndarray:
    """Return the pairs that people resolve, by a two-sided test."""
    return np.minimum(p_human, 1 - p_human) * 2 <= 1 - level + 1e-12


def _pairs(systems: int, chosen: np.ndarray | None = None) -> tuple[np.ndarray, ...]:
    above = np.triu(np.ones((systems, systems), dtype=bool), 1)
    found = np.nonzero(above if chosen is None else above & chosen)
    if not len(found[0]):
        raise StatisticsError("There is no pair of systems to order: people resolve none, or there is only one system.")
    return found


def _differences(scores: np.ndarray) -> np.ndarray:
    return scores[..., :, None] - scores[..., None, :]


def windows(
    human: np.ndarray, metric: np.ndarray, size: int, coefficient: Coefficient,
    choices: CorrelationChoices = RECOMMENDED,
) -> list[tuple[str, int, int, float | None]]:  # fmt: skip
    """The correlations in every top, of three systems or more, and in every window, of `size` if there are as many.

    They come with the places of their first and last system from 1, by human score; None if scores are equal.
    """
    check_scores(human, metric)
    order = np.argsort(-np.asarray(human, dtype=float), kind="stable")
    human, metric = np.asarray(human)[order], np.asarray(metric)[order]
    places = [("top", 0, after) for after in range(FEWEST_SYSTEMS, len(human) + 1)]
    places += [("window", first, first + size) for first in range(len(human) - size + 1)]
    found = []
    for kind, first, last in places:
        value = float(correlate(human[first:last], metric[first:last], coefficient, choices))
        found.append((kind, first + 1, last, None if np.isnan(value) else value))
    return found


def without_each(
    human: np.ndarray, metric: np.ndarray, coefficient: Coefficient, choices: CorrelationChoices = RECOMMENDED
) -> list[float | None]:
    """Return the correlation without each system, in order; None if the remaining scores are all equal."""
    check_scores(human, metric)
    if len(human) <= FEWEST_SYSTEMS:
        raise StatisticsError(f"Leaving one out needs more than {FEWEST_SYSTEMS} systems, not {len(human)}.")
    others = np.array([np.delete(np.arange(len(human)), system) for system in range(len(human))])
    found = correlate(np.asarray(human)[others], np.asarray(metric)[others], coefficient, choices)
    return [None if np.isnan(value) else value for value in found.tolist()]
