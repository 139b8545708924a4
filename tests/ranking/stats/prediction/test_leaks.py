"""The slip in the published recipe: by hand, and what it does to training."""

import numpy as np
import pytest

from ranking.stats.prediction.folds import Folds, folds_of, leaks_of
from ranking.stats.resampling import Unit
from tests.ranking.stats.ballots import ballot, columns, published_columns


def hundred_folds() -> Folds:
    return folds_of(columns([ballot(("A", 1), ("B", 2), segment=n) for n in range(100)], 2), Unit.PAIR, 100, seed=1)


def test_the_toy_of_the_definition():
    pairs = [("A", "B"), ("A", "C"), ("B", "C")]
    ballots = columns([ballot((x, 1), (y, 2), segment=n) for n, (x, y) in enumerate(pairs)], 3)
    folds = folds_of(ballots, Unit.PAIR, 3, seed=1)
    runs = leaks_of(folds, 4).training()
    assert np.array_equal(runs.wins[1], folds.tallies.wins[0] + folds.tallies.wins[2])
    assert np.array_equal(runs.wins[3], folds.tallies.total().wins)


@pytest.mark.parametrize(("run", "dropped"), [(0, 10), (7, 19), (57, 1), (100, 0)])
def test_a_run_leaves_out_folds_by_the_digits_of_their_numbers(run, dropped):
    leaks = leaks_of(hundred_folds(), 101)
    assert int(leaks.training().wins[run].sum()) == 100 - dropped
    for fold in (3, 57):
        assert int(leaks.drawn(fold).wins[run].sum()) == 100 - dropped


def test_most_runs_have_seen_what_is_predicted():
    folds = folds_of(published_columns(), Unit.PAIR, 100, seed=1)
    whole = folds.tallies.total().wins.sum()
    left_out = 1 - leaks_of(folds, 100).training().wins.sum(axis=(1, 2)) / whole
    assert np.median(left_out) == pytest.approx(0.01, abs=0.002)


def test_each_fold_draws_for_itself_and_every_time_the_same():
    leaks = leaks_of(folds_of(published_columns(), Unit.PAIR, 100, seed=1), 5)
    assert np.array_equal(leaks.drawn(4).wins, leaks.drawn(4).wins)
    assert not np.array_equal(leaks.drawn(4).wins, leaks.drawn(5).wins)
