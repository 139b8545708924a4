"""What a ranking method is; each is one module, which ends with the `Method` that `methods` lists."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from ranking.numbers.kernels import in_threads
from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.resampling import Unit, resample
from ranking.stats.tally import Tally, tally

TWO_WAY = Unit.SENTENCE, Unit.JUDGE, Unit.RANKING
# Single comparisons have no score.
WHOLE = tuple(unit for unit in Unit if unit is not Unit.PAIR)
SHARE = (0.0, 1.0)


def as_they_are(ballots: Ballots) -> Ballots:
    return ballots


@dataclass(frozen=True)
class Method:
    """A ranking method: its scores, the scores of replicates (ballots, unit, number, seed, first), and its recipe.

    `spread` is the largest deviation that one sentence can show, and `bounds` are those of a score, if it has any.
    A method that needs only counts has `of_tally`; a stochastic one has `run`, which makes several runs (tally, number,
    seed, first) on one tally. The replicates of a posterior one are draws that already know of judges and of few
    sentences.
    """

    name: str
    label: str
    scores: Callable[[Ballots], np.ndarray]
    replicates: Callable[[Ballots, Unit, int, int, int], np.ndarray]
    recipe: str
    spread: float
    bounds: tuple[float, float] = (-inf, inf)
    for_ratings: bool = False
    of_tally: Callable[[Tally], np.ndarray] | None = None
    prepare: Callable[[Ballots], Ballots] = as_they_are
    run: Callable[[Tally, int, int, int], np.ndarray] | None = None
    is_posterior: bool = False
    allowed: tuple[Unit, ...] = tuple(Unit)

    @classmethod
    def of_counts(
        cls, name: str, label: str, score: Callable[[Tally], np.ndarray], recipe: str, spread: float, *,
        prepare: Callable[[Ballots], Ballots] = as_they_are, **more: Any,
    ) -> Method:  # fmt: skip
        """A method that needs only counts, so that replicates never read a ballot again."""
        return cls(
            name, label, lambda ballots: score(tally(prepare(ballots))),
            lambda ballots, *draws: score(resample(prepare(ballots), *draws)), recipe, spread,
            of_tally=score, prepare=prepare, **more,
        )  # fmt: skip

    def check(self, unit: Unit) -> None:
        if unit not in self.allowed:
            raise StatisticsError(f"{self.label} draws {' or '.join(self.allowed)}, not {unit}; choose another unit.")

    def units(self, unit: Unit) -> tuple[Unit, ...]:
        """The units to draw for replicates by this one."""
        return TWO_WAY if unit is Unit.SENTENCE_AND_JUDGE and not self.is_posterior else (unit,)

    @property
    def predicts(self) -> bool:
        """Whether accuracy can be measured; mean ratings do not predict comparisons."""
        return not self.for_ratings and (self.of_tally is not None or self.run is not None)

    def of_tallies(self, tallies: Tally, seed: int, first: int) -> np.ndarray:
        """Scores, one row each, of the tallies of replicates `first` and following, by one run each if stochastic."""
        if self.of_tally is not None:
            return self.of_tally(tallies)
        run = self.run
        if run is None:
            raise StatisticsError(f"{self.label} does not predict comparisons.")
        places = range(len(tallies.wins))
        return np.stack(in_threads(lambda place: run(tallies[place], 1, seed, first + place)[0], places))
