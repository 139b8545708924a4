"""Accuracy: how well a ranking made from some judgments predicts others (Bojar et al. 2014; Grundkiewicz et al. 2015).

Judgments are split into folds. For each fold, replicates of the training judgments give mean scores, rank ranges and
clusters of the systems, and these predict every comparison of the fold:

    total       the system with the higher mean score wins; share correct of the decisive comparisons
    clustered   systems of one cluster tie, else the one in the better cluster wins; share correct of all comparisons

`HONEST` splits by sentence, since comparisons on one sentence are not independent, trains on the other folds, and
leaves out ties of systems that share a candidate: nobody judged them, and they are trivial to predict.

`PUBLISHED` is the recipe of Table 4 of the paper. It splits single expanded comparisons, shared ties included, and the
fold to predict leaks into training (`leaky_training`, below).

Toy: of A and B, A wins in two folds and they tie in a third. A always comes first, so the total order predicts 2 of 2
decisive comparisons; "always a tie" predicts 1 of 3.

Baselines predict comparisons without any ranking. In many campaigns most comparisons tie, so that always predicting a
tie beats clustered rankings; compare accuracies with these numbers.

    tie        always a tie
    majority   for each pair of systems the most frequent outcome in the other folds; a tie before a win
    best       for each pair of systems the most frequent outcome in the comparisons to predict; an upper bound

`majority_decisive` and `best_decisive` cover decisive comparisons only, where a tie is never predicted.

Toy: A against B has 3 wins, 1 loss and 4 ties: a tie gets 1/2 right, which is best; of decisive ones best is 3/4.

Folds: judgments split into parts, so that each part can be predicted from the others.

Whole units, such as sentences, are shuffled and distributed round robin. Single comparisons are split evenly too: only
their counts matter, so each fold is one draw of all counts without replacement.

Toy: five sentences in two folds are three and two of them, each in one fold.

`leaky_training` reproduces a mistake in the published recipe of accuracy: the fold to predict leaks into training. The
script of Grundkiewicz et al. (2015) makes many runs for each fold, meant to train on all other folds. It leaves out the
folds whose number contains the digits of the run's number, not of the fold's. So with folds 0 to 99 run 7 trains
without 19 folds (7, 17, 27 and so on, 70 to 79), run 57 without fold 57 alone, and nearly every run has seen the fold
to predict, though 109,098 comparisons say nearly the same without one fold. And 54.19% of the published comparisons
tie, so that always predicting a tie is right more often than either clustered ranking of Table 4 (40.1% and 39.5%).

Toy: of three folds with one comparison each, run 1 trains on those of folds 0 and 2, and run 3 on all.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from ranking.numbers.intervals import LEVEL
from ranking.numbers.tables import StatisticsError
from ranking.stats.analysis import SectionProgress
from ranking.stats.ballots import Ballots
from ranking.stats.rankings.methods import Method
from ranking.stats.rankings.uncertainty import Rule, all_later, complete, never_overlapping, ranks_of, uncertainty
from ranking.stats.resampling import Unit, cells_of, draw, generator, resample_pairs, tallies_of, units_of
from ranking.stats.tally import Tally, in_order_of, tallies_in_blocks, tally, tally_by

FEWEST = 2
SPLITTING = 0  # the number of the random generator that splits; those of replicates follow
TIE = 0


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


class Predicted(NamedTuple):
    """Numbers of correct predictions and of comparisons, by fold."""

    right: np.ndarray
    compared: np.ndarray

    @property
    def share(self) -> float:
        return float(self.right.sum() / self.compared.sum())


class Accuracy(NamedTuple):
    """How well a method predicts comparisons, and the sizes of its clusters for each fold."""

    total: Predicted
    clustered: Predicted
    clusters: list[tuple[int, ...]]


class Baselines(NamedTuple):
    tie: float
    majority: float
    best: float
    majority_decisive: float
    best_decisive: float


@dataclass(frozen=True)
class Folds:
    """Tally of each fold; and the unit of each ballot and its fold, unless single comparisons were drawn."""

    ballots: Ballots
    tallies: Tally
    unit_of: np.ndarray
    fold_of: np.ndarray
    seed: int

    def __len__(self) -> int:
        return len(self.tallies.wins)

    @property
    def training(self) -> Tally:
        return self.tallies.total() - self.tallies

    def training_drawn(self, replicates: int) -> list[Tally]:
        """For each fold as many replicates of all others."""
        firsts = range(0, len(self) * replicates, replicates)
        if not len(self.fold_of):
            training = self.training
            return [
                resample_pairs(training[fold], replicates, self.seed, self.first_of(fold, replicates))
                for fold in range(len(self))
            ]

        def weights_of(block: slice) -> np.ndarray:
            weights = np.zeros((len(self.fold_of), block.stop - block.start), dtype=np.uint8)
            for fold, first in enumerate(firsts):
                here = range(max(block.start, first), min(block.stop, first + replicates))
                if here:
                    others, start = np.flatnonzero(self.fold_of != fold), here[0] - block.start
                    drawn = draw(len(others), len(here), self.seed, SPLITTING + 1 + here[0])
                    weights[others, start : start + len(here)] = drawn
            return weights

        drawn = tallies_in_blocks(self.ballots, self.unit_of, len(self) * replicates, weights_of, False)
        return [drawn[first : first + replicates] for first in firsts]

    def leaky_training(self, runs: int) -> Tally:
        """The comparisons on which each run trains; the same for every fold."""
        kept = np.array([[str(run) not in str(number) for number in range(len(self))] for run in range(runs)])
        return tallies_of(kept.astype(np.int64) @ cells_of(self.tallies), self.tallies.systems)

    def first_of(self, fold: int, replicates: int) -> int:
        return SPLITTING + 1 + fold * replicates


def folds_of(ballots: Ballots, unit: Unit, folds: int, seed: int) -> Folds:
    if folds < FEWEST:
        raise StatisticsError(f"With fewer than {FEWEST} folds there is nothing to train on; use more than {folds}.")
    random, unit_of = generator(seed, SPLITTING), np.empty(0, dtype=np.int64)
    if unit is Unit.PAIR:
        left = cells_of(tally(ballots)).astype(np.int64)
        units = int(left.sum())
    else:
        unit_of, units = units_of(ballots, unit)
    if units < folds:
        raise StatisticsError(f"{folds} folds need at least {folds} {unit}s, not {units}; collect more judgments.")
    if unit is Unit.PAIR:
        drawn = np.empty((folds, len(left)), dtype=np.int64)
        for fold in range(folds):
            size = units // folds + (fold < units % folds)
            drawn[fold] = random.multivariate_hypergeometric(left, size, method="marginals")
            left = left - drawn[fold]
        return Folds(ballots, tallies_of(drawn, ballots.systems), unit_of, unit_of, seed)
    fold_of = np.empty(units, dtype=np.int64)
    fold_of[random.permutation(units)] = np.arange(units) % folds
    tallies = tally_by(ballots, fold_of[unit_of], folds)
    ballots, unit_of = in_order_of(ballots, unit_of)  # once here, not for the replicates of every fold
    return Folds(ballots, tallies, unit_of, fold_of, seed)


def to_predict(folds: Folds, recipe: Recipe) -> Tally:
    """Return the comparisons of each fold to predict; shared ties are left out or count as ties."""
    tallies = folds.tallies
    if not tallies.wins.any():
        raise StatisticsError("No judge preferred any output to another, so there is no order to predict.")
    ties = tallies.ties + tallies.shared if recipe.counts_shared else tallies.ties
    return replace(tallies, ties=ties, shared=np.zeros_like(tallies.shared))


def accuracies(
    ballots: Ballots, methods: Sequence[Method], seed: int, recipe: Recipe = HONEST
) -> Generator[SectionProgress, None, list[Accuracy | StatisticsError]]:
    """Yield how far it is; return how well methods predict on the same folds, or the error that kept one from it."""
    folds, runs = folds_of(ballots, recipe.unit, recipe.folds, seed), recipe.replicates
    leaks = folds.leaky_training(runs) if recipe.leaks else None
    tested = to_predict(folds, recipe)

    drawn = cache(lambda: folds.training_drawn(runs))

    @lru_cache(maxsize=2)
    def training(fold: int, is_drawn: bool) -> Tally:
        if leaks is not None:
            return resample_pairs(leaks, runs, seed, folds.first_of(fold, runs)) if is_drawn else leaks
        return drawn()[fold] if is_drawn else folds.training[np.full(runs, fold)]

    predicted: list[list[tuple[int, int, tuple[int, ...]]]] = [[] for _ in methods]
    refused: dict[int, StatisticsError] = {}
    for fold in range(len(folds)):
        yield SectionProgress(f"fold {fold + 1} of {len(folds)}", fold / len(folds))
        for number, method in enumerate(methods):
            if number not in refused:
                try:
                    trained = training(fold, recipe.draws_always or not method.run)
                    scores = method.of_tallies(trained, seed, folds.first_of(fold, runs))
                    predicted[number].append(_predict(scores, tested[fold], recipe))
                except StatisticsError as reason:
                    refused[number] = reason
    decisive = tested.wins.sum(axis=(1, 2))
    compared = decisive + np.triu(tested.ties).sum(axis=(1, 2))
    found: list[Accuracy | StatisticsError] = []
    for number, of_folds in enumerate(predicted):
        if number in refused:
            found.append(refused[number])
        else:
            total, clustered, sizes = zip(*of_folds, strict=True)
            right = Predicted(np.array(total), decisive), Predicted(np.array(clustered), compared)
            found.append(Accuracy(*right, list(sizes)))
    return found


def _predict(scores: np.ndarray, tested: Tally, recipe: Recipe) -> tuple[int, int, tuple[int, ...]]:
    """Correct predictions in a fold by order and by clusters, from scores of replicates; and the clusters' sizes."""
    scores = complete(scores)
    ranks = ranks_of(scores.mean(axis=0))
    order = np.argsort(ranks)
    ranges = uncertainty(scores, recipe.level).ranges
    clusters = np.empty(len(order), dtype=np.int64)
    clusters[order] = recipe.rule([ranges[system] for system in order])

    def right(levels: np.ndarray) -> int:
        """The number of comparisons as levels (1 is best) predict: equal levels tie, else the better one wins."""
        before, equal = levels[:, None] < levels, levels[:, None] == levels
        return int(tested.wins[before].sum() + np.triu(tested.ties)[equal].sum())

    return right(ranks), right(clusters), tuple(np.bincount(clusters)[1:].tolist())


def baselines(ballots: Ballots, seed: int, recipe: Recipe = HONEST) -> Baselines:
    """On the folds that `accuracies` uses with this seed and recipe."""
    tested = to_predict(folds_of(ballots, recipe.unit, recipe.folds, seed), recipe)
    # For each fold and pair of systems the numbers of ties, wins of the first and wins of the second.
    one, other = np.triu_indices(tested.systems, 1)
    kinds = tested.ties[:, one, other], tested.wins[:, one, other], tested.wins[:, other, one]
    outcomes = np.stack(kinds, axis=2).astype(np.int64)
    decisive = outcomes[:, :, TIE + 1 :]

    def majority_and_best(outcomes: np.ndarray) -> tuple[float, float]:
        together = outcomes.sum(axis=0)
        others = (together - outcomes).argmax(axis=2)
        right = np.take_along_axis(outcomes, others[:, :, None], axis=2).sum()
        return float(right / outcomes.sum()), float(together.max(axis=1).sum() / outcomes.sum())

    tie = float(outcomes[:, :, TIE].sum() / outcomes.sum())
    return Baselines(tie, *majority_and_best(outcomes), *majority_and_best(decisive))
