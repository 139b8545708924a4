"""The ways to rank systems, by name; each gives scores from ballots, and scores of replicates."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ranking.stats.ballots import Ballots, StatisticsError
from ranking.stats.rankings import trueskill
from ranking.stats.rankings.bradley_terry import bradley_terry
from ranking.stats.rankings.expected_wins import expected_wins
from ranking.stats.rankings.mean_scores import mean_scores, standardised
from ranking.stats.rankings.mixed_model import mixed_replicates, mixed_scores
from ranking.stats.resampling import Unit, resample
from ranking.stats.tally import Tally, tally

RUNS_FOR_A_SCORE = 100


def as_they_are(ballots: Ballots) -> Ballots:
    """Ballots that need no preparing."""
    return ballots


@dataclass(frozen=True)
class Method:
    """A way to rank: its scores, those of replicates (method, ballots, unit, number, seed, first), and its recipe."""

    name: str
    label: str
    scores: Callable[[Ballots], np.ndarray]
    replicates: Callable[[Ballots, Unit, int, int, int], np.ndarray]
    recipe: str
    for_ratings: bool = False
    of_tally: Callable[[Tally], np.ndarray] | None = None
    prepare: Callable[[Ballots], Ballots] = as_they_are


def _of_tally(
    name: str,
    label: str,
    score: Callable[[Tally], np.ndarray],
    recipe: str,
    prepare: Callable[[Ballots], Ballots] = as_they_are,
    for_ratings: bool = False,
) -> Method:
    """A method for which counts are enough, so that replicates never look at a ballot again."""

    def replicates(ballots: Ballots, unit: Unit, number: int, seed: int, first: int) -> np.ndarray:
        return score(resample(prepare(ballots), unit, number, seed, first))

    def scores(ballots: Ballots) -> np.ndarray:
        return score(tally(prepare(ballots)))

    return Method(name, label, scores, replicates, recipe, for_ratings, of_tally=score, prepare=prepare)


def _sampled_trueskill() -> Method:
    def replicates(ballots: Ballots, unit: Unit, number: int, seed: int, first: int) -> np.ndarray:
        if unit is not Unit.PAIR:
            raise StatisticsError("The published TrueSkill draws single comparisons; choose pairs as the unit for it.")
        return trueskill.sampled(tally(ballots), number, seed, first)

    def scores(ballots: Ballots) -> np.ndarray:
        return trueskill.sampled(tally(ballots), RUNS_FOR_A_SCORE, seed=0).mean(axis=0)

    recipe = "scheme:sampled|mu:0|sigma:0.5|beta:sigma*matches/40|draws:0.25|ties:with-shared"
    return Method("trueskill-published", "TrueSkill (as published)", scores, replicates, recipe)


def _passed_trueskill() -> Method:
    def replicates(ballots: Ballots, unit: Unit, number: int, seed: int, first: int) -> np.ndarray:
        drawn = resample(ballots, unit, number, seed, first)
        runs = [trueskill.passed(drawn[place], 1, seed, first + place) for place in range(number)]
        return np.concatenate(runs)

    def scores(ballots: Ballots) -> np.ndarray:
        return trueskill.passed(tally(ballots), RUNS_FOR_A_SCORE, seed=0).mean(axis=0)

    recipe = "scheme:pass|mu:0|sigma:25/3|beta:25/6|draws:0.1|ties:judged|runs:100"
    return Method("trueskill", "TrueSkill", scores, replicates, recipe)


def _mixed_model() -> Method:
    recipe = "judges:random|sentences:random|fit:reml|ratios:of-all-judgments"
    return Method("mixed-model", "Mixed model", mixed_scores, mixed_replicates, recipe, for_ratings=True)


METHODS = {
    method.name: method
    for method in (
        _of_tally("expected-wins", "Expected Wins", expected_wins, "ties:dropped"),
        _sampled_trueskill(),
        _passed_trueskill(),
        _of_tally("bradley-terry", "Bradley-Terry with ties", bradley_terry, "ties:davidson|prior:0.5"),
        _of_tally("mean-score", "Mean score", mean_scores, "scores:raw", for_ratings=True),
        _of_tally("z-score", "Mean z-score", mean_scores, "scores:by-judge", standardised, for_ratings=True),
        _mixed_model(),
    )
}
