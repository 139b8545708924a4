"""Ranking methods by name; each computes scores from ballots, and the scores of replicates.

`mean_scores` is the mean merit of a system over all times it was shown. `standardised` first converts each judge's
merits to z-scores, (merit - mean) / standard deviation over all that this judge rated, as direct assessment does
(Graham et al. 2013); if a judge always gave the same merit, these are 0. Means of ranks are meaningless, so both
methods are for ratings.

Toy: a judge rates A 80 and B 60: mean 70, standard deviation 10; z-scores 1 and -1. Another one rates C 40 and B 20.
Mean scores are 80, 40 and 40, z-scores 1, -1 and 1: B looked like C only because it met both judges.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import inf
from os import cpu_count
from typing import Any

import numpy as np

from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.rankings import trueskill
from ranking.stats.rankings.bradley_terry import bradley_terry
from ranking.stats.rankings.expected_wins import BORROWED, expected_wins, expected_wins_as_published
from ranking.stats.rankings.hierarchical import hierarchical_replicates, hierarchical_scores
from ranking.stats.rankings.mixed_model import mixed_replicates, mixed_scores
from ranking.stats.resampling import Unit, resample
from ranking.stats.tally import Tally, tally


def mean_scores(counted: Tally) -> np.ndarray:
    if not counted.shown.reshape(-1, counted.systems).sum(axis=0).all():
        raise StatisticsError("A system was never rated, so it has no mean score.")
    with np.errstate(invalid="ignore"):
        return counted.merits / counted.shown


def standardised(ballots: Ballots) -> Ballots:
    """Return the same ballots, with merits converted to z-scores by judge."""
    judge = ballots.judge[ballots.ballot_of]
    number = np.maximum(np.bincount(judge, minlength=ballots.judges), 1)
    mean = np.bincount(judge, ballots.merit, ballots.judges) / number
    centred = ballots.merit - mean[judge]
    spread = np.sqrt(np.bincount(judge, centred**2, ballots.judges) / number)
    return replace(
        ballots, merit=np.divide(centred, spread[judge], out=np.zeros_like(centred), where=spread[judge] > 0)
    )


RUNS = 100
TWO_WAY = Unit.SENTENCE, Unit.JUDGE, Unit.RANKING
Replicates = Callable[[Ballots, Unit, int, int, int], np.ndarray]
Run = Callable[[Tally, int, int, int], np.ndarray]


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
    replicates: Replicates
    recipe: str
    spread: float
    bounds: tuple[float, float] = (-inf, inf)
    for_ratings: bool = False
    of_tally: Callable[[Tally], np.ndarray] | None = None
    prepare: Callable[[Ballots], Ballots] = as_they_are
    run: Run | None = None
    is_posterior: bool = False
    allowed: tuple[Unit, ...] = tuple(Unit)

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
        with ThreadPoolExecutor(cpu_count()) as pool:
            runs = pool.map(lambda place: run(tallies[place], 1, seed, first + place)[0], range(len(tallies.wins)))
            return np.stack(list(runs))


def _of_tally(
    name: str,
    label: str,
    score: Callable[[Tally], np.ndarray],
    recipe: str,
    spread: float,
    prepare: Callable[[Ballots], Ballots] = as_they_are,
    **more: Any,
) -> Method:
    """A method that needs only counts, so that replicates never read a ballot again."""
    return Method(
        name, label, lambda ballots: score(tally(prepare(ballots))),
        lambda ballots, *draws: score(resample(prepare(ballots), *draws)), recipe, spread,
        of_tally=score, prepare=prepare, **more,
    )  # fmt: skip


def _of_runs(
    name: str, label: str, run: Run, replicates: Replicates, recipe: str, spread: float, **more: Any
) -> Method:
    """A stochastic method, whose score is the mean of many runs."""
    return Method(
        name, label, lambda ballots: run(tally(ballots), RUNS, 0, 0).mean(axis=0), replicates, recipe, spread, run=run,
        **more,
    )  # fmt: skip


def _sampled_replicates(ballots: Ballots, _: Unit, number: int, seed: int, first: int) -> np.ndarray:
    return trueskill.sampled(tally(ballots), number, seed, first)


def _passed_replicates(ballots: Ballots, unit: Unit, number: int, seed: int, first: int) -> np.ndarray:
    drawn = resample(ballots, unit, number, seed, first)
    return np.concatenate([trueskill.passed(drawn[place], 1, seed, first + place) for place in range(number)])


SHARE = (0.0, 1.0)
# Single comparisons have no score.
WHOLE = tuple(unit for unit in Unit if unit is not Unit.PAIR)
METHODS = {
    method.name: method
    for method in (
        _of_tally(
            "expected-wins", "Expected Wins", expected_wins, f"ties:dropped|borrowed:{BORROWED}", 0.5, bounds=SHARE
        ),
        _of_tally(
            "expected-wins-published", "Expected Wins (as published)", expected_wins_as_published,
            "ties:dropped|never-compared:0", 0.5, bounds=SHARE,
        ),
        _of_runs(
            "trueskill-published", "TrueSkill (as published)", trueskill.sampled, _sampled_replicates,
            "scheme:sampled|mu:0|sigma:0.5|beta:sigma*matches/40|draws:0.25|ties:with-shared", 0.5,
            allowed=(Unit.PAIR,),
        ),
        _of_runs(
            "trueskill", "TrueSkill", trueskill.passed, _passed_replicates,
            "scheme:pass|mu:0|sigma:25/3|beta:25/6|draws:0.1|ties:judged|runs:100", 25 / 3,
        ),
        _of_tally("bradley-terry", "Bradley-Terry with ties", bradley_terry, "ties:davidson|prior:0.5", 2.0),
        Method(
            "hierarchical", "Hierarchical model", hierarchical_scores, hierarchical_replicates,
            "utilities:normal|ties:margin|systems:random|judges:random|texts:random|further-sentences:10|chains:150+250",
            0.5, SHARE, is_posterior=True, allowed=(Unit.SENTENCE, Unit.SENTENCE_AND_JUDGE),
        ),
        _of_tally("mean-score", "Mean score", mean_scores, "scores:raw", 50.0, for_ratings=True, allowed=WHOLE),
        _of_tally("z-score", "Mean z-score", mean_scores, "scores:by-judge", 1.0, standardised,
                  for_ratings=True, allowed=WHOLE),
        Method(
            "mixed-model", "Mixed model", mixed_scores, mixed_replicates,
            "judges:random|sentences:random|fit:reml|ratios:of-all-judgments", 50.0, for_ratings=True, allowed=WHOLE,
        ),
    )
}  # fmt: skip
