"""Sections on systems: how many of their edits people accept, by category, and which systems differ."""

from collections.abc import Iterator
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import scipy as sp

from ranking.numbers.intervals import Interval
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
NOT_KNOWN = (None, None)


def precision(study: EditStudy, marks: np.ndarray) -> Ratios:
    """Of each system, over some of the verdicts."""
    accepted = study.accepts[study.marks.verdict]
    above, below = (study.by_ballot(study.per_row(np.flatnonzero(chosen))) for chosen in (marks & accepted, marks))
    return Ratios.of(above, below, study.clusters)


def distinct(study: EditStudy, marks: np.ndarray) -> np.ndarray:
    """How many different edits of each system got one of these verdicts."""
    row, edit = study.marks.row[marks], study.marks.edit[marks]
    behind = sp.sparse.csr_array(study.members[row]).tocoo()
    pairs = np.unique(np.stack([edit[behind.row], behind.col]), axis=1)
    return np.bincount(pairs[1], minlength=study.ballots.systems)


def systems(given: EditStudy) -> Iterator[Table]:
    """Precision of each system by people, and its right, wrong and missed edits a sentence; best precision first."""
    study = given.first
    every = np.ones(len(study.marks), dtype=bool)
    accepted, level = study.accepts[study.marks.verdict], study.parameters.level
    found, edits = precision(study, every), distinct(study, every)
    if not found.below.any():
        raise StatisticsError("No system takes part whose edits were judged.")
    shown = study.by_ballot(np.ones(len(study.ballots.candidate)))
    rates = [
        Ratios.of(study.by_ballot(rows), shown, study.clusters)
        for rows in (study.per_row(np.flatnonzero(accepted)), study.per_row(np.flatnonzero(~accepted)), study.missed)
    ]
    rows = []
    for system in _by_precision(study, found):
        cells = [
            cell for one in rates
            for cell in (one.value[system], *(one.rate_interval(system, level) or NOT_KNOWN))
        ]  # fmt: skip
        rows.append((
            study.names.systems[system], rates[0].sentences[system], edits[system], int(found.below[system]),
            int(found.above[system]), *_share(found, system, edits[system], level), *cells,
        ))  # fmt: skip
    yield Table.of("edit_systems", SYSTEMS, rows)
    yield Table.of("edit_verdicts", VERDICTS, _by_verdict(study, edits, _by_precision(study, found)))
    if pairs := list(_pairs(study, found, edits)):
        yield Table.of("edit_pairs", PAIRS, pairs)


def categories(given: EditStudy) -> Iterator[Table]:
    """Precision by category, of all systems together (an edit that several share counts once) and of each."""
    study, level = given.first, given.parameters.level
    category = study.category[study.marks.edit]
    present, number = np.unique(category[study.decided], return_counts=True)
    rows = []
    for kind in present[np.argsort(-number, kind="stable")]:
        here = category == kind
        name = study.names.categories[kind] or "none"
        rows.append((name, EVERYBODY, *_of_all(study, here & study.decided)))
        found, edits = precision(study, here), distinct(study, here)
        rows += [
            (name, study.names.systems[system], edits[system], int(found.below[system]), int(found.above[system]),
             *_share(found, system, edits[system], level))
            for system in np.flatnonzero(found.below)
        ]  # fmt: skip
    yield Table.of("edit_categories", CATEGORIES, rows)


def _of_all(study: EditStudy, marks: np.ndarray) -> tuple:
    accepted = study.accepts[study.marks.verdict]
    above, below = (
        sp.sparse.csr_array(sp.sparse.coo_array(
            (np.ones(int(chosen.sum())), (study.ballot[chosen], np.zeros(int(chosen.sum()), dtype=np.int64))),
            shape=(len(study.ballots), 1),
        ))
        for chosen in (marks & accepted, marks)
    )  # fmt: skip
    found, edits = Ratios.of(above, below, study.clusters), len(np.unique(study.marks.edit[marks]))
    return edits, int(found.below[0]), int(found.above[0]), *_share(found, 0, edits, study.parameters.level)


def _share(found: Ratios, column: Any, edits: int, level: float) -> tuple:
    return (found.value[column], *(found.share_interval(column, int(edits), level) or NOT_KNOWN))


def _by_precision(study: EditStudy, found: Ratios) -> list[int]:
    """Systems that were judged, the best first, those without an edit last."""
    known = np.nan_to_num(found.value, nan=-1.0)
    judged = np.flatnonzero(np.asarray(study.members.sum(axis=0)))
    return sorted(judged.tolist(), key=lambda system: (-known[system], study.names.systems[system]))


def _by_verdict(study: EditStudy, edits: np.ndarray, order: list[int]) -> Iterator[tuple]:
    level, rows = study.parameters.level, {}
    below = study.by_ballot(study.per_row(np.arange(len(study.marks))))
    for number, verdict in enumerate(study.names.verdicts):
        above = study.by_ballot(study.per_row(np.flatnonzero(study.marks.verdict == number)))
        found = Ratios.of(above, below, study.clusters)
        for system in order:
            rows[system, number] = (
                study.names.systems[system], *verdict, int(found.above[system]),
                *_share(found, system, edits[system], level),
            )  # fmt: skip
    return (rows[system, number] for system in order for number in range(len(study.names.verdicts)))


def _pairs(study: EditStudy, found: Ratios, edits: np.ndarray) -> Iterator[tuple]:
    """Differences of precision, with intervals that hold for all pairs together (Bonferroni)."""
    order = [system for system in _by_precision(study, found) if found.below[system]]
    pairs = list(combinations(order, 2))
    level = 1 - (1 - study.parameters.level) / max(len(pairs), 1)
    ends = {system: found.share_interval(system, int(edits[system]), level) for system in order}
    for one, other in pairs:
        difference, low, high = _difference(
            found.value[[one, other]].tolist(), ends[one], ends[other], found.together(one, other)
        )
        resolved = None if low is None else low > 0
        yield study.names.systems[one], study.names.systems[other], difference, low, high, resolved


def _difference(
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
