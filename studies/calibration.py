"""How often scores, rank ranges and P(best) are right: the hierarchical model beside Expected Wins drawn again.

Every campaign has abilities of its own, because a probability that a system is best can be right only on average over
races that are close and races that are not.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ranking.numbers.tables import Table
from ranking.stats.ballots import Ballots, Candidates, starts_of
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.ranges import shared_ranks, uncertainty
from ranking.stats.resampling import Unit
from studies.worlds import World

LEVEL, UNIT = 0.95, Unit.SENTENCE_AND_JUDGE
COMPARED = ("expected-wins", "hierarchical")
SPREAD = 0.3
# The truth has an error of its own, far smaller than that of the campaigns.
FOR_TRUTH = 10_000
TASTES = World(abilities=(0.0,) * 8, taste_spread=0.3, sentences=120, judges=5)
THIN = "thin: a system on 3 sentences"
FEW = 3
WORLDS = {
    "judges agree": replace(TASTES, taste_spread=0.0),
    "judges have tastes": TASTES,
    "three judges a sentence": replace(TASTES, sentences=40, redundancy=3),
    THIN: TASTES,
}
# Bins of P(best), from .05 on: below it nearly all systems are not best, and the rest is what a report is read for.
ENDS = (0.05, 0.3, 0.7, 1.0)
COLUMNS = ("judges", "method", "score", "rank range", "ranks in it", *(
    f"{low:.2f}-{high:.2f} {what}" for low, high in pairwise(ENDS) for what in ("said", "best")
))  # fmt: skip


class Right(NamedTuple):
    """By system: are its interval and its range right, how many ranks has the range, P(best), and is it best?"""

    score: np.ndarray
    ranks: np.ndarray
    number: np.ndarray
    p_best: np.ndarray
    best: np.ndarray


def calibration(campaigns: int, replicates: int) -> Table:
    """Coverage of the true scores and ranks, and in bins of P(best) its mean beside the share of systems that are best.

    Of the thin campaigns only the system on few sentences counts.
    """
    rows = [row for name, world in WORLDS.items() for row in _of_world(name, world, campaigns, replicates)]
    return Table.of("calibration", COLUMNS, rows)


def _of_world(name: str, world: World, campaigns: int, replicates: int) -> Iterator[tuple]:
    rng = np.random.default_rng(23)
    found: dict[str, list[Right]] = {method: [] for method in COMPARED}
    for campaign in range(campaigns):
        abilities = SPREAD * rng.standard_normal(world.systems)
        here = replace(world, abilities=tuple(abilities.tolist()))
        truth = here.truth(rng, sentences=FOR_TRUTH)
        ballots = here.campaign(here.tastes(rng), rng)
        if name == THIN:
            ballots = _thinned(ballots)
        for method, rights in found.items():
            drawn = METHODS[method].replicates(ballots, UNIT, replicates, campaign, 0)
            rights.append(_right(drawn, abilities, truth, slice(1) if name == THIN else slice(None)))
    for method, rights in found.items():
        yield (name, method, *_shares(Right(*map(np.concatenate, zip(*rights, strict=True)))))


def _thinned(ballots: Ballots) -> Ballots:
    """The same where the first system took part only in the first few sentences on which judges saw it."""
    candidates = ballots.candidates
    segment_of = np.zeros(len(candidates.sizes), dtype=np.int64)
    segment_of[ballots.candidate] = ballots.segment[ballots.ballot_of]
    candidate_of = np.repeat(np.arange(len(segment_of)), candidates.sizes)
    few = np.unique(segment_of[candidate_of[candidates.members == 0]])[:FEW]
    kept = (candidates.members > 0) | np.isin(segment_of[candidate_of], few)
    sizes = np.bincount(candidate_of[kept], minlength=len(segment_of))
    rows = sizes[ballots.candidate] > 0
    return replace(
        ballots,
        starts=starts_of(np.bincount(ballots.ballot_of[rows], minlength=len(ballots))),
        candidate=ballots.candidate[rows],
        merit=ballots.merit[rows],
        candidates=Candidates(starts_of(sizes), candidates.members[kept]),
    )


def _right(drawn: np.ndarray, abilities: np.ndarray, truth: np.ndarray, counted: slice) -> Right:
    found, ranks = uncertainty(drawn, LEVEL), shared_ranks(abilities)
    best, worst = np.array(found.ranges).T
    of_all = Right(
        (found.low <= truth) & (truth <= found.high),
        (best <= ranks) & (ranks <= worst),
        worst - best + 1,
        found.p_best,
        abilities == abilities.max(),
    )
    return Right(*(of_system[counted] for of_system in of_all))


def _shares(of_all: Right) -> Iterator[float | None]:
    yield from (float(np.mean(part)) for part in of_all[:3])
    for low, high in pairwise(ENDS):
        inside = (low < of_all.p_best) & (of_all.p_best <= high)
        yield float(of_all.p_best[inside].mean()) if inside.any() else None
        yield float(of_all.best[inside].mean()) if inside.any() else None
