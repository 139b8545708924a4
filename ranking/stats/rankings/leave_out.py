"""Leaving out: whether the ranking changes without one judge, one system or one document.

A scoring function computes scores from a tally: first of all ballots, then without each thing in turn. Spearman's rho
and Kendall's tau-b compare the order of the remaining systems with their order in the full ranking. The largest move is
the most ranks that a system gains or loses; equal scores share the better rank. A system that is left out is removed
from the full ranking too; others can still move, because they lose their comparisons with it.

Toy: scores 3 2 1 become 3 1 2 without a judge: rho = 1/2, tau = 1/3, and the second system loses a rank: 1.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from ranking.numbers.correlation import spearman
from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.rankings.uncertainty import shared_ranks
from ranking.stats.tally import Tally, tallies_of_parts, tally

Scoring = Callable[[Tally], np.ndarray]


class Kind(StrEnum):
    JUDGE = "judge"
    SYSTEM = "system"
    DOCUMENT = "document"


@dataclass(frozen=True)
class Move:
    """How the ranking moves without one thing: `system` moves most, by `largest` ranks, positive if it loses ranks."""

    left_out: int
    spearman: float
    kendall: float
    largest: int
    system: int


def leave_out(ballots: Ballots, scoring: Scoring, kind: Kind, everything: Tally | None = None) -> Iterator[Move]:
    """Rank without each judge, document or system, where the rest can be ranked; `everything` tallies all ballots."""
    everything = everything or tally(ballots)
    full, all_systems = scoring(everything), np.arange(ballots.systems)
    for left_out, counted in _tallies(ballots, kind, everything):
        others = np.delete(all_systems, left_out) if kind is Kind.SYSTEM else all_systems
        try:
            yield _move(left_out, full[others], scoring(counted), others)
        except StatisticsError:
            continue


def _tallies(ballots: Ballots, kind: Kind, everything: Tally) -> Iterator[tuple[int, Tally]]:
    """What can be left out, each with the tally of the rest."""
    if kind is Kind.SYSTEM:
        for system in range(ballots.systems):
            yield system, _without_system(everything, system)
        return
    owner = ballots.judge if kind is Kind.JUDGE else ballots.document_of[ballots.segment]
    present, part = np.unique(owner, return_inverse=True)
    if len(present) < 2:
        return
    for first, counted in tallies_of_parts(ballots, part, len(present)):
        for number in range(len(counted.wins)):
            yield int(present[first + number]), everything - counted[number]


def _without_system(counted: Tally, system: int) -> Tally:
    """Delete a system; comparisons of two systems do not depend on a third."""
    wins, ties, shared = (
        np.delete(np.delete(pairs, system, 0), system, 1) for pairs in (counted.wins, counted.ties, counted.shared)
    )
    return Tally(wins, ties, shared, np.delete(counted.merits, system), np.delete(counted.shown, system))


def _move(left_out: int, before: np.ndarray, after: np.ndarray, systems: np.ndarray) -> Move:
    known = ~np.isnan(before) & ~np.isnan(after)
    before, after, systems = before[known], after[known], systems[known]
    if len(systems) < 2 or not np.ptp(before) or not np.ptp(after):
        raise StatisticsError("Fewer than two systems with different scores remain.")
    moved = np.subtract(shared_ranks(after), shared_ranks(before))
    most = int(np.abs(moved).argmax())
    rho, tau = float(spearman(before, after)), _kendall(before, after)
    return Move(left_out, rho, tau, int(moved[most]), int(systems[most]))


def _kendall(one: np.ndarray, other: np.ndarray) -> float:
    """Kendall's tau-b; SciPy also computes a p-value, which takes most of its time."""
    upper = np.triu_indices(len(one), 1)
    ones, others = (np.sign(np.subtract.outer(scores, scores))[upper] for scores in (one, other))
    tau = (ones * others).sum() / np.sqrt(np.count_nonzero(ones)) / np.sqrt(np.count_nonzero(others))
    return float(np.clip(tau, -1, 1))
