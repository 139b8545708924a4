"""A thousand replicates by Expected Wins and by the published TrueSkill, against plain Python and the package.

References are extrapolated, from three replicates or some thousand matches; every run checks that both ways give the
same numbers. Kernels are compiled beforehand.
"""

import random
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain, combinations

import numpy as np
import trueskill as package

from benchmarks.ballots import published_or_made
from benchmarks.harness import Measured, Row, apart, must_agree, timed
from ranking.stats.ballots import Ballots
from ranking.stats.rankings.expected_wins import expected_wins_as_published as scores_of
from ranking.stats.rankings.trueskill import TIE, WIN, TrueSkillPrior, published_settings, rate, sampled_abilities
from ranking.stats.resampling import Unit, resample
from ranking.stats.tally import tally
from tests.services.texts import SEED

COUNTED = 3
# Winner, loser, and whether it is decisive.
Comparison = tuple[int, int, bool]


def expected_wins(small: bool) -> list[Row]:
    """Score replicates of single comparisons and of whole sentences; the reference draws and counts one by one."""
    ballots, label = published_or_made(small)
    parts = comparisons_by_sentence(ballots)
    comparisons = list(chain.from_iterable(parts))
    plain = expected_wins_one_by_one(comparisons, ballots.systems)
    must_agree(np.allclose(scores_of(tally(ballots)), plain, rtol=0, atol=1e-12), "Expected Wins")
    replicates = 50 if small else 1000
    size, rows = f"{label}, {replicates} replicates", []
    for unit, drawn in ((Unit.PAIR, [[each] for each in comparisons]), (Unit.SENTENCE, parts)):
        plainly = apart(replicate_one_by_one, drawn, ballots.systems).value.for_all(replicates / COUNTED)
        found = apart(draw, ballots, unit, replicates).value
        rows += [
            Row.of(f"reference: one by one, from {COUNTED} ({unit}s)", size, plainly, plainly.seconds),
            Row.of(f"Expected Wins, {unit}s drawn", size, found, plainly.seconds),
        ]
    return rows


def draw(ballots: Ballots, unit: Unit, replicates: int) -> Measured[np.ndarray]:
    scores_of(resample(ballots, unit, 1, seed=0))
    return timed(lambda: scores_of(resample(ballots, unit, replicates, seed=0)))


def replicate_one_by_one(parts: Sequence[Sequence[Comparison]], systems: int) -> Measured[object]:
    """Draw as many parts as there are, and count their comparisons, a few times."""
    rng = random.Random(systems)
    drawn = (chain.from_iterable(rng.choices(parts, k=len(parts))) for _ in range(COUNTED))
    return timed(lambda: [expected_wins_one_by_one(each, systems) for each in drawn])


def count_once(ballots: Ballots) -> Measured[object]:
    """List and count every comparison, the reference for whole reports."""
    return timed(
        lambda: expected_wins_one_by_one(chain.from_iterable(comparisons_by_sentence(ballots)), ballots.systems)
    )


def comparisons_by_sentence(ballots: Ballots) -> list[list[Comparison]]:
    """Every expanded comparison of each judged sentence."""
    found: dict[int, list[Comparison]] = {sentence: [] for sentence in sorted(set(ballots.segment.tolist()))}
    members = ballots.candidates.members.tolist()
    behind = [members[start:end] for start, end in zip(*_bounds(ballots.candidates.starts), strict=True)]
    candidate, merit = ballots.candidate.tolist(), ballots.merit.tolist()
    for sentence, start, end in zip(ballots.segment.tolist(), *_bounds(ballots.starts), strict=True):
        shown = [(system, merit[row]) for row in range(start, end) for system in behind[candidate[row]]]
        for (one, its), (other, others) in combinations(shown, 2):
            winner, loser = (one, other) if its > others else (other, one)
            found[sentence].append((winner, loser, its != others))
    return list(found.values())


def expected_wins_one_by_one(comparisons: Iterable[Comparison], systems: int) -> np.ndarray:
    """Compute the scores by definition."""
    wins = [[0] * systems for _ in range(systems)]
    for winner, loser, is_decisive in comparisons:
        if is_decisive:
            wins[winner][loser] += 1
    shares = [
        [w / (w + wins[j][i]) if (w := wins[i][j]) else 0 for j in range(systems) if j != i] for i in range(systems)
    ]
    return np.array([sum(row) / (systems - 1) for row in shares])


def _bounds(starts: np.ndarray) -> tuple[list[int], list[int]]:
    return starts[:-1].tolist(), starts[1:].tolist()


def trueskill(small: bool) -> list[Row]:
    """Measure runs with one match more than there are expanded comparisons."""
    ballots, label = published_or_made(small)
    runs, few = (10, 500) if small else (1000, 5_000)
    matches = int(np.triu(tally(ballots).compared).sum()) + 1
    settings = published_settings(matches)
    rng = random.Random(SEED)
    played = [(*rng.sample(range(ballots.systems), 2), rng.random() < 0.5) for _ in range(few)]
    rated = apart(rate_by_package, played, ballots.systems, settings)
    must_agree(np.allclose(rated.value, rate_here(played, ballots.systems, settings), atol=1e-9), "TrueSkill")
    rated = rated.for_all(matches * runs / few)
    found = apart(run, ballots, runs).value
    size = f"{label}, {runs} x {matches:,} matches"
    return [
        Row.of(f"reference: the package, from {few:,} matches", size, rated, rated.seconds),
        Row.of("published TrueSkill", size, found, rated.seconds),
    ]


def run(ballots: Ballots, runs: int) -> Measured[object]:
    counted = tally(ballots)
    sampled_abilities(counted, 1, seed=0)
    return timed(partial(sampled_abilities, counted, runs, seed=0))


def rate_by_package(played: list[Comparison], systems: int, settings: TrueSkillPrior) -> list[list[float]]:
    """Rate match by match; return abilities and their uncertainty."""
    environment = package.TrueSkill(0, settings.sigma, settings.beta, tau=0, draw_probability=settings.draw_probability)
    ratings = [environment.create_rating() for _ in range(systems)]
    for one, other, draw in played:
        ratings[one], ratings[other] = package.rate_1vs1(ratings[one], ratings[other], drawn=draw, env=environment)
    return [[each.mu for each in ratings], [each.sigma for each in ratings]]


def rate_here(played: list[Comparison], systems: int, settings: TrueSkillPrior) -> list[np.ndarray]:
    mu, variance = np.zeros(systems), np.full(systems, settings.sigma**2)
    for one, other, draw in played:
        rate(mu, variance, one, other, TIE if draw else WIN, settings.beta, settings.margin)
    return [mu, np.sqrt(variance)]
