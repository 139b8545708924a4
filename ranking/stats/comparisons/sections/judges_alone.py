"""The ranking by every judge alone, as in the last table of Grundkiewicz et al. (2015).

A judge gives few judgments, so intervals and rank ranges are at 90 %, as published. What is drawn are sentences, since
there is no other judge to draw. The published preset draws single comparisons, averages over the opponents that a
system beat, and looks only at the next system for clusters; a system that never won is last.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.comparisons.parameters import PERCENTILE
from ranking.stats.comparisons.sections.standings import ranked
from ranking.stats.comparisons.study import ComparisonStudy, Covariates
from ranking.stats.rankings.expected_wins import expected_wins_of_judge
from ranking.stats.rankings.methods import METHODS, Method
from ranking.stats.resampling import Unit
from ranking.stats.tally import Tally

# At 90 % these are enough, and eight judges take no longer than the ranking of all.
LEVEL, MOST_REPLICATES = 0.9, 200
MOST_NAMED = 5
WITHOUT = "judges without a ranking of their own"
COLUMNS = ("judge", "method", "system", "score", "score_low", "score_high", "rank", "rank_low", "rank_high", "cluster")


def _won_or_nothing(counted: Tally) -> np.ndarray:
    return np.nan_to_num(expected_wins_of_judge(counted))


OF_ONE_JUDGE = replace(METHODS["expected-wins-published"], of_tally=_won_or_nothing)


def standings_by_judge(study: ComparisonStudy) -> Iterator[Table | Gap]:
    """Rank by each judge alone; judges who compared too little are named."""
    rows: list[tuple] = []
    apart: list[str] = []
    refused: dict[str, list[str]] = {}
    for number, judge in enumerate(study.names.judges):
        own = _of_judge(study, number)
        if own.apart:
            apart.append(judge)
            continue
        for method in _methods(study):
            try:
                rows += [(judge, method.name, one.system, one.score, one.low, one.high, one.rank, one.best, one.worst,
                          one.cluster) for one in ranked(own, method)]  # fmt: skip
            except StatisticsError as reason:
                refused.setdefault(str(reason), []).append(judge)
    if apart:
        named = f"{', '.join(apart[:MOST_NAMED])}{', ...' * (len(apart) > MOST_NAMED)}"
        yield Gap(
            WITHOUT,
            f"{len(apart)} of {len(study.names.judges)} judges never compared some systems with others ({named}).",
        )
    for words, judges in refused.items():
        yield Gap(f"ranking by {', '.join(dict.fromkeys(judges))} alone", words)
    if rows:
        yield Table.of("standings_by_judge", COLUMNS, rows)


def _of_judge(study: ComparisonStudy, number: int) -> ComparisonStudy:
    own = np.flatnonzero(study.ballots.judge == number)
    weights = study.covariates.weights
    is_published = study.parameters.intervals == PERCENTILE
    chosen = study.parameters.changed(
        unit=Unit.PAIR if is_published else Unit.SENTENCE,
        level=LEVEL,
        replicates=min(study.parameters.replicates, MOST_REPLICATES),
        clusters="next-only" if is_published else study.parameters.clusters,
    )
    covariates = Covariates(weights=weights[own] if len(weights) else weights)
    return ComparisonStudy(study.ballots.choose(own), study.names, chosen, study.are_ratings, covariates)


def _methods(study: ComparisonStudy) -> list[Method]:
    """The method to cite, and TrueSkill if it was chosen."""
    first, *others = (METHODS[name] for name in study.parameters.methods)
    chosen = [first, *(method for method in others if method.run)]
    return [OF_ONE_JUDGE if method.name == OF_ONE_JUDGE.name else method for method in chosen]
