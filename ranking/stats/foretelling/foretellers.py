"""Methods as accuracy needs them: scores from the tallies of replicates, by the names that methods have in a report.

A method with chance of its own (TrueSkill) makes one run on each tally, with random numbers of the replicate's own.
Methods for ratings are not here: accuracy counts comparisons, which their means do not foretell.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from typing import NamedTuple

import numpy as np

from ranking.stats.rankings import trueskill
from ranking.stats.rankings.bradley_terry import bradley_terry
from ranking.stats.rankings.expected_wins import expected_wins
from ranking.stats.tally import Tally


class Foreteller(NamedTuple):
    """Scores, a row each, from tallies of replicates, a seed, and the number of the first replicate.

    As published, one with chance of its own is repeated on the same judgments instead of on drawn ones.
    """

    scores: Callable[[Tally, int, int], np.ndarray]
    has_chance: bool


def _counting(score: Callable[[Tally], np.ndarray]) -> Foreteller:
    return Foreteller(lambda tallies, seed, first: score(tallies), has_chance=False)


def _running(run: Callable[[Tally, int, int, int], np.ndarray]) -> Foreteller:
    """One run on each tally, side by side on all processors."""

    def scores(tallies: Tally, seed: int, first: int) -> np.ndarray:
        with ThreadPoolExecutor(cpu_count()) as pool:
            runs = pool.map(lambda place: run(tallies[place], 1, seed, first + place)[0], range(len(tallies.wins)))
            return np.stack(list(runs))

    return Foreteller(scores, has_chance=True)


EXPECTED_WINS = _counting(expected_wins)
TRUESKILL = _running(trueskill.sampled)

FORETELLERS = {
    "expected-wins": EXPECTED_WINS,
    "bradley-terry": _counting(bradley_terry),
    "trueskill-published": TRUESKILL,
    "trueskill": _running(trueskill.passed),
}
