"""Weighted kappa (Cohen 1968): disagreements count by their distance.

    kappa = 1 - D(observed) / D(expected),

where D(observed) is the mean disagreement of the combinations that were made, and D(expected) that of any two judgments
drawn at random. The weights apply to the outcome of a comparison, which has an order: worse, even, better. Ranks are
not comparable between screens, and ratings have a distance of their own; use Krippendorff's alpha for those.

`nominal` counts every disagreement as 1 and is the published kappa; `linear` counts one step as 1/2 and two as 1;
`quadratic` one step as 1/4. Combinations and chance are counted as in the published kappa: the outcomes of both sides
form one distribution (Scott's pi rather than Cohen's kappa). `kappa_of_table` is Cohen's kappa, where each side has its
own distribution, for a table of any two judges.

Toy: on four pairs two judges answer > > = < and > = = <, so one of four is one step apart. Linear: D(observed) = 1/8;
with shares 2/8, 3/8, 3/8 of worse, even, better D(expected) = 2/8 3/8 + 3/8 3/8 + 2 2/8 3/8 = 27/64; kappa = 19/27.
"""

from collections.abc import Callable
from enum import StrEnum

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.kappa import Agreement
from ranking.stats.agreement.meetings import Meetings, meetings, meetings_with_rest
from ranking.stats.agreement.pairs import OUTCOMES
from ranking.stats.ballots import Ballots

STEPS = 3


class Weighting(StrEnum):
    """The weight of a disagreement by its distance."""

    NOMINAL = "nominal"
    LINEAR = "linear"
    QUADRATIC = "quadratic"


def disagreements(levels: int, weighting: Weighting) -> np.ndarray:
    """The disagreement, from 0 to 1, between the level of the row and that of the column."""
    apart = np.abs(np.subtract.outer(np.arange(levels), np.arange(levels))) / max(levels - 1, 1)
    return {Weighting.NOMINAL: np.sign(apart), Weighting.LINEAR: apart, Weighting.QUADRATIC: apart**2}[weighting]


def kappa_of_table(table: np.ndarray, disagreement: np.ndarray) -> float:
    """Cohen's kappa of a table of counts: levels of one judge in rows, of the other in columns."""
    shares = table / table.sum()
    expected = float((np.outer(shares.sum(axis=1), shares.sum(axis=0)) * disagreement).sum())
    if not expected:
        raise StatisticsError("Both judges always gave the same answer, so agreement by chance is complete.")
    return 1 - float((shares * disagreement).sum()) / expected


def weighted_kappas(ballots: Ballots, weighting: Weighting) -> list[Agreement]:
    """Every judge with each later one and with their own repeats, by judge and other."""
    return agreements(_of_all(meetings, ballots), weighting)


def kappas_with_rest(ballots: Ballots, weighting: Weighting = Weighting.NOMINAL) -> list[Agreement]:
    """Every judge with all the others, as if these were one judge; other is REST."""
    return agreements(_of_all(meetings_with_rest, ballots), weighting)


def agreements(met: Meetings, weighting: Weighting) -> list[Agreement]:
    """The kappa of each cell."""
    numbers = met.total()
    found = kappa_of(numbers, weighting).tolist()
    compared = numbers[:, :STEPS].sum(axis=1).astype(int).tolist()
    return [Agreement(*cell) for cell in zip(met.judge.tolist(), met.other.tolist(), found, compared, strict=True)]


def kappa_of(numbers: np.ndarray, weighting: Weighting) -> np.ndarray:
    """Kappa from the six numbers of meetings, along the last axis; NaN if there is nothing to compare."""
    disagreement = disagreements(OUTCOMES, weighting)
    apart, outcomes = numbers[..., :STEPS], numbers[..., STEPS:]
    observed = _share((apart * disagreement[0]).sum(axis=-1), apart.sum(axis=-1))
    expected = _share(((outcomes @ disagreement) * outcomes).sum(axis=-1), outcomes.sum(axis=-1) ** 2)
    return 1 - _share(observed, expected)


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole > 0)


def _of_all(count: Callable[[Ballots, np.ndarray, int], Meetings], ballots: Ballots) -> Meetings:
    return count(ballots, np.zeros(len(ballots), dtype=np.int64), 1)
