"""How sure the ranking is by the published way and by the recommended one, side by side."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ranking.stats.ballots import StatisticsError
from ranking.stats.rankings.clusters import RULES
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.ranges import uncertainty
from ranking.stats.resampling import Unit
from ranking.stats.study import Study
from ranking.stats.tables import Table

COLUMNS = ("way", "method", "unit", "clusters", "system", "score", "cluster", "score_low", "score_high", "rank_low",
           "rank_high")  # fmt: skip


class Way(NamedTuple):
    """What is drawn again, and how clusters are made of it."""

    name: str
    unit: Unit
    clusters: str


WAYS = (Way("published", Unit.PAIR, "all-later"), Way("recommended", Unit.SENTENCE, "never-overlapping"))


def side_by_side(study: Study) -> Iterator[Table]:
    """Intervals, ranges and clusters of the first method for which both ways can be gone."""
    for name in study.parameters.methods:
        try:
            yield Table.of("uncertainty", COLUMNS, [row for way in WAYS for row in _by(study, name, way)])
        except StatisticsError:
            continue
        return
    raise StatisticsError("No method could rank the systems both ways, so there is nothing to set side by side.")


def _by(study: Study, name: str, way: Way) -> list[tuple]:
    method = METHODS[name]
    scores = study.scores(method)
    found = uncertainty(study.replicates(method, way.unit), study.parameters.level)
    order = np.lexsort((np.arange(len(scores)), -scores))
    clusters = RULES[way.clusters]([found.ranges[place] for place in order])
    return [
        (way.name, name, way.unit, way.clusters, study.names.systems[place], scores[place], cluster, found.low[place],
         found.high[place], *found.ranges[place])
        for cluster, place in zip(clusters, order, strict=True)
    ]  # fmt: skip
