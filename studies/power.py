"""Whether predictions of what judgments would resolve come true, from assumptions and from a pilot.

Of 66 pairs, 24.9 are predicted from assumptions, 24.1 from a pilot of 300, and 25.3 come. Bands of 0.80, each from 20
predictions and so expected to hold 0.72, hold 0.73 and 0.78. The first 300 published rankings promise 37 pairs (8 to
57), and 24 came.
"""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from ranking.numbers.tables import Table
from ranking.stats.ballots import Ballots
from ranking.stats.comparisons.study import PRESETS
from ranking.stats.power.curves import outcomes
from ranking.stats.power.worlds import Assumptions, World, assumed_worlds, worlds_like
from ranking.stats.resampling import Unit
from studies.worlds import World as Sampled

POWER = ("prediction from", "judgments", "pairs", "predicted", "came", "in the band", "best predicted", "best came")
SCREENS = Sampled(abilities=(0.0,) * 12, sentences=1200)
PILOT, POINTS, PREDICTIONS = 300, (600, 1100), 20
BAND = 0.1, 0.9


def power(campaigns: int, replicates: int) -> Table:
    """Campaigns of twelve systems whose abilities are drawn, each predicted and then carried out."""
    rng = np.random.default_rng(8)
    blank = SCREENS.campaign(SCREENS.tastes(rng), rng)
    chosen = PRESETS["recommended"].with_changes(replicates=replicates, unit=Unit.SENTENCE.value)
    found: dict[tuple[str, int], list[tuple]] = {}
    for number, world in enumerate(islice(assumed_worlds(Assumptions(), blank.systems, seed=1), campaigns)):
        pilot = world.judge(blank.choose(np.arange(PILOT)), np.random.default_rng(number))
        came = next(outcomes(iter([world]), blank, POINTS, chosen, seed=number))
        for source, worlds in _predictions(pilot, number):
            predicted = list(islice(outcomes(worlds, blank, POINTS, chosen, seed=number + 1), PREDICTIONS))
            for place, point in enumerate(POINTS):
                resolved = np.array([one[place].rightly.sum() + one[place].wrongly.sum() for one in predicted])
                low, high = np.quantile(resolved, BAND)
                there = came[place].rightly.sum() + came[place].wrongly.sum()
                best = np.mean([one[place].numbers["best_found"] for one in predicted])
                row = resolved.mean(), there, low <= there <= high, best, came[place].numbers["best_found"]
                found.setdefault((source, point), []).append(row)
    pairs = blank.systems * (blank.systems - 1) // 2
    return Table.of("power", POWER, [(*key, pairs, *np.mean(rows, axis=0)) for key, rows in found.items()])


def _predictions(pilot: Ballots, seed: int) -> Iterator[tuple[str, Iterator[World]]]:
    yield "assumptions", assumed_worlds(Assumptions(), pilot.systems, seed + 2)
    yield f"a pilot of {PILOT}", worlds_like(pilot, seed)
