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
together. Replicates keep the ratios of all judgments (`ratios:of-all-judgments`). If the ratings cannot separate two
variances, that of sentences or judges is 0.

Toy: a judge rates A 3 and B 2 on one sentence, and A 6 and B 3 on another. Both systems were rated on both sentences,
so the scores are the means 4.5 and 2.5. In the analysis of variance sentences have the mean square 4 and the error 1,
so the variances are (4 - 1) / 2 = 1.5 and 1; that of judges is 0, as there is only one. With these variances, where A
has 3, 0 and 6 on three sentences and B 1 and 0 on the first two, A's mean is 3, but 1.5 where B was rated too, so these
two were hard: B's mean 0.5 is raised by 1.5 / (1.5 + 1) of the difference, to 0.5 + 0.6 * 1.5 = 1.4.

The equations of a mixed model of ratings, with the effects of sentences eliminated.

Every rating is one line for each system behind the candidate. W has a column for each system and each judge, y holds
the ratings; sentence i has n_i lines, whose rows of W add up to c_i and whose ratings to t_i. Then

    G = W'W - sum_i v_i c_i c_i',   g = W'y - sum_i v_i c_i t_i,   v_i = r / (1 + r n_i)

are the equations of Henderson et al. (1959) without the sentences; r is the variance of sentences over that of errors.
No line belongs to two sentences, so each is eliminated separately, and only systems and judges remain.

A unit drawn twice counts as two units. Both copies of a sentence have the same lines, hence the same effect; so a
sentence drawn m times has each of its lines m times and v_i = r / (m + r n_i). A judge drawn m times is penalised m
times.

Toy: one judge gives A 1 and B 0 on one sentence, r = 1: n = 2 and v = 1/3. The row of A in G is 1 0 1 less 1/3 of
1 1 2, which makes 2/3, -1/3 and 1/3.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.rankings.method import WHOLE, Method
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


class MixedModelFit(NamedTuple):
    scores: np.ndarray
    judge: float
    sentence: float
    error: float


# How often each line counts, and how often each judge and each sentence occurs.
Weights = tuple[np.ndarray, np.ndarray, np.ndarray]


class MixedModelDesign(NamedTuple):
    """Ratings in columns, one line for each system behind a candidate, less the mean of the system.

    Judges and sentences with a ballot are numbered from 0. Cells are the non-zero ones of sentences by systems and
    judges; each line is in the cell of its system and in that of its judge.
    """

    systems: int
    judges: int
    sentences: int
    means: np.ndarray
    ballot: np.ndarray
    system: np.ndarray
    judge: np.ndarray
    sentence: np.ndarray
    rating: np.ndarray
    cell_of_system: np.ndarray
    cell_of_judge: np.ndarray
    cell_starts: np.ndarray
    cell_columns: np.ndarray

    @property
    def once(self) -> Weights:
        """Weights of the judgments as collected."""
        return np.ones(len(self.system)), np.ones(self.judges), np.ones(self.sentences)


class Equations(NamedTuple):
    """Sums over lines before the effects of sentences are eliminated: W'W, W'y, y'y, c_i, n_i, t_i."""

    products: np.ndarray
    totals: np.ndarray
    squares: float
    met: sp.sparse.csr_array
    sizes: np.ndarray
    of_sentences: np.ndarray
    weights: Weights


def mixed_replicates(ballots: Ballots, unit: Unit, number: int, seed: int, first: int) -> np.ndarray:
    """Replicates have the variance ratios of all judgments; a unit drawn twice counts as two, each with its effect."""
    part, parts = units_of(ballots, unit)
    design = checked_design(ballots)
    ratios, (_, judges, sentences) = _ratios(design), design.once
    found = []
    for times in draw(parts, number, seed, first).T:
        lines, several = times[part][design.ballot].astype(float), np.maximum(times, 1.0)
        drawn = lines, several if unit is Unit.JUDGE else judges, several if unit is Unit.SENTENCE else sentences
        found.append(_scores(design, drawn, *ratios))
    return np.stack(found)


def fit(ballots: Ballots) -> MixedModelFit:
    design = checked_design(ballots)
    judge, sentence = _ratios(design)
    _, squares_left = _by_ratio_of_judges(design, equations(design, design.once), sentence)(judge)
    error = squares_left / max(len(design.system) - design.systems, 1)
    return MixedModelFit(_scores(design, design.once, judge, sentence), judge * error, sentence * error, error)


def _scores(design: MixedModelDesign, weights: Weights, judge_ratio: float, sentence_ratio: float) -> np.ndarray:
    full = equations(design, weights)
    if not full.products.diagonal()[: design.systems].all():
        raise StatisticsError("A system has so few ratings that some replicates have none; collect more ratings of it.")
    return np.round(design.means + effects_of_systems(full, judge_ratio, sentence_ratio), DECIMALS)


def checked_design(ballots: Ballots) -> MixedModelDesign:
    """Return the design; raises an error if it cannot separate the systems."""
    design = design_of(ballots)
    if len(np.unique(design.system)) < design.systems:
        raise StatisticsError("A system was never rated, so it has no score.")
    # Ratings are comparable only along a chain of common judges and sentences.
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

    def each_has_one(other: np.ndarray) -> bool:
        """Whether there are several others (judges or sentences), but only one for each system."""
        pairs = np.unique(np.stack([design.system, other]), axis=1)
        return len(np.unique(pairs[0])) == pairs.shape[1] and len(np.unique(pairs[1])) > 1

    if each_has_one(design.judge):
        raise StatisticsError(
            "Only one judge rated each system, so good systems cannot be told from mild judges; "
            "let several judges rate each system, or choose mean scores."
        )
    if each_has_one(design.sentence):
        raise StatisticsError(
            "Every system was rated on one sentence only, so good systems cannot be told from easy sentences; "
            "have each system rated on several sentences, or choose mean scores."
        )
    return design


def _ratios(design: MixedModelDesign) -> tuple[float, float]:
    """Return the most likely ratios of judges and of sentences: for each ratio of sentences the best one of judges."""
    full, freedom = equations(design, design.once), len(design.system) - design.systems
    floor = max(ROUNDING**2 * float(((design.rating + design.means[design.system]) ** 2).sum()), SMALLEST)

    def best_judge(sentence: float) -> tuple[float, float]:
        of_judges = _by_ratio_of_judges(design, full, sentence)

        def cost(judge: float) -> float:
            determinants, squares_left = of_judges(judge)
            return determinants + freedom * float(np.log(max(squares_left, floor)))

        return _lowest(cost)

    sentence, _ = _lowest(lambda sentence: best_judge(sentence)[1])
    return best_judge(sentence)[0], sentence


def _by_ratio_of_judges(
    design: MixedModelDesign, full: Equations, sentence_ratio: float
) -> Callable[[float], tuple[float, float]]:
    """Return log|V| + log|X' V^-1 X| and y' P y as functions of the ratio of judges.

    The equations of judges alone, without sentences and systems, are diagonalised into one for each direction.
    """
    products, totals, squares, log_divisors = without_sentences(full, sentence_ratio)
    (shown, met), (_, given) = (
        np.split(rows, [design.systems], axis=1) for rows in np.split(products, [design.systems])
    )
    merits, severity = np.split(totals, [design.systems])
    solved = np.linalg.solve(shown, np.column_stack([met, merits]))
    eigenvalues, directions = np.linalg.eigh(given - met.T @ solved[:, :-1])
    values, along = np.maximum(eigenvalues, 0), (directions.T @ (severity - met.T @ solved[:, -1])) ** 2
    all_squares = squares - float(merits @ solved[:, -1])
    log_divisors += float(np.linalg.slogdet(shown).logabsdet)

    def of_judges(ratio: float) -> tuple[float, float]:
        determinants = log_divisors + float(np.log1p(ratio * values).sum())
        return determinants, all_squares - float((ratio * along / (1 + ratio * values)).sum())

    return of_judges


def _lowest(cost: Callable[[float], float]) -> tuple[float, float]:
    """Return the ratio with the lowest cost, and that cost.

    With q the root of the ratio, q / (1 + q) is searched in equal steps, then between the neighbours of the best step.
    """

    def cost_of(share: float) -> float:
        return cost((share / (1 - share)) ** 2)

    end = HIGHEST_RATIO**0.5
    shares = np.linspace(0, end / (1 + end), STEPS + 1)
    costs = [cost_of(share) for share in shares]
    best = int(np.argmin(costs))
    bounds = shares[max(best - 1, 0)], shares[min(best + 1, STEPS)]
    refined = sp.optimize.minimize_scalar(cost_of, bounds=bounds, method="bounded", options={"xatol": CLOSE})
    cheapest, share = min((float(refined.fun), float(refined.x)), (costs[best], float(shares[best])))
    return (0.0, costs[0]) if costs[0] <= cheapest + NO_BETTER else ((share / (1 - share)) ** 2, cheapest)


def design_of(ballots: Ballots) -> MixedModelDesign:
    """Return the lines of all ratings; a system that was never rated has mean 0."""
    row, system = ballots.systems_behind()
    ballot, rating = ballots.ballot_of[row], ballots.merit[row]
    judges, judge_of = np.unique(ballots.judge, return_inverse=True)
    sentences, sentence_of = np.unique(ballots.segment, return_inverse=True)
    judge, sentence = judge_of[ballot], sentence_of[ballot]
    times = np.bincount(system, minlength=ballots.systems)
    means = np.bincount(system, rating, ballots.systems) / np.maximum(times, 1)
    columns = ballots.systems + len(judges)
    cells, of_line = np.unique(
        np.concatenate([sentence * columns + system, sentence * columns + ballots.systems + judge]), return_inverse=True
    )
    of_system, of_judge = np.split(of_line, 2)
    return MixedModelDesign(
        ballots.systems, len(judges), len(sentences), means,
        ballot, system, judge, sentence, rating - means[system],
        of_system, of_judge, np.searchsorted(cells, np.arange(len(sentences) + 1) * columns), cells % columns,
    )  # fmt: skip


def equations(design: MixedModelDesign, weights: Weights) -> Equations:
    counted, systems, judges = weights[0], design.systems, design.judges
    rated = counted * design.rating
    times = np.bincount(design.system * judges + design.judge, counted, systems * judges).reshape(systems, judges)
    cells = len(design.cell_columns)
    met = np.bincount(design.cell_of_system, counted, cells) + np.bincount(design.cell_of_judge, counted, cells)
    return Equations(
        np.block([[np.diag(times.sum(axis=1)), times], [times.T, np.diag(times.sum(axis=0))]]),
        np.concatenate([np.bincount(design.system, rated, systems), np.bincount(design.judge, rated, judges)]),
        float(rated @ design.rating),
        sp.sparse.csr_array((met, design.cell_columns, design.cell_starts), shape=(design.sentences, systems + judges)),
        np.bincount(design.sentence, counted, design.sentences),
        np.bincount(design.sentence, rated, design.sentences),
        weights,
    )


def without_sentences(full: Equations, ratio: float) -> tuple[np.ndarray, np.ndarray, float, float]:
    """Return G, g, the remaining squares and the logarithm of the divisors, for a variance of sentences over errors."""
    divisors = full.weights[2] + ratio * full.sizes
    share = ratio / divisors
    weights = full.met.data * np.repeat(share, np.diff(full.met.indptr))
    weighted = sp.sparse.csr_array((weights, full.met.indices, full.met.indptr), shape=full.met.shape)
    return (
        full.products - (weighted.T @ full.met).toarray(),
        full.totals - weighted.T @ full.of_sentences,
        full.squares - float(share @ full.of_sentences**2),
        float(np.log(divisors).sum()),
    )


def effects_of_systems(full: Equations, judge_ratio: float, sentence_ratio: float) -> np.ndarray:
    """Return the best linear unbiased effects of systems for given ratios; judges with a ratio of 0 have no effect."""
    products, totals, *_ = without_sentences(full, sentence_ratio)
    judges = full.weights[1]
    systems = len(totals) - len(judges)
    root = np.append(np.ones(systems), np.full(len(judges), np.sqrt(judge_ratio)))
    left = root[:, None] * products * root + np.diag(np.append(np.zeros(systems), judges))
    return np.linalg.solve(left, root * totals)[:systems]


MIXED_MODEL = Method(
    "mixed-model", "Mixed model", "judges:random|sentences:random|fit:reml|ratios:of-all-judgments",
    "patterson1971", 50.0, of_ballots=lambda ballots: fit(ballots).scores, of_replicates=mixed_replicates,
    for_ratings=True, allowed=WHOLE,
)  # fmt: skip
