"""How often two metrics that agree with people equally well are called different, and two that do not are.

People's scores of ten systems are known. A metric adds to them what it has for or against each system, at right angles
to people's scores, so that as much of it, for other systems, in another metric makes r the same. A sentence is easy or
hard for all systems, and outputs vary around that. People score outputs with noise of their own. Five metrics of which
four are equally good make a family; PERM-BOTH and Williams' test see its first two.
"""

from collections.abc import Iterator

import numpy as np

from ranking.numbers.correlation import pearson
from ranking.numbers.tables import Table
from ranking.stats.metaevaluation.metric_tests import OTHER_SENTENCES, comparisons_of_metrics, williams_test
from ranking.stats.metaevaluation.scores import SYSTEM, HumanScores, ScoredSystems, mean_scores
from ranking.stats.resampling import draw

SYSTEMS, SENTENCES, LEVEL = 10, 300, 0.95
COLUMNS = ("metrics favour systems by", "test", "false of equally good", "better one found", "campaigns")
# A metric's own preferences, as a share of how far apart people's scores are; the poor one has twice as much.
FAVOURS = (0.0, 0.1, 0.25, 0.5)
POOR = 2.0


def metric_tests(campaigns: int, replicates: int) -> Table:
    return Table.of(
        "metric-tests", COLUMNS, [row for favour in FAVOURS for row in _rows(favour, campaigns, replicates)]
    )


def _rows(favour: float, campaigns: int, replicates: int) -> Iterator[tuple]:
    rng = np.random.default_rng(11)
    found = {"sentences drawn": [0, 0], "PERM-BOTH": [0, 0], "Williams": [0, 0]}
    for _ in range(campaigns):
        human, metrics = _campaign(favour, rng)
        drawn = draw(SENTENCES, replicates, int(rng.integers(1 << 30)))
        people = HumanScores("people", human.mean(axis=0), mean_scores(human, drawn))
        scored = [
            ScoredSystems(str(number), SYSTEM, one.mean(axis=0), mean_scores(one, drawn))
            for number, one in enumerate(metrics)
        ]
        called = {
            tuple(sorted(map(int, row[2:4])))
            for row in comparisons_of_metrics(people, scored, {}, LEVEL)
            if row[1] == OTHER_SENTENCES and row[-1] <= 1 - LEVEL
        }
        found["sentences drawn"][0] += any(4 not in pair for pair in called)
        found["sentences drawn"][1] += (0, 4) in called
        for place, other in enumerate((1, 4)):
            found["PERM-BOTH"][place] += _perm_both(people.scores, metrics[0], metrics[other], rng) <= 1 - LEVEL
            three = np.corrcoef([people.scores, scored[0].scores, scored[other].scores])
            _, p_value = williams_test(three[0, 1], three[0, 2], three[1, 2], SYSTEMS)
            found["Williams"][place] += min(p_value, 1 - p_value) * 2 <= 1 - LEVEL
    for test, (false, power) in found.items():
        yield favour, test, false / campaigns, power / campaigns, campaigns


def _campaign(favour: float, rng: np.random.Generator) -> tuple[np.ndarray, list[np.ndarray]]:
    """People's scores of outputs, a row each sentence, and those of five metrics, of which the last is worse."""
    true = np.linspace(-1, 1, SYSTEMS)
    sentences = rng.normal(size=(SENTENCES, 1))
    metrics = []
    for more in (1, 1, 1, 1, POOR):
        own = rng.normal(size=SYSTEMS)
        own -= own.mean() + true * (own @ true) / (true @ true)
        own *= more * (favour or POOR * (more > 1)) * np.linalg.norm(true) / np.linalg.norm(own)
        metrics.append(true + own + sentences + rng.normal(0, 2, (SENTENCES, SYSTEMS)))
    return true + sentences + rng.normal(0, 1, (SENTENCES, SYSTEMS)), metrics


def _perm_both(human: np.ndarray, one: np.ndarray, other: np.ndarray, rng: np.random.Generator) -> float:
    """Two-sided p: a coin for every output decides whose standardised score is whose."""
    first, second = ((scores - scores.mean()) / scores.std() for scores in (one, other))
    observed = pearson(human, first.mean(axis=0)) - pearson(human, second.mean(axis=0))
    coins = rng.integers(0, 2, (200, *one.shape)) * 2 - 1
    middle, gained = (first + second).mean(axis=0) / 2, (coins * (first - second)).mean(axis=1) / 2
    drawn = pearson(human, middle + gained) - pearson(human, middle - gained)
    return float((1 + (np.abs(drawn) >= abs(observed)).sum()) / (1 + len(drawn)))
