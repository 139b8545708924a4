"""What a ranking method is; each is one module, which ends with the `Method` that `methods` lists."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

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
RUNS = 100  # of a stochastic method


def as_they_are(ballots: Ballots) -> Ballots:
    return ballots


@dataclass(frozen=True)
class Method:
    """A ranking method, with its recipe, the works that papers cite for it (`references.bib`), and how it gets scores.

    One that needs only counts has `of_tally`, so that replicates never read a ballot again; `prepare` may change merits
    before. A stochastic one has `run`, which makes several runs (tally, number, seed, first) on one tally; its score is
    their mean. One that needs more than counts has `of_ballots`, and scores of replicates of its own, `of_replicates`
    (ballots, unit, number, seed, first). Those of a posterior one are draws that already know of judges and of few
    sentences. `half_range` is half the range of one sentence's score, which moderates the variance of systems with few
    sentences (`moderate`); `bounds` are those of a score, if it has any.
    """

    name: str
    label: str
    recipe: str
    sources: str
    half_range: float
    of_tally: Callable[[Tally], np.ndarray] | None = None
    prepare: Callable[[Ballots], Ballots] = as_they_are
    run: Callable[[Tally, int, int, int], np.ndarray] | None = None
    of_ballots: Callable[[Ballots], np.ndarray] | None = None
    of_replicates: Callable[[Ballots, Unit, int, int, int], np.ndarray] | None = None
    bounds: tuple[float, float] = (-inf, inf)
    for_ratings: bool = False
    is_posterior: bool = False
    allowed: tuple[Unit, ...] = tuple(Unit)

    def scores(self, ballots: Ballots) -> np.ndarray:
        if self.of_ballots is not None:
            return self.of_ballots(ballots)
        counted = tally(self.prepare(ballots))
        return self.run(counted, RUNS, 0, 0).mean(axis=0) if self.run else self.of_tallies(counted, 0, 0)

    def replicates(
        self, ballots: Ballots, unit: Unit, number: int, seed: int, first: int = 0, worth: np.ndarray | None = None
    ) -> np.ndarray:
        """Scores of replicates first .. first + number - 1, one row each; `worth` weighs ballots that are counted."""
        if self.of_replicates is not None:
            return self.of_replicates(ballots, unit, number, seed, first)
        drawn = resample(self.prepare(ballots), unit, number, seed, first, worth, with_merits=self.for_ratings)
        return self.of_tallies(drawn, seed, first)

    def of_tallies(self, tallies: Tally, seed: int, first: int) -> np.ndarray:
        """Scores, one row each, of the tallies of replicates `first` and following, by one run each if stochastic."""
        if self.of_tally is not None:
            return self.of_tally(tallies)
        run = self.run
        if run is None:
            raise StatisticsError(f"{self.label} does not predict comparisons.")
        places = range(len(tallies.wins))
        return np.stack(in_threads(lambda place: run(tallies[place], 1, seed, first + place)[0], places))

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
