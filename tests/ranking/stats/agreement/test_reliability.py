"""Reliability by split halves and intraclass correlation: by hand, and against every split, scipy and print."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import f_oneway, rankdata

from ranking.numbers.intervals import interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.reliability import SENTENCE, SYSTEM, icc, icc_estimates, spearman_brown, split_halves
from ranking.stats.resampling import draw
from tests.ranking.stats.ballots import Ballot, Group, columns, rated

any_ratings = st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=5), min_size=3, max_size=6)


def simulated(systems: int, segments: int, judgments: int, seed: int) -> list[Ballot]:
    """Every system has an output of its own on every segment, whose ratings are its quality and noise."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(0, 2, systems) + rng.normal(size=(segments, systems))
    ratings = quality + 1.5 * rng.normal(size=(judgments, segments, systems))
    return [
        Ballot(judge, segment, tuple(Group((system,), merit) for system, merit in enumerate(row)))
        for judge, by_segment in enumerate(ratings.tolist())
        for segment, row in enumerate(by_segment)
    ]


def test_the_toy_of_the_definition():
    assert split_halves(columns(rated((1, 1), (2, 2), (3, 3))), seed=1) == {SENTENCE: (pytest.approx(1),) * 2 + (3,)}
    assert spearman_brown(1 / 2) == pytest.approx(2 / 3)
    assert spearman_brown(0.6, 3) == pytest.approx(1.8 / 2.2)
    assert spearman_brown(0.4, 1) == pytest.approx(0.4)
    assert spearman_brown(spearman_brown(0.3, 2), 3) == pytest.approx(spearman_brown(0.3, 6))
    assert spearman_brown(-0.2) == -0.2


@pytest.mark.wide
def test_the_mean_over_many_splits_is_that_over_all_splits():
    ratings = ((1, 2, 3), (2, 5, 1), (4, 4, 6), (0, 2, 2))
    every = [
        list(zip(*(order[:2] for order in orders), strict=True)) for orders in product(*map(permutations, ratings))
    ]
    known = np.array([two for two in every if np.ptp(two, axis=1).all()])
    ((r, rho, _),) = split_halves(columns(rated(*ratings)), seed=1, splits=3000).values()
    for value, of in ((r, known), (rho, rankdata(known, axis=2))):
        assert value == pytest.approx(np.mean([np.corrcoef(two)[0, 1] for two in of]), abs=0.03)


def test_one_split_of_two_judgments_is_the_correlation_of_one_with_the_other():
    ratings = ((1, 1), (3, 3), (2, 2), (9, 9))
    ((r, *_),) = split_halves(columns(rated(*ratings)), seed=1, splits=1).values()
    assert r == pytest.approx(1)


def test_systems_behind_one_candidate_both_have_its_score():
    shared = [
        one._replace(groups=tuple(Group((s, s + 3), m) for (s,), m in one.groups)) for one in simulated(3, 9, 4, 5)
    ]
    alone = split_halves(columns(simulated(3, 9, 4, 5), 6, 4), seed=1)
    both = split_halves(columns(shared, 6, 4), seed=1)
    assert both[SYSTEM][0] == pytest.approx(alone[SYSTEM][0])
    assert (alone[SYSTEM][2], both[SYSTEM][2]) == (3, 6)
    assert both[SENTENCE] == alone[SENTENCE]


@pytest.mark.wide
@settings(max_examples=30)
@given(any_ratings, st.integers(0, 99))
def test_the_same_seed_splits_the_same_and_moving_all_ratings_changes_nothing(ratings, seed):
    try:
        one = split_halves(columns(rated(*ratings)), seed, splits=5)
    except StatisticsError:
        return
    moved = split_halves(columns(rated(*([merit * 2 + 8 for merit in row] for row in ratings))), seed, splits=5)
    assert one == split_halves(columns(rated(*ratings)), seed, splits=5)
    assert {level: found[0] for level, found in moved.items()} == pytest.approx({at: of[0] for at, of in one.items()})


def test_what_was_judged_once_is_left_out_and_too_little_is_refused():
    ((*_, compared),) = split_halves(columns(rated((1, 2), (2, 3), (5, 5), (9,))), seed=1).values()
    assert compared == 3
    with pytest.raises(StatisticsError, match="Fewer than 3 outputs were judged twice"):
        split_halves(columns(rated((1, 2), (2, 3), (5,))), seed=1)


# Shrout and Fleiss (1979), Table 2: four ratings of six targets; ICC(1,1) = .17 and ICC(1,4) = .44 are in Table 4.
TARGETS = ((9, 2, 5, 8), (6, 1, 3, 2), (8, 4, 6, 8), (7, 1, 2, 6), (10, 5, 6, 9), (6, 2, 4, 7))

some_ratings = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4), min_size=2, max_size=6)


def test_it_is_that_of_the_toy_and_of_shrout_and_fleiss():
    assert icc(columns(rated((1, 3), (5, 7)))) == (pytest.approx(14 / 18), pytest.approx(14 / 16), 2)
    single, mean, judgments = icc(columns(rated(*TARGETS)))
    assert (round(single, 2), round(mean, 2), judgments) == (0.17, 0.44, 4)
    assert icc(columns(rated((1, 1), (2, 2, 2), (5, 5)))) == pytest.approx((1, 1, 2.3), abs=0.1)


@pytest.mark.wide
@given(some_ratings)
def test_the_ratio_of_mean_squares_is_that_of_scipy(ratings):
    assume(any(len(set(row)) > 1 for row in ratings))
    assume(len({np.mean(row) for row in ratings}) > 1)
    (single, mean, judgments), f = icc(columns(rated(*ratings))), f_oneway(*map(np.array, ratings)).statistic
    assert mean == pytest.approx(1 - 1 / f, rel=1e-9, abs=1e-9)
    assert single == pytest.approx((f - 1) / (f + judgments - 1), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        (((1,), (2,)), "have some judged twice"),
        (((1, 2),), "have some judged twice"),
        ((), "have some judged twice"),
        (((1, 3), (2, 2)), "the same mean"),
    ],
)
def test_ratings_that_do_not_vary_as_they_must_are_refused(ratings, reason):
    with pytest.raises(StatisticsError, match=reason):
        icc(columns(rated(*ratings)))


def test_an_interval_of_icc_is_that_of_sentences_really_drawn():
    single, mean = icc_estimates(columns(rated(*TARGETS)), 9, seed=4, level=0.5)
    drawn = [
        icc(columns(rated(*(TARGETS[n] for n, times in enumerate(weights) for _ in range(times)))))
        for weights in draw(len(TARGETS), 9, seed=4).T
    ]
    assert single.interval == pytest.approx(interval_of(np.array([one for one, *_ in drawn]), 0.5))
    assert mean.interval == pytest.approx(interval_of(np.array([one for _, one, _ in drawn]), 0.5))


@pytest.mark.wide
def test_it_finds_the_share_of_variance_that_was_put_in():
    rng = np.random.default_rng(1)
    ratings = 3 * rng.normal(size=(2000, 1)) + 4 * rng.normal(size=(2000, 5))
    ballots = columns(rated(*ratings))
    assert icc(ballots)[0] == pytest.approx(9 / 25, abs=0.03)
    single, _ = icc_estimates(ballots, 200, seed=1)
    assert single.interval.low < 9 / 25 < single.interval.high
