"""What the majority of the crowd is held against: experts, or gold where there are none.

Experts are judges who are marked so; their verdicts are apart from the crowd's. Where nobody is, or where no expert has
told of anything that the crowd judged, gold that is known of ordinary instances stands for them; controls are no
ordinary instances.

Toy: experts say error, error, OK of an instance: their majority is an error, and held against each of them a crowd that
says error agrees in 2/3.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from ranking.stats.agreement.cohen import kappa
from ranking.stats.ballots import StatisticsError
from ranking.stats.verdicts.crowd import UNKNOWN, Crowd, Verdicts, crowd_of

BY_MAJORITY, BY_EACH, BY_GOLD = "majority of experts", "each expert", "gold"


class Authority(NamedTuple):
    """What it is called, and a row for each that is held against: 1, 0, or NaN where nothing is known."""

    name: str
    rights: np.ndarray


class Pair(NamedTuple):
    """Two experts on what both told of; `kappa` is None where chance explains all."""

    one: int
    other: int
    instances: int
    agreement: float
    kappa: float | None


def authority(experts: Verdicts, gold: np.ndarray, crowd: Crowd, each: bool) -> Authority:
    """Experts, or gold of what the crowd judged."""
    rows = _rows(experts)[1] if each else crowd_of(experts).majority[None]
    if (np.isfinite(rows) & crowd.known).any():
        return Authority(BY_EACH if each else BY_MAJORITY, rows)
    if (np.isfinite(gold) & crowd.known).any():
        return Authority(BY_GOLD, gold[None])
    raise StatisticsError(
        "Neither experts nor gold say anything of what the crowd judged. Mark some judges as experts, or upload "
        "instances with gold, then make the report again."
    )


def pairs_of_experts(experts: Verdicts) -> list[Pair]:
    """Every two experts who told of the same."""
    judges, rows = _rows(experts)
    found = []
    for one, other in combinations(range(len(judges)), 2):
        known = np.isfinite(rows[one]) & np.isfinite(rows[other])
        if known.any():
            left, right = rows[one][known], rows[other][known]
            agreement = float((left == right).mean())
            found.append(Pair(int(judges[one]), int(judges[other]), int(known.sum()), agreement, kappa(left, right)))
    return found


def _rows(verdicts: Verdicts) -> tuple[np.ndarray, np.ndarray]:
    """Judges who told of anything, and a row of what each told; the last of several on one instance counts."""
    told = verdicts.choose(verdicts.finding != UNKNOWN)
    judges, row = np.unique(told.judge, return_inverse=True)
    rows = np.full((len(judges), told.instances), np.nan)
    rows[row.reshape(-1), told.instance] = told.finding
    return judges, rows
