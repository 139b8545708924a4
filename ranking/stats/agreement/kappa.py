"""Kappa, agreement beyond chance: kappa = (P(A) - P(E)) / (1 - P(E)).

`kappas` compares judges with each other and with themselves on unexpanded comparisons, as published; the outcomes are
worse, even and better. The paper names it after Cohen; as P(E) pools the outcomes of both judges, it is Scott's pi.
Between two judges every combination of a judgment of one and a judgment of the other on the same pair of candidates
counts once in P(A), so a judge's repeats multiply. P(E) is the sum of the squared shares of the outcomes, over the
judgments of both on the pairs that both judged, each judgment once. For a judge's own repeats, all combinations of two
judgments of a pair count. The overall value is the mean of the cells, weighted by their combinations (Grundkiewicz et
al. 2015, Table 2); cells with fewer than 50 combinations are starred and left out.

Toy: on four pairs two judges answer > > = < and > = = <; P(A) = 3/4, P(E) = (3/8)^2 + (3/8)^2 + (2/8)^2 = 11/32, and
kappa = 13/21; Cohen's own, with a distribution for each judge, would be 7/11. Cells with 0.5 of 100 combinations, 0.2
of 200 and 0.7 of 39 have the overall value (0.5 * 100 + 0.2 * 200) / 300 = 0.3.

Weighted kappa (Cohen 1968) counts disagreements by their distance:

    kappa = 1 - D(observed) / D(expected),

where D(observed) is the mean disagreement of the combinations that were made, and D(expected) that of any two judgments
drawn at random. `nominal` counts every disagreement as 1, which is the published kappa; `linear` counts one step as 1/2
and two as 1; `quadratic` one step as 1/4. The weights apply to the outcome of a comparison, which has an order. Ranks
are not comparable between screens, and ratings have a distance of their own; use Krippendorff's alpha for those.

Toy: the same judges are one step apart on one of four pairs. Linear: D(observed) = 1/8; with shares 2/8, 3/8, 3/8 of
worse, even, better D(expected) = 2/8 3/8 + 3/8 3/8 + 2 2/8 3/8 = 27/64; kappa = 19/27.

`beyond_chance` is Cohen's kappa (1960) of two yes-or-no judgments, with P(A) the share of equal answers, a and b the
shares of yes, and

    P(E) = a b + (1 - a) (1 - b).

Toy: both say yes to 1 of 4, one of them alone to 1 more: P(A) = 3/4, P(E) = 1/2 1/4 + 1/2 3/4 = 1/2, kappa = 1/2.

Intervals of kappa: of every cell, of all cells together, and of each judge against the rest.

Sentences are drawn with replacement, each with all judgments on it (`resampling`); every replicate recomputes kappa,
chance agreement included. The overall value of a replicate is the mean of its cells weighted by its combinations, over
those cells that have enough combinations in the original judgments. Chance agreement is a sum of squares, so resampled
kappas of small cells are biased downwards; for overall values this bias is subtracted from all replicates, or the mean
of many small cells would lie outside its own interval.

Toy: two judges agree on every pair of every sentence, with both > and <; they agree in every replicate that has both
outcomes, and the interval is 1 to 1.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import scipy as sp

from ranking.numbers.intervals import LEVEL, Interval, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.meetings import NUMBERS, OUTCOMES, REST, Meetings, entries_of, meetings
from ranking.stats.answers import Answers
from ranking.stats.ballots import Ballots
from ranking.stats.resampling import over_replicates, ratio

ENOUGH = 50
MOST_CELLS = 400
STEPS = 3


class Weighting(StrEnum):
    NOMINAL = "nominal"
    LINEAR = "linear"
    QUADRATIC = "quadratic"


@dataclass(frozen=True)
class Agreement:
    """Agreement of two judges, or of one with their own repeats; kappa is NaN if chance explains everything.

    There is no interval if there is too little to compare, or if none was asked for.
    """

    judge: int
    other: int
    kappa: float
    compared: int
    interval: Interval | None = None

    @property
    def is_enough(self) -> bool:
        """Whether there are enough combinations for a meaningful value."""
        return self.compared >= ENOUGH

    @property
    def counts(self) -> bool:
        """Whether the cell is part of overall values."""
        return self.is_enough and not np.isnan(self.kappa)


def kappas(ballots: Ballots, weighting: Weighting = Weighting.NOMINAL) -> list[Agreement]:
    """Cells of Table 2 with anything to compare: every judge with each later one, and with their own repeats."""
    return agreements(meetings(entries_of(ballots)), weighting)


def agreements(met: Meetings, weighting: Weighting = Weighting.NOMINAL) -> list[Agreement]:
    numbers = met.sums.sum(axis=0).reshape(-1, NUMBERS)
    found = kappa_of(numbers, weighting).tolist()
    compared = numbers[:, :STEPS].sum(axis=1).astype(int).tolist()
    return [Agreement(*cell) for cell in zip(met.judge.tolist(), met.other.tolist(), found, compared, strict=True)]


def overall(cells: Iterable[Agreement]) -> Agreement:
    """Return the mean kappa of cells, weighted by their combinations; both judges are -1."""
    known = [cell for cell in cells if cell.counts]
    compared = sum(cell.compared for cell in known)
    if not compared:
        raise StatisticsError(f"There are fewer than {ENOUGH} combinations of judgments on the same pair of outputs.")
    return Agreement(-1, -1, sum(cell.kappa * cell.compared for cell in known) / compared, compared)


def intervals_of(
    met: Meetings, weightings: Sequence[Weighting], replicates: int, seed: int, level: float = LEVEL
) -> list[tuple[list[Agreement], dict[str, Agreement]]]:
    """By weighting, every cell with its interval, unless there are too many, and the defined overall values."""
    kinds = {"inter": met.judge != met.other, "intra": met.judge == met.other}
    shown = slice(None) if len(met.judge) <= MOST_CELLS or (met.other == REST).all() else slice(0)
    cells = [agreements(met, weighting) for weighting in weightings]
    counted = [np.array([cell.counts for cell in of], dtype=bool) for of in cells]

    def kappas_of(sums: np.ndarray) -> np.ndarray:
        """By replicate, the kappas of the cells that are shown, and the overall ones; of each weighting."""
        numbers, columns = sums.reshape(len(sums), len(met.judge), NUMBERS), list[np.ndarray]()
        compared = numbers[..., :STEPS].sum(axis=-1)
        for weighting, enough in zip(weightings, counted, strict=True):
            drawn = kappa_of(numbers, weighting)
            weights = np.where(np.isnan(drawn), 0, compared)
            columns.append(drawn[:, shown])
            for here in (kind & enough for kind in kinds.values()):
                weighed = (np.nan_to_num(drawn[:, here]) * weights[:, here]).sum(axis=1)
                columns.append(ratio(weighed, weights[:, here].sum(axis=1))[:, None])
        return np.hstack(columns)

    by_weighting = np.split(over_replicates(met.sums, kappas_of, replicates, seed), len(weightings), axis=1)
    found = []
    for of, enough, drawn in zip(cells, counted, by_weighting, strict=True):
        together = {}
        for (name, kind), column in zip(kinds.items(), drawn[:, -len(kinds) :].T, strict=True):
            if (kind & enough).any():
                mean = overall(of[cell] for cell in np.flatnonzero(kind))
                ends = interval_of(column - np.nanmean(column) + mean.kappa, level)
                together[name] = replace(mean, interval=ends)
        found.append((
            [replace(cell, interval=interval_of(column, level)) if cell.counts else cell
             for cell, column in zip(of[shown], drawn[:, : -len(kinds)].T, strict=True)],
            together,
        ))  # fmt: skip
    return found


def kappa_of(numbers: np.ndarray, weighting: Weighting) -> np.ndarray:
    """Kappa from the six numbers of meetings, along the last axis; NaN if there is nothing to compare."""
    disagreement = disagreements(OUTCOMES, weighting)
    apart, outcomes = numbers[..., :STEPS], numbers[..., STEPS:]
    observed = ratio((apart * disagreement[0]).sum(axis=-1), apart.sum(axis=-1))
    expected = ratio(((outcomes @ disagreement) * outcomes).sum(axis=-1), outcomes.sum(axis=-1) ** 2)
    return 1 - ratio(observed, expected)


def disagreements(levels: int, weighting: Weighting) -> np.ndarray:
    """Return the disagreement, from 0 to 1, between the level of the row and that of the column."""
    apart = np.abs(np.subtract.outer(np.arange(levels), np.arange(levels))) / max(levels - 1, 1)
    return {Weighting.NOMINAL: np.sign(apart), Weighting.LINEAR: apart, Weighting.QUADRATIC: apart**2}[weighting]


Numbers = float | np.ndarray


def beyond_chance(agreed: Numbers, yes: Numbers, others_yes: Numbers) -> np.ndarray:
    """Kappa from shares, scalars or arrays; NaN if chance explains everything or a share is unknown."""
    expected = np.asarray(yes * others_yes + (1 - yes) * (1 - others_yes))
    return ratio(agreed - expected, 1 - expected)


def kappa(one: np.ndarray, other: np.ndarray) -> float | None:
    """Cohen's kappa of two rows of 1 and 0, or of booleans; None if chance explains everything."""
    found = float(beyond_chance(float((one == other).mean()), float(one.mean()), float(other.mean())))
    return found if np.isfinite(found) else None


def kappas_of_judges(answers: Answers) -> list[tuple[int, int, int, float, float]]:
    """Every two judges with units in common: how many, the share on which they agree, and Cohen's kappa.

    Values are 1 or 0, one of each judge for a unit; kappa is NaN if chance explains everything.
    """
    _, unit = np.unique(answers.unit, return_inverse=True)
    shape, said_yes = (answers.judges, int(unit.max(initial=0)) + 1), answers.value > 0
    yes, no = (
        sp.sparse.csr_array((np.ones(int(chosen.sum())), (answers.judge[chosen], unit[chosen])), shape=shape)
        for chosen in (said_yes, ~said_yes)
    )  # fmt: skip
    both, neither, one, other = ((a @ b.T).toarray() for a, b in ((yes, yes), (no, no), (yes, no), (no, yes)))
    common = both + neither + one + other
    same = ratio(both + neither, common)
    kappa = beyond_chance(same, ratio(both + one, common), ratio(both + other, common))
    first, second = np.nonzero(np.triu(common, 1))
    columns = first, second, common[first, second].astype(int), same[first, second], kappa[first, second]
    return list(zip(*(column.tolist() for column in columns), strict=True))
