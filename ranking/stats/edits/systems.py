"""How many of their edits people accept, by system, verdict and category, and which systems differ.

Precision is the share of right verdicts on the edits of a system's versions. Its interval is that of `clusters`, that
of a difference Newcombe's (1998), at a level that holds for all pairs together (Bonferroni).

Toy: in two sentences 1 of 2 and 2 of 2 edits are right: precision 3/4, V = 2 ((1 - 1.5)^2 + (2 - 1.5)^2) / 4^2 = 1/16,
times 42 because two sentences say little. Three right edits in three sentences have a precision of 1 (0.44 to 1). Two
systems share a right edit, and one makes another that is wrong: 1 of 1 and 1 of 2, all systems 1 of 2.
"""

from collections.abc import Iterator
from itertools import combinations
from math import sqrt

import numpy as np
import scipy as sp

from ranking.numbers.intervals import NOT_KNOWN, Interval
from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.edits.clusters import Ratios
from ranking.stats.edits.study import EditStudy

EVERYBODY = "all systems"
ENDS = ("", "_low", "_high")
SYSTEMS = (
    "system", "sentences", "edits", "verdicts", "right", *(f"precision{end}" for end in ENDS),
    *(f"{name}_a_sentence{end}" for name in ("right", "wrong", "missed") for end in ENDS),
)  # fmt: skip
VERDICTS = ("system", "verdict", "accepts", "verdicts", *(f"share{end}" for end in ENDS))
CATEGORIES = ("category", "system", "edits", "verdicts", "right", *(f"precision{end}" for end in ENDS))
PAIRS = ("system", "opponent", "difference", "low", "high", "resolved")


def systems(given: EditStudy) -> Iterator[Table]:
    """Precision of each system by people, and its right, wrong and missed edits a sentence; best precision first."""
    study, level = given.first, given.parameters.level
    every, accepted, names = np.ones(len(study.marks), dtype=bool), study.is_accepted, study.names.systems
    found, edits = study.shares(accepted, every), distinct_edits(study, every)
    if not found.below.any():
        raise StatisticsError("No system takes part whose edits were judged.")
    precision = np.nan_to_num(found.value, nan=-1.0)
    judged = np.flatnonzero(np.asarray(study.members.sum(axis=0))).tolist()
    # The best first, those without an edit last.
    order = sorted(judged, key=lambda system: (-precision[system], names[system]))
    rates = [study.rates(rows) for rows in (study.per_row(accepted), study.per_row(~accepted), study.missed)]
    rows = []
    for system in order:
        cells = [
            cell for one in rates
            for cell in (one.value[system], *(one.rate_interval(system, level) or NOT_KNOWN))
        ]  # fmt: skip
        rows.append((
            names[system], rates[0].sentences[system], edits[system], int(found.below[system]),
            int(found.above[system]), *_share(found, system, edits[system], level), *cells,
        ))  # fmt: skip
    yield Table.of("edit_systems", SYSTEMS, rows)
    shares = [study.shares(study.marks.verdict == number, every) for number in range(len(study.names.verdicts))]
    of_verdicts = [
        (names[system], *verdict, int(one.above[system]), *_share(one, system, edits[system], level))
        for system in order for verdict, one in zip(study.names.verdicts, shares, strict=True)
    ]  # fmt: skip
    yield Table.of("edit_verdicts", VERDICTS, of_verdicts)
    judged = [system for system in order if found.below[system]]
    # Intervals hold for all pairs together (Bonferroni).
    pairs, rows = list(combinations(judged, 2)), []
    level = 1 - (1 - level) / max(len(pairs), 1)
    found = study.shares(accepted, every, level)  # few sentences cost more, the further out an end lies
    ends = {system: found.share_interval(system, int(edits[system]), level) for system in judged}
    for one, other in pairs:
        values, alike = found.value[[one, other]].tolist(), found.together(one, other)
        difference, low, high = difference_of_shares(values, ends[one], ends[other], alike)
        rows.append((names[one], names[other], difference, low, high, None if low is None else low > 0))
    if rows:
        yield Table.of("edit_pairs", PAIRS, rows)


def categories(given: EditStudy) -> Iterator[Table]:
    """Precision by category, of all systems together (an edit that several share counts once) and of each."""
    study, level = given.first, given.parameters.level
    category = study.category[study.marks.edit]
    present, number = np.unique(category[study.is_decision], return_counts=True)
    rows = []
    for kind in present[np.argsort(-number, kind="stable")]:
        name, here = study.names.categories[kind] or "none", category == kind
        whole = here & study.is_decision
        one_column = (len(study.ballots), 1)
        above, below = (
            sp.sparse.csr_array(
                np.bincount(study.ballot[marks], minlength=len(study.ballots)).astype(float).reshape(one_column)
            )
            for marks in (whole & study.is_accepted, whole)
        )
        every, edits = Ratios.of(above, below, study.clusters), len(np.unique(study.marks.edit[whole]))
        rows.append((name, EVERYBODY, edits, int(every.below[0]), int(every.above[0]), *_share(every, 0, edits, level)))
        found, of_systems = study.shares(here & study.is_accepted, here), distinct_edits(study, here)
        rows += [
            (name, study.names.systems[system], of_systems[system], int(found.below[system]),
             int(found.above[system]), *_share(found, system, of_systems[system], level))
            for system in np.flatnonzero(found.below).tolist()
        ]  # fmt: skip
    yield Table.of("edit_categories", CATEGORIES, rows)


def distinct_edits(study: EditStudy, marks: np.ndarray) -> np.ndarray:
    """How many different edits of each system got one of these verdicts."""
    row, edit = study.marks.row[marks], study.marks.edit[marks]
    behind = sp.sparse.csr_array(study.members[row]).tocoo()
    pairs = np.unique(np.stack([edit[behind.row], behind.col]), axis=1)
    return np.bincount(pairs[1], minlength=study.ballots.systems)


def _share(found: Ratios, column: int, edits: int, level: float) -> tuple:
    return (found.value[column], *(found.share_interval(column, int(edits), level) or NOT_KNOWN))


def difference_of_shares(
    values: list[float], one: Interval | None, other: Interval | None, together: float
) -> tuple[float, float | None, float | None]:
    """Of two shares with this correlation, from their intervals, without a normal distribution (Newcombe 1998).

    Toy: .8 (.6 to .9) less .5 (.4 to .7) without correlation: .3 - sqrt(.2^2 + .2^2) to .3 + sqrt(.1^2 + .1^2).
    """
    difference = values[0] - values[1]
    if one is None or other is None:
        return difference, None, None
    down, up = values[0] - one.low, one.high - values[0]
    lower, higher = values[1] - other.low, other.high - values[1]
    low = sqrt(max(down**2 + higher**2 - 2 * together * down * higher, 0))
    high = sqrt(max(up**2 + lower**2 - 2 * together * up * lower, 0))
    return difference, difference - low, difference + high
