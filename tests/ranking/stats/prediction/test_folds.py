"""Folds: by hand, and that nothing is lost, doubled or leaked with any judgments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.prediction import Folds, folds_of
from ranking.stats.resampling import Unit, cells_of, resample_pairs, tallies_of
from ranking.stats.tally import Tally, tally
from tests.ranking.stats.ballots import any_ballots, ballot, columns, published_columns

FIVE = columns([ballot(("A", 1), ("B", 2), segment=n) for n in range(5)], 2)


def compared(counts) -> np.ndarray:
    return np.triu(counts.compared).sum(axis=(-2, -1))


@pytest.mark.parametrize("unit", [Unit.SENTENCE, Unit.RANKING, Unit.PAIR])
def test_five_in_two_folds_are_three_and_two(unit):
    assert compared(folds_of(FIVE, unit, 2, seed=1).tallies).tolist() == [3, 2]


@pytest.mark.wide
@given(any_ballots, st.sampled_from([Unit.SENTENCE, Unit.RANKING, Unit.PAIR]), st.integers(2, 4), st.integers(0, 99))
def test_folds_add_up_to_all_and_training_is_the_rest(ballots, unit, number, seed):
    given_columns = columns(ballots)
    try:
        folds = folds_of(given_columns, unit, number, seed)
    except StatisticsError:
        return
    whole = tally(given_columns)
    assert len(folds) == number
    assert np.array_equal(cells_of(folds.tallies.total()), cells_of(whole))
    for fold in range(number):
        assert np.array_equal(folds.training[fold].wins + folds.tallies[fold].wins, whole.wins)
        assert (folds.training[fold].wins >= 0).all()


def test_comparisons_are_assigned_evenly_and_by_chance():
    ballots = published_columns()
    folds = folds_of(ballots, Unit.PAIR, 100, seed=3).tallies
    sizes = compared(folds)
    assert set(sizes.tolist()) <= {1090, 1091}
    assert sizes.sum() == 109098
    shares = np.triu(folds.ties + folds.shared).sum(axis=(1, 2)) / sizes
    assert shares.std() == pytest.approx(np.sqrt(0.54 * 0.46 / 1091), rel=0.25)


def test_training_replicates_have_nothing_of_the_fold():
    """Each sentence compares another pair, so that a draw shows where it comes from."""
    pairs = [("A", "B"), ("A", "C"), ("A", "D"), ("B", "C"), ("B", "D"), ("C", "D")]
    ballots = columns([ballot((x, 1), (y, 2), segment=n) for n, (x, y) in enumerate(pairs)], 4)
    for unit in (Unit.SENTENCE, Unit.PAIR):
        folds = folds_of(ballots, unit, 3, seed=5)
        for fold, drawn in enumerate(folds.training_drawn(20)):
            assert (drawn.wins.sum(axis=(1, 2)) == 4).all()
            assert not drawn.wins[:, folds.tallies.wins[fold] > 0].any()


@pytest.mark.parametrize("unit", [Unit.SENTENCE, Unit.PAIR])
def test_the_same_seed_assigns_and_draws_the_same(unit):
    ballots = published_columns()
    one, same, other = (folds_of(ballots, unit, 7, seed) for seed in (1, 1, 2))
    assert np.array_equal(one.tallies.wins, same.tallies.wins)
    assert not np.array_equal(one.tallies.wins, other.tallies.wins)
    drawn, again = one.training_drawn(4), same.training_drawn(4)
    assert np.array_equal(drawn[3].wins, again[3].wins)
    assert not np.array_equal(drawn[3].wins, drawn[4].wins)


def test_counts_in_a_row_are_the_same_counts():
    counted = tally(published_columns())
    again = tallies_of(cells_of(counted)[None], counted.systems)[0]
    assert all(np.array_equal(getattr(again, name), getattr(counted, name)) for name in ("wins", "ties", "shared"))


@pytest.mark.parametrize(
    ("folds", "why"),
    [(1, "With fewer than 2 folds there is nothing to train on"), (6, "6 folds need at least 6 sentences, not 5")],
)
def test_folds_need_enough_to_be_assigned(folds, why):
    with pytest.raises(StatisticsError, match=why):
        folds_of(FIVE, Unit.SENTENCE, folds, seed=1)


def leaks_drawn(folds: Folds, runs: int, fold: int) -> Tally:
    return resample_pairs(folds.leaky_training(runs), runs, folds.seed, folds.first_of(fold, runs))


def test_the_toy_of_the_definition():
    pairs = [("A", "B"), ("A", "C"), ("B", "C")]
    ballots = columns([ballot((x, 1), (y, 2), segment=n) for n, (x, y) in enumerate(pairs)], 3)
    folds = folds_of(ballots, Unit.PAIR, 3, seed=1)
    runs = folds.leaky_training(4)
    assert np.array_equal(runs.wins[1], folds.tallies.wins[0] + folds.tallies.wins[2])
    assert np.array_equal(runs.wins[3], folds.tallies.total().wins)


@pytest.mark.parametrize(("run", "dropped"), [(0, 10), (7, 19), (57, 1), (100, 0)])
def test_a_run_leaves_out_folds_by_the_digits_of_their_numbers(run, dropped):
    ballots = columns([ballot(("A", 1), ("B", 2), segment=n) for n in range(100)], 2)
    folds = folds_of(ballots, Unit.PAIR, 100, seed=1)
    assert int(folds.leaky_training(101).wins[run].sum()) == 100 - dropped
    for fold in (3, 57):
        assert int(leaks_drawn(folds, 101, fold).wins[run].sum()) == 100 - dropped


def test_most_runs_have_seen_what_is_predicted_and_each_fold_draws_for_itself():
    folds = folds_of(published_columns(), Unit.PAIR, 100, seed=1)
    whole = folds.tallies.total().wins.sum()
    left_out = 1 - folds.leaky_training(100).wins.sum(axis=(1, 2)) / whole
    assert np.median(left_out) == pytest.approx(0.01, abs=0.002)
    assert np.array_equal(leaks_drawn(folds, 5, 4).wins, leaks_drawn(folds, 5, 4).wins)
    assert not np.array_equal(leaks_drawn(folds, 5, 4).wins, leaks_drawn(folds, 5, 5).wins)
