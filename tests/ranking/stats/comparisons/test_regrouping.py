"""Clusters of two rankings: split, joined, overtaken, and described in sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.stats.comparisons.changes import Kind, listed, regroupings


def clusters(*groups: str) -> dict[str, int]:
    """A system a letter, a cluster a word."""
    return {system: number for number, group in enumerate(groups, 1) for system in group}


def sentences_of(before: dict[str, int], now: dict[str, int]) -> list[str]:
    return [regrouping.sentence() for regrouping in regroupings(before, now)]


@pytest.mark.parametrize(
    ("before", "now", "sentences"),
    [
        (("X", "ABC"), ("X", "AB", "C"), ["Cluster 2 split: A and B are now ahead of C."]),
        (("ABC",), ("A", "B", "C"), ["Cluster 1 split: A is now ahead of B, and B of C."]),
        (("A", "BC"), ("ABC",), ["Joined in cluster 1: A is no longer ahead of B and C."]),
        (("A", "B", "C"), ("ABC",), ["Joined in cluster 1: A is no longer ahead of B, nor B of C."]),
        (("A", "B"), ("B", "A"), ["Overtaken: B is now ahead of A, and was behind."]),
        (
            ("AB", "C"),
            ("A", "BC"),
            ["Cluster 1 split: A is now ahead of B.", "Joined in cluster 2: B is no longer ahead of C."],
        ),
        (("AB", "C"), ("BA", "C"), []),
    ],
)
def test_changes_of_clusters_are_described(before, now, sentences):
    assert sentences_of(clusters(*before), clusters(*now)) == sentences


def test_a_cluster_is_followed_by_its_members_not_by_its_number():
    """A newcomer that takes the first place alone moves every number and splits nothing."""
    assert sentences_of(clusters("AB", "C"), clusters("N", "AB", "C")) == []
    assert sentences_of(clusters("X", "AB", "C"), clusters("AB", "C")) == []


@given(st.dictionaries(st.sampled_from("ABCDEF"), st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1))
def test_what_is_split_one_way_round_is_joined_the_other(places):
    before = {system: place for system, (place, _) in places.items()}
    now = {system: place for system, (_, place) in places.items()}
    split = {(found.cluster, found.groups) for found in regroupings(before, now) if found.kind is Kind.SPLIT}
    joined = {(found.cluster, found.groups) for found in regroupings(now, before) if found.kind is Kind.JOINED}
    assert split == joined
    assert regroupings(before, before) == []


def test_names_are_listed_as_in_a_sentence():
    assert [listed(["A"]), listed(["A", "B"]), listed(["A", "B", "C"])] == ["A", "A and B", "A, B and C"]
