"""Scores of 1000 replicates by Expected Wins, with single comparisons and with whole sentences drawn.

The reference draws and counts comparison by comparison in Python; its time for all replicates is extrapolated from a
few. Every run checks that both ways give the judgments themselves the same scores. Kernels are compiled beforehand.
"""

from typing import NamedTuple

import numpy as np

from benchmarks.ballots import published_or_made
from benchmarks.counting import comparisons_by_sentence, expected_wins_one_by_one, seconds_of_a_replicate
from benchmarks.processes import Measured, apart, timed
from benchmarks.table import Row
from ranking.stats.ballots import Ballots
from ranking.stats.rankings.expected_wins import expected_wins
from ranking.stats.resampling import Unit, resample
from ranking.stats.tally import tally

REPLICATES, SMALL_REPLICATES = 1000, 50
COUNTED = 3


class Drawn(NamedTuple):
    """Scores of replicates, and those of the judgments."""

    replicates: np.ndarray
    scores: np.ndarray


def measure(small: bool) -> list[Row]:
    """A pair of rows for each unit."""
    ballots, told = published_or_made(small)
    parts = comparisons_by_sentence(ballots)
    comparisons = [each for part in parts for each in part]
    plain = expected_wins_one_by_one(comparisons, ballots.systems)
    replicates = SMALL_REPLICATES if small else REPLICATES
    rows = []
    for unit, drawn in ((Unit.PAIR, [[each] for each in comparisons]), (Unit.SENTENCE, parts)):
        found = apart(draw, ballots, unit, replicates).value
        _agree(found.value.scores, plain)
        one_by_one = apart(seconds_of_a_replicate, drawn, ballots.systems, COUNTED)
        reference = one_by_one.value * replicates
        size = f"{told}, {replicates} replicates"
        rows += [
            Row(f"reference: one by one, from {COUNTED} ({unit}s)", size, reference, one_by_one.megabytes, 1),
            Row(f"Expected Wins, {unit}s drawn", size, found.seconds, found.megabytes, found.seconds / reference),
        ]
    return rows


def draw(ballots: Ballots, unit: Unit, replicates: int) -> Measured[Drawn]:
    """What a report does for the standings of this method."""
    expected_wins(resample(ballots, unit, 1, seed=0))
    return timed(
        lambda: Drawn(expected_wins(resample(ballots, unit, replicates, seed=0)), expected_wins(tally(ballots)))
    )


def _agree(found: np.ndarray, plain: np.ndarray) -> None:
    """A fast way to other scores would be worth nothing."""
    if not np.allclose(found, plain, rtol=0, atol=1e-12):
        raise SystemExit("Counting one by one gives other scores than the tally does.")
