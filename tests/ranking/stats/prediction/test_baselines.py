"""Baselines of accuracy: by hand, counted one by one, and the published judgments."""

from dataclasses import replace

import pytest

from ranking.numbers.tables import StatisticsError
from ranking.stats.prediction.accuracy import HONEST, PUBLISHED, baselines
from tests import published
from tests.ranking.stats.ballots import ballot, columns, published_columns


def test_the_toy_of_the_definition():
    kinds = [(("A", 1), ("B", 2))] * 3 + [(("A", 2), ("B", 1))] + [(("A", 1), ("B", 1))] * 4
    ballots = columns([ballot(*groups, segment=number) for number, groups in enumerate(kinds * 10)], 2)
    found = baselines(ballots, 1)
    assert (found.tie, found.best, found.best_decisive) == (1 / 2, 1 / 2, 3 / 4)
    assert (found.majority, found.majority_decisive) == (1 / 2, 3 / 4)


def test_the_majority_is_that_of_the_other_folds():
    """On each sentence judges say the opposite of what they say on the other one."""
    ballots = columns([ballot(("A", 1), ("B", 2), segment=0), ballot(("B", 1), ("A", 2), segment=1)], 2)
    found = baselines(ballots, 1, replace(HONEST, folds=2))
    assert (found.majority, found.majority_decisive, found.best) == (0, 0, 1 / 2)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_published_baselines_are_exact(seed):
    golden = published.golden()["table4"]["in_sample"]
    found = baselines(published_columns(), seed, PUBLISHED)
    assert found.tie == pytest.approx(golden["all_ties_constant"], abs=1e-15)
    assert found.best == pytest.approx(golden["per_pair_majority"], abs=1e-15)
    assert found.best_decisive == pytest.approx(golden["per_pair_majority_non_ties"], abs=1e-15)
    assert round(100 * found.tie, 2) == 54.19


def test_always_a_tie_beats_both_published_methods():
    golden = published.golden()["paper"]["table4"]
    assert 100 * baselines(published_columns(), 1, PUBLISHED).tie > max(clustered for _, clustered in golden.values())


def test_without_a_preference_there_is_nothing_to_predict():
    with pytest.raises(StatisticsError, match="no order to predict"):
        baselines(columns([ballot(("A", 1), ("B", 1), segment=n) for n in range(12)], 2), 1)
