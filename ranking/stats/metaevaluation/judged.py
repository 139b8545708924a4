"""People's scores of systems from their rankings of outputs, to set metrics against.

Every method scores all systems that people ranked, though fewer may be compared with metrics, as in the studies.
Replicates draw the same sentences as those of metrics, judged or not, and do not count if they miss all comparisons of
a system; TrueSkill makes one run on each.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ranking.metrics.scoring import SEED
from ranking.numbers.tables import Gap, StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.metaevaluation.overview import People
from ranking.stats.metaevaluation.scores import ScorePairs, pairs_of_systems
from ranking.stats.rankings.methods import METHODS
from ranking.stats.tally import tallies_in_blocks


def people_of(
    name: str,
    ballots: Ballots,
    systems: Sequence[str],
    compared: Sequence[str],
    drawn: np.ndarray,
    methods: Iterable[str],
) -> Iterator[People | Gap]:
    """Yield the scores of the systems that are compared, by each method; `drawn` has a row for each segment."""
    places = [systems.index(one) if one in systems else None for one in compared]

    def at_places(scores: np.ndarray) -> np.ndarray:
        columns = [np.full(scores.shape[:-1], np.nan) if place is None else scores[..., place] for place in places]
        return np.stack(columns, axis=-1)

    def pairs(scores: np.ndarray) -> ScorePairs:
        full = np.full((len(scores), len(systems)), np.nan)
        for column, place in zip(scores.T, places, strict=True):
            if place is not None:
                full[:, place] = column
        return pairs_of_systems(ballots, full, distinct=True)

    tallies = tallies_in_blocks(ballots, ballots.segment, drawn.shape[1], lambda block: drawn[:, block])
    ranked = np.asarray(tallies.compared.any(axis=-1).all(axis=-1))
    judged = np.bincount(ballots.segment, minlength=ballots.segments) > 0
    for method in (METHODS[one] for one in methods):
        way = f"{name}: {method.label}"
        try:
            scores, replicates = method.scores(ballots), np.full((len(ranked), len(systems)), np.nan)
            replicates[ranked] = method.of_tallies(tallies[ranked], SEED, 0)
        except StatisticsError as reason:
            yield Gap(way, str(reason))
            continue
        yield People(way, at_places(scores), at_places(replicates), pairs, judged)
