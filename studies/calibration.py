"""The hierarchical model beside Expected Wins: scores, rank ranges, and chances to be best.

Every campaign has abilities of its own, because a chance to be best can be right only on average over races that are
close and races that are not.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.comparisons.standings import rank_systems
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit
from studies.coverage import place_of, right_ranks
from studies.worlds import World

COMPARED = [METHODS[name] for name in ("expected-wins", "hierarchical")]
SPREAD = 0.3
EIGHT = World(abilities=(0.0,) * 8, sentences=120, judges=5)
WORLDS = {
    "agree": EIGHT,
    "have tastes": replace(EIGHT, taste_spread=0.3),
    "three a sentence": replace(EIGHT, taste_spread=0.3, sentences=40, redundancy=3),
    "one on 10 sentences": replace(EIGHT, taste_spread=0.3, seldom=((0, 10),)),
}
# Bins of chances to be best, from .05 on: below it nearly all systems are not best.
ENDS = (0.05, 0.3, 0.7, 1.0)
COLUMNS = ("judges", "method", "score", "rank range", "places wide", *(
    f"{low:.2f}-{high:.2f} {what}" for low, high in pairwise(ENDS) for what in ("said", "best")
))  # fmt: skip


def calibration(campaigns: int, replicates: int) -> Table:
    """Coverage by both methods of what other judges would say of other sentences; of the seldom system alone if any."""
    rows = [row for name, world in WORLDS.items() for row in _of_world(name, world, campaigns, replicates)]
    return Table.of("calibration", COLUMNS, rows)


def _of_world(name: str, world: World, campaigns: int, replicates: int) -> Iterator[tuple]:
    rng = np.random.default_rng(23)
    found: dict[str, list[np.ndarray]] = {method.name: [] for method in COMPARED}
    seldom = {system for system, _ in world.seldom}
    for _ in range(campaigns):
        here = replace(world, abilities=tuple((SPREAD * rng.standard_normal(world.systems)).tolist()))
        truth = METHODS["expected-wins"].scores(here.endless(rng))
        study = here.study(here.campaign(here.tastes(rng), rng), replicates, unit=Unit.SENTENCE_AND_JUDGE)
        for method in COMPARED:
            try:
                lines = rank_systems(study, method)
            except StatisticsError:  # a seldom system may have met nobody
                continue
            rows = [
                (one.low <= truth[place_of(one)] <= one.high, right, one.worst - one.best, one.p_best,
                 here.groups[place_of(one)] == 0)
                for one, right in zip(lines, right_ranks(here, lines), strict=True)
                if not seldom or place_of(one) in seldom
            ]  # fmt: skip
            found[method.name].append(np.array(rows, dtype=float))
    for method_name, parts in found.items():
        yield (name, method_name, *_shares(np.concatenate(parts)))


def _shares(of_all: np.ndarray) -> Iterator[float | None]:
    yield from of_all[:, :3].mean(axis=0).tolist()
    said, best = of_all[:, 3], of_all[:, 4]
    for low, high in pairwise(ENDS):
        inside = (low < said) & (said <= high)
        yield float(said[inside].mean()) if inside.any() else None
        yield float(best[inside].mean()) if inside.any() else None
