"""Intervals of kappa: of every cell, of all cells together, and of each judge against the rest.

Sentences are drawn with replacement, each with all judgments on it (`resampling`); every replicate recomputes kappa,
chance agreement included. The overall value of a replicate is the mean of its cells weighted by its combinations, over
those cells that have enough combinations in the original judgments. Chance agreement is a sum of squares, so resampled
kappas of small cells are biased downwards; for overall values this bias is subtracted from all replicates, or the mean
of many small cells would lie outside its own interval.

Toy: two judges agree on every pair of every sentence, with both > and <; they agree in every replicate that has both
outcomes, and the interval is 1 to 1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ranking.numbers.intervals import LEVEL, Interval, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.kappa import STEPS, Agreement, Weighting, agreements, kappa_of, overall
from ranking.stats.agreement.meetings import Meetings
from ranking.stats.resampling import ratio
from ranking.stats.tally import BLOCK

MOST_CELLS = 400
NOMINAL_ALONE = (Weighting.NOMINAL,)


@dataclass(frozen=True)
class Bounded:
    """A kappa and its interval; no interval if there is too little to compare."""

    agreement: Agreement
    interval: Interval | None


@dataclass(frozen=True)
class KappaIntervals:
    """Cells, unless there are too many of them, and those overall values that are defined."""

    cells: list[Bounded]
    inter: Bounded | None
    intra: Bounded | None


def intervals_of(
    met: Meetings, replicates: int, seed: int, level: float = LEVEL, weightings: Sequence[Weighting] = NOMINAL_ALONE
) -> list[KappaIntervals]:
    """By each weighting, kappas between judges and of each with their own repeats, cell by cell and overall."""
    drawn = [_Replicates.of(met, weighting, replicates, met.cells <= MOST_CELLS) for weighting in weightings]
    _replicate(met, seed, drawn)
    return [
        KappaIntervals(one.bounded(level) if met.cells <= MOST_CELLS else [], *one.bounded_overall(level))
        for one in drawn
    ]


def rest_intervals_of(
    met: Meetings, replicates: int, seed: int, level: float = LEVEL, weightings: Sequence[Weighting] = NOMINAL_ALONE
) -> list[list[Bounded]]:
    """By each weighting, the kappa of every judge with all others combined, from `meetings_with_rest`."""
    if not met.cells:
        raise StatisticsError("No two judges saw the same pair of outputs; have some sentences judged twice.")
    drawn = [_Replicates.of(met, weighting, replicates, True) for weighting in weightings]
    _replicate(met, seed, drawn)
    return [one.bounded(level) for one in drawn]


@dataclass(frozen=True)
class _Replicates:
    """One row per replicate: the kappas of the cells shown, and the overall values between judges and of repeats."""

    weighting: Weighting
    cells: list[Agreement]
    shown: np.ndarray
    kinds: tuple[np.ndarray, np.ndarray]
    singly: np.ndarray
    together: np.ndarray

    @classmethod
    def of(cls, met: Meetings, weighting: Weighting, replicates: int, shows_cells: bool) -> "_Replicates":
        cells = agreements(met, weighting)
        counted = np.array([cell.counts for cell in cells], dtype=bool)
        kinds = counted & (met.judge != met.other), counted & (met.judge == met.other)
        shown = counted & shows_cells
        singly, together = np.empty((replicates, int(shown.sum()))), np.empty((replicates, len(kinds)))
        return cls(weighting, cells, shown, kinds, singly, together)

    def fill(self, block: slice, numbers: np.ndarray) -> None:
        kappas, compared = kappa_of(numbers, self.weighting), numbers[..., :STEPS].sum(axis=-1)
        self.singly[block] = kappas[:, self.shown]
        weights = np.where(np.isnan(kappas), 0, compared)
        for column, kind in enumerate(self.kinds):
            sums = (np.nan_to_num(kappas[:, kind]) * weights[:, kind]).sum(axis=1)
            self.together[block, column] = ratio(sums, weights[:, kind].sum(axis=1))

    def bounded(self, level: float) -> list[Bounded]:
        columns = iter(self.singly.T)
        return [
            Bounded(cell, interval_of(next(columns), level) if has_interval else None)
            for cell, has_interval in zip(self.cells, self.shown, strict=True)
        ]

    def bounded_overall(self, level: float) -> Iterator[Bounded | None]:
        for kind, drawn in zip(self.kinds, self.together.T, strict=True):
            if kind.any():
                found = overall(self.cells[place] for place in np.flatnonzero(kind))
                yield Bounded(found, interval_of(drawn - np.nanmean(drawn) + found.kappa, level))
            else:
                yield None


def _replicate(met: Meetings, seed: int, drawn: list[_Replicates]) -> None:
    replicates = len(drawn[0].together)
    for at in range(0, replicates, BLOCK):
        block = slice(at, min(at + BLOCK, replicates))
        numbers = met.resampled(block.stop - at, seed, at)
        for one in drawn:
            one.fill(block, numbers)
