"""Intraclass correlation: by hand, as Shrout and Fleiss printed it, against scipy's analysis of variance."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import f_oneway

from ranking.numbers.intervals import interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.reliability import icc, icc_estimates
from ranking.stats.resampling import draw
from tests.ranking.stats.ballots import columns, rated

# Shrout and Fleiss (1979), Table 2: four ratings of six targets; ICC(1,1) = .17 and ICC(1,4) = .44 are in Table 4.
TARGETS = ((9, 2, 5, 8), (6, 1, 3, 2), (8, 4, 6, 8), (7, 1, 2, 6), (10, 5, 6, 9), (6, 2, 4, 7))

any_ratings = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4), min_size=2, max_size=6)


def test_the_toy_of_the_definition():
    assert icc(columns(rated((1, 3), (5, 7)))) == (pytest.approx(14 / 18), pytest.approx(14 / 16), 2)


def test_the_example_of_shrout_and_fleiss():
    found = icc(columns(rated(*TARGETS)))
    assert (round(found.single, 2), round(found.mean, 2), found.judgments) == (0.17, 0.44, 4)


@pytest.mark.wide
@given(any_ratings)
def test_the_ratio_of_mean_squares_is_that_of_scipy(ratings):
    assume(any(len(set(row)) > 1 for row in ratings))
    assume(len({np.mean(row) for row in ratings}) > 1)
    found, f = icc(columns(rated(*ratings))), f_oneway(*map(np.array, ratings)).statistic
    assert found.mean == pytest.approx(1 - 1 / f, rel=1e-9, abs=1e-9)
    assert found.single == pytest.approx((f - 1) / (f + found.judgments - 1), rel=1e-9, abs=1e-9)


@pytest.mark.wide
@given(any_ratings, st.integers(-5, 5), st.integers(1, 5))
def test_moving_and_stretching_all_ratings_changes_nothing(ratings, more, times):
    assume(any(len(set(row)) > 1 for row in ratings))
    assume(len({np.mean(row) for row in ratings}) > 1)
    moved = [[times * merit + more for merit in row] for row in ratings]
    assert icc(columns(rated(*moved))) == pytest.approx(icc(columns(rated(*ratings))), rel=1e-9, abs=1e-9)


def test_judgments_of_one_candidate_that_never_differ_are_perfectly_reliable():
    assert icc(columns(rated((1, 1), (2, 2, 2), (5, 5)))) == pytest.approx((1, 1, 2.3), abs=0.1)


def test_outputs_judged_once_are_refused():
    with pytest.raises(StatisticsError, match="have some judged twice"):
        icc(columns(rated((1,), (2,))))
    with pytest.raises(StatisticsError, match="have some judged twice"):
        icc(columns(rated((1, 2))))
    with pytest.raises(StatisticsError, match="have some judged twice"):
        icc(columns([]))


def test_outputs_of_one_mean_are_refused():
    with pytest.raises(StatisticsError, match="the same mean"):
        icc(columns(rated((1, 3), (2, 2))))


def test_an_interval_is_that_of_sentences_really_drawn():
    single, mean = icc_estimates(columns(rated(*TARGETS)), 9, seed=4, level=0.5)
    drawn = [
        icc(columns(rated(*(TARGETS[n] for n, times in enumerate(weights) for _ in range(times)))))
        for weights in draw(len(TARGETS), 9, seed=4).T
    ]
    assert single.interval == pytest.approx(interval_of(np.array([one.single for one in drawn]), 0.5))
    assert mean.interval == pytest.approx(interval_of(np.array([one.mean for one in drawn]), 0.5))


@pytest.mark.wide
def test_it_finds_the_share_of_variance_that_was_put_in():
    rng = np.random.default_rng(1)
    ratings = 3 * rng.normal(size=(2000, 1)) + 4 * rng.normal(size=(2000, 5))
    ballots = columns(rated(*ratings))
    assert icc(ballots).single == pytest.approx(9 / 25, abs=0.03)
    single, _ = icc_estimates(ballots, 200, seed=1)
    assert single.interval.low < 9 / 25 < single.interval.high
