"""Intervals of kappa: of every cell, of all cells together, and of each judge against the rest.

Sentences are drawn with replacement, each with all judgments on it (`resampling`); every replicate recomputes kappa,
chance agreement included. The overall value of a replicate is the mean of its cells weighted by its combinations, over
those cells that have enough combinations in the original judgments. Chance agreement is a sum of squares, so resampled
kappas of small cells are biased downwards; for overall values this bias is subtracted from all replicates, or the mean
of many small cells would lie outside its own interval.

Toy: two judges agree on every pair of every sentence, with both > and <; they agree in every replicate that has both
outcomes, and the interval is 1 to 1.
"""

from dataclasses import dataclass

import numpy as np

from ranking.numbers.intervals import LEVEL, Interval, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.kappa import STEPS, Agreement, Weighting, agreements, kappa_of, overall
from ranking.stats.agreement.meetings import Meetings, by_cell
from ranking.stats.resampling import ratio, resample_sums
from ranking.stats.tally import BLOCK

MOST_CELLS = 400


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
    met: Meetings, replicates: int, seed: int, level: float = LEVEL, weighting: Weighting = Weighting.NOMINAL
) -> KappaIntervals:
    """Return kappas between judges and of each with their own repeats, cell by cell and overall, with intervals."""
    cells = agreements(met, weighting)
    counted = np.array([cell.counts for cell in cells], dtype=bool)
    kinds = [counted & (met.judge != met.other), counted & (met.judge == met.other)]
    shown = counted & (met.cells <= MOST_CELLS)
    singly, together = _replicate(met, replicates, seed, weighting, shown, kinds)
    in_all: list[Bounded | None] = []
    for kind, drawn in zip(kinds, together.T, strict=True):
        if not kind.any():
            in_all.append(None)
            continue
        found = overall(cells[place] for place in np.flatnonzero(kind))
        in_all.append(Bounded(found, interval_of(drawn - np.nanmean(drawn) + found.kappa, level)))
    return KappaIntervals(_bounded(cells, shown, singly, level) if met.cells <= MOST_CELLS else [], *in_all)


def rest_intervals_of(
    met: Meetings, replicates: int, seed: int, level: float = LEVEL, weighting: Weighting = Weighting.NOMINAL
) -> list[Bounded]:
    """Return the kappa of every judge with all others combined, from `meetings_with_rest`."""
    if not met.cells:
        raise StatisticsError("No two judges saw the same pair of outputs; have some sentences judged twice.")
    cells = agreements(met, weighting)
    counted = np.array([cell.counts for cell in cells], dtype=bool)
    singly, _ = _replicate(met, replicates, seed, weighting, counted, [])
    return _bounded(cells, counted, singly, level)


def _replicate(
    met: Meetings, replicates: int, seed: int, weighting: Weighting, shown: np.ndarray, kinds: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """One row per replicate: the kappas of the cells shown, and the overall value of each kind of cells."""
    singly = np.empty((replicates, int(shown.sum())))
    together = np.empty((replicates, len(kinds)))
    for at in range(0, replicates, BLOCK):
        block = slice(at, min(at + BLOCK, replicates))
        numbers = by_cell(resample_sums(met.sums, block.stop - at, seed, at))
        kappas, compared = kappa_of(numbers, weighting), numbers[..., :STEPS].sum(axis=-1)
        singly[block] = kappas[:, shown]
        weights = np.where(np.isnan(kappas), 0, compared)
        for column, kind in enumerate(kinds):
            sums = (np.nan_to_num(kappas[:, kind]) * weights[:, kind]).sum(axis=1)
            together[block, column] = ratio(sums, weights[:, kind].sum(axis=1))
    return singly, together


def _bounded(cells: list[Agreement], shown: np.ndarray, drawn: np.ndarray, level: float) -> list[Bounded]:
    columns = iter(drawn.T)
    return [
        Bounded(cell, interval_of(next(columns), level) if has_interval else None)
        for cell, has_interval in zip(cells, shown, strict=True)
    ]
