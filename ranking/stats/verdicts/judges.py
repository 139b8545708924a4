"""How far single judges can be relied on: their verdicts on gold instances, and their agreement with the others."""

from typing import NamedTuple

import numpy as np

from ranking.stats.verdicts.crowd import UNKNOWN, Verdicts, crowd_of


class Reliability(NamedTuple):
    """A judge's verdicts: how many, how many unknown, right ones of those on gold, agreeing ones of others'."""

    judge: int
    verdicts: int
    unknown: int
    gold: int
    right: int
    with_others: int
    agreeing: int

    @property
    def share_right(self) -> float | None:
        """Of the verdicts on gold."""
        return self.right / self.gold if self.gold else None

    @property
    def share_agreeing(self) -> float | None:
        """Of the verdicts on instances of which the others have a majority."""
        return self.agreeing / self.with_others if self.with_others else None


def reliability(verdicts: Verdicts, gold: np.ndarray) -> list[Reliability]:
    """A line a judge; gold holds 1, 0, or NaN where nothing is known. Who cannot tell is not right on gold."""
    crowd, told = crowd_of(verdicts), verdicts.finding != UNKNOWN
    found, instance = verdicts.finding, verdicts.instance
    is_gold = np.isfinite(gold[instance])
    is_right = is_gold & (found == gold[instance])
    errors = crowd.errors[instance] - (found == 1)
    fine = crowd.fine[instance] - (found == 0)
    has_others = told & (errors != fine)
    agrees = has_others & (found == (errors > fine))
    columns = [np.ones(len(verdicts)), ~told, is_gold, is_right, has_others, agrees]
    sums = [np.bincount(verdicts.judge, weights=column, minlength=verdicts.judges) for column in columns]
    return [Reliability(judge, *(int(column[judge]) for column in sums)) for judge in range(verdicts.judges)]
