"""Accuracy: how well a ranking made from some judgments predicts others (Bojar et al. 2014; Grundkiewicz et al. 2015).

Judgments are split into folds. For each fold, replicates of the training judgments give mean scores, rank ranges and
clusters of the systems, and these predict every comparison of the fold:

    total       the system with the higher mean score wins; share correct of the decisive comparisons
    clustered   systems of one cluster tie, else the one in the better cluster wins; share correct of all comparisons

`HONEST` splits by sentence, since comparisons on one sentence are not independent, trains on the other folds, and
leaves out ties of systems that share a candidate: nobody judged them, and they are trivial to predict.

`PUBLISHED` is the recipe of Table 4 of the paper. It splits single expanded comparisons, shared ties included, and the
fold to predict leaks into training (see `folds`).

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

`Leaks` reproduces a mistake in the published recipe of accuracy: the fold to predict leaks into training. The script of
Grundkiewicz et al. (2015) makes many runs for each fold, meant to train on all other folds. It leaves out the folds
whose number contains the digits of the run's number, not of the fold's. So with folds 0 to 99 run 7 trains without 19
folds (7, 17, 27 and so on, 70 to 79), run 57 without fold 57 alone, and nearly every run has seen the fold to predict,
though 109,098 comparisons say nearly the same without one fold. And 54.19% of the published comparisons tie, so that
always predicting a tie is right more often than either clustered ranking of Table 4 (40.1% and 39.5%).

Toy: of three folds with one comparison each, run 1 trains on those of folds 0 and 2, and run 3 on all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ranking.numbers.intervals import LEVEL
from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.rankings.methods import Method
from ranking.stats.rankings.uncertainty import Rule, all_later, complete, never_overlapping, ranks_of, uncertainty
from ranking.stats.resampling import Unit, cells_of, draw, generator, resample_pairs, tallies_of, units_of
from ranking.stats.tally import Tally, in_order_of, tallies_in_blocks, tally, tally_by

FEWEST = 2
SPLITTING = 0  # the number of the random generator that splits; those of replicates follow


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

    def training_drawn(self, fold: int, replicates: int) -> Tally:
        first = self.first_of(fold, replicates)
        if not len(self.fold_of):
            return resample_pairs(self.training[fold], replicates, self.seed, first)
        others = np.flatnonzero(self.fold_of != fold)

        def weights_of(block: slice) -> np.ndarray:
            weights = np.zeros((len(self.fold_of), block.stop - block.start), dtype=np.int32)
            weights[others] = draw(len(others), block.stop - block.start, self.seed, first + block.start)
            return weights

        return tallies_in_blocks(self.ballots, self.unit_of, replicates, weights_of)

    def first_of(self, fold: int, replicates: int) -> int:
        return SPLITTING + 1 + fold * replicates


def folds_of(ballots: Ballots, unit: Unit, folds: int, seed: int) -> Folds:
    if folds < FEWEST:
        raise StatisticsError(f"With fewer than {FEWEST} folds there is nothing to train on; use more than {folds}.")
    random = generator(seed, SPLITTING)
    nothing = np.empty(0, dtype=np.int64)
    if unit is Unit.PAIR:
        return Folds(ballots, _split_comparisons(tally(ballots), folds, random), nothing, nothing, seed)
    unit_of, units = units_of(ballots, unit)
    _check_enough(units, folds, unit)
    fold_of = np.empty(units, dtype=np.int64)
    fold_of[random.permutation(units)] = np.arange(units) % folds
    tallies = tally_by(ballots, fold_of[unit_of], folds)
    ballots, unit_of = in_order_of(ballots, unit_of)  # once here, not for the replicates of every fold
    return Folds(ballots, tallies, unit_of, fold_of, seed)


def _split_comparisons(counted: Tally, folds: int, random: np.random.Generator) -> Tally:
    left = cells_of(counted).astype(np.int64)
    number = int(left.sum())
    _check_enough(number, folds, Unit.PAIR)
    drawn = np.empty((folds, len(left)), dtype=np.int64)
    for fold in range(folds):
        size = number // folds + (fold < number % folds)
        drawn[fold] = random.multivariate_hypergeometric(left, size, method="marginals")
        left = left - drawn[fold]
    return tallies_of(drawn, counted.systems)


def _check_enough(units: int, folds: int, unit: Unit) -> None:
    if units < folds:
        raise StatisticsError(f"{folds} folds need at least {folds} {unit}s, not {units}; collect more judgments.")


@dataclass(frozen=True)
class Leaks:
    """Counts of the comparisons on which each run trains, one row per run; the same for every fold."""

    folds: Folds
    cells: np.ndarray

    def training(self) -> Tally:
        return tallies_of(self.cells, self.folds.tallies.systems)

    def drawn(self, fold: int) -> Tally:
        """Draw them with replacement, anew for every fold."""
        first = self.folds.first_of(fold, len(self.cells))
        drawn = [
            generator(self.folds.seed, first + run).multinomial(cells.sum(), cells / cells.sum())
            for run, cells in enumerate(self.cells)
        ]
        return tallies_of(np.array(drawn), self.folds.tallies.systems)


def leaks_of(folds: Folds, runs: int) -> Leaks:
    kept = np.array([[str(run) not in str(number) for number in range(len(folds))] for run in range(runs)])
    cells = np.stack([cells_of(folds.tallies[number]) for number in range(len(folds))])
    return Leaks(folds, kept.astype(np.int64) @ cells)


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


@dataclass(frozen=True)
class Accuracy:
    """How well a method predicts comparisons, and the sizes of its clusters for each fold."""

    total: Predicted
    clustered: Predicted
    clusters: list[tuple[int, ...]]


class _FoldScore(NamedTuple):
    """Number of correct predictions in a fold, by order and by clusters, and the clusters' sizes."""

    total: int
    clustered: int
    sizes: tuple[int, ...]


def accuracies(
    ballots: Ballots, methods: Sequence[Method], seed: int, recipe: Recipe = HONEST
) -> list[Accuracy | StatisticsError]:
    """Accuracy of several methods on the same folds and replicates, or the error that kept one from predicting."""
    folds = folds_of(ballots, recipe.unit, recipe.folds, seed)
    leaks = leaks_of(folds, recipe.replicates) if recipe.leaks else None
    tested = to_predict(folds, recipe)

    @lru_cache(maxsize=2)
    def training(fold: int, is_drawn: bool) -> Tally:
        if is_drawn:
            return leaks.drawn(fold) if leaks else folds.training_drawn(fold, recipe.replicates)
        return leaks.training() if leaks else folds.training[np.full(recipe.replicates, fold)]

    predicted: list[list[_FoldScore]] = [[] for _ in methods]
    refused: dict[int, StatisticsError] = {}
    for fold in range(len(folds)):
        first = folds.first_of(fold, recipe.replicates)
        for number, method in enumerate(methods):
            if number not in refused:
                try:
                    scores = method.of_tallies(training(fold, recipe.draws_always or not method.run), seed, first)
                    predicted[number].append(_predict(scores, tested[fold], recipe))
                except StatisticsError as reason:
                    refused[number] = reason
    decisive = tested.wins.sum(axis=(1, 2))
    compared = decisive + np.triu(tested.ties).sum(axis=(1, 2))
    return [refused.get(number) or _summed_up(folds, decisive, compared) for number, folds in enumerate(predicted)]


def _predict(scores: np.ndarray, tested: Tally, recipe: Recipe) -> _FoldScore:
    """Predict the comparisons of a fold from the scores of replicates, one row each."""
    scores = complete(scores)
    ranks = ranks_of(scores.mean(axis=0))
    order = np.argsort(ranks)
    ranges = uncertainty(scores, recipe.level).ranges
    clusters = np.empty(len(order), dtype=np.int64)
    clusters[order] = recipe.rule([ranges[system] for system in order])
    return _FoldScore(_right(tested, ranks), _right(tested, clusters), tuple(np.bincount(clusters)[1:].tolist()))


def _right(tested: Tally, levels: np.ndarray) -> int:
    """Return the number of comparisons as levels (1 is best) predict: equal levels tie, else the better one wins."""
    before = levels[:, None] < levels[None, :]
    equal = levels[:, None] == levels[None, :]
    return int(tested.wins[before].sum() + np.triu(tested.ties)[equal].sum())


def _summed_up(folds: list[_FoldScore], decisive: np.ndarray, compared: np.ndarray) -> Accuracy:
    total, clustered, sizes = zip(*folds, strict=True)
    return Accuracy(Predicted(np.array(total), decisive), Predicted(np.array(clustered), compared), list(sizes))


def to_predict(folds: Folds, recipe: Recipe) -> Tally:
    """Return the comparisons of each fold to predict; shared ties are left out or count as ties."""
    tallies = folds.tallies
    if not tallies.wins.any():
        raise StatisticsError("No judge preferred any output to another, so there is no order to predict.")
    ties = tallies.ties + tallies.shared if recipe.counts_shared else tallies.ties
    return replace(tallies, ties=ties, shared=np.zeros_like(tallies.shared))


TIE = 0


@dataclass(frozen=True)
class Baselines:
    tie: float
    majority: float
    best: float
    majority_decisive: float
    best_decisive: float


def baselines(ballots: Ballots, seed: int, recipe: Recipe = HONEST) -> Baselines:
    """On the folds that `accuracies` uses with this seed and recipe."""
    tested = to_predict(folds_of(ballots, recipe.unit, recipe.folds, seed), recipe)
    # For each fold and pair of systems the numbers of ties, wins of the first and wins of the second.
    one, other = np.triu_indices(tested.systems, 1)
    kinds = tested.ties[:, one, other], tested.wins[:, one, other], tested.wins[:, other, one]
    outcomes = np.stack(kinds, axis=2).astype(np.int64)
    together = outcomes.sum(axis=0)
    training = together - outcomes
    decisive = outcomes[:, :, TIE + 1 :]
    return Baselines(
        tie=float(together[:, TIE].sum() / together.sum()),
        majority=_share(outcomes, training.argmax(axis=2)),
        best=float(together.max(axis=1).sum() / together.sum()),
        majority_decisive=_share(decisive, training[:, :, TIE + 1 :].argmax(axis=2)),
        best_decisive=float(decisive.sum(axis=0).max(axis=1).sum() / decisive.sum()),
    )


def _share(outcomes: np.ndarray, answers: np.ndarray) -> float:
    return float(np.take_along_axis(outcomes, answers[:, :, None], axis=2).sum() / outcomes.sum())
