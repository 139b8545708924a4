"""How often intervals, rank ranges and clusters are right, by the unit that is drawn."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ranking.numbers.tables import Table
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.ranges import RankRange, Uncertainty, never_overlapping, uncertainty
from ranking.stats.resampling import Unit, resample
from ranking.stats.tally import tally
from studies.worlds import TWELVE, World

LEVEL, METHOD = 0.95, METHODS["expected-wins"]
UNITS = (Unit.SENTENCE, Unit.SENTENCE_AND_JUDGE)
WORLDS = {
    "judges agree": TWELVE,
    "judges have tastes": replace(TWELVE, taste_spread=0.3),
    "five judges with tastes": replace(TWELVE, taste_spread=0.3, judges=5),
}
COLUMNS = ("judges", "unit", "score, these judges", "score, other judges", "rank range", "false boundaries")


class Right(NamedTuple):
    """Shares of systems whose interval or range is right, and whether some boundary of clusters is false."""

    score_here: float
    score_elsewhere: float
    ranks: float
    false_boundary: bool


def coverage(campaigns: int, replicates: int) -> Table:
    """Coverage of the intervals of Expected Wins, of rank ranges, and the share of campaigns with a false boundary."""
    rows = [row for name, world in WORLDS.items() for row in _of_world(name, world, campaigns, replicates)]
    return Table.of("coverage", COLUMNS, rows)


def _of_world(name: str, world: World, campaigns: int, replicates: int) -> Iterator[tuple]:
    rng = np.random.default_rng(19)
    elsewhere = world.truth(rng)
    found: dict[Unit, list[Right]] = {unit: [] for unit in UNITS}
    for campaign in range(campaigns):
        tastes = world.tastes(rng)
        here = world.truth(rng, tastes) if world.taste_spread else elsewhere
        ballots = world.campaign(tastes, rng)
        scores = METHOD.of_tallies(tally(ballots), 0, 0)
        for unit in UNITS:
            drawn = METHOD.of_tallies(resample(ballots, unit, replicates, campaign), 0, 0)
            found[unit].append(_right(world, scores, uncertainty(drawn, LEVEL), here, elsewhere))
    for unit, rights in found.items():
        yield (name, unit.value, *np.mean(rights, axis=0).tolist())


def _right(world: World, scores: np.ndarray, found: Uncertainty, here: np.ndarray, elsewhere: np.ndarray) -> Right:
    inside = [((found.low <= truth) & (truth <= found.high)).mean() for truth in (here, elsewhere)]
    order = np.argsort(-scores)
    clusters = never_overlapping([found.ranges[place] for place in order])
    groups = world.groups[order]
    boundaries = [place for place in range(1, len(clusters)) if clusters[place] > clusters[place - 1]]
    is_false = any(groups[:place].max() >= groups[place:].min() for place in boundaries)
    return Right(inside[0], inside[1], _share_of_ranks(world, found.ranges), is_false)


def _share_of_ranks(world: World, ranges: list[RankRange]) -> float:
    """The share of systems whose range reaches a rank of their group of equals."""
    groups = world.groups
    best = 1 + (groups < groups[:, None]).sum(axis=1)
    worst = (groups <= groups[:, None]).sum(axis=1)
    return float(np.mean([r.best <= b and a <= r.worst for r, a, b in zip(ranges, best, worst, strict=True)]))
