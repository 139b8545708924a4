"""One line a metric over several campaigns or test sets: the mean of each number of `meta_evaluation.csv`.

A test set has a few systems, on which any metric may be lucky; the mean over test sets is what papers rank metrics by,
and `_min` and `_max` say how far it holds. Only a metric and a ranking by people that all of them have are averaged.

Toy: with r of .9 on one test set and .5 on another the mean is .7, from .5 to .9.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ranking.numbers.tables import Table
from ranking.stats.metaevaluation.correlations import Coefficient
from ranking.stats.metaevaluation.sentences import ON_SENTENCES

NAME = "meta_evaluation_averages"
NUMBERS = (
    "system_accuracy", "system_soft_accuracy", *(f"system_{coefficient}" for coefficient in Coefficient), *ON_SENTENCES
)  # fmt: skip
COLUMNS = ("people", "metric", "campaigns", *(f"{name}{end}" for name in NUMBERS for end in ("", "_min", "_max")))


def averages(campaigns: Sequence[Sequence[Mapping[str, str]]]) -> tuple[Table, list[str]]:
    """The table, by falling Pearson's r, and what is left out because some campaign lacks it."""
    lines = [{(row["people"], row["metric"]): row for row in rows} for rows in campaigns]
    shared = set.intersection(*map(set, lines))
    rows = list[tuple]()
    by_r = NUMBERS.index(f"system_{Coefficient.PEARSON}")
    for people, metric in shared:
        cells = [[of[people, metric].get(name, "") for of in lines] for name in NUMBERS]
        values = [None if "" in row else [float(cell) for cell in row] for row in cells]
        found = [(float(np.mean(row)), min(row), max(row)) if row else (None, None, None) for row in values]
        rows.append(
            (people, -(found[by_r][0] or 0), metric, len(lines), *(number for three in found for number in three))
        )
    ordered = [(row[0], *row[2:]) for row in sorted(rows, key=lambda row: row[:3])]
    left_out = sorted(f"{metric} by {people}" for people, metric in set().union(*lines) - shared)
    return Table.of(NAME, COLUMNS, ordered), left_out
