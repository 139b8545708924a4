"""How far judges agree on edits: every edit that two judges decided on is one observation of both.

Kappa is Cohen's of each pair of judges, on whether the edit is accepted (`ranking.stats.agreement.kappa`), with the
mean over the pairs that have enough edits in common, weighted by these. Krippendorff's alpha takes all judges together
(`ranking.stats.agreement.alpha`), once by verdicts, all of which differ alike, and once by whether edits are accepted.

Toy: Ada accepts two of four edits, Ben one of these and no other: they agree on three, by chance on 1/2 1/4 + 1/2 3/4 =
1/2, so kappa is 1/2. Alpha, with 3 of 8 values accepting: 1 - (2/8) / (2 3 5 / (8 7)) = 8/15.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy as sp

from ranking.stats.agreement.alpha import Values
from ranking.stats.agreement.kappa import ENOUGH, beyond_chance
from ranking.stats.edits.study import EditStudy
from ranking.stats.resampling import ratio


@dataclass(frozen=True)
class Decisions:
    """The first verdict of each judge on each edit, sorted by edit, and the sentence of each."""

    edit: np.ndarray
    judge: np.ndarray
    verdict: np.ndarray
    accepted: np.ndarray
    sentence: np.ndarray


class Pair(NamedTuple):
    """Two judges, how many edits both decided on, the share on which they agree, and kappa (NaN if chance is all)."""

    judge: int
    other: int
    edits: int
    same: float
    kappa: float


def decisions(study: EditStudy) -> Decisions:
    judge, marks = study.ballots.judge[study.ballot], study.marks
    key = marks.edit * np.int64(max(study.ballots.judges, 1)) + judge
    _, first = np.unique(key, return_index=True)
    verdict = marks.verdict[first]
    sentence = study.ballots.segment[study.ballot[first]]
    return Decisions(marks.edit[first], judge[first], verdict, study.accepts[verdict], sentence)


def values_of(found: Decisions, value: np.ndarray) -> Values:
    present, part = np.unique(found.sentence, return_inverse=True)
    return Values(found.edit, value.astype(float), part, len(present))


def pairs_of_judges(found: Decisions, judges: int) -> Iterator[Pair]:
    _, edit = np.unique(found.edit, return_inverse=True)
    shape = judges, int(edit.max(initial=0)) + 1
    yes, no = (
        sp.sparse.csr_array((np.ones(int(chosen.sum())), (found.judge[chosen], edit[chosen])), shape=shape)
        for chosen in (found.accepted, ~found.accepted)
    )  # fmt: skip
    both, neither, one, other = ((a @ b.T).toarray() for a, b in ((yes, yes), (no, no), (yes, no), (no, yes)))
    number = both + neither + one + other
    same = ratio(both + neither, number)
    kappa = beyond_chance(same, ratio(both + one, number), ratio(both + other, number))
    for first, second in zip(*np.nonzero(np.triu(number, 1)), strict=True):
        yield Pair(int(first), int(second), int(number[first, second]), float(same[first, second]),
                   float(kappa[first, second]))  # fmt: skip


def mean_kappa(pairs: list[Pair]) -> tuple[float, int] | None:
    """Over the pairs with enough edits, and how many edits these are; None without such a pair."""
    known = [pair for pair in pairs if pair.edits >= ENOUGH and np.isfinite(pair.kappa)]
    edits = sum(pair.edits for pair in known)
    return (sum(pair.kappa * pair.edits for pair in known) / edits, edits) if edits else None
