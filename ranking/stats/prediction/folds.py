"""Folds: judgments split into parts, so that each part can be predicted from the others.

Whole units, such as sentences, are shuffled and distributed round robin. Single comparisons are split evenly too: only
their counts matter, so each fold is one draw of all counts without replacement.

Toy: five sentences in two folds are three and two of them, each in one fold.

`Leaks` reproduces a mistake in the published recipe of accuracy: the fold to predict leaks into training. The script of
Grundkiewicz et al. (2015) makes many runs for each fold, meant to train on all other folds. It leaves out the folds
whose number contains the digits of the run's number, not of the fold's. So with folds 0 to 99 run 7 trains without 19
folds (7, 17, 27 and so on, 70 to 79), run 57 without fold 57 alone, and nearly every run has seen the fold to predict.

Toy: of three folds with one comparison each, run 1 trains on those of folds 0 and 2, and run 3 on all.
"""

from dataclasses import dataclass

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
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
