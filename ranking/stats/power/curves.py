"""How much judgments would resolve: outcomes of simulated campaigns, and curves over the number of judgments.

The smallest difference that a number of judgments detects: over all pairs of all simulated campaigns, the share that is
resolved the right way, as a function of the true difference of scores that never falls (isotonic regression); the least
difference at which it reaches 80 %.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
import scipy as sp

from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.ballots import Ballots, together
from ranking.stats.comparisons.parameters import Parameters
from ranking.stats.comparisons.sections.standings import tests_of
from ranking.stats.comparisons.study import ComparisonStudy, Covariates, Names
from ranking.stats.power.worlds import World, texts_of
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.ranges import complete, uncertainty
from ranking.stats.resampling import generator

POWER = 0.8
# Bands hold this share of the simulated campaigns.
BAND = 0.8
TAILS = (1 - BAND) / 2, (1 + BAND) / 2
CURVES = (
    "judgments", "hours", "campaigns", "resolved", "resolved_low", "resolved_high", "wrong", "best_found", "best_known",
    "ranks", "ranks_low", "ranks_high", "detectable",
)  # fmt: skip
# Streams of random numbers of the answers, apart from those of worlds.
ANSWERS = 2**31 + 3
NO_COVARIATES = Covariates()


@dataclass(frozen=True)
class Resolved:
    """What one simulated campaign says of pairs of systems after so many judgments.

    For every pair, `apart` is the true difference of the scores, and `rightly` and `wrongly` say whether it was
    resolved, and in which direction. `is_found` says that the first in the ranking is truly best.
    """

    judgments: int
    apart: np.ndarray
    rightly: np.ndarray
    wrongly: np.ndarray
    is_found: bool


@dataclass(frozen=True)
class Outcome(Resolved):
    """`is_known` says that the best is also resolved from all others; with too few judgments there are no `scores`."""

    is_known: bool
    ranks: float
    scores: np.ndarray | None = None


def outcomes(
    worlds: Iterator[World],
    blank: Ballots,
    points: Sequence[int],
    parameters: Parameters,
    seed: int,
    before: Ballots | None = None,
) -> Iterator[list[Outcome]]:
    """For each world, the outcomes after each of these numbers of judgments of the same campaign.

    `before` are judgments that exist already and count too.
    """
    texts = texts_of(blank if before is None else together(before, blank))
    for_ratings = METHODS[parameters.methods[0]].for_ratings
    for number, world in enumerate(worlds):
        judged = world.judged(blank, generator(seed, ANSWERS + number))
        judged = judged if before is None else together(before, judged)
        truth = world.true_scores(texts, for_ratings)
        yield [outcome(judged.choose(np.arange(point)), truth, parameters) for point in points]


def outcome(
    judged: Ballots, truth: np.ndarray, parameters: Parameters, covariates: Covariates = NO_COVARIATES
) -> Outcome:
    method = METHODS[parameters.methods[0]]
    names = Names(tuple(map(str, range(judged.systems))), tuple(map(str, range(judged.judges))))
    study = ComparisonStudy(judged, names, parameters, are_ratings=method.for_ratings, covariates=covariates)
    one, other = np.triu_indices(judged.systems, 1)
    apart, nothing = truth[one] - truth[other], np.zeros(len(one), dtype=bool)
    try:
        scores, drawn = study.scores(method), complete(study.replicates(method))
    except StatisticsError:  # too few judgments to rank anything
        return Outcome(len(judged), np.abs(apart), nothing, nothing, False, False, float(judged.systems))
    better = tests_of(study, scores, drawn).better(parameters.level)
    up, down = better[one, other], better[other, one]
    first, ranges = int(scores.argmax()), uncertainty(drawn, parameters.level).ranges
    return Outcome(
        judgments=len(judged),
        apart=np.abs(apart),
        rightly=(up & (apart > 0)) | (down & (apart < 0)),
        wrongly=(up & (apart < 0)) | (down & (apart > 0)),
        is_found=bool(truth[first] == truth.max()),
        is_known=bool(better[first].sum() == judged.systems - 1 and truth[first] == truth.max()),
        ranks=float(np.mean([1 + found.worst - found.best for found in ranges])),
        scores=scores,
    )


def curves(simulated: Sequence[Sequence[Outcome]], hours: float = 0.0, already: int = 0) -> Table:
    """One line for each number of judgments, over all simulated campaigns; each takes so many hours, but those made."""
    return Table.of("power", CURVES, (_line(point, hours, already) for point in zip(*simulated, strict=True)))


def _line(found: Sequence[Outcome], hours: float, already: int) -> tuple:
    resolved = np.array([one.rightly.sum() + one.wrongly.sum() for one in found])
    ranks = np.array([one.ranks for one in found])
    return (
        found[0].judgments, (found[0].judgments - already) * hours, len(found),
        resolved.mean(), *np.quantile(resolved, TAILS),
        np.mean([one.wrongly.sum() for one in found]), np.mean([one.is_found for one in found]),
        np.mean([one.is_known for one in found]), ranks.mean(), *np.quantile(ranks, TAILS), detectable(found),
    )  # fmt: skip


def detectable(found: Sequence[Resolved]) -> float:
    """The smallest true difference that is resolved with the power; infinite if none of these is."""
    apart = np.concatenate([one.apart for one in found])
    rightly = np.concatenate([one.rightly for one in found]).astype(float)
    order = np.argsort(apart, kind="stable")
    share = sp.optimize.isotonic_regression(rightly[order]).x
    place = int(np.searchsorted(share, POWER))
    return float(apart[order][place]) if place < len(share) else inf


def needed(table: Table, difference: float) -> float:
    """How many judgments detect this difference, between two lines of the table; infinite if more than its last line.

    Between two lines the logarithm of the difference falls evenly with that of the number of judgments, as it does
    where errors shrink with the root of the number.
    """
    before: tuple[float, float] | None = None
    for point in table.dicts():
        number, least = float(point["judgments"] or 0), point["detectable"]
        if least is None:
            continue
        least = float(least)
        if least <= difference:
            if before is None or before[1] <= least:
                return number
            share = np.log(before[1] / difference) / np.log(before[1] / least)
            return float(before[0] * (number / before[0]) ** share)
        before = number, least
    return inf
