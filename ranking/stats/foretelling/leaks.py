"""The slip in the published recipe of accuracy: the fold that is to be foretold leaks into training.

The script of Grundkiewicz et al. (2015) makes many runs for each fold and means to train them on all other folds. It
leaves out the folds that have the number of the run, and not that of the fold, among the digits of theirs. So with
folds 0 to 99 run 7 trains without 19 folds (7, 17, 27 and so on, 70 to 79), run 57 without fold 57 alone, and whatever
fold is to be foretold, nearly every run has seen it.

Toy: of three folds with one comparison each, run 1 trains on those of folds 0 and 2, and run 3 on all.
"""

from dataclasses import dataclass

import numpy as np

from ranking.stats.foretelling.folds import Folds
from ranking.stats.resampling import cells_of, generator, tallies_of
from ranking.stats.tally import Tally


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
