"""How often a live board finds a difference between equal systems, if one looks twenty times while judging goes on.

Of 200 campaigns with two and with twelve equal systems, 1 and 1 show a false find at some look with `looks` any-time,
and 47 and 81 with the tests for one look.
"""

from dataclasses import replace

import numpy as np

from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.comparisons.standings import tests_of
from ranking.stats.comparisons.study import LOOKS
from ranking.stats.rankings.methods import METHODS
from studies.worlds import TWELVE

METHOD, LEVEL, LOOKED = METHODS["expected-wins"], 0.95, 20
COLUMNS = ("systems", "intervals for", "some false find", "at the last look alone")
SYSTEMS = (2, 12)


def looks(campaigns: int, replicates: int) -> Table:
    """False finds over 20 looks at equal systems, by tests of a single look and by those for any time."""
    rows: list[tuple] = []
    for systems in SYSTEMS:
        world = replace(TWELVE, abilities=(0.0,) * systems)
        rng = np.random.default_rng(20)
        found: dict[str, list[tuple[bool, bool]]] = {way: [] for way in LOOKS}
        for _ in range(campaigns):
            ballots = world.campaign(world.tastes(rng), rng)
            seen = [ballots.choose(ballots.segment < ballots.segments * (n + 1) / LOOKED) for n in range(LOOKED)]
            for way in LOOKS:
                finds = []
                for so_far in seen:
                    study = world.study(so_far, replicates, unit="sentence", looks=way)
                    try:
                        tests = tests_of(study, study.scores(METHOD), study.replicates(METHOD))
                    except StatisticsError:  # at the first looks some systems may not have met
                        continue
                    finds.append(bool(tests.better(LEVEL).any()))
                found[way].append((any(finds), finds[-1]))
        rows += [(systems, way, *np.mean(finds, axis=0).tolist()) for way, finds in found.items()]
    return Table.of("looks", COLUMNS, rows)
