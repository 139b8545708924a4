"""Rank ranges and what else replicates say: by hand, for any scores."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

from ranking.numbers.intervals import left_out
from ranking.numbers.tables import StatisticsError
from ranking.stats.rankings.uncertainty import (
    RULES,
    RankRange,
    all_later,
    never_overlapping,
    next_only,
    p_beats,
    ranks_of,
    shared_places,
    uncertainty,
)
from tests import published

any_scores = st_numpy.arrays(float, st.tuples(st.integers(1, 12), st.integers(2, 5)), elements=st.integers(-4, 4))


@pytest.mark.parametrize(
    ("replicates", "level", "dropped"), [(1000, 0.95, 25), (100, 0.95, 3), (4, 0.5, 1), (1, 0.95, 0), (2, 0.5, 0)]
)
def test_as_many_are_left_out_as_published(replicates, level, dropped):
    assert left_out(replicates, level) == dropped


def test_by_hand_equal_scores_share_ranks_and_a_replicate_that_lacks_one_is_left_out():
    ranks = np.array([[1, 2, 3, 4, 5], [2, 1, 3, 4, 5], [2, 1, 3, 4, 5], [5, 1, 2, 3, 4]])
    assert uncertainty(-ranks.astype(float), 0.5).ranges[0] == (2, 2)
    best, worst = shared_places(np.array([[1.0, 3.0, 1.0, 0.5]]))
    assert (best.tolist(), worst.tolist()) == ([[2, 1, 2, 4]], [[3, 1, 3, 4]])
    assert uncertainty(np.array([[0.7, 0.7, 0.1]] * 20), 0.95).ranges == [(1, 2), (1, 2), (3, 3)]
    assert ranks_of(np.array([[1.0, 3.0, 1.0]])).tolist() == [[3, 1, 2]]
    scores = np.array([[0.1, 0.2], [np.nan, 0.3], [0.2, 0.1]])
    assert uncertainty(scores, 0.95).p_best.tolist() == [0.5, 0.5]
    with pytest.raises(StatisticsError, match="lacks a score"):
        uncertainty(scores[1:2], 0.95)


@given(any_scores)
def test_every_replicate_gives_each_rank_once_somebody_is_best_and_of_two_one_beats_the_other(scores):
    assert (np.sort(ranks_of(scores), axis=1) == np.arange(1, scores.shape[1] + 1)).all()
    assert uncertainty(scores, 0.95).p_best.sum() == pytest.approx(1)
    chances = p_beats(scores)
    assert (chances + chances.T) == pytest.approx(np.ones(chances.shape))


@given(any_scores, st.floats(0.01, 0.99))
def test_ranges_lie_within_the_ranks_intervals_within_the_scores_and_more_certainty_widens_them(scores, level):
    found = uncertainty(scores, level)
    firsts, lasts = shared_places(scores)
    for system, (best, worst) in enumerate(found.ranges):
        assert firsts[:, system].min() <= best <= worst <= lasts[:, system].max()
        assert scores[:, system].min() <= found.low[system] <= found.high[system] <= scores[:, system].max()
    for narrow, wide in zip(found.ranges, uncertainty(scores, level + (1 - level) / 2).ranges, strict=True):
        assert wide.best <= narrow.best
        assert narrow.worst <= wide.worst


any_ranges = st.lists(
    st.tuples(st.integers(1, 9), st.integers(0, 4)).map(lambda pair: RankRange(pair[0], sum(pair))), max_size=9
)


def ranges(*pairs: tuple[int, int]) -> list[RankRange]:
    return [RankRange(*pair) for pair in pairs]


@pytest.mark.parametrize("rule", RULES.values())
def test_without_overlaps_every_system_is_alone(rule):
    assert rule(ranges((1, 1), (2, 2), (3, 3))) == [1, 2, 3]
    assert rule(ranges((1, 3), (1, 3), (1, 3))) == [1, 1, 1]
    assert rule([]) == []


def test_by_hand_rules_let_clusters_overlap():
    overlapping = ranges((1, 5), (2, 3), (4, 6))
    assert all_later(overlapping) == next_only(overlapping) == [1, 1, 2]
    assert never_overlapping(overlapping) == [1, 1, 1]
    looking_back = ranges((1, 2), (3, 4), (2, 5))
    assert next_only(looking_back) == [1, 2, 2]
    assert all_later(looking_back) == [1, 1, 1]


@given(any_ranges)
def test_clusters_are_numbered_without_gaps_and_never_overlapping_ones_are_never_finer(given_ranges):
    clusters = never_overlapping(given_ranges)
    for place, cluster in enumerate(clusters):
        for later, other in enumerate(clusters[place:], place):
            if other > cluster:
                assert given_ranges[place].worst < given_ranges[later].best
    for rule in (all_later, next_only):
        published_clusters = rule(given_ranges)
        assert max(never_overlapping(given_ranges), default=0) <= max(published_clusters, default=0)
    for rule in RULES.values():
        clusters = rule(given_ranges)
        assert clusters == sorted(clusters)
        assert set(clusters) == set(range(1, max(clusters, default=0) + 1))


@pytest.mark.parametrize("rule", RULES.values())
def test_every_rule_gives_the_printed_clusters_of_table_3b(rule):
    rows = published.golden()["paper"]["table3b"]
    assert rule([RankRange(row["lo"], row["hi"]) for row in rows]) == [row["cluster"] for row in rows]
