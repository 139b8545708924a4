"""What a number of verdicts resolves, and how much of it wrongly, if it goes to few usages or to many."""

from itertools import islice

import numpy as np

from ranking.numbers.tables import Table
from ranking.stats.power.verdicts import VerdictAssumptions, assumed_verdicts, verdict_curves, verdict_outcomes
from ranking.stats.verdicts.study import VerdictParameters

SYSTEMS, JUDGES, VERDICTS = 6, 16, 1920
COLUMNS = ("usages", "verdicts on each", "resolved", "wrong", "best found", "width", "majority")


def verdicts(campaigns: int, replicates: int) -> Table:
    rows = []
    for redundancy in (16, 8, 4, 2, 1):
        usages = VERDICTS // redundancy
        at = np.arange(VERDICTS)
        usage, judge = at // redundancy, (at + at // JUDGES) % JUDGES
        worlds = assumed_verdicts(VerdictAssumptions(), SYSTEMS, usages, seed=1)
        chosen = VerdictParameters(replicates=replicates)
        simulated = list(islice(verdict_outcomes(worlds, usage, judge, (VERDICTS,), chosen, seed=1), campaigns))
        line = verdict_curves(simulated, 0).dicts()[0]
        names = ("resolved", "wrong", "best_found", "width", "majority")
        rows.append((usages, redundancy, *(line[name] for name in names)))
    return Table.of("verdicts", COLUMNS, rows)
