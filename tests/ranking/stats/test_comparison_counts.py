"""Comparisons: counted by hand, pair by pair, and as the paper prints them."""

from itertools import combinations

import pytest
from hypothesis import given

from ranking.stats.tally import Counts, count_by_judge
from tests import published
from tests.ranking.stats.ballots import Ballot, any_ballot, any_ballots, ballot, columns, published_columns


def count(*ballots: Ballot) -> Counts:
    return sum(count_by_judge(columns(ballots)), Counts())


def in_the_order_of_the_paper(counts: Counts) -> list[int]:
    return [counts.ballots, counts.unexpanded, counts.unexpanded_ties, counts.expanded, counts.expanded_ties]


def test_the_toy_makes_one_unexpanded_comparison_and_three_expanded_ones():
    assert count(ballot(("AB", 1), ("C", 2))) == Counts(1, 0, 1, 0, 3, 1, 1)


def test_candidates_of_one_rank_tie_with_all_systems_behind_them():
    assert count(ballot(("AB", 1), ("CD", 1))) == Counts(1, 0, 1, 1, 6, 6, 2)


def test_one_candidate_has_only_the_ties_inside_it():
    assert count(ballot(("ABC", 3))) == Counts(1, 0, 0, 0, 3, 3, 3)


def test_a_skipped_ballot_counts_as_a_ballot_without_comparisons():
    assert count(ballot()) == Counts(1, 1, 0, 0, 0, 0)


def test_gaps_in_ranks_mean_nothing():
    assert count(ballot(("A", 1), ("B", 2), ("C", 2))) == count(ballot(("A", 2), ("B", 5), ("C", 5)))


def test_counts_are_kept_by_judge():
    ballots = [ballot(("A", 1), ("B", 2), judge=2), ballot(("A", 1), ("B", 1), judge=0), ballot(judge=2)]
    assert count_by_judge(columns(ballots, judges=3)) == [Counts(1, 0, 1, 1, 1, 1), Counts(), Counts(2, 1, 1, 0, 1, 0)]
    assert count_by_judge(columns([], judges=1)) == [Counts()]


@given(any_ballot())
def test_expanded_comparisons_are_all_pairs_of_the_systems_behind(one):
    placed = [(system, place, group.merit) for place, group in enumerate(one.groups) for system in group.systems]
    pairs = list(combinations(placed, 2))
    counts = count(one)
    assert counts.expanded == len(pairs)
    assert counts.expanded_ties == sum(a[1] == b[1] or a[2] == b[2] for a, b in pairs)


@given(any_ballot())
def test_unexpanded_comparisons_are_all_pairs_of_candidates(one):
    pairs = list(combinations([group.merit for group in one.groups], 2))
    counts = count(one)
    assert counts.unexpanded == len(pairs)
    assert counts.unexpanded_ties == sum(a == b for a, b in pairs)


@pytest.mark.wide
@given(any_ballots)
def test_shared_ties_are_pairs_behind_one_candidate(ballots):
    sizes = [len(group.systems) for one in ballots for group in one.groups]
    assert count(*ballots).shared == sum(size * (size - 1) // 2 for size in sizes)


@pytest.mark.wide
@given(any_ballots)
def test_judges_counts_add_up(ballots):
    by_judge = count_by_judge(columns(ballots))
    assert sum(by_judge, Counts()) == sum(map(count, ballots), Counts())
    assert {judge for judge, counts in enumerate(by_judge) if counts.ballots} == {one.judge for one in ballots}


def test_the_published_comparisons_are_those_of_table_1():
    printed = published.golden()["paper"]["table1"]
    by_judge = count_by_judge(published_columns())
    assert {str(judge): in_the_order_of_the_paper(counts) for judge, counts in enumerate(by_judge, 1)} == {
        judge: row for judge, row in printed.items() if judge != "total"
    }
    assert in_the_order_of_the_paper(sum(by_judge, Counts())) == printed["total"]


def test_the_published_comparisons_are_those_of_the_authors_programs():
    golden = published.golden()
    by_judge = count_by_judge(published_columns())
    for judge, counts in zip(golden["judges"], by_judge, strict=True):
        row = golden["table1"][judge]
        assert in_the_order_of_the_paper(counts) == [
            row[column] for column in ("ranks", "unexpanded", "unexpanded_ties", "expanded", "expanded_ties")
        ]
    total = sum(by_judge, Counts())
    assert (total.skipped, total.shared) == (13, golden["expanded_ties_within_one_output"])
