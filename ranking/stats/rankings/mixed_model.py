"""A mixed model of ratings: the score of a system, adjusted for its judges and its sentences.

    rating = system + judge + sentence + error

The effects of systems are fixed, and they are the scores. Those of judges, sentences and the error are drawn from
normal distributions around 0, crossed, as in lme4's `score ~ 0 + system + (1 | judge) + (1 | sentence)` (Bates et al.
2015). Their variances are those of restricted maximum likelihood (REML, Patterson and Thompson 1971). With V = I + a
Z_j Z_j' + b Z_s Z_s', where a and b are the variances of judges and sentences over that of the error, the ratios make

    log|V| + log|X' V^-1 X| + (n - p) log(y' P y)      P = V^-1 - V^-1 X (X' V^-1 X)^-1 X' V^-1

lowest, for n ratings of p systems; the error has the variance y' P y / (n - p), and the scores are the generalised
least squares estimates for these ratios. A ratio lies between 0 and 10,000.

A rating of a candidate is one rating of each system behind it, as in a mean score. So an output that k systems share
counts k times in the effects of judges and sentences, and because its error is repeated, errors look smaller and
sentences more different than they are. Scores stay unbiased, and replicates draw whole units, which keeps such ratings
together.

Toy: a judge rates A 3 and B 2 on one sentence, and A 6 and B 3 on another. Both systems were rated on both sentences,
so the scores are the means 4.5 and 2.5. In the analysis of variance sentences have the mean square 4 and the error 1,
so the variances are (4 - 1) / 2 = 1.5 and 1; that of judges is 0, as there is only one.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.rankings.mixed_equations import (
    Design,
    Reduced,
    Weights,
    design_of,
    effects_of_systems,
    equations,
    once,
    without_sentences,
)
from ranking.stats.resampling import Unit, draw, units_of

HIGHEST_RATIO = 1e4
STEPS = 24
CLOSE = 1e-9
# Where two variances cannot be told apart the likelihood is flat; then the smaller ratio is taken.
NO_BETTER = 1e-7
# Ratings that vary by less than this share of their size count as constant.
ROUNDING = 1e-12
# Further digits are rounding noise, which would separate systems that always got equal ratings.
DECIMALS = 9
SMALLEST = float(np.finfo(float).tiny)


class Fit(NamedTuple):
    scores: np.ndarray
    judge: float
    sentence: float
    error: float


class _Judges(NamedTuple):
    """Judges once sentences and systems are eliminated: eigenvalues, squares along them, all squares."""

    values: np.ndarray
    squares: np.ndarray
    all_squares: float
    log_divisors: float
    freedom: int


def mixed_scores(ballots: Ballots) -> np.ndarray:
    return fit(ballots).scores


def mixed_replicates(ballots: Ballots, unit: Unit, number: int, seed: int, first: int) -> np.ndarray:
    """Replicates have the variance ratios of all judgments; a unit drawn twice counts as two, each with its effect."""
    part, parts = units_of(ballots, unit)
    design = _checked(ballots)
    ratios = _ratios(design)
    drawn = draw(parts, number, seed, first)
    return np.stack([_scores(design, _drawn(design, unit, part, times), *ratios) for times in drawn.T])


def fit(ballots: Ballots) -> Fit:
    design = _checked(ballots)
    judge, sentence = _ratios(design)
    judges = _judges(design, without_sentences(equations(design, once(design)), sentence))
    error = _squares_left(judges, judge) / max(judges.freedom, 1)
    return Fit(_scores(design, once(design), judge, sentence), judge * error, sentence * error, error)


def _scores(design: Design, weights: Weights, judge_ratio: float, sentence_ratio: float) -> np.ndarray:
    full = equations(design, weights)
    if not full.products.diagonal()[: design.systems].all():
        raise StatisticsError("A system has so few ratings that some replicates have none; collect more ratings of it.")
    return np.round(design.means + effects_of_systems(full, judge_ratio, sentence_ratio), DECIMALS)


def _drawn(design: Design, unit: Unit, part: np.ndarray, times: np.ndarray) -> Weights:
    """Each line counts as often as its unit was drawn, and so does the unit itself."""
    collected = once(design)
    several = np.maximum(times, 1.0)
    return Weights(
        times[part][design.ballot].astype(float),
        several if unit is Unit.JUDGE else collected.judges,
        several if unit is Unit.SENTENCE else collected.sentences,
    )


def _checked(ballots: Ballots) -> Design:
    """Return the design; raises an error if it cannot separate the systems."""
    design = design_of(ballots)
    if len(np.unique(design.system)) < design.systems:
        raise StatisticsError("A system was never rated, so it has no score.")
    _check_connected(design)
    if _each_has_one(design.system, design.judge):
        raise StatisticsError(
            "Only one judge rated each system, so good systems cannot be told from mild judges; "
            "let several judges rate each system, or choose mean scores."
        )
    if _each_has_one(design.system, design.sentence):
        raise StatisticsError(
            "Every system was rated on one sentence only, so good systems cannot be told from easy sentences; "
            "have each system rated on several sentences, or choose mean scores."
        )
    return design


def _check_connected(design: Design) -> None:
    """Ratings are comparable only along a chain of common judges and sentences."""
    judge, sentence = design.systems + design.judge, design.systems + design.judges + design.sentence
    ends = np.tile(design.system, 2), np.append(judge, sentence)
    nodes = design.systems + design.judges + design.sentences
    links = sp.sparse.coo_array((np.ones(len(ends[0])), ends), shape=(nodes, nodes))
    part_of = sp.sparse.csgraph.connected_components(links, directed=False)[1][: design.systems]
    if len(np.unique(part_of)) > 1:
        raise StatisticsError(
            "Some systems share neither a judge nor a sentence with the others, directly or through a third system, so "
            "their ratings cannot be compared."
        )


def _each_has_one(system: np.ndarray, other: np.ndarray) -> bool:
    """Whether there are several others (judges or sentences), but only one for each system."""
    pairs = np.unique(np.stack([system, other]), axis=1)
    return len(np.unique(pairs[0])) == pairs.shape[1] and len(np.unique(pairs[1])) > 1


def _ratios(design: Design) -> tuple[float, float]:
    """Return the most likely ratios of judges and of sentences: for each ratio of sentences the best one of judges."""
    full = equations(design, once(design))
    floor = max(ROUNDING**2 * float(((design.rating + design.means[design.system]) ** 2).sum()), SMALLEST)

    def best_judge(sentence: float) -> tuple[float, float]:
        judges = _judges(design, without_sentences(full, sentence))

        def cost(judge: float) -> float:
            determinants = judges.log_divisors + float(np.log1p(judge * judges.values).sum())
            return determinants + judges.freedom * float(np.log(max(_squares_left(judges, judge), floor)))

        return _lowest(cost)

    sentence, _ = _lowest(lambda sentence: best_judge(sentence)[1])
    return best_judge(sentence)[0], sentence


def _judges(design: Design, reduced: Reduced) -> _Judges:
    """Return the equations of judges alone, diagonalised into one equation for each direction."""
    (shown, met), (_, given) = (
        np.split(rows, [design.systems], axis=1) for rows in np.split(reduced.products, [design.systems])
    )
    merits, severity = np.split(reduced.totals, [design.systems])
    solved = np.linalg.solve(shown, np.column_stack([met, merits]))
    values, directions = np.linalg.eigh(given - met.T @ solved[:, :-1])
    along = directions.T @ (severity - met.T @ solved[:, -1])
    return _Judges(
        np.maximum(values, 0),
        along**2,
        reduced.squares - float(merits @ solved[:, -1]),
        reduced.log_divisors + float(np.linalg.slogdet(shown).logabsdet),
        len(design.system) - design.systems,
    )


def _squares_left(judges: _Judges, ratio: float) -> float:
    """y' P y."""
    return judges.all_squares - float((ratio * judges.squares / (1 + ratio * judges.values)).sum())


def _lowest(cost: Callable[[float], float]) -> tuple[float, float]:
    """Return the ratio with the lowest cost, and that cost.

    With q the root of the ratio, q / (1 + q) is searched in equal steps, then between the neighbours of the best step.
    """

    def ratio_of(share: float) -> float:
        return (share / (1 - share)) ** 2

    def cost_of(share: float) -> float:
        return cost(ratio_of(share))

    end = HIGHEST_RATIO**0.5
    shares = np.linspace(0, end / (1 + end), STEPS + 1)
    costs = [cost_of(share) for share in shares]
    best = int(np.argmin(costs))
    bounds = shares[max(best - 1, 0)], shares[min(best + 1, STEPS)]
    refined = sp.optimize.minimize_scalar(cost_of, bounds=bounds, method="bounded", options={"xatol": CLOSE})
    cheapest, share = min((float(refined.fun), float(refined.x)), (costs[best], float(shares[best])))
    return (0.0, costs[0]) if costs[0] <= cheapest + NO_BETTER else (ratio_of(share), cheapest)
