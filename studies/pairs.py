"""Which pairs are resolved, and how often wrongly; and whether chances to be best come true.

Of chances of 0.4 to 0.8, 0.54 come true where 0.52 were promised among close systems; of those from replicates as they
are 0.43 where 0.55 were.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ranking.numbers.tables import Table
from ranking.stats.comparisons.standings import tests_of
from ranking.stats.comparisons.study import ComparisonStudy
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.pair_tests import holm, sentence_tests
from ranking.stats.rankings.uncertainty import chances_to_be_best, uncertainty
from ranking.stats.resampling import Unit
from studies.coverage import WORLDS
from studies.worlds import TWELVE, World

METHOD, LEVEL = METHODS["expected-wins"], 0.95
PAIRS = ("judges", "test", "some false find", "unequal pairs resolved")
BEST = ("true scores", "chance", "said from", "mean said", "came true", "systems")
BINS = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.01)
# How far true abilities are apart: their standard deviation, drawn anew for each campaign.
APART = {"close": 0.15, "apart": 0.45}
Better = Callable[[ComparisonStudy], np.ndarray]


def pairs(campaigns: int, replicates: int) -> Table:
    """Family-wise error and power of the tests of all pairs of twelve systems."""
    rows = [row for name, world in WORLDS.items() for row in _of_world(name, world, campaigns, replicates)]
    return Table.of("pairs", PAIRS, rows)


def _of_world(name: str, world: World, campaigns: int, replicates: int) -> Iterator[tuple]:
    rng = np.random.default_rng(4)
    tests: dict[str, Better] = {"Holm on sentence tests": _by_holm}
    tests |= {f"step-down maxima, {unit}": _by_maxima(unit) for unit in (Unit.SENTENCE, Unit.SENTENCE_AND_JUDGE)}
    found: dict[str, list[tuple]] = {test: [] for test in tests}
    truly = world.groups[:, None] < world.groups
    for _ in range(campaigns):
        study = world.study(world.campaign(world.tastes(rng), rng), replicates)
        for test, better_of in tests.items():
            better = better_of(study)
            found[test].append((bool((better & ~truly).any()), better[truly].mean()))
    for test, rights in found.items():
        yield (name, test, *np.mean(rights, axis=0).tolist())


def _by_holm(study: ComparisonStudy) -> np.ndarray:
    p_values, upper = sentence_tests(study.ballots), np.triu_indices(study.ballots.systems, 1)
    p_values[upper] = p_values.T[upper] = holm(p_values[upper].tolist())
    wins = study.counted.wins
    return (p_values <= 1 - LEVEL) & ((wins > wins.T) | (np.tril(wins == wins.T, -1)))


def _by_maxima(unit: Unit) -> Better:
    def better(study: ComparisonStudy) -> np.ndarray:
        under = study.with_parameters(unit=unit.value)
        return tests_of(under, under.scores(METHOD), under.replicates(METHOD)).better(LEVEL)

    return better


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
