"""What people thought of each output, by hand."""

import numpy as np
import pytest

from ranking.stats.comparisons.compared import output_sums, places
from ranking.stats.comparisons.study import PRESETS, ComparisonStudy, Names
from tests.ranking.stats.ballots import ballot, columns

NAN = np.nan


def scores_of(*ballots, judges: int = 8, are_ratings: bool = False) -> list[list[float]]:
    names = Names(("A", "B", "C"), tuple(f"judge {number}" for number in range(judges)))
    study = ComparisonStudy(columns(ballots, systems=3), names, PRESETS["recommended"], are_ratings)
    return output_sums(study).scores.tolist()


def test_shares_of_comparisons_won_and_mean_ratings_by_hand():
    won, again = ballot(("A", 1), ("B", 2), ("C", 1)), ballot(("B", 1), ("C", 2), segment=1)
    assert scores_of(won, again) == [[0.75, 0, 0.75], [pytest.approx(NAN, nan_ok=True), 1, 0]]
    # C loses twice to the one output of A and B, which therefore won all its comparisons.
    assert scores_of(ballot(("AB", 1), ("C", 2))) == [[1, 1, 0]]
    # Merits are ranks with the other sign here; the second judge stands for automatic ties.
    given = ballot(("A", -80), ("B", -60)), ballot(("A", -1), ("B", -1), judge=1)
    assert scores_of(*given, judges=1, are_ratings=True) == [[80, 60, pytest.approx(NAN, nan_ok=True)]]


def test_places_between_the_lowest_and_the_highest():
    assert places(np.array([5, 3, 9, 5])).tolist() == [0.5, 0, 1, 0.5]
    assert places(np.array([5.0])).tolist() == [0]
