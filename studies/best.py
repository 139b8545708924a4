"""Whether chances to be best come true.

Of chances of 0.4 to 0.8, 0.54 come true where 0.52 were promised among close systems; of those from replicates as they
are 0.43 where 0.55 were.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ranking.numbers.tables import Table
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.uncertainty import chances_to_be_best, uncertainty
from ranking.stats.resampling import Unit
from studies.worlds import TWELVE

METHOD, LEVEL = METHODS["expected-wins"], 0.95
BEST = ("true scores", "chance", "said from", "mean said", "came true", "systems")
BINS = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.01)
# How far true abilities are apart: their standard deviation, drawn anew for each campaign.
APART = {"close": 0.15, "apart": 0.45}


def best(campaigns: int, replicates: int) -> Table:
    """Chances to be best in campaigns whose true abilities are drawn: those of replicates as they are, and ours."""
    rows = [row for name, apart in APART.items() for row in _best_of(name, apart, 2 * campaigns, replicates)]
    return Table.of("best", BEST, rows)


def _best_of(name: str, apart: float, campaigns: int, replicates: int) -> Iterator[tuple]:
    rng = np.random.default_rng(6)
    said: dict[str, list[np.ndarray]] = {"as drawn": [], "ours": []}
    true: list[np.ndarray] = []
    for _ in range(campaigns):
        world = replace(TWELVE, abilities=tuple((apart * rng.standard_normal(TWELVE.systems)).tolist()))
        study = world.study(world.campaign(world.tastes(rng), rng), replicates, unit="sentence")
        scores, drawn = study.scores(METHOD), study.replicates(METHOD)
        said["as drawn"].append(uncertainty(study.drawn_by(METHOD, Unit.SENTENCE), LEVEL).p_best)
        said["ours"].append(chances_to_be_best(scores, drawn, 0))
        true.append(world.groups == 0)
    came = np.concatenate(true)
    for way, chances in said.items():
        chance = np.concatenate(chances)
        for low, high in pairwise(BINS):
            these = (chance >= low) & (chance < high)
            if these.any():
                yield name, way, low, chance[these].mean(), came[these].mean(), int(these.sum())
