"""A system that was judged on few screens, and fifty systems that hardly met: what intervals and ranks still cover.

A system on 3, 10 or 30 screens, truly best, middle or worst, has its rank in its range in at least 0.975 of campaigns,
and in 0.89 to 1.00 by `percentile`. With fifty systems on 600 screens scores hold in 0.948 (as published: 0.898).
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.comparisons.standings import rank_systems
from ranking.stats.comparisons.study import INTERVALS
from ranking.stats.rankings.methods import METHODS
from studies.coverage import BY, place_of, right_ranks
from studies.worlds import FIFTY, TWELVE

PLACES = {"best": 0, "middle": 4, "worst": 11}
SCREENS = (3, 10, 30)
SELDOM = ("screens", "truly", "method", "intervals", "score", "rank range", "places wide")
SPARSE = ("method", "intervals", "score", "bias of the ten worst", "rank range")


def seldom(campaigns: int, replicates: int) -> Table:
    """Coverage of the score and the rank of one of twelve systems that is on few screens."""
    rng = np.random.default_rng(3)
    endless = TWELVE.endless(rng)
    truth = {method.name: method.scores(endless) for method in BY}
    rows: list[tuple] = []
    for screens in SCREENS:
        for truly, system in PLACES.items():
            world = replace(TWELVE, seldom=((system, screens),))
            found: dict[tuple[str, str], list[tuple]] = {}
            for _ in range(campaigns):
                study = world.study(world.campaign(world.tastes(rng), rng), replicates)
                for method in BY[1:]:
                    for intervals in INTERVALS:
                        try:
                            lines = rank_systems(study.with_parameters(intervals=intervals, unit="sentence"), method)
                        except StatisticsError:  # on three screens it may have met nobody
                            continue
                        (at,) = [at for at, one in enumerate(lines) if place_of(one) == system]
                        one = lines[at]
                        found.setdefault((method.name, intervals), []).append(
                            (one.low <= truth[method.name][system] <= one.high, right_ranks(world, lines)[at],
                             one.worst - one.best)
                        )  # fmt: skip
            rows += [(screens, truly, *key, *np.mean(rights, axis=0).tolist()) for key, rights in found.items()]
    return Table.of("seldom", SELDOM, rows)


def sparse(campaigns: int, replicates: int) -> Table:
    """Fifty systems on 600 screens of five: a pair is compared about five times, some never."""
    return Table.of("sparse", SPARSE, _of_fifty(max(campaigns // 5, 1), replicates))


def _of_fifty(campaigns: int, replicates: int) -> Iterator[tuple]:
    rng = np.random.default_rng(50)
    endless = FIFTY.endless(rng)
    for name in ("expected-wins-published", "expected-wins", "bradley-terry"):
        method = METHODS[name]
        truth = method.scores(endless)
        for intervals in INTERVALS:
            again, found = np.random.default_rng(51), []
            for _ in range(campaigns):
                study = FIFTY.study(FIFTY.campaign(FIFTY.tastes(again), again), replicates, intervals=intervals)
                study = study.with_parameters(unit="sentence")
                lines = rank_systems(study, method)
                covered = np.mean([one.low <= truth[place_of(one)] <= one.high for one in lines])
                bias = (study.scores(method) - truth)[-10:].mean()
                found.append((covered, bias, right_ranks(FIFTY, lines).mean()))
            yield (name, intervals, *np.mean(found, axis=0).tolist())
