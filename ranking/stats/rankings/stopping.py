"""Rules for stopping that are fixed in advance: whether a goal is reached, and how far it is.

Pairs are those of an interim ranking, tested so that conclusions hold however often one looks
(ranking.stats.rankings.pair_tests). The half-width h of a pair's interval shrinks with the root of the number of
judgments, so at today's difference d

    it is resolved        after (h / |d|)^2 times as many judgments,
    it is equivalent      within delta after (h / (delta - |d|))^2 times as many,

whichever comes first. These are forecasts: differences change while judging goes on.

Toy: a difference of .04 with an interval from -.02 to .10 (h = .06) needs (.06 / .04)^2 = 2.25 times as many judgments.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf

from ranking.numbers.tables import Table


class Goal(StrEnum):
    NONE = ""
    BEST = "best"
    PAIRS = "pairs"

    @property
    def label(self) -> str:
        return {
            Goal.NONE: "no goal: judging ends with that number or on that day",
            Goal.BEST: "when the best system is known: it is separated from each other one",
            Goal.PAIRS: "when all pairs are separated, or equivalent within delta",
        }[self]


@dataclass(frozen=True)
class PairOfSystems:
    """A pair of systems, the better one first; its difference, and half the width of its interval."""

    system: str
    opponent: str
    difference: float
    reach: float
    is_resolved: bool
    is_equivalent: bool

    def factor(self, delta: float = 0.0) -> float:
        """How many times as many judgments settle this pair; 1 if it is settled."""
        if self.is_resolved or (delta and self.is_equivalent):
            return 1.0
        room = max(self.difference, delta - self.difference)
        return max(1.0, (self.reach / room) ** 2) if room > 0 else inf


@dataclass(frozen=True)
class Standing:
    """Where a goal stands: settled pairs of those that count, and about how many judgments all of them need."""

    pairs: int
    settled: int
    judgments: float
    leader: str = ""

    @property
    def is_reached(self) -> bool:
        return self.settled == self.pairs > 0


def pairs_of(table: Table) -> list[PairOfSystems]:
    """The pairs of the first method of a report's table."""
    lines = table.dicts()
    first = [line for line in lines if line["method"] == lines[0]["method"]]
    return [
        PairOfSystems(
            str(line["system"]), str(line["opponent"]), float(line["difference"] or 0),
            inf if line["difference_high"] is None else float(line["difference_high"]) - float(line["difference"] or 0),
            bool(line["resolved"]), bool(line["equivalent"]),
        )
        for line in first
    ]  # fmt: skip


def standing(goal: Goal, pairs: Sequence[PairOfSystems], judgments: int, delta: float = 0.0) -> Standing:
    """Where the goal stands after so many judgments; the best system must differ, so delta is not for it."""
    if goal is Goal.BEST:
        leader = pairs[0].system if pairs else ""
        pairs, delta = [pair for pair in pairs if pair.system == leader], 0.0
    else:
        leader = ""
    factors = [pair.factor(delta) for pair in pairs]
    settled = sum(pair.is_resolved or bool(delta and pair.is_equivalent) for pair in pairs)
    return Standing(len(pairs), settled, judgments * max(factors, default=inf), leader)


def forgone(pairs: Sequence[PairOfSystems], judgments: int, budget: int) -> int:
    """How many unresolved pairs the rest of the budget would resolve, if differences stay as they are."""
    return sum(not pair.is_resolved and judgments * pair.factor() <= budget for pair in pairs)
