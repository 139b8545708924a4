"""Resampling for all methods: the judgments as chance might have brought them, many times.

Units are drawn with replacement: single expanded comparisons (as published, though comparisons of one ballot are not
independent), whole ballots, all ballots on a sentence, all ballots of a judge, or sentences and judges, each for
itself: then a ballot counts as often as its sentence was drawn times as often as its judge was. The seed of every
replicate is derived from the report's seed and its number, so replicates do not depend on how the work is split.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy.sparse import csr_array

from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.tally import BLOCK, Tally, tallies_in_blocks, tally

ROWS_IN_CACHE = 1024


class Unit(StrEnum):
    PAIR = "pair"
    RANKING = "ranking"
    SENTENCE = "sentence"
    JUDGE = "judge"
    SENTENCE_AND_JUDGE = "sentence-and-judge"

    @property
    def kinds(self) -> tuple["Unit", ...]:
        """What is drawn, each for itself."""
        return (Unit.SENTENCE, Unit.JUDGE) if self is Unit.SENTENCE_AND_JUDGE else (self,)

    @property
    def generalises_to(self) -> str:
        """For what sentences and judges a conclusion holds, if this was drawn."""
        sentences = "other sentences like these" if Unit.SENTENCE in self.kinds else "these sentences only"
        judges = "other judges like these" if Unit.JUDGE in self.kinds else "these judges only"
        return f"{sentences}, and {judges}"


# With fewer judges, the draws of judges alone make intervals that are too narrow by a tenth or more.
FEWEST_JUDGES = 10


def generator(seed: int, replicate: int) -> np.random.Generator:
    """Return the random numbers of one replicate, independent of the worker."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, replicate])))


def resample(ballots: Ballots, unit: Unit, replicates: int, seed: int, first: int = 0) -> Tally:
    """Tallies of replicates first .. first + replicates - 1, along the leading axis."""
    if unit is Unit.PAIR:
        return resample_pairs(tally(ballots), replicates, seed, first)
    drawing = drawing_of(ballots, unit)

    def weights_of(block: slice) -> np.ndarray:
        return drawing.weights(drawing.draw(block.stop - block.start, seed, first + block.start))

    return tallies_in_blocks(ballots, drawing.part, replicates, weights_of)


@dataclass(frozen=True)
class Drawing:
    """How units of one kind or two are drawn: ballots of one part have the same unit of each kind.

    Of one kind each unit is a part; of two, `unit_of` has the unit of each part, by kind.
    """

    part: np.ndarray
    numbers: tuple[int, ...]
    unit_of: tuple[np.ndarray, ...] = ()

    def draw(self, replicates: int, seed: int, first: int = 0) -> list[np.ndarray]:
        """For each kind, how often each of its units (row) is drawn in each replicate (column)."""
        return draw_each(self.numbers, replicates, seed, first)

    def weights(self, drawn: Sequence[np.ndarray]) -> np.ndarray:
        """How often each part (row) counts in each replicate (column)."""
        if not self.unit_of:
            return drawn[0]
        one, other = (times[unit_of] for times, unit_of in zip(drawn, self.unit_of, strict=True))
        return np.asarray(one * other)


def drawing_of(ballots: Ballots, unit: Unit) -> Drawing:
    units, numbers = zip(*(units_of(ballots, kind) for kind in unit.kinds), strict=True)
    if unit is Unit.JUDGE and numbers[0] < FEWEST_JUDGES:
        raise StatisticsError(
            f"Drawing judges alone needs {FEWEST_JUDGES} judges, not {numbers[0]}: with fewer, a ranking looks surer "
            f"than it is. Draw sentences, or sentences and judges ({Unit.SENTENCE_AND_JUDGE})."
        )
    if len(units) == 1:
        return Drawing(units[0], numbers)
    present, part = np.unique(units[0] * numbers[1] + units[1], return_inverse=True)
    return Drawing(part, numbers, np.divmod(present, numbers[1]))


def draw(parts: int, replicates: int, seed: int, first: int = 0) -> np.ndarray:
    """How often each unit (row) is drawn in each of replicates first .. first + replicates - 1 (column)."""
    return draw_each((parts,), replicates, seed, first)[0]


def draw_each(numbers: Sequence[int], replicates: int, seed: int, first: int = 0) -> list[np.ndarray]:
    """The same for units of several kinds; those of the first kind are drawn as if there were no other."""
    drawn = [np.empty((replicates, parts), dtype=np.int32) for parts in numbers]
    for place in range(replicates):
        random = generator(seed, first + place)
        for parts, times in zip(numbers, drawn, strict=True):
            times[place] = np.bincount(random.integers(0, parts, parts), minlength=parts)
    return list(map(_transposed, drawn))


def _transposed(drawn: np.ndarray) -> np.ndarray:
    weights = np.empty(drawn.shape[::-1], dtype=np.int32)
    for at in range(0, len(weights), ROWS_IN_CACHE):  # transposing all at once would take ten times as long
        weights[at : at + ROWS_IN_CACHE] = drawn[:, at : at + ROWS_IN_CACHE].T
    return weights


def resample_sums(sums: np.ndarray | csr_array, replicates: int, seed: int, first: int = 0) -> np.ndarray:
    """Sums of each unit (row) added up in each replicate, for statistics that need only a few sums."""
    added = np.empty((replicates, sums.shape[1]))
    for at in range(0, replicates, BLOCK):
        block = slice(at, min(at + BLOCK, replicates))
        added[block] = (sums.T @ draw(sums.shape[0], block.stop - at, seed, first + at)).T
    return added


def ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Return NaN where the whole is not positive, as in a replicate without the judgments to divide by."""
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole > 0)


def units_of(ballots: Ballots, unit: Unit) -> tuple[np.ndarray, int]:
    """Return the unit of each ballot, among units that have a ballot, and the number of units."""
    owners = {Unit.RANKING: np.arange(len(ballots)), Unit.SENTENCE: ballots.segment, Unit.JUDGE: ballots.judge}
    present, part = np.unique(owners[unit], return_inverse=True)
    if len(present) < 2:
        raise StatisticsError(f"There is only one {unit}, so drawing {unit}s says nothing about chance.")
    return part, len(present)


def resample_pairs(counted: Tally, replicates: int, seed: int, first: int = 0) -> Tally:
    """Draw single comparisons: only their counts matter, so each replicate is one multinomial draw."""
    cells = cells_of(counted)
    number = int(cells.sum())
    if not number:
        raise StatisticsError("There is no comparison to draw from.")
    drawn = np.array([generator(seed, first + n).multinomial(number, cells / number) for n in range(replicates)])
    return tallies_of(drawn, counted.systems)


def cells_of(counted: Tally) -> np.ndarray:
    """All counts of comparisons in one row, each comparison once."""
    upper = np.triu_indices(counted.systems, 1)
    return np.concatenate([counted.wins.ravel(), counted.ties[upper], counted.shared[upper]])


def tallies_of(cells: np.ndarray, systems: int) -> Tally:
    """Tallies from rows as in `cells_of`; single comparisons have no merits."""
    first, second = np.triu_indices(systems, 1)
    wins = cells[:, : systems**2].reshape(len(cells), systems, systems)
    ties, shared = np.zeros_like(wins), np.zeros_like(wins)
    for full, half in zip((ties, shared), np.split(cells[:, systems**2 :], 2, 1), strict=True):
        full[:, first, second] = full[:, second, first] = half
    unknown = np.full((len(cells), systems), np.nan)
    return Tally(wins, ties, shared, unknown, unknown)
