"""How well each metric agrees with people about the systems of the shared task of 2014.

People's scores are the published Expected Wins of the rankings of Grundkiewicz et al. (2015); metrics use both
references of the M2 file. `best pairs` are means of two metrics' standard scores: as they are chosen by what they
agree with, others would agree less well with other people.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
from scipy.stats import zscore

from ranking.metrics.catalogue import METRICS, metric_of
from ranking.metrics.errant_parser import is_installed
from ranking.metrics.scoring import score
from ranking.numbers.tables import Table
from ranking.stats.metaevaluation.correlations import Coefficient, correlation
from ranking.stats.rankings.expected_wins import expected_wins_as_published
from ranking.stats.tally import tally

PUBLISHED = Path(__file__).parent.parent / os.environ.get("SHARED_DATA", "../shared") / "data/gjg15"
LACKS = "SHARED_DATA lacks data/gjg15"
SOURCE = "INPUT"
BY_ERRANT = ("gotoscorer:edits=errant", "cleme:edits=errant", "cleme-independent:edits=errant", "cleme2:edits=errant")
COLUMNS = ("metric", "r", "rho", "r with source", "rho with source")
BEST = 5


def metrics(_: int, __: int) -> Table:
    """Correlate each metric, and the best pairs, over the systems without and with the unchanged source."""
    if not PUBLISHED.exists():
        return Table.of(LACKS, COLUMNS, [])
    from tests.ranking.metrics.published import gjg15_systems
    from tests.ranking.stats.ballots import published_columns

    people, systems = expected_wins_as_published(tally(published_columns())), gjg15_systems()
    scores = dict(_scores([*METRICS, *BY_ERRANT] if is_installed() else [name for name in METRICS if name != "errant"]))
    alone = [_line(name, systems, people, values) for name, values in scores.items()]
    pairs = [
        _line(f"{one} and {other}", systems, people, zscore(scores[one]) + zscore(scores[other]))
        for one, other in combinations(scores, 2)
    ]
    best = sorted(pairs, key=_r, reverse=True)[:BEST]
    return Table.of("metrics", COLUMNS, [*sorted(alone, key=_r, reverse=True), *best])


def _r(line: tuple[str | float, ...]) -> float:
    return float(line[1])


def _scores(names: Iterable[str]) -> Iterator[tuple[str, np.ndarray]]:
    from tests.ranking.metrics import published

    material, outputs = published.gjg15_gold(), published.gjg15_outputs()
    for name in names:
        metric = metric_of(name)
        scored = score(metric, material, published.gjg15_systems(), outputs)
        yield metric.main_scores[0], scored.systems[metric.main_scores[0]]


def _line(name: str, systems: Sequence[str], people: np.ndarray, values: np.ndarray) -> tuple[str | float, ...]:
    without = np.array([system != SOURCE for system in systems])
    r, rho, *with_source = (
        correlation(people[rows], values[rows], coefficient)
        for rows in (without, np.ones_like(without))
        for coefficient in (Coefficient.PEARSON, Coefficient.SPEARMAN)
    )
    return name, r, rho, *with_source
