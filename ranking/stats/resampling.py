"""Resampling for all methods: the judgments as chance might have brought them, many times.

Units are drawn with replacement: single expanded comparisons (as published, though comparisons of one ballot are not
independent), whole ballots, all ballots on a sentence, or all ballots of a judge. Sentences and judges together draw
sentences and add what other judges would change (ranking.stats.rankings.uncertainty). The seed of every replicate is
derived from the report's seed and its number, so replicates do not depend on how the work is split.

The unit matters: the 78 pairs of one ballot come from five ranks, and all ballots on a sentence share its
peculiarities. The judgments of Grundkiewicz et al. (2015), with the published Expected Wins and 1000 replicates, make 4
clusters if pairs are drawn, as published, and a system moves by 1.6 places from its best to its worst rank; if rankings
are drawn 3 and 3.1, if sentences 2 and 4.6.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np
import scipy as sp

from ranking.numbers.kernels import kernel
from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.choices import ADJUDICATED, INDEPENDENT, PEOPLE, Choices, option
from ranking.stats.tally import BLOCK, Tally, tallies_in_blocks, tally

# Replicates drawn before they become columns, and the most units of which draws are kept.
AT_ONCE, MOST_KEPT = 16, 10_000


class Unit(StrEnum):
    PAIR = "pair"
    RANKING = "ranking"
    SENTENCE = "sentence"
    JUDGE = "judge"
    SENTENCE_AND_JUDGE = "sentence-and-judge"

    @property
    def drawn(self) -> "Unit":
        """What is drawn with replacement."""
        return Unit.SENTENCE if self is Unit.SENTENCE_AND_JUDGE else self

    @property
    def generalises_to(self) -> str:
        """For what sentences and judges a conclusion holds, if this was drawn."""
        return {
            Unit.SENTENCE: "other sentences of the same kind, judged by these judges",
            Unit.JUDGE: "these sentences, judged by other judges of the same kind",
            Unit.SENTENCE_AND_JUDGE: "other sentences and judges of the same kind",
        }.get(self, "these sentences and these judges only")

    @property
    def caution(self) -> str:
        """Why conclusions look surer than they are, if this was drawn; empty if they do not."""
        if self not in (Unit.PAIR, Unit.RANKING):
            return ""
        return f"{self.capitalize()}s of a sentence were drawn as if independent, so intervals are too narrow."


# Intervals of agreement cost more than those of rankings, and need no more replicates than this.
MOST_FOR_AGREEMENT = 200
# What other judges would change needs only a covariance.
MOST_FOR_COVARIANCE = 400
# Measured: trueskill 9, hierarchical 12, mixed-model 4 microseconds.
SECONDS_TO_READ_A_JUDGMENT = 1e-5
# Sentences and judges where there are enough judges to draw, otherwise sentences.
BROADEST = "broadest"
ENOUGH_JUDGES = 5
MEANING_OF_BROADEST = (
    f"the broadest for which there are enough judges: sentence and judge from {ENOUGH_JUDGES} judges on, otherwise "
    "sentence"
)
UNITS = BROADEST, Unit.SENTENCE.value, Unit.SENTENCE_AND_JUDGE.value


class DrawsUnits(Choices):
    """Parameters among which is the unit to draw; subclasses say in which order they have them."""

    unit: str
    answers: str

    def for_plan(self) -> dict[str, Any]:
        """The broadest unit as what it will be."""
        is_open = self.unit == BROADEST and self.answers != ADJUDICATED
        return super().for_plan() | {"unit": MEANING_OF_BROADEST if is_open else self.for_judges(0).unit}

    def for_judges(self, judges: int) -> Self:
        """The same with the unit that the number of judges allows.

        Adjudicated answers do not say how far other judges would differ: where judges did, one answer is left, by
        somebody who was not drawn.
        """
        if self.unit != BROADEST:
            return self
        are_enough = judges >= ENOUGH_JUDGES and self.answers != ADJUDICATED
        return self.with_changes(unit=(Unit.SENTENCE_AND_JUDGE if are_enough else Unit.SENTENCE).value)

    @property
    def drawn(self) -> Unit:
        return Unit.SENTENCE if self.unit == BROADEST else Unit(self.unit).drawn

    def replicates_by(self, unit: Unit) -> int:
        """How many replicates draw this unit: all draw that of the report, others add a covariance."""
        return self.replicates if unit is self.drawn else min(self.replicates, MOST_FOR_COVARIANCE)

    @property
    def agreement_replicates(self) -> int:
        return min(self.replicates, MOST_FOR_AGREEMENT)


@dataclass(frozen=True)
class UnitChoices(DrawsUnits):
    unit: str = option(BROADEST, "Numbers hold for other sentences, or judges too.", UNITS, label="Unit of resampling")
    replicates: int = 1000
    level: float = 0.95
    seed: int = 0
    judged_by: str = PEOPLE
    answers: str = INDEPENDENT

    switched_off: ClassVar = {"answers": INDEPENDENT}


def generator(seed: int, replicate: int) -> np.random.Generator:
    """Return the random numbers of one replicate, independent of the worker."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, replicate])))


def resample(
    ballots: Ballots,
    unit: Unit,
    replicates: int,
    seed: int,
    first: int = 0,
    worth: np.ndarray | None = None,
    with_merits: bool = True,
) -> Tally:
    """Tallies of replicates first .. first + replicates - 1, along the leading axis; `worth` weighs each ballot."""
    if unit is Unit.PAIR:
        if worth is not None:
            raise StatisticsError("Single comparisons take no weights; draw sentences instead.")
        return resample_pairs(tally(ballots), replicates, seed, first)
    part, parts = units_of(ballots, unit)

    def drawn(block: slice) -> np.ndarray:
        return draw(parts, block.stop - block.start, seed, first + block.start)

    if worth is None:
        return tallies_in_blocks(ballots, part, replicates, drawn, with_merits)
    # Ballots of one unit and one weight count alike.
    weights, weight_of = np.unique(worth, return_inverse=True)
    both, part = np.unique(part * np.int64(len(weights)) + weight_of, return_inverse=True)
    unit_of, weight_of = np.divmod(both, len(weights))

    def weighed(block: slice) -> np.ndarray:
        return drawn(block)[unit_of] * weights[weight_of, None]

    return tallies_in_blocks(ballots, part, replicates, weighed, with_merits)


def draw(parts: int, replicates: int, seed: int, first: int = 0) -> np.ndarray:
    """How often each unit (row) is drawn in each of replicates first .. first + replicates - 1 (column).

    A byte holds that: to draw a unit 256 times has a probability below 10^-500.
    """
    drawn = np.empty((parts, replicates), dtype=np.uint8)
    for start in range(0, replicates, AT_ONCE):
        numbers = range(first + start, first + min(start + AT_ONCE, replicates))
        units = np.array([generator(seed, number).integers(0, parts, parts, dtype=np.uint32) for number in numbers])
        counts = np.zeros(units.shape, dtype=np.uint8)
        _count(units, counts)
        drawn[:, start : start + AT_ONCE] = counts.T
    return drawn


# Many numbers of a report draw the same sentences.
_kept_draw = lru_cache(maxsize=16)(draw)


@kernel
def _count(units, counts):
    for row in range(len(units)):
        for unit in units[row]:
            counts[row, unit] += 1


def resample_sums(sums: "np.ndarray | sp.sparse.csr_array", replicates: int, seed: int) -> np.ndarray:
    """Sums of each unit (row) added up in each replicate, for statistics that need only a few sums."""
    return over_replicates(sums, lambda added: added, replicates, seed)


def over_replicates(
    sums: "np.ndarray | sp.sparse.csr_array", formula: Callable[[np.ndarray], np.ndarray], replicates: int, seed: int
) -> np.ndarray:
    """What a formula makes of such sums, replicate by replicate (row); all sums together may exceed memory."""
    found, drawn = [], _kept_draw if sums.shape[0] <= MOST_KEPT else draw
    for at in range(0, replicates, BLOCK):
        # Sums may be of truth values, whose products with bytes would overflow.
        added = sums.T @ drawn(sums.shape[0], min(BLOCK, replicates - at), seed, at).astype(np.int32)
        found.append(formula(added.T.astype(float, order="C")))
    return np.concatenate(found)


def ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return NaN where the whole is not positive, as in a replicate without the judgments to divide by."""
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole > 0)


def units_of(ballots: Ballots, unit: Unit) -> tuple[np.ndarray, int]:
    """Return the unit of each ballot, among units with an answer, and the number of units.

    Skipped ballots, which say nothing, have any unit.
    """
    owners = {Unit.RANKING: np.arange(len(ballots)), Unit.SENTENCE: ballots.segment, Unit.JUDGE: ballots.judge}
    present = np.unique(owners[unit][ballots.sizes > 0])
    if len(present) < 2:
        raise StatisticsError(f"There is only one {unit}, so drawing {unit}s says nothing about chance.")
    return np.minimum(np.searchsorted(present, owners[unit]), len(present) - 1), len(present)


def resample_pairs(counted: Tally, replicates: int, seed: int, first: int = 0) -> Tally:
    """Draw single comparisons: only their counts matter, so each replicate is one multinomial draw.

    All replicates draw from one tally, or each from its own.
    """
    cells = cells_of(counted)
    if not cells.any():
        raise StatisticsError("There is no comparison to draw from.")
    rows = np.broadcast_to(cells, (replicates, cells.shape[-1]))
    drawn = [generator(seed, first + place).multinomial(row.sum(), row / row.sum()) for place, row in enumerate(rows)]
    return tallies_of(np.array(drawn), counted.systems)


def cells_of(counted: Tally) -> np.ndarray:
    """All counts of comparisons of each tally in one row, each comparison once."""
    first, second = np.triu_indices(counted.systems, 1)
    wins = counted.wins.reshape(*counted.wins.shape[:-2], -1)
    return np.concatenate([wins, counted.ties[..., first, second], counted.shared[..., first, second]], axis=-1)


def tallies_of(cells: np.ndarray, systems: int) -> Tally:
    """Tallies from rows as in `cells_of`; single comparisons have no merits."""
    first, second = np.triu_indices(systems, 1)
    wins = cells[:, : systems**2].reshape(len(cells), systems, systems)
    ties, shared = np.zeros_like(wins), np.zeros_like(wins)
    for full, half in zip((ties, shared), np.split(cells[:, systems**2 :], 2, 1), strict=True):
        full[:, first, second] = full[:, second, first] = half
    unknown = np.full((len(cells), systems), np.nan)
    return Tally(wins, ties, shared, unknown, unknown)
