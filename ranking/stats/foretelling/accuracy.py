"""Accuracy: how well a ranking made from some judgments foretells others (Bojar et al. 2014; Grundkiewicz et al. 2015).

Judgments are dealt into folds. For each fold, replicates of the training judgments give mean scores, rank ranges and
clusters of the systems, and these foretell every comparison of the fold:

    total       the system with the higher mean score wins; right ones among the decisive comparisons
    clustered   systems of one cluster tie, else that of the better cluster wins; right ones among all comparisons

`HONEST` deals whole sentences, since comparisons on one sentence are not independent, trains on the other folds, and
leaves out ties of systems that share a candidate: nobody judged them, and anybody can foretell them.

`PUBLISHED` is the recipe of Table 4 of the paper. It deals single expanded comparisons, shared ties included, and what
is foretold leaks into training (see `leaks`).

Toy: of A and B, A wins in two folds and they tie in a third. A always comes first, so the total order foretells 2 of 2
decisive comparisons; "always a tie" foretells 1 of 3.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ranking.stats.ballots import Ballots, StatisticsError
from ranking.stats.foretelling.folds import Folds, deal
from ranking.stats.foretelling.foretellers import Foreteller
from ranking.stats.foretelling.leaks import leaks_of
from ranking.stats.intervals import LEVEL, Estimate, interval_of
from ranking.stats.rankings.clusters import Rule, all_later, never_overlapping
from ranking.stats.rankings.ranges import complete, ranks_of, uncertainty
from ranking.stats.resampling import Unit, resample_sums
from ranking.stats.tally import Tally


@dataclass(frozen=True)
class Recipe:
    """How accuracy is measured; see the two recipes below."""

    unit: Unit
    folds: int
    replicates: int
    rule: Rule
    counts_shared: bool
    leaks: bool
    draws_always: bool
    level: float = LEVEL


HONEST = Recipe(Unit.SENTENCE, 10, 100, never_overlapping, counts_shared=False, leaks=False, draws_always=True)
PUBLISHED = Recipe(Unit.PAIR, 100, 100, all_later, counts_shared=True, leaks=True, draws_always=False)
RECIPES = {"published": PUBLISHED, "honest": HONEST}


class Foretold(NamedTuple):
    """Of so many comparisons so many were foretold right; one number a fold."""

    right: np.ndarray
    compared: np.ndarray

    @property
    def share(self) -> float:
        """Right ones among all comparisons of all folds."""
        return float(self.right.sum() / self.compared.sum())


@dataclass(frozen=True)
class Accuracy:
    """How well a method foretells comparisons, and the sizes of the clusters it made for each fold."""

    total: Foretold
    clustered: Foretold
    clusters: list[tuple[int, ...]]


class Difference(NamedTuple):
    """How much more one method gets right than another, with intervals from drawing folds."""

    total: Estimate
    clustered: Estimate


def accuracy(ballots: Ballots, method: Foreteller, seed: int, recipe: Recipe = HONEST) -> Accuracy:
    """How well the method's rankings foretell the comparisons of folds."""
    folds = deal(ballots, recipe.unit, recipe.folds, seed)
    tested, training = foretold(folds, recipe), _training(folds, method, recipe)
    total, clustered, sizes = [], [], []
    for fold in range(len(folds)):
        scores = complete(method.scores(training(fold), seed, folds.first_of(fold, recipe.replicates)))
        ranks = ranks_of(scores.mean(axis=0))
        clusters = _clusters(scores, ranks, recipe)
        total.append(_right(tested[fold], ranks))
        clustered.append(_right(tested[fold], clusters))
        sizes.append(tuple(np.bincount(clusters)[1:].tolist()))
    decisive = tested.wins.sum(axis=(1, 2))
    compared = decisive + np.triu(tested.ties).sum(axis=(1, 2))
    return Accuracy(Foretold(np.array(total), decisive), Foretold(np.array(clustered), compared), sizes)


def difference(one: Accuracy, other: Accuracy, replicates: int, seed: int, level: float = LEVEL) -> Difference:
    """By how much one method gets more right than the other; both on the same folds."""
    pairs = (one.total, other.total), (one.clustered, other.clustered)
    return Difference(*(_difference(*pair, replicates, seed, level) for pair in pairs))


def foretold(folds: Folds, recipe: Recipe) -> Tally:
    """What is to be foretold of each fold; shared ties, if they count at all, are ties like others."""
    tallies = folds.tallies
    if not tallies.wins.any():
        raise StatisticsError("No judge preferred any output to another, so there is no order to foretell.")
    ties = tallies.ties + tallies.shared if recipe.counts_shared else tallies.ties
    return replace(tallies, ties=ties, shared=np.zeros_like(tallies.shared))


def _training(folds: Folds, method: Foreteller, recipe: Recipe) -> Callable[[int], Tally]:
    """For each fold the judgments of each replicate from which it is foretold."""
    draws = recipe.draws_always or not method.has_chance
    if recipe.leaks:
        leaks = leaks_of(folds, recipe.replicates)
        return leaks.drawn if draws else lambda fold: leaks.as_they_are()
    if draws:
        return lambda fold: folds.training_drawn(fold, recipe.replicates)
    return lambda fold: folds.training[np.full(recipe.replicates, fold)]


def _clusters(scores: np.ndarray, ranks: np.ndarray, recipe: Recipe) -> np.ndarray:
    """The cluster of each system, from the replicates' scores."""
    order = np.argsort(ranks)
    ranges = uncertainty(scores, recipe.level).ranges
    clusters = np.empty(len(order), dtype=np.int64)
    clusters[order] = recipe.rule([ranges[system] for system in order])
    return clusters


def _right(tested: Tally, levels: np.ndarray) -> int:
    """How many comparisons are as levels (1 is best) foretell: equal ones tie, else the better one wins."""
    before = levels[:, None] < levels[None, :]
    equal = levels[:, None] == levels[None, :]
    return int(tested.wins[before].sum() + np.triu(tested.ties)[equal].sum())


def _difference(one: Foretold, other: Foretold, replicates: int, seed: int, level: float) -> Estimate:
    if not np.array_equal(one.compared, other.compared):
        raise StatisticsError("The two methods foretold different folds; give both the same seed and recipe.")
    sums = np.stack([one.right - other.right, one.compared], axis=1)
    drawn = resample_sums(sums, replicates, seed)
    found = np.divide(drawn[:, 0], drawn[:, 1], out=np.full(len(drawn), np.nan), where=drawn[:, 1] > 0)
    return Estimate(one.share - other.share, interval_of(found, level))
