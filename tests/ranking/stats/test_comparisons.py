"""Comparisons: counted by hand, pair by pair, and as the paper prints them."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ranking.stats.ballots import Ballot
from ranking.stats.comparisons import Counts, count, count_by_judge, win_matrix
from tests.judgments.rules import published
from tests.ranking.stats.ballots import MOST_SYSTEMS, any_ballot, any_ballots, ballot, published_ballots


def summed(ballots: list[Ballot]) -> Counts:
    return sum(map(count, ballots), Counts())


def in_the_order_of_the_paper(counts: Counts) -> list[int]:
    return [counts.ballots, counts.unexpanded, counts.unexpanded_ties, counts.expanded, counts.expanded_ties]


def test_the_toy_makes_one_unexpanded_comparison_and_three_expanded_ones():
    assert count(ballot(("AB", 1), ("C", 2))) == Counts(1, 0, 1, 0, 3, 1)


def test_candidates_of_one_rank_tie_with_all_systems_behind_them():
    assert count(ballot(("AB", 1), ("CD", 1))) == Counts(1, 0, 1, 1, 6, 6)


def test_one_candidate_has_only_the_ties_inside_it():
    assert count(ballot(("ABC", 3))) == Counts(1, 0, 0, 0, 3, 3)


def test_a_skipped_ballot_counts_as_a_ballot_without_comparisons():
    assert count(ballot()) == Counts(1, 1, 0, 0, 0, 0)


def test_gaps_in_ranks_mean_nothing():
    assert count(ballot(("A", 1), ("B", 2), ("C", 2))) == count(ballot(("A", 2), ("B", 5), ("C", 5)))


def test_counts_are_kept_by_judge():
    ballots = [ballot(("A", 1), ("B", 2), judge=7), ballot(("A", 1), ("B", 1), judge=3), ballot(judge=7)]
    assert count_by_judge(ballots) == {7: Counts(2, 1, 1, 0, 1, 0), 3: Counts(1, 0, 1, 1, 1, 1)}
    assert count_by_judge([]) == {}


def test_who_stands_behind_the_better_candidate_beats_all_behind_the_worse():
    wins = win_matrix([ballot(("C", 2), ("AB", 1))], 3)
    assert wins.tolist() == [[0, 0, 1], [0, 0, 1], [0, 0, 0]]


def test_ties_and_skipped_ballots_are_nobodys_win():
    assert not win_matrix([ballot(("A", 1), ("B", 1)), ballot(("AB", 1)), ballot()], 2).any()
    assert win_matrix([], 2).tolist() == [[0, 0], [0, 0]]


def test_wins_add_up_over_ballots():
    better, worse = ballot(("A", 1), ("B", 2)), ballot(("A", 2), ("B", 1))
    assert win_matrix([better, better, better, worse], 2).tolist() == [[0, 3], [1, 0]]


@given(any_ballot())
def test_expanded_comparisons_are_all_pairs_of_the_systems_behind(one):
    placed = [(system, place, group.rank) for place, group in enumerate(one.groups) for system in group.systems]
    pairs = list(combinations(placed, 2))
    counts = count(one)
    assert counts.expanded == len(pairs)
    assert counts.expanded_ties == sum(a[1] == b[1] or a[2] == b[2] for a, b in pairs)


@given(any_ballot())
def test_unexpanded_comparisons_are_all_pairs_of_candidates(one):
    pairs = list(combinations([group.rank for group in one.groups], 2))
    counts = count(one)
    assert counts.unexpanded == len(pairs)
    assert counts.unexpanded_ties == sum(a == b for a, b in pairs)


@given(any_ballots)
def test_every_expanded_comparison_is_a_tie_or_somebodys_win(ballots):
    counts = summed(ballots)
    wins = win_matrix(ballots, MOST_SYSTEMS)
    assert wins.sum() == counts.expanded - counts.expanded_ties
    assert not wins.diagonal().any()


@given(any_ballots)
def test_judges_counts_add_up(ballots):
    by_judge = count_by_judge(ballots)
    assert sum(by_judge.values(), Counts()) == summed(ballots)
    assert by_judge.keys() == {one.judge for one in ballots}


@given(any_ballots, st.permutations(range(MOST_SYSTEMS)))
def test_other_numbers_for_the_systems_only_move_their_wins(ballots, numbers):
    renamed = [
        one._replace(groups=tuple(g._replace(systems=tuple(numbers[s] for s in g.systems)) for g in one.groups))
        for one in ballots
    ]
    wins, moved = win_matrix(ballots, MOST_SYSTEMS), win_matrix(renamed, MOST_SYSTEMS)
    assert np.array_equal(moved[np.ix_(numbers, numbers)], wins)
    assert summed(renamed) == summed(ballots)


@given(any_ballots, st.randoms(use_true_random=False))
def test_the_order_of_ballots_and_candidates_does_not_matter(ballots, rng):
    shuffled = [one._replace(groups=tuple(rng.sample(one.groups, len(one.groups)))) for one in ballots]
    rng.shuffle(shuffled)
    assert np.array_equal(win_matrix(shuffled, MOST_SYSTEMS), win_matrix(ballots, MOST_SYSTEMS))
    assert summed(shuffled) == summed(ballots)


@given(any_ballots)
def test_turning_the_ranks_round_turns_the_wins_round(ballots):
    turned = [one._replace(groups=tuple(g._replace(rank=-g.rank) for g in one.groups)) for one in ballots]
    assert np.array_equal(win_matrix(turned, MOST_SYSTEMS), win_matrix(ballots, MOST_SYSTEMS).T)
    assert summed(turned) == summed(ballots)


@given(any_ballots)
def test_twice_the_ballots_are_twice_the_wins(ballots):
    assert np.array_equal(win_matrix(ballots * 2, MOST_SYSTEMS), 2 * win_matrix(ballots, MOST_SYSTEMS))


def test_the_published_comparisons_are_those_of_table_1():
    printed = published.golden()["paper"]["table1"]
    by_judge = count_by_judge(published_ballots())
    assert {str(judge + 1): in_the_order_of_the_paper(counts) for judge, counts in by_judge.items()} == {
        judge: row for judge, row in printed.items() if judge != "total"
    }
    assert in_the_order_of_the_paper(summed(published_ballots())) == printed["total"]


def test_the_published_comparisons_are_those_of_the_authors_programs():
    told = published.golden()["table1"]
    for judge, counts in count_by_judge(published_ballots()).items():
        row = told[published.golden()["judges"][judge]]
        assert in_the_order_of_the_paper(counts) == [
            row[column] for column in ("ranks", "unexpanded", "unexpanded_ties", "expanded", "expanded_ties")
        ]
    assert summed(published_ballots()).skipped == 13


def test_most_published_ties_are_inside_one_output():
    alone = [one._replace(groups=(group,)) for one in published_ballots() for group in one.groups]
    assert summed(alone).expanded_ties == published.golden()["expanded_ties_within_one_output"]


def test_the_published_wins_are_those_of_the_authors_programs():
    told = published.golden()
    wins = win_matrix(published_ballots(), len(told["systems"]))
    assert wins.tolist() == told["win_matrix"]
