"""How similarly judges rank the systems: correlations of single judges' scores (Grundkiewicz et al. 2015, Table 6).

Each judge's comparisons alone give scores by `expected_wins_of_judge`, rounded to four decimals as published. Two
judges are correlated over the systems scored by both, and each judge with the scores from the comparisons of all the
others. The average of the latter is weighted by the judges' expanded comparisons.

Toy: one judge prefers A to B, A to C and B to C three times of four each, giving scores .75 .5 .25; another one prefers
C to B instead, giving .75 .25 .5; rho = r = 1/2.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ranking.numbers.correlation import pearson, spearman
from ranking.numbers.intervals import LEVEL, Interval, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.meetings import REST
from ranking.stats.ballots import Ballots
from ranking.stats.rankings.expected_wins import expected_wins_of_judge
from ranking.stats.resampling import Unit, draw, units_of
from ranking.stats.tally import BLOCK, tally_by, weighted_tallies

FEWEST_SYSTEMS = 3


class JudgeCorrelation(NamedTuple):
    """Correlation of a judge's scores with those of another judge, or of the REST."""

    judge: int
    other: int
    spearman: float
    pearson: float


def judge_correlations(ballots: Ballots) -> list[JudgeCorrelation]:
    """Every judge with each later one, then every judge with the rest; undefined correlations are left out."""
    wins = tally_by(ballots, ballots.judge, ballots.judges).wins
    scores, rest = expected_wins_of_judge(wins), expected_wins_of_judge(wins.sum(axis=0) - wins)
    found = []
    for judge, other, one, its in _sides(scores, rest):
        common = ~np.isnan(one) & ~np.isnan(its)
        if common.sum() >= FEWEST_SYSTEMS and all(np.ptp(side[common]) > 0 for side in (one, its)):
            found.append(JudgeCorrelation(judge, other, float(spearman(one, its)), float(pearson(one, its))))
    if not found:
        raise StatisticsError(f"No two judges have different scores for {FEWEST_SYSTEMS} systems or more in common.")
    return found


def average_with_rest(ballots: Ballots, correlations: list[JudgeCorrelation]) -> JudgeCorrelation:
    """Return the mean correlation of a judge with the rest, weighted by the judges' expanded comparisons."""
    with_rest = [each for each in correlations if each.other == REST]
    if not with_rest:
        raise StatisticsError("No judge can be correlated with the others; at least two judges must have judged.")
    counts = np.bincount(ballots.judge, ballots.expanded)
    weights = [counts[each.judge] for each in with_rest]
    rho, r = np.average([(each.spearman, each.pearson) for each in with_rest], axis=0, weights=weights)
    return JudgeCorrelation(REST, REST, float(rho), float(r))


def judge_correlation_intervals(
    ballots: Ballots, found: list[JudgeCorrelation], replicates: int, seed: int, level: float = LEVEL
) -> Iterator[tuple[JudgeCorrelation, Interval, Interval]]:
    """These with intervals of rho and r, by whole sentences drawn with replacement, the same ones for all judges."""
    part, parts = units_of(ballots, Unit.SENTENCE)
    by_judge = [(ballots.choose(own), part[own]) for own in ballots.judge == np.arange(ballots.judges)[:, None]]
    scores = np.empty((ballots.judges, replicates, ballots.systems))
    rest = np.empty_like(scores)
    for at in range(0, replicates, BLOCK):
        block = slice(at, min(at + BLOCK, replicates))
        weights = draw(parts, block.stop - at, seed, at)
        wins = np.empty((ballots.judges, weights.shape[1], ballots.systems, ballots.systems), dtype=np.int32)
        for judge in range(ballots.judges):
            wins[judge] = weighted_tallies(*by_judge[judge], weights, with_merits=False).wins
        everything = wins.sum(axis=0)
        for judge, own in enumerate(wins):
            scores[judge, block] = expected_wins_of_judge(own)
            rest[judge, block] = expected_wins_of_judge(everything - own)
    drawn = {(judge, other): both for judge, other, *both in _sides(scores, rest)}
    for each in found:
        both = drawn[each.judge, each.other]
        yield each, interval_of(spearman(*both), level), interval_of(pearson(*both), level)


def _sides(scores: np.ndarray, rest: np.ndarray) -> Iterator[tuple[int, int, np.ndarray, np.ndarray]]:
    for one, other in combinations(range(len(scores)), 2):
        yield one, other, scores[one], scores[other]
    for judge, both in enumerate(zip(scores, rest, strict=True)):
        yield judge, REST, *both
