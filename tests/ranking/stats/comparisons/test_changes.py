"""What changed between two reports, on reports so small that it can be seen."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import Table
from ranking.stats.comparisons.changes import (
    CHANGES,
    Conclusion,
    compare,
    join_names,
    regroupings,
)
from ranking.stats.comparisons.standings import PAIRS, STANDINGS

CHOICES = {"methods": ["expected-wins"], "seed": 1, "judgments": 100}


def ranked(*places: tuple[str, int], method: str = "expected-wins") -> list[tuple]:
    """Systems with their clusters, the best first."""
    return [
        (method, "sentence", cluster, rank, system, 1 / rank, 0.0, 1.0, rank, rank, 0.5)
        for rank, (system, cluster) in enumerate(places, 1)
    ]


def pair(system: str, opponent: str, difference: float, p_value: float, method: str = "expected-wins") -> tuple:
    """A pair, the better one first."""
    return (method, system, opponent, difference, 0.0, 1.0, 0.5, p_value, p_value <= 0.05, None, None)


def concluded(standings: list[tuple] = (), pairs: list[tuple] = (), name: str = "report 2", **choices) -> Conclusion:
    tables = [Table.of("standings", STANDINGS, standings), Table.of("pairs", PAIRS, pairs)]
    return Conclusion(name, {table.name: table for table in tables if table.rows}, CHOICES | choices)


BEFORE = concluded(ranked(("A", 1), ("B", 1), ("C", 1)), [pair("A", "B", 0.1, 0.2)], "report 1")


def test_the_same_report_twice_changes_nothing_and_numbers_may_move_while_conclusions_stand():
    changes = compare(BEFORE, BEFORE)
    assert changes.is_empty
    assert changes.conclusions_stand
    assert changes.sentences() == ["Nothing changed."]
    assert [line["moved"] for line in changes.moves.dicts()] == [0, 0, 0]
    changes = compare(BEFORE, concluded(ranked(("B", 1), ("A", 1), ("C", 1)), [pair("A", "B", 0.05, 0.4)]))
    assert changes.conclusions_stand
    assert not changes.is_empty
    assert changes.sentences() == ["No cluster and no pair changed."]


def test_clusters_that_split_systems_that_move_and_changed_choices_are_listed():
    changes = compare(BEFORE, concluded(ranked(("B", 1), ("A", 1), ("C", 2)), [pair("A", "B", 0.1, 0.2)]))
    assert changes.sentences() == ["Expected Wins: Cluster 1 split: B and A are now ahead of C."]
    assert changes.moves.columns == CHANGES
    assert changes.moves.rows[0] == (
        "expected-wins", "expected-wins", "B", 1, 1, 2, 1, 2, 2, 1, 1, 0.5, 1.0, 1,
    )  # fmt: skip
    assert [(line["system"], line["moved"]) for line in changes.moves.dicts()] == [("B", 1), ("A", -1), ("C", 0)]
    later = concluded(ranked(("A", 1), ("B", 1), ("C", 1)), [pair("A", "B", 0.1, 0.2)], judgments=120, folds="none")
    changes = compare(BEFORE, later)
    assert changes.choices == {"judgments": ("100", "120"), "folds": ("", "none")}
    assert changes.sentences()[:2] == ["judgments: 100 before, 120 now.", "folds: not chosen before, none now."]


def test_what_only_one_report_ranks_is_listed_and_the_others_compared():
    later = concluded(
        ranked(("A", 1), ("B", 1), ("D", 2)) + ranked(("A", 1), method="mean-score"), [pair("A", "B", 0.1, 0.2)]
    )
    changes = compare(BEFORE, later)
    assert changes.only_in_one == ("Only report 1 ranks C.", "Only report 2 ranks D and by Mean score.")
    assert [line["system"] for line in changes.moves.dicts()] == ["A", "B"]
    assert not changes.conclusions_stand
    changes = compare(BEFORE, concluded())
    assert changes.only_in_one == ("Only report 1 ranks by Expected Wins.",)
    assert changes.moves.rows == ()
    assert compare(concluded(), concluded()).is_empty
    assert not compare(concluded(), concluded()).conclusions_stand


def test_pairs_are_listed_once_from_the_side_of_the_better_one():
    places = ranked(("A", 1), ("B", 1), ("C", 1), ("D", 1))
    before = [pair("A", "B", 0.1, 0.2), pair("A", "C", 0.2, 0.01), pair("C", "B", 0.2, 0.04), pair("A", "D", 0.4, 0.01)]
    now = [pair("B", "A", 0.15, 0.05), pair("A", "C", 0.1, 0.06), pair("B", "C", 0.2, 0.01), pair("A", "D", 0.3, 0.02)]
    changes = compare(concluded(places, before), concluded(places, now))
    assert changes.sentences() == [
        "B is now better than A.",
        "A is no longer separated from C.",
        "B is now better than C, which was better before.",
    ]
    assert changes.pairs.rows[0] == (
        "expected-wins", "expected-wins", "B", "A", "not separated", "better", -0.1, 0.15, 0.2, 0.05
    )  # fmt: skip
    assert changes.separated_in_both == {"A": ["D"]}
    assert changes.pairs.rows[1][4:] == ("better", "not separated", 0.2, 0.1, 0.01, 0.06)


def test_without_a_common_method_the_rankings_to_cite_are_compared():
    places = ranked(("B", 1), ("A", 2), ("C", 2), method="mean-score")
    pairs = [pair("B", "A", 9, 0.01, "mean-score"), pair("B", "C", 9, 0.01, "mean-score")]
    earlier = concluded(
        ranked(("A", 1), ("B", 1), ("C", 2)), [pair("A", "B", 0.1, 0.2), pair("B", "C", 0.1, 0.02)], "report 1"
    )
    changes = compare(earlier, concluded(places, pairs))
    (cited,) = changes.rankings
    assert [(line["system"], line["rank_before"], line["rank"]) for line in cited.lines] == [
        ("B", 2, 1), ("A", 1, 2), ("C", 3, 3),
    ]  # fmt: skip
    assert changes.separated_in_both == {"B": ["C"]}
    assert [row[:6] for row in changes.pairs.rows] == [
        ("expected-wins", "mean-score", "B", "A", "not separated", "better")
    ]
    assert cited.regroupings == [
        "Cluster 1 split: B is now ahead of A.", "Joined in cluster 2: A is no longer ahead of C.",
    ]  # fmt: skip


def test_a_common_method_is_compared_and_scores_by_two_methods_are_not():
    both = [*ranked(("A", 1), ("B", 1), method="mean-score"), *ranked(("B", 1), ("A", 1))]
    changes = compare(BEFORE, concluded(both))
    assert [(one.before, one.now) for one in changes.rankings] == [
        ("expected-wins", "mean-score"), ("expected-wins", "expected-wins"),
    ]  # fmt: skip
    assert [line["moved"] for line in changes.moves.dicts()] == [0, 0, 1, -1]
    ranking = [(*line[:5], 99.0, *line[6:]) for line in ranked(("A", 1), ("B", 1), ("C", 1), method="mean-score")]
    assert not any(one.has_changed for one in compare(BEFORE, concluded(ranking)).rankings)
    again = [("expected-wins", *line[1:]) for line in ranking]
    assert all(one.has_changed for one in compare(BEFORE, concluded(again)).rankings)


def clusters(*groups: str) -> dict[str, int]:
    """A system a letter, a cluster a word."""
    return {system: number for number, group in enumerate(groups, 1) for system in group}


@pytest.mark.parametrize(
    ("before", "now", "sentences"),
    [
        (("X", "ABC"), ("X", "AB", "C"), ["Cluster 2 split: A and B are now ahead of C."]),
        (("ABC",), ("A", "B", "C"), ["Cluster 1 split: A is now ahead of B, and B of C."]),
        (("A", "BC"), ("ABC",), ["Joined in cluster 1: A is no longer ahead of B and C."]),
        (("A", "B", "C"), ("ABC",), ["Joined in cluster 1: A is no longer ahead of B, nor B of C."]),
        (("A", "B"), ("B", "A"), ["Overtaken: B is now ahead of A, and was behind."]),
        (("AB", "C"), ("A", "BC"), ["Cluster 1 split: A is now ahead of B.",
                                    "Joined in cluster 2: B is no longer ahead of C."]),
        (("AB", "C"), ("BA", "C"), []),
        # A newcomer that takes the first place alone moves every number and splits nothing.
        (("AB", "C"), ("N", "AB", "C"), []),
        (("X", "AB", "C"), ("AB", "C"), []),
    ],
)  # fmt: skip
def test_changes_of_clusters_are_described(before, now, sentences):
    assert regroupings(clusters(*before), clusters(*now)) == sentences


@given(st.dictionaries(st.sampled_from("ABCDEF"), st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1))
def test_what_is_split_one_way_round_is_joined_the_other(places):
    before = {system: place for system, (place, _) in places.items()}
    now = {system: place for system, (_, place) in places.items()}
    split = [
        re.sub(r"Cluster (\d+) split:", r"Joined in cluster \1:", one)
        .replace(" now ahead", " no longer ahead")
        .replace(", and ", ", nor ")
        for one in regroupings(before, now)
        if "split" in one
    ]
    assert split == [one for one in regroupings(now, before) if "Joined" in one]
    assert regroupings(before, before) == []


def test_names_are_listed_as_in_a_sentence():
    assert [join_names(["A"]), join_names(["A", "B"]), join_names(["A", "B", "C"])] == ["A", "A and B", "A, B and C"]
