"""How similarly judges rank the systems: correlations of single judges' scores (Grundkiewicz et al. 2015, Table 6).

Each judge's comparisons alone give scores by `expected_wins_of_judge`, rounded to four decimals as published. Two
judges are correlated over the systems scored by both, and each judge with the scores from the comparisons of all the
others. The average of the latter is weighted by the judges' expanded comparisons.

Toy: one judge prefers A to B, A to C and B to C three times of four each, giving scores .75 .5 .25; another one prefers
C to B instead, giving .75 .25 .5; rho = r = 1/2.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ranking.numbers.correlation import pearson, spearman
from ranking.numbers.intervals import LEVEL, Interval, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.meetings import REST
from ranking.stats.ballots import Ballots
from ranking.stats.rankings.expected_wins import expected_wins_of_judge
from ranking.stats.resampling import Unit, draw, units_of
from ranking.stats.tally import BLOCK, count_by_judge, tally_by, weighted_tallies

FEWEST_SYSTEMS = 3


@dataclass(frozen=True)
class JudgeCorrelation:
    """Correlation of a judge's scores with those of another judge, or of the REST; intervals only if resampled."""

    judge: int
    other: int
    spearman: float
    pearson: float
    spearman_interval: Interval | None = None
    pearson_interval: Interval | None = None


def judge_correlations(ballots: Ballots) -> list[JudgeCorrelation]:
    """Every judge with each later one, then every judge with the rest; undefined correlations are left out."""
    counted = tally_by(ballots, ballots.judge, ballots.judges)
    everything = counted.total()
    rest = [expected_wins_of_judge(everything - counted[judge]) for judge in range(ballots.judges)]
    found = [
        JudgeCorrelation(judge, other, float(spearman(*both)), float(pearson(*both)))
        for judge, other, both in _sides(expected_wins_of_judge(counted), rest)
        if _are_enough(*both)
    ]
    if not found:
        raise StatisticsError(
            f"No two judges have different scores for {FEWEST_SYSTEMS} systems or more; collect more judgments."
        )
    return found


def average_with_rest(ballots: Ballots, correlations: list[JudgeCorrelation]) -> JudgeCorrelation:
    """Return the mean correlation of a judge with the rest, weighted by the judges' expanded comparisons."""
    with_rest = [each for each in correlations if each.other == REST]
    if not with_rest:
        raise StatisticsError("No judge can be correlated with the others; at least two judges must have judged.")
    counts = count_by_judge(ballots)
    weights = [counts[each.judge].expanded for each in with_rest]
    rho, r = np.average([(each.spearman, each.pearson) for each in with_rest], axis=0, weights=weights)
    return JudgeCorrelation(REST, REST, float(rho), float(r))


def judge_correlation_intervals(
    ballots: Ballots, replicates: int, seed: int, level: float = LEVEL
) -> list[JudgeCorrelation]:
    """Return the same with intervals, by whole sentences drawn with replacement, the same ones for all judges."""
    blocks = [_drawn_scores(ballots, min(BLOCK, replicates - at), seed, at) for at in range(0, replicates, BLOCK)]
    scores, rest = (np.concatenate(parts, axis=1) for parts in zip(*blocks, strict=True))
    drawn = {(judge, other): both for judge, other, both in _sides(scores, rest)}
    found = []
    for each in judge_correlations(ballots):
        rho, r = (interval_of(correlate(*drawn[each.judge, each.other]), level) for correlate in (spearman, pearson))
        found.append(replace(each, spearman_interval=rho, pearson_interval=r))
    return found


def _drawn_scores(ballots: Ballots, replicates: int, seed: int, first: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores from each judge alone and from all the others, by judge, replicate and system."""
    part, parts = units_of(ballots, Unit.SENTENCE)
    weights = draw(parts, replicates, seed, first)
    everything = weighted_tallies(ballots, part, weights)
    scores = np.empty((ballots.judges, replicates, ballots.systems))
    rest = np.empty_like(scores)
    for judge in range(ballots.judges):
        own = ballots.judge == judge
        counted = weighted_tallies(ballots.choose(own), part[own], weights)
        scores[judge], rest[judge] = expected_wins_of_judge(counted), expected_wins_of_judge(everything - counted)
    return scores, rest


def _sides(scores: np.ndarray, rest: Iterable[np.ndarray]) -> Iterator[tuple[int, int, tuple[np.ndarray, np.ndarray]]]:
    for one, other in combinations(range(len(scores)), 2):
        yield one, other, (scores[one], scores[other])
    for judge, both in enumerate(zip(scores, rest, strict=True)):
        yield judge, REST, both


def _are_enough(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether enough systems have scores on both sides, and neither side is constant."""
    common = ~np.isnan(one) & ~np.isnan(other)
    return bool(common.sum() >= FEWEST_SYSTEMS and all(np.ptp(side[common]) > 0 for side in (one, other)))
