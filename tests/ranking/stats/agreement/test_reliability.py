"""Split halves: by hand, against every split there is, and against what intraclass correlation predicts."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.reliability import Level, SplitHalf, icc, spearman_brown, split_halves
from tests.ranking.stats.ballots import Ballot, Group, columns, rated

any_ratings = st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=5), min_size=3, max_size=6)


def at(level: Level, found: list[SplitHalf]) -> SplitHalf:
    return next(each for each in found if each.level is level)


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
    (found,) = split_halves(columns(rated((1, 1), (2, 2), (3, 3))), seed=1)
    assert found == SplitHalf(Level.SENTENCE, *[pytest.approx(1)] * 4, 3)
    assert spearman_brown(1 / 2) == pytest.approx(2 / 3)


def test_stepping_up_follows_the_formula_of_spearman_and_brown():
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
    (found,) = split_halves(columns(rated(*ratings)), seed=1, splits=3000)
    for value, of in ((found.pearson, known), (found.spearman, rankdata(known, axis=2))):
        assert value == pytest.approx(np.mean([np.corrcoef(two)[0, 1] for two in of]), abs=0.03)


def test_one_split_of_two_judgments_is_the_correlation_of_one_with_the_other():
    ratings = ((1, 1), (3, 3), (2, 2), (9, 9))
    (found,) = split_halves(columns(rated(*ratings)), seed=1, splits=1)
    assert found.pearson == pytest.approx(1)


def test_halves_are_as_reliable_as_intraclass_correlation_predicts():
    ballots = columns(simulated(5, 300, 8, seed=2), 5, 8)
    found = at(Level.SENTENCE, split_halves(ballots, seed=3))
    assert found.compared == 1500
    assert found.pearson == pytest.approx(spearman_brown(icc(ballots).single, 4), abs=0.02)
    assert found.whole_pearson == pytest.approx(icc(ballots).mean, abs=0.02)


def test_systems_are_more_reliable_than_sentences():
    found = split_halves(columns(simulated(5, 300, 8, seed=2), 5, 8), seed=3)
    assert at(Level.SYSTEM, found).compared == 5
    assert at(Level.SYSTEM, found).pearson > 0.97 > at(Level.SENTENCE, found).pearson


def test_systems_behind_one_candidate_both_have_its_score():
    shared = [
        one._replace(groups=tuple(Group((s, s + 3), m) for (s,), m in one.groups)) for one in simulated(3, 9, 4, 5)
    ]
    alone = split_halves(columns(simulated(3, 9, 4, 5), 6, 4), seed=1)
    both = split_halves(columns(shared, 6, 4), seed=1)
    assert at(Level.SYSTEM, both).pearson == pytest.approx(at(Level.SYSTEM, alone).pearson)
    assert (at(Level.SYSTEM, alone).compared, at(Level.SYSTEM, both).compared) == (3, 6)
    assert at(Level.SENTENCE, both) == at(Level.SENTENCE, alone)


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
    assert [each.pearson for each in moved] == pytest.approx([each.pearson for each in one])


def test_what_was_judged_once_is_left_out_and_too_little_is_refused():
    (found,) = split_halves(columns(rated((1, 2), (2, 3), (5, 5), (9,))), seed=1)
    assert found.compared == 3
    with pytest.raises(StatisticsError, match="Fewer than 3 outputs were judged twice"):
        split_halves(columns(rated((1, 2), (2, 3), (5,))), seed=1)
