"""How often intervals, rank ranges and clusters are right, by method and by the unit that is drawn.

Of 200 campaigns of 600 rankings of twelve systems in groups of equals, by eight judges, for `expected-wins` (nominal
0.95; 0.05 for what is false):

                                    score holds for   other    rank    some bound-
    unit, judges                    these judges      judges   ranges  ary false
    sentence, agree                 0.948             0.948    0.995   0.000
    sentence, tastes                0.945             0.881    0.988   0.000
    sentence, five with tastes      0.950             0.830    0.975   0.010
    sentence-and-judge, agree       0.959             0.959    0.994   0.000
    sentence-and-judge, tastes      0.988             0.966    0.996   0.000
    sentence-and-judge, five        0.998             0.970    0.996   0.000
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ranking.numbers.tables import Table
from ranking.stats.ballots import Ballots
from ranking.stats.comparisons.standings import Ranked, rank_systems, tests_of
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit
from studies.worlds import TWELVE, World

BY = [METHODS[name] for name in ("expected-wins-published", "expected-wins", "bradley-terry")]
TRUESKILL = METHODS["trueskill"]
# Judges alone are too few to be drawn.
UNITS = [unit for unit in Unit if unit is not Unit.JUDGE]
WORLDS = {
    "agree": TWELVE,
    "have tastes": replace(TWELVE, taste_spread=0.3),
    "five with tastes": replace(TWELVE, taste_spread=0.3, judges=5),
}
# TrueSkill takes thirty times as long as the others, and is measured on every fourth campaign.
EVERY = 4
COLUMNS = ("judges", "method", "unit", "score, these judges", "score, other judges", "rank range", "all ranks at once",
           "boundaries", "false boundaries")  # fmt: skip


def coverage(campaigns: int, replicates: int) -> Table:
    """Shares of right intervals of scores and of right rank ranges, and what clusters get wrong."""
    rows = [row for name, world in WORLDS.items() for row in _of_world(name, world, campaigns, replicates)]
    return Table.of("coverage", COLUMNS, rows)


def _of_world(name: str, world: World, campaigns: int, replicates: int) -> Iterator[tuple]:
    rng = np.random.default_rng(19)
    endless = world.endless(rng)
    elsewhere = _truth(endless)
    found: dict[tuple[str, str], list[tuple]] = {
        (method.name, unit.value): [] for method in (*BY, TRUESKILL) for unit in UNITS
    }
    for number in range(campaigns):
        tastes = world.tastes(rng)
        here = _truth(world.endless(rng, tastes)) if world.taste_spread else elsewhere
        study = world.study(world.campaign(tastes, rng), replicates)
        for method in BY if number % EVERY else (*BY, TRUESKILL):
            for unit in UNITS:
                under = study.with_parameters(unit=unit.value)
                lines = rank_systems(under, method)
                ranges = tests_of(under, under.scores(method), under.replicates(method)).ranges(under.parameters.level)
                covered = [_scores(lines, truth).mean() for truth in (here[method.name], elsewhere[method.name])]
                at_once = all(_holds(world, place, *one) for place, one in enumerate(ranges))
                found[method.name, unit.value].append(
                    (*covered, right_ranks(world, lines).mean(), at_once, *boundaries(world, lines))
                )
    for (method_name, unit_name), rights in found.items():
        yield (name, method_name, unit_name, *np.mean(np.array(rights, dtype=float), axis=0).tolist())


def _truth(endless: Ballots) -> dict[str, np.ndarray]:
    """The true scores by each method; not known for TrueSkill, whose scores depend on how many judgments there are."""
    return {method.name: method.scores(endless) for method in BY} | {TRUESKILL.name: np.full(endless.systems, np.nan)}


def place_of(one: Ranked) -> int:
    return int(one.system[1:])


def _scores(lines: list[Ranked], truth: np.ndarray) -> np.ndarray:
    return np.array([
        float(one.low <= truth[place_of(one)] <= one.high) if np.isfinite(truth).all() else np.nan for one in lines
    ])  # fmt: skip


def right_ranks(world: World, lines: list[Ranked]) -> np.ndarray:
    """Whether the range of each system, best score first, reaches a rank of its group of equals."""
    return np.array([_holds(world, place_of(one), one.best, one.worst) for one in lines])


def _holds(world: World, place: int, best: int, worst: int) -> bool:
    first, last = world.ranks
    return bool(best <= last[place] and first[place] <= worst)


def boundaries(world: World, lines: list[Ranked]) -> tuple[int, bool]:
    """The number of boundaries of clusters, and whether some system after one is as good as one before it."""
    known = [one for one in lines if one.cluster is not None]
    groups = world.groups[[place_of(one) for one in known]]
    places = [at for at in range(1, len(known)) if known[at].cluster != known[at - 1].cluster]
    return len(places), any(groups[:at].max() >= groups[at:].min() for at in places)
