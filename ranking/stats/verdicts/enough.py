"""How many judgments are enough: agreement of the majority of n judges with experts, as n grows.

For each n so many verdicts are drawn of each instance, again and again, and their majority is held against what the
experts found (the majority of experts; of an even split nothing is held). Agreement and kappa are means over the draws.
Majorities of an even n can split; then half of the instance agrees, as a coin would.

Toy: two verdicts error, OK on an instance that experts call an error: a majority of 1 agrees half of the time, and one
of 2 too.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ranking.stats.ballots import StatisticsError
from ranking.stats.resampling import generator
from ranking.stats.verdicts.crowd import ERROR, UNKNOWN, Verdicts, crowd_of

DRAWS = 100


class Enough(NamedTuple):
    """A majority of so many judges: its agreement and kappa with experts, on so many instances."""

    judges: int
    agreement: float
    kappa: float | None
    instances: int


def agreement_by_number(
    crowd: Verdicts, experts: Verdicts, most: int, seed: int, draws: int = DRAWS
) -> Iterator[Enough]:
    """For n from 1 to the most, over the instances that have n verdicts of the crowd and a majority of experts."""
    right = crowd_of(experts).majority
    told = crowd.choose(crowd.finding != UNKNOWN)
    if not (np.isfinite(right) & (np.bincount(told.instance, minlength=told.instances) > 0)).any():
        raise StatisticsError("No instance was judged by experts and by others; mark some judges as experts.")
    for number in range(1, most + 1):
        many = np.bincount(told.instance, minlength=told.instances) >= number
        usable = np.flatnonzero(many & np.isfinite(right))
        if not len(usable):
            return
        found = [_drawn(told, number, usable, right[usable], seed, draw) for draw in range(draws)]
        agreement, kappas = np.array(found).T
        known = kappas[np.isfinite(kappas)]
        yield Enough(number, float(agreement.mean()), float(known.mean()) if len(known) else None, len(usable))


def _drawn(
    told: Verdicts, number: int, usable: np.ndarray, right: np.ndarray, seed: int, draw: int
) -> tuple[float, float]:
    """One draw of n verdicts an instance without putting back."""
    order = np.lexsort((generator(seed, draw).random(len(told)), told.instance))
    instance = told.instance[order]
    starts = np.searchsorted(instance, instance)
    first = np.arange(len(order)) - starts < number
    errors = np.bincount(instance[first], weights=told.finding[order][first] == ERROR, minlength=told.instances)[usable]
    share = np.where(2 * errors == number, 0.5, (2 * errors > number).astype(float))
    observed = float(np.where(right == 1, share, 1 - share).mean())
    ours, theirs = float(share.mean()), float(right.mean())
    expected = ours * theirs + (1 - ours) * (1 - theirs)
    return observed, (observed - expected) / (1 - expected) if expected < 1 else np.nan
