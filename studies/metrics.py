"""How well each metric agrees with people about the systems of the shared task of 2014.

People's scores are the published Expected Wins of the rankings of Grundkiewicz et al. (2015); metrics use both
references of the M2 file. `best pairs` are means of two metrics' standard scores: as they are chosen by what they
agree with, others would agree less well with other people.

`correlations`: 12 systems of which people's true scores and the metric's correlate as said, and 300 sentences on which
both have noise. Does an interval hold the true correlation, and that of people and metric in another such campaign?
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
from ranking.numbers.correlation import pearson
from ranking.numbers.tables import Table
from ranking.stats.metaevaluation.correlations import Coefficient, correlation, over_systems
from ranking.stats.metaevaluation.scores import SYSTEM, HumanScores, ScoredSystems, mean_scores
from ranking.stats.rankings.expected_wins import expected_wins_as_published
from ranking.stats.resampling import draw
from ranking.stats.tally import tally

PUBLISHED = Path(__file__).parent.parent / os.environ.get("SHARED_DATA", "../shared") / "data/gjg15"
LACKS = "SHARED_DATA lacks data/gjg15"
SOURCE = "INPUT"
BY_ERRANT = ("gotoscorer:edits=errant", "cleme:edits=errant", "cleme-independent:edits=errant", "cleme2:edits=errant")
COLUMNS = ("metric", "r", "rho", "r with source", "rho with source")
BEST = 5
SYSTEMS, SENTENCES, DRAWN_ANEW = 12, 300, 60
HELD = (
    "true r", "people's error", "r found", "interval holds true r", "true r above it", "holds r of another", "campaigns"
)  # fmt: skip


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


def correlations(campaigns: int, replicates: int) -> Table:
    """Errors are those of people's scores of systems, in units of how far apart the true ones are; a metric's, half."""
    rows = []
    for true, error in ((0.6, 0.2), (0.6, 0.4), (0.9, 0.2), (0.9, 0.4)):
        rng, found = np.random.default_rng(7), []
        for _ in range(campaigns):
            centred = np.column_stack([np.ones(SYSTEMS), rng.normal(size=(SYSTEMS, 2))])
            human, own = np.linalg.qr(centred)[0].T[1:] * SYSTEMS**0.5
            scores = np.stack([human, true * human + (1 - true**2) ** 0.5 * own])
            noise = np.array([error, error / 2])[:, None]
            judged = scores[:, None] + noise[..., None] * SENTENCES**0.5 * rng.normal(size=(2, SENTENCES, SYSTEMS))
            drawn = draw(SENTENCES, replicates, int(rng.integers(1 << 30)))
            people, metric = ((one.mean(axis=0), mean_scores(one, drawn)) for one in judged)
            estimate = over_systems(
                HumanScores("", *people), ScoredSystems("", SYSTEM, *metric), Coefficient.PEARSON, 0, 0
            )
            low, high = estimate.interval
            anew = scores + noise * rng.normal(size=(DRAWN_ANEW, 2, SYSTEMS))
            other = np.median(pearson(anew[:, 0], anew[:, 1]))
            found.append((estimate.value, low <= true <= high, true > high, low <= other <= high))
        rows.append((true, error, *np.mean(found, axis=0).tolist(), campaigns))
    return Table.of("correlations", HELD, rows)


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
