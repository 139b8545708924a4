"""How far single judges can be relied on: against gold, against the majority of the others, against themselves.

Gold is what is known to be right, on controls and elsewhere; who cannot tell is not right. Against the others count a
judge's verdicts that tell, on instances of which the others of the crowd have a majority; kappa is Cohen's, of these
two. A repeat agrees with the first verdict where both say the same of the three.

Toy: a judge says error, OK where gold says error, error, and the majority of the others error, OK: right 1 of 2,
agreeing 2 of 2, kappa 1.
"""

from typing import NamedTuple

import numpy as np

from ranking.stats.agreement.kappa import kappa
from ranking.stats.verdicts.crowd import ERROR, OK, UNKNOWN, Crowd, Verdicts


class Reliability(NamedTuple):
    """A judge's verdicts: how many, how many unknown, right ones of those on gold, agreeing ones of others'."""

    judge: int
    verdicts: int
    unknown: int
    gold: int
    right: int
    with_others: int
    agreeing: int
    kappa: float | None

    @property
    def share_right(self) -> float | None:
        """Of the verdicts on gold."""
        return self.right / self.gold if self.gold else None

    @property
    def share_agreeing(self) -> float | None:
        """Of the verdicts on instances of which the others have a majority."""
        return self.agreeing / self.with_others if self.with_others else None


class Repeats(NamedTuple):
    """How often a judge saw the same screen again, and said the same."""

    repeats: int
    same: int


def reliability(verdicts: Verdicts, gold: np.ndarray, crowd: Crowd, is_in_crowd: np.ndarray) -> list[Reliability]:
    """A line a judge; gold holds 1, 0, or NaN where nothing is known.

    The others are the crowd; a verdict that is part of it (`is_in_crowd`) is taken out of it first.
    """
    told, found, instance = verdicts.finding != UNKNOWN, verdicts.finding, verdicts.instance
    is_gold = np.isfinite(gold[instance])
    is_right = is_gold & (found == gold[instance])
    errors = crowd.errors[instance] - (is_in_crowd & (found == ERROR))
    fine = crowd.fine[instance] - (is_in_crowd & (found == OK))
    has_others = told & (errors != fine)
    others = errors > fine
    agrees = has_others & (found == others)
    columns = [np.ones(len(verdicts)), ~told, is_gold, is_right, has_others, agrees]
    sums = [np.bincount(verdicts.judge, weights=column, minlength=verdicts.judges).astype(int) for column in columns]
    kappas = _kappas(verdicts.choose(has_others), others[has_others])
    return [
        Reliability._make((judge, *counts, kappas.get(judge)))
        for judge, counts in enumerate(zip(*(column.tolist() for column in sums), strict=True))
    ]


def by_judge(judge: np.ndarray, values: np.ndarray) -> dict[int, np.ndarray]:
    """The values (rows) of each judge who has any."""
    order = np.argsort(judge, kind="stable")
    judges, starts = np.unique(judge[order], return_index=True)
    return dict(zip(judges.tolist(), np.split(values[order], starts[1:])[: len(judges)], strict=True))


def _kappas(compared: Verdicts, others: np.ndarray) -> dict[int, float | None]:
    pairs = np.stack([compared.finding, others], axis=1).astype(float)
    return {judge: kappa(*both.T) for judge, both in by_judge(compared.judge, pairs).items()}


def repeats_of(said: Verdicts, is_repeat: np.ndarray) -> list[Repeats]:
    """A line a judge."""
    first = said.choose(~is_repeat)
    key = said.judge * said.instances + said.instance
    before, at = np.unique(key[~is_repeat], return_index=True)
    place = np.searchsorted(before, key[is_repeat])
    known = (place < len(before)) & (before[np.minimum(place, len(before) - 1)] == key[is_repeat])
    again = said.choose(is_repeat).choose(known)
    same = again.finding == first.finding[at[place[known]]]
    repeats = np.bincount(again.judge, minlength=said.judges)
    agreeing = np.bincount(again.judge, weights=same, minlength=said.judges)
    return [Repeats(int(all_), int(same)) for all_, same in zip(repeats, agreeing, strict=True)]
