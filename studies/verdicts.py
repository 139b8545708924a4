"""What a number of verdicts resolves, and how much of it wrongly, if it goes to few usages or to many.

With `--campaigns 60 --replicates 200`, 1,920 verdicts of 16 judges on six systems (15 pairs):

    usages   verdicts on each   resolved   of these wrongly   best found   width of F   majority right
       120                 16       11.3                3.4         0.38        0.036             0.96
       240                  8       10.1                2.0         0.40        0.037             0.95
       480                  4        9.8                1.4         0.53        0.040             0.94
       960                  2        8.2                0.6         0.75        0.045             0.93
     1,920                  1        7.0                0.1         0.78        0.048             0.85
"""

from itertools import islice

import numpy as np

from ranking.numbers.tables import Table
from ranking.stats.power.curves import curves
from ranking.stats.power.verdicts import VERDICT_CURVES, VerdictAssumptions, assumed_verdict_worlds, verdict_outcomes
from ranking.stats.verdicts.study import VerdictParameters

SYSTEMS, JUDGES, VERDICTS = 6, 16, 1920
COLUMNS = ("usages", "verdicts on each", "resolved", "wrong", "best found", "width", "majority")


def verdicts(campaigns: int, replicates: int) -> Table:
    rows = []
    for redundancy in (16, 8, 4, 2, 1):
        usages = VERDICTS // redundancy
        at = np.arange(VERDICTS)
        usage, judge = at // redundancy, (at + at // JUDGES) % JUDGES
        worlds = assumed_verdict_worlds(VerdictAssumptions(), SYSTEMS, usages, seed=1)
        chosen = VerdictParameters(replicates=replicates)
        simulated = list(islice(verdict_outcomes(worlds, usage, judge, (VERDICTS,), chosen, seed=1), campaigns))
        line = curves(simulated, columns=VERDICT_CURVES).dicts()[0]
        names = ("resolved", "wrong", "best_found", "width", "majority")
        rows.append((usages, redundancy, *(line[name] for name in names)))
    return Table.of("verdicts", COLUMNS, rows)
