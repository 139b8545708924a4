"""Rank ranges and what else replicates say: by hand, for any scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from ranking.numbers.intervals import left_out
from ranking.numbers.tables import StatisticsError
from ranking.stats.rankings.ranges import p_beats, ranks_of, shared_places, shared_ranks, uncertainty

any_scores = st_numpy.arrays(float, st.tuples(st.integers(1, 12), st.integers(2, 5)), elements=st.integers(-4, 4))


@pytest.mark.parametrize(
    ("replicates", "level", "dropped"), [(1000, 0.95, 25), (100, 0.95, 3), (4, 0.5, 1), (1, 0.95, 0), (2, 0.5, 0)]
)
def test_as_many_are_left_out_as_published(replicates, level, dropped):
    assert left_out(replicates, level) == dropped


def test_the_toy_of_the_definition():
    ranks = np.array([[1, 2, 3, 4, 5], [2, 1, 3, 4, 5], [2, 1, 3, 4, 5], [5, 1, 2, 3, 4]])
    assert uncertainty(-ranks.astype(float), 0.5).ranges[0] == (2, 2)


def test_equal_scores_share_the_ranks_they_take_up():
    best, worst = shared_places(np.array([[1.0, 3.0, 1.0, 0.5]]))
    assert (best.tolist(), worst.tolist()) == ([[2, 1, 2, 4]], [[3, 1, 3, 4]])


def test_systems_that_are_always_equal_have_one_range():
    assert uncertainty(np.array([[0.7, 0.7, 0.1]] * 20), 0.95).ranges == [(1, 2), (1, 2), (3, 3)]


def test_a_replicate_that_lacks_a_score_is_left_out():
    scores = np.array([[0.1, 0.2], [np.nan, 0.3], [0.2, 0.1]])
    assert uncertainty(scores, 0.95).p_best.tolist() == [0.5, 0.5]
    with pytest.raises(StatisticsError, match="lacks a score"):
        uncertainty(scores[1:2], 0.95)


def test_among_equal_scores_the_later_system_comes_first():
    assert ranks_of(np.array([[1.0, 3.0, 1.0]])).tolist() == [[3, 1, 2]]


def test_the_highest_score_ranks_first_and_equal_scores_share_the_better_rank():
    assert shared_ranks(np.array([0.2, 0.9, 0.5, 0.5, 0.1])) == [4, 1, 2, 2, 5]
    assert shared_ranks(np.array([])) == []


@given(any_scores)
def test_every_replicate_gives_each_rank_once(scores):
    assert (np.sort(ranks_of(scores), axis=1) == np.arange(1, scores.shape[1] + 1)).all()


@given(any_scores, st.floats(0.01, 0.99))
def test_a_range_lies_within_the_ranks_and_an_interval_within_the_scores(scores, level):
    found = uncertainty(scores, level)
    firsts, lasts = shared_places(scores)
    for system, (best, worst) in enumerate(found.ranges):
        assert firsts[:, system].min() <= best <= worst <= lasts[:, system].max()
        assert scores[:, system].min() <= found.low[system] <= found.high[system] <= scores[:, system].max()


@given(any_scores, st.floats(0.01, 0.5), st.floats(0.5, 0.99))
def test_more_certainty_wants_wider_ranges(scores, low, high):
    for narrow, wide in zip(uncertainty(scores, low).ranges, uncertainty(scores, high).ranges, strict=True):
        assert wide.best <= narrow.best
        assert narrow.worst <= wide.worst


@given(any_scores)
def test_somebody_is_best_and_of_two_one_beats_the_other(scores):
    assert uncertainty(scores, 0.95).p_best.sum() == pytest.approx(1)
    chances = p_beats(scores)
    assert (chances + chances.T) == pytest.approx(np.ones(chances.shape))
