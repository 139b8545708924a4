"""How stable weighted and unweighted measures are: their spread when judges are drawn again with replacement."""

from typing import NamedTuple

import numpy as np

from ranking.stats.intervals import LEVEL, Interval, interval_of
from ranking.stats.resampling import draw
from ranking.stats.verdicts.crowd import Verdicts, crowd_of
from ranking.stats.verdicts.measures import both


class Stability(NamedTuple):
    """A measure, its spread (standard deviation over the draws), and its interval."""

    measure: str
    weighted: bool
    value: float
    spread: float
    interval: Interval


NAMES = ("precision", "recall", "f")


def stability(
    classes: np.ndarray, verdicts: Verdicts, replicates: int, seed: int, level: float = LEVEL
) -> list[Stability]:
    """Precision, recall and F of a system, weighted and unweighted."""
    weights = draw(verdicts.judges, replicates, seed)
    found = [both(classes, crowd_of(verdicts, weights[:, number])) for number in range(replicates)]
    here = both(classes, crowd_of(verdicts))
    lines = []
    for name in NAMES:
        for is_weighted in (True, False):
            drawn = np.array([getattr(one.weighted if is_weighted else one.unweighted, name) for one in found])
            value = getattr(here.weighted if is_weighted else here.unweighted, name)
            lines.append(Stability(name, is_weighted, value, float(drawn.std()), interval_of(drawn, level)))
    return lines
