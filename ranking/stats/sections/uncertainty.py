"""How sure the ranking is by the published way and by the recommended one, side by side."""

from collections.abc import Iterator
from typing import NamedTuple

from ranking.stats.ballots import StatisticsError
from ranking.stats.rankings.methods import METHODS
from ranking.stats.resampling import Unit
from ranking.stats.sections.ranking import ranked
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
    return [
        (way.name, name, way.unit, way.clusters, one.system, one.score, one.cluster, one.low, one.high, *one.ranks)
        for one in ranked(study, METHODS[name], way.unit, way.clusters)
    ]
