"""Folds: judgments dealt into parts, so that each part can be predicted from others.

Whole units (sentences, say) are shuffled and dealt round robin, and so are single comparisons: for these only the
counts matter, so each fold is one draw without replacement of all counts at once.

Toy: five sentences in two folds are three and two of them, each in one fold.

The slip in the published recipe of accuracy: the fold that is to be predicted leaks into training.

The script of Grundkiewicz et al. (2015) makes many runs for each fold and means to train them on all other folds. It
leaves out the folds that have the number of the run, and not that of the fold, among the digits of theirs. So with
folds 0 to 99 run 7 trains without 19 folds (7, 17, 27 and so on, 70 to 79), run 57 without fold 57 alone, and whatever
fold is to be predicted, nearly every run has seen it.

Toy: of three folds with one comparison each, run 1 trains on those of folds 0 and 2, and run 3 on all.
"""

from dataclasses import dataclass

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.resampling import Unit, cells_of, draw, generator, resample_pairs, tallies_of, units_of
from ranking.stats.tally import Tally, in_order_of, tallies_in_blocks, tally, tally_by

FEWEST = 2
DEALING = 0  # the number of the random numbers that deal; those of replicates follow


@dataclass(frozen=True)
class Folds:
    """The tally of each fold and, unless single comparisons were dealt, the unit of each ballot and its fold."""

    ballots: Ballots
    tallies: Tally
    unit_of: np.ndarray
    fold_of: np.ndarray
    seed: int

    def __len__(self) -> int:
        return len(self.tallies.wins)

    @property
    def training(self) -> Tally:
        """For each fold the tally of all others."""
        return self.tallies.total() - self.tallies

    def training_drawn(self, fold: int, replicates: int) -> Tally:
        """Replicates of the folds other than this one, from the units that were dealt."""
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
        """The number of a fold's first replicate, when each fold has so many."""
        return DEALING + 1 + fold * replicates


def deal(ballots: Ballots, unit: Unit, folds: int, seed: int) -> Folds:
    """The judgments in so many folds, by chance."""
    if folds < FEWEST:
        raise StatisticsError(f"With fewer than {FEWEST} folds there is nothing to train on; take more than {folds}.")
    random = generator(seed, DEALING)
    nothing = np.empty(0, dtype=np.int64)
    if unit is Unit.PAIR:
        return Folds(ballots, _deal_comparisons(tally(ballots), folds, random), nothing, nothing, seed)
    unit_of, units = units_of(ballots, unit)
    _check_enough(units, folds, unit)
    fold_of = np.empty(units, dtype=np.int64)
    fold_of[random.permutation(units)] = np.arange(units) % folds
    tallies = tally_by(ballots, fold_of[unit_of], folds)
    ballots, unit_of = in_order_of(ballots, unit_of)  # once, and not for the replicates of every fold
    return Folds(ballots, tallies, unit_of, fold_of, seed)


def _deal_comparisons(counted: Tally, folds: int, random: np.random.Generator) -> Tally:
    left = cells_of(counted).astype(np.int64)
    number = int(left.sum())
    _check_enough(number, folds, Unit.PAIR)
    dealt = np.empty((folds, len(left)), dtype=np.int64)
    for fold in range(folds):
        size = number // folds + (fold < number % folds)
        dealt[fold] = random.multivariate_hypergeometric(left, size, method="marginals")
        left = left - dealt[fold]
    return tallies_of(dealt, counted.systems)


def _check_enough(units: int, folds: int, unit: Unit) -> None:
    if units < folds:
        raise StatisticsError(f"{folds} folds need {folds} {unit}s or more, not {units}; have more judged.")


@dataclass(frozen=True)
class Leaks:
    """The counts of the comparisons on which each run trains, one run a row; the same for every fold."""

    folds: Folds
    cells: np.ndarray

    def as_they_are(self) -> Tally:
        """The judgments of each run."""
        return tallies_of(self.cells, self.folds.tallies.systems)

    def drawn(self, fold: int) -> Tally:
        """The same drawn with replacement, anew for every fold."""
        first = self.folds.first_of(fold, len(self.cells))
        drawn = [
            generator(self.folds.seed, first + run).multinomial(cells.sum(), cells / cells.sum())
            for run, cells in enumerate(self.cells)
        ]
        return tallies_of(np.array(drawn), self.folds.tallies.systems)


def leaks_of(folds: Folds, runs: int) -> Leaks:
    """What each of so many runs trains on."""
    kept = np.array([[str(run) not in str(number) for number in range(len(folds))] for run in range(runs)])
    cells = np.stack([cells_of(folds.tallies[number]) for number in range(len(folds))])
    return Leaks(folds, kept.astype(np.int64) @ cells)
