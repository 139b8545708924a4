"""Kappa, agreement beyond chance: kappa = (P(A) - P(E)) / (1 - P(E)).

`kappas` compares judges with each other and with themselves on unexpanded comparisons, as published; the outcomes are
worse, even and better. The paper names it after Cohen; as P(E) pools the outcomes of both judges, it is Scott's pi.
Between two judges every combination of a judgment of one and a judgment of the other on the same pair of candidates
counts once in P(A), so a judge's repeats multiply. P(E) is the sum of the squared shares of the outcomes, over the
judgments of both on the pairs that both judged, each judgment once. For a judge's own repeats, all combinations of two
judgments of a pair count. The overall value is the mean of the cells, weighted by their combinations (Grundkiewicz et
al. 2015, Table 2); cells with fewer than 50 combinations are starred and left out.

Toy: on four pairs two judges answer > > = < and > = = <; P(A) = 3/4, P(E) = (3/8)^2 + (3/8)^2 + (2/8)^2 = 11/32, and
kappa = 13/21.

`beyond_chance` is Cohen's kappa (1960) of two yes-or-no judgments, with P(A) the share of equal answers, a and b the
shares of yes, and

    P(E) = a b + (1 - a) (1 - b).

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
    """The agreement of two judges, or of one with their own repeats; kappa is NaN if chance explains everything."""

    judge: int
    other: int
    kappa: float
    compared: int

    @property
    def is_enough(self) -> bool:
        """Whether there are enough combinations for a meaningful value."""
        return self.compared >= ENOUGH


def kappas(ballots: Ballots) -> list[Agreement]:
    """The cells of Table 2 with anything to compare: every judge with each later one, and with their own repeats."""
    counts = _counts(ballots)
    return [*_within(counts), *_between(counts)]


def self_kappas(ballots: Ballots) -> list[Agreement]:
    """Every judge who has repeats, with these repeats."""
    return _within(_counts(ballots))


def overall(cells: Iterable[Agreement]) -> Agreement:
    """The mean kappa of cells, weighted by their combinations; both judges are -1."""
    known = [cell for cell in cells if cell.is_enough and not np.isnan(cell.kappa)]
    compared = sum(cell.compared for cell in known)
    if not compared:
        raise StatisticsError(f"There are fewer than {ENOUGH} combinations of judgments on the same pair of outputs.")
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
    agreed = sum((times @ times.T).toarray() for times in counts)
    shared = np.stack([(times @ seen.T).toarray() for times in counts])
    both = shared + shared.swapaxes(1, 2)
    return [
        Agreement(a, b, _kappa(agreed[a, b] / combined[a, b], both[:, a, b]), int(combined[a, b]))
        for a, b in zip(*np.nonzero(np.triu(combined, 1)), strict=True)
    ]


def _within(counts: list[csr_array]) -> list[Agreement]:
    """Every judge with their own repeats."""
    judged = sum(counts[1:], counts[0])
    repeated = (judged > 1).astype(float)
    combined = _sum_of_pairs(judged)
    agreed = np.sum([_sum_of_pairs(times) for times in counts], axis=0)
    outcomes = np.stack([times.multiply(repeated).sum(axis=1) for times in counts])
    return [
        Agreement(
            int(judge), int(judge), _kappa(agreed[judge] / combined[judge], outcomes[:, judge]), int(combined[judge])
        )
        for judge in np.flatnonzero(combined)
    ]


def _sum_of_pairs(counts: csr_array) -> np.ndarray:
    """For each row, the number of pairs of equal judgments."""
    return (counts.multiply(counts) - counts).sum(axis=1) / 2


def _kappa(agreed: float, outcomes: np.ndarray) -> float:
    expected = float(((outcomes / outcomes.sum()) ** 2).sum())
    return (agreed - expected) / (1 - expected) if expected < 1 else float("nan")


Numbers = float | np.ndarray


def beyond_chance(agreed: Numbers, yes: Numbers, others_yes: Numbers) -> np.ndarray:
    """Kappa from shares, scalars or arrays; NaN if chance explains everything or a share is unknown."""
    expected = np.asarray(yes * others_yes + (1 - yes) * (1 - others_yes))
    return np.divide(agreed - expected, 1 - expected, out=np.full(expected.shape, np.nan), where=expected < 1)


def kappa(one: np.ndarray, other: np.ndarray) -> float | None:
    """Cohen's kappa of two rows of 1 and 0, or of booleans; None if chance explains everything."""
    found = float(beyond_chance(float((one == other).mean()), float(one.mean()), float(other.mean())))
    return found if np.isfinite(found) else None
