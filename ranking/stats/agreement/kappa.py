"""Kappa between judges and of judges with themselves, on unexpanded comparisons, as published.

kappa = (P(A) - P(E)) / (1 - P(E)), the outcomes being worse, even and better.

It is called Cohen's there; as the outcomes of both judges are pooled in P(E), it is Scott's pi.

Between two judges every combination of a judgment of one and a judgment of the other on the same pair of candidates
counts once in P(A), so a judge's repeats multiply. P(E) is the sum of the squared shares of the outcomes, over the
judgments of both on the pairs that both judged, each judgment once. A judge agrees with the own repeats likewise: all
combinations of two judgments of a pair. Of all cells together the mean is taken, weighted by their combinations
(Grundkiewicz et al. 2015, Table 2); cells with fewer than 50 combinations are starred and left out.

Toy: on four pairs two judges say > > = < and > = = <; P(A) = 3/4, P(E) = (3/8)^2 + (3/8)^2 + (2/8)^2 = 11/32, and
kappa = 13/21.

Cohen's kappa (1960) of two who say yes or no of the same: how far they agree beyond what chance would give.

With P(A) the share on which they agree, and a and b their shares of yes,

    kappa = (P(A) - P(E)) / (1 - P(E))    P(E) = a b + (1 - a) (1 - b)

Toy: both say yes to 1 of 4, one of them alone to 1 more: P(A) = 3/4, P(E) = 1/2 1/4 + 1/2 3/4 = 1/2, kappa = 1/2.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.pairs import OUTCOMES, pairs_of
from ranking.stats.ballots import Ballots

ENOUGH = 50


@dataclass(frozen=True)
class Agreement:
    """How two judges agree, or one with the own repeats; kappa is NaN where chance leaves nothing to agree on."""

    judge: int
    other: int
    kappa: float
    compared: int

    @property
    def is_enough(self) -> bool:
        """Whether there are enough combinations for the number to mean something."""
        return self.compared >= ENOUGH


def kappas(ballots: Ballots) -> list[Agreement]:
    """The cells of Table 2 that have anything to compare: every judge with each later one and with the own repeats."""
    counts = _counts(ballots)
    return [*_within(counts), *_between(counts)]


def self_kappas(ballots: Ballots) -> list[Agreement]:
    """Every judge who has repeats with these."""
    return _within(_counts(ballots))


def overall(cells: Iterable[Agreement]) -> Agreement:
    """The mean kappa of cells, weighted by their combinations; judge and other are those of nobody."""
    known = [cell for cell in cells if cell.is_enough and not np.isnan(cell.kappa)]
    compared = sum(cell.compared for cell in known)
    if not compared:
        raise StatisticsError(f"There are not {ENOUGH} combinations of judgments on the same pair of outputs.")
    return Agreement(-1, -1, sum(cell.kappa * cell.compared for cell in known) / compared, compared)


def _counts(ballots: Ballots) -> list[csr_array]:
    """For each outcome, how often each judge (row) gave it to each pair (column)."""
    pairs = pairs_of(ballots)
    judge = ballots.judge[pairs.ballot]
    shape = (ballots.judges, pairs.keys)
    return [
        csr_array((np.ones(int(chosen.sum())), (judge[chosen], pairs.key[chosen])), shape=shape)
        for chosen in (pairs.outcome == outcome for outcome in range(OUTCOMES))
    ]


def _between(counts: list[csr_array]) -> list[Agreement]:
    """Every judge with each later one."""
    judged = sum(counts[1:], counts[0])
    seen = (judged > 0).astype(float)
    combined = (judged @ judged.T).toarray()
    agreed = sum((of @ of.T).toarray() for of in counts)
    shared = np.stack([(of @ seen.T).toarray() for of in counts])
    both = shared + shared.swapaxes(1, 2)
    return [
        Agreement(a, b, _kappa(agreed[a, b] / combined[a, b], both[:, a, b]), int(combined[a, b]))
        for a, b in zip(*np.nonzero(np.triu(combined, 1)), strict=True)
    ]


def _within(counts: list[csr_array]) -> list[Agreement]:
    """Every judge with the own repeats."""
    judged = sum(counts[1:], counts[0])
    repeated = (judged > 1).astype(float)
    combined = _sum_of_pairs(judged)
    agreed = np.sum([_sum_of_pairs(of) for of in counts], axis=0)
    outcomes = np.stack([of.multiply(repeated).sum(axis=1) for of in counts])
    return [
        Agreement(
            int(judge), int(judge), _kappa(agreed[judge] / combined[judge], outcomes[:, judge]), int(combined[judge])
        )
        for judge in np.flatnonzero(combined)
    ]


def _sum_of_pairs(counts: csr_array) -> np.ndarray:
    """Of each row the number of pairs among equal things."""
    return (counts.multiply(counts) - counts).sum(axis=1) / 2


def _kappa(agreed: float, outcomes: np.ndarray) -> float:
    expected = float(((outcomes / outcomes.sum()) ** 2).sum())
    return (agreed - expected) / (1 - expected) if expected < 1 else float("nan")


Numbers = float | np.ndarray


def beyond_chance(agreed: Numbers, yes: Numbers, others_yes: Numbers) -> np.ndarray:
    """Kappa of shares, one or many at a time; NaN where chance explains all, or where nothing is known."""
    expected = np.asarray(yes * others_yes + (1 - yes) * (1 - others_yes))
    return np.divide(agreed - expected, 1 - expected, out=np.full(expected.shape, np.nan), where=expected < 1)


def kappa(one: np.ndarray, other: np.ndarray) -> float | None:
    """Of two rows of 1 and 0, or of true and false; None where chance explains all."""
    found = float(beyond_chance(float((one == other).mean()), float(one.mean()), float(other.mean())))
    return found if np.isfinite(found) else None
