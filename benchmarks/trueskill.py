"""1000 runs of the published TrueSkill, a match for each expanded comparison and one more.

The reference is the `trueskill` package on matches between the same systems; its time for all of them is extrapolated
from a few thousand. Every run checks that on these both give the same abilities. Kernels are compiled beforehand.
"""

import random
from time import perf_counter
from typing import NamedTuple

import numpy as np
import trueskill as package

from benchmarks.ballots import published_or_made
from benchmarks.maker import SEED
from benchmarks.processes import Measured, apart, timed
from benchmarks.table import Row
from ranking.stats.ballots import Ballots
from ranking.stats.rankings.trueskill import MATCHES_A_BETA, Settings, rate, sampled
from ranking.stats.tally import tally

RUNS, SMALL_RUNS = 1000, 10
RATED, SMALL_RATED = 5_000, 500
CLOSE = 1e-9


class Match(NamedTuple):
    """Who won against whom, or drew."""

    winner: int
    loser: int
    draw: bool


class Rated(NamedTuple):
    """Abilities, how sure, and the seconds of a match."""

    mu: np.ndarray
    sigma: np.ndarray
    seconds: float


def measure(small: bool) -> list[Row]:
    """The package, then our runs."""
    ballots, told = published_or_made(small)
    runs, few = (SMALL_RUNS, SMALL_RATED) if small else (RUNS, RATED)
    matches = int(np.triu(tally(ballots).compared).sum()) + 1
    settings = Settings(beta=Settings().sigma * matches / MATCHES_A_BETA)
    played = _matches(ballots.systems, few)
    rated = apart(rate_by_package, played, ballots.systems, settings)
    _agree(rated.value, played, settings)
    reference = rated.value.seconds * matches * runs
    found = apart(run, ballots, runs).value
    size = f"{told}, {runs} x {matches:,} matches"
    return [
        Row(f"reference: the package, from {few:,} matches", size, reference, rated.megabytes, 1),
        Row("published TrueSkill", size, found.seconds, found.megabytes, found.seconds / reference),
    ]


def run(ballots: Ballots, runs: int) -> Measured[np.ndarray]:
    """What a report does for the standings of this method."""
    counted = tally(ballots)
    sampled(counted, 1, seed=0)
    return timed(lambda: sampled(counted, runs, seed=0))


def rate_by_package(played: list[Match], systems: int, settings: Settings) -> Rated:
    """Match by match."""
    environment = package.TrueSkill(
        settings.mu, settings.sigma, settings.beta, tau=0, draw_probability=settings.draw_probability
    )
    ratings = [environment.create_rating() for _ in range(systems)]
    start = perf_counter()
    for winner, loser, draw in played:
        ratings[winner], ratings[loser] = package.rate_1vs1(
            ratings[winner], ratings[loser], drawn=draw, env=environment
        )
    seconds = (perf_counter() - start) / len(played)
    return Rated(np.array([each.mu for each in ratings]), np.array([each.sigma for each in ratings]), seconds)


def _matches(systems: int, number: int) -> list[Match]:
    rng = random.Random(SEED)
    return [Match(*rng.sample(range(systems), 2), draw=rng.random() < 0.5) for _ in range(number)]


def _agree(rated: Rated, played: list[Match], settings: Settings) -> None:
    """A fast way to other abilities would be worth nothing."""
    mu, variance = np.full(len(rated.mu), settings.mu), np.full(len(rated.mu), settings.sigma**2)
    for match in played:
        rate(mu, variance, *match, settings)
    if max(np.abs(mu - rated.mu).max(), np.abs(np.sqrt(variance) - rated.sigma).max()) > CLOSE:
        raise SystemExit("The package gives other abilities than our own TrueSkill.")
