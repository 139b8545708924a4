"""Whether one metric agrees better with people than another: on other systems, and on other sentences.

Williams' test shows whether one metric correlates better than another (Williams 1959; Graham and Baldwin 2014).
Two metrics scored the same n systems, so their correlations with people are not independent. With r12 and r13 their
correlations (Pearson) with the human scores and r23 that with each other,

    K = 1 - r12^2 - r13^2 - r23^2 + 2 r12 r13 r23,
    t = (r12 - r13) sqrt( (n - 1)(1 + r23) / (2 K (n - 1) / (n - 3) + (r12 + r13)^2 / 4 (1 - r23)^3) )

has Student's distribution with n - 3 degrees of freedom if the correlations are equal. p is one-sided: the probability
of a t at least as high, so a small p means that the first metric is better. The second against the first has 1 - p.

Toy: n = 103, r12 = .5, r13 = .4 and r23 = .1 have t = .89 and a two-sided p of .37 (Steiger 1980).

The same of these systems on other sentences: sentences are drawn, the same for people and all metrics, and each draw
has a correlation of every metric. The step-down maxima that compare systems (`pair_tests`) compare metrics by these, so
that p holds for all pairs together; by Fisher's z it would be too small where r is near 1. On sentences they compare
tau (`sentence_tau`). p of Williams' test is here two-sided, and corrected by Holm's procedure.

PERM-BOTH (Deutsch, Dror and Roth 2021), which lets a coin decide for every output whose score is whose, is not used: it
tests whether two metrics are the same, and metrics that agree with people equally well, but favour other systems, are
not. It calls 16 % of such pairs different at p below .05 (`python -m studies metric-tests`).

Toy: of two metrics tau is 1 and -1, with a standard error of the difference of .5: T = 4.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import combinations, permutations
from math import sqrt

import numpy as np
import scipy as sp

from ranking.numbers.tables import StatisticsError
from ranking.stats.metaevaluation.correlations import (
    FEWEST_TO_TEST,
    RECOMMENDED,
    Coefficient,
    CorrelationChoices,
    check_scores,
    correlate,
    correlation,
)
from ranking.stats.metaevaluation.scores import HumanScores, ScoredSystems
from ranking.stats.metaevaluation.sentences import OnDecidedPairs
from ranking.stats.rankings.moderation import fewest_sentences
from ranking.stats.rankings.pair_tests import holm, pair_tests

WILLIAMS = ("metric", "other", "t", "p_value")
# A determinant of correlations no larger than this is 0 up to rounding, and so is a difference of two of them.
NOTHING = 1e-12
COMPARISONS = ("people", "test", "metric", "other", "value", "other_value", "difference", "p_value")
OTHER_SYSTEMS, OTHER_SENTENCES, BY_SENTENCES = (
    "other systems, pearson", "other sentences, pearson", "other sentences, sentence_tau"
)  # fmt: skip


def williams_rows(human: np.ndarray, metrics: Iterable[ScoredSystems]) -> list[tuple]:
    """Every metric against every other one, among those with a defined correlation."""
    varied = []
    for metric in metrics:
        with suppress(StatisticsError):
            correlation(human, metric.scores, Coefficient.PEARSON)
            varied.append(metric)
    if len(varied) < 2:
        return []
    tests = williams_tests(human, np.array([metric.scores for metric in varied]))
    return [(varied[one].name, varied[other].name, t, p_value) for one, other, t, p_value in tests]


def williams_tests(human: np.ndarray, metrics: np.ndarray) -> list[tuple[int, int, float, float]]:
    """Every metric (row of scores) against every other one, with t and p; pairs that cannot be tested are left out."""
    for metric in metrics:
        check_scores(human, metric)
    together = np.corrcoef(np.vstack([human, metrics]))
    tests = []
    for metric, other in permutations(range(len(metrics)), 2):
        r12, r13, r23 = (float(together[at]) for at in ((0, metric + 1), (0, other + 1), (metric + 1, other + 1)))
        try:
            tests.append((metric, other, *williams_test(r12, r13, r23, len(human))))
        except StatisticsError:
            if len(human) < FEWEST_TO_TEST:
                raise
    return tests


def williams_test(r12: float, r13: float, r23: float, number: int) -> tuple[float, float]:
    """t and the one-sided p, from correlations over `number` systems."""
    if number < FEWEST_TO_TEST:
        raise StatisticsError(f"Williams' test needs {FEWEST_TO_TEST} systems or more, not {number}.")
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    determinant = determinant if determinant > NOTHING else 0.0
    below = 2 * determinant * (number - 1) / (number - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if r23 <= NOTHING - 1:
        raise StatisticsError("One metric is the negative of the other; reverse one so that higher scores are better.")
    if abs(r12 - r13) <= NOTHING:
        return 0.0, 0.5
    if below <= NOTHING:
        raise StatisticsError("The two metrics and the human scores depend on each other, so they cannot be tested.")
    t = (r12 - r13) * sqrt((number - 1) * (1 + r23) / below)
    return t, float(sp.special.stdtr(number - 3, -t))


def comparisons_of_metrics(
    people: HumanScores, metrics: Sequence[ScoredSystems], decided: Mapping[int, OnDecidedPairs], level: float,
    choices: CorrelationChoices = RECOMMENDED,
) -> list[tuple]:  # fmt: skip
    """Rows of `metric_comparisons`, the metric with the higher value first; `decided` is by number of the metric."""
    varied = [metric for metric in metrics if np.ptp(metric.scores) > NOTHING]
    rows, human = list[tuple](), people.scores
    fewest = fewest_sentences(level)  # of two on which one metric is better, every draw says so, too
    human = human if choices.decimals is None else np.round(human, choices.decimals)
    if len(varied) > 1 and len(human) >= FEWEST_TO_TEST and np.ptp(human):
        names = [metric.name for metric in varied]
        values = np.array([correlation(human, metric.scores, Coefficient.PEARSON) for metric in varied])
        tests = [test for test in williams_tests(human, np.array([one.scores for one in varied])) if test[0] < test[1]]
        p_values = np.full((len(varied), len(varied)), np.nan)  # one may be the negative of the other
        corrected = holm([2 * min(p_value, 1 - p_value) for *_, p_value in tests])
        for (one, other, *_), p_value in zip(tests, corrected, strict=True):
            p_values[one, other] = p_values[other, one] = p_value
        rows += _rows(OTHER_SYSTEMS, names, values, p_values)
        drawn = {place: one.replicates for place, one in enumerate(varied) if one.replicates is not None}
        are_few = people.judged is not None and people.judged.sum() < fewest
        if len(drawn) > 1 and not are_few:
            humans = human if people.replicates is None else people.replicates
            again = np.array([correlate(humans, one, Coefficient.PEARSON, choices) for one in drawn.values()])
            rows += _by_draws(OTHER_SENTENCES, [names[place] for place in drawn], values[list(drawn)], again, level)
    if len(decided) > 1 and min(one.sentences for one in decided.values()) >= fewest:
        taus = np.array([one.numbers["sentence_tau"].value for one in decided.values()])
        again = np.array([one.tau for one in decided.values()])
        rows += _by_draws(BY_SENTENCES, [metrics[number].name for number in decided], taus, again, level)
    return [(people.name, *row) for row in rows]


def _by_draws(test: str, names: Sequence[str], values: np.ndarray, again: np.ndarray, level: float) -> list[tuple]:
    """Rows from what each metric (row) has in each draw (column)."""
    known = again.T[np.isfinite(again).all(axis=0)]
    return _rows(test, names, values, pair_tests(values, known, level).p_value) if len(known) > 1 else []


def _rows(test: str, names: Sequence[str], values: np.ndarray, p_values: np.ndarray) -> list[tuple]:
    """A row for each pair, by the higher value and then the lower."""
    pairs = combinations(np.argsort(-values, kind="stable"), 2)
    numbers = [
        (one, other, float(values[one]), float(values[other]), float(p_values[one, other])) for one, other in pairs
    ]
    return [
        (test, names[one], names[other], ours, theirs, ours - theirs, None if np.isnan(p) else p)
        for one, other, ours, theirs, p in numbers
    ]
