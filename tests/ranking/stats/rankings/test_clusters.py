"""Clusters from rank ranges: by hand, for any ranges, and where the published rules go wrong."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.stats.rankings.ranges import RULES, RankRange, all_later, never_overlapping, next_only, supported
from tests import published

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


def test_clusters_overlap_only_by_the_published_rules():
    overlapping = ranges((1, 5), (2, 3), (4, 6))
    assert all_later(overlapping) == next_only(overlapping) == [1, 1, 2]
    assert never_overlapping(overlapping) == [1, 1, 1]


def test_the_rule_of_single_judges_looks_at_the_next_system_only():
    looking_back = ranges((1, 2), (3, 4), (2, 5))
    assert next_only(looking_back) == [1, 2, 2]
    assert all_later(looking_back) == [1, 1, 1]


def test_a_boundary_stays_only_where_all_pairs_across_it_differ():
    differ = ~np.eye(4, dtype=bool)
    assert supported([1, 2, 3, 3], differ) == [1, 2, 3, 3]
    differ[0, 3] = differ[3, 0] = False
    assert supported([1, 2, 3, 3], differ) == [1, 1, 1, 1]
    differ[0, 3] = differ[3, 0] = True
    differ[1, 2] = differ[2, 1] = False
    assert supported([1, 2, 3, 4], differ) == [1, 2, 2, 3]
    assert supported([], differ[:0, :0]) == []


@given(any_ranges)
def test_never_overlapping_clusters_do_not_overlap(given_ranges):
    clusters = never_overlapping(given_ranges)
    for place, cluster in enumerate(clusters):
        for later, other in enumerate(clusters[place:], place):
            if other > cluster:
                assert given_ranges[place].worst < given_ranges[later].best


@given(any_ranges)
def test_never_overlapping_clusters_are_never_finer_than_the_published_ones(given_ranges):
    for rule in (all_later, next_only):
        published_clusters = rule(given_ranges)
        assert max(never_overlapping(given_ranges), default=0) <= max(published_clusters, default=0)


@given(any_ranges)
def test_clusters_are_numbered_from_one_without_gaps(given_ranges):
    for rule in RULES.values():
        clusters = rule(given_ranges)
        assert clusters == sorted(clusters)
        assert set(clusters) == set(range(1, max(clusters, default=0) + 1))


@pytest.mark.parametrize("rule", RULES.values())
def test_every_rule_gives_the_printed_clusters_of_table_3b(rule):
    rows = published.golden()["paper"]["table3b"]
    assert rule([RankRange(row["lo"], row["hi"]) for row in rows]) == [row["cluster"] for row in rows]
