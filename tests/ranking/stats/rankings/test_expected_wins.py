"""Expected Wins: by hand, for any ballots, and as published."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.rankings.bradley_terry import bradley_terry
from ranking.stats.rankings.expected_wins import (
    BORROWED,
    expected_wins,
    expected_wins_as_published,
    expected_wins_of_judge,
)
from ranking.stats.rankings.ranges import shared_ranks
from ranking.stats.tally import Tally, tally
from tests import published
from tests.ranking.stats.ballots import ballot, columns, published_columns

any_wins = st.integers(2, 6).flatmap(
    lambda systems: st.lists(st.integers(0, 9), min_size=systems**2, max_size=systems**2).map(
        lambda cells: np.array(cells).reshape(systems, systems) * (1 - np.eye(systems, dtype=int))
    )
)


def counted(wins: np.ndarray) -> Tally:
    """A tally of nothing but wins."""
    nothing = np.zeros(wins.shape, dtype=int)
    return Tally(wins, nothing, nothing, wins.sum(axis=-1), wins.sum(axis=-1))


def scores_of(wins: np.ndarray) -> np.ndarray:
    assume(wins.any())
    return expected_wins(counted(wins))


def published_of(wins: np.ndarray) -> np.ndarray:
    assume(wins.any())
    return expected_wins_as_published(counted(wins))


def test_the_toy_of_the_definition():
    wins = np.array([[0, 3, 0], [1, 0, 0], [0, 0, 0]])
    assert expected_wins_as_published(counted(wins)).tolist() == [3 / 8, 1 / 8, 0]
    assert expected_wins_of_judge(counted(wins))[:2].tolist() == [0.75, 0.25]
    assert np.isnan(expected_wins_of_judge(counted(wins))[2])


def test_an_opponent_never_beaten_does_not_count_for_a_judge():
    wins = np.array([[0, 1, 0], [1, 0, 0], [4, 0, 0]])
    assert expected_wins_as_published(counted(wins))[0] == 1 / 4
    assert expected_wins_of_judge(counted(wins))[0] == 1 / 2


def test_a_pair_without_a_decisive_comparison_counts_nothing_for_either():
    wins = np.array([[0, 5, 0], [0, 0, 0], [0, 0, 0]])
    assert expected_wins_as_published(counted(wins)).tolist() == [0.5, 0, 0]
    best, worst, middle = expected_wins(counted(wins)).tolist()
    assert best > middle > worst > 0


def test_a_pair_borrows_ten_comparisons_from_bradley_terry():
    wins = np.array([[0, 3, 8], [1, 0, 4], [2, 4, 0]])
    strength = np.exp(bradley_terry(counted(wins)))
    expected = [strength[0] / (strength[0] + strength[other]) for other in (1, 2)]
    shares = [(3 + BORROWED * expected[0]) / (4 + BORROWED), (8 + BORROWED * expected[1]) / (10 + BORROWED)]
    assert expected_wins(counted(wins))[0] == pytest.approx(np.mean(shares), rel=1e-12)


def test_what_is_borrowed_hardly_changes_pairs_that_were_compared_often():
    published_ones = tally(published_columns())
    assert expected_wins(published_ones) == pytest.approx(expected_wins_as_published(published_ones), abs=0.005)


def test_ties_change_nothing():
    decided = [ballot(("A", 1), ("B", 2)), ballot(("B", 1), ("A", 2)), ballot(("A", 1), ("B", 3))]
    tied = [*decided, ballot(("A", 1), ("B", 1)), ballot(("AB", 1))]
    published_ones = [expected_wins_as_published(tally(columns(ballots, 2))).tolist() for ballots in (tied, decided)]
    assert published_ones[0] == published_ones[1] == pytest.approx([2 / 3, 1 / 3], rel=1e-15)
    borrowed = [expected_wins(tally(columns(ballots, 2))) for ballots in (tied, decided)]
    assert borrowed[0] == pytest.approx(borrowed[1], rel=1e-9)


@pytest.mark.parametrize("systems", [0, 1])
def test_one_system_cannot_be_ranked(systems):
    with pytest.raises(StatisticsError) as refusal:
        expected_wins(counted(np.zeros((systems, systems), dtype=int)))
    assert str(refusal.value) == "There is only one system, so there is nothing to compare it with."


def test_without_a_preference_nothing_can_be_ranked():
    with pytest.raises(StatisticsError) as refusal:
        expected_wins(tally(columns([ballot(("A", 1), ("B", 1))], 2)))
    assert str(refusal.value) == "No judge preferred any output to another, so no system is better than another."


def test_the_highest_score_ranks_first_and_equal_scores_share_the_better_rank():
    assert shared_ranks(np.array([0.2, 0.9, 0.5, 0.5, 0.1])) == [4, 1, 2, 2, 5]
    assert shared_ranks(np.array([])) == []


@given(any_wins)
def test_a_score_is_the_mean_share_of_wins_against_the_others(wins):
    systems = range(len(wins))
    for system, score in enumerate(published_of(wins)):
        shares = [
            wins[system, other] / (wins[system, other] + wins[other, system]) if wins[system, other] else 0
            for other in systems
            if other != system
        ]
        assert score == pytest.approx(sum(shares) / len(shares), rel=1e-12)


@given(any_wins)
def test_scores_are_shares_and_each_decided_pair_gives_one_win_away(wins):
    decided = np.triu(wins + wins.T > 0, 1).sum()
    for scores, pairs in ((published_of(wins), decided), (scores_of(wins), len(wins) * (len(wins) - 1) / 2)):
        assert ((scores >= 0) & (scores <= 1)).all()
        assert scores.sum() * (len(wins) - 1) == pytest.approx(pairs, rel=1e-12)


@pytest.mark.wide
@given(any_wins, st.randoms(use_true_random=False))
def test_other_numbers_for_the_systems_only_move_their_scores(wins, rng):
    order = rng.sample(range(len(wins)), len(wins))
    assert scores_of(wins[np.ix_(order, order)]) == pytest.approx(scores_of(wins)[order], abs=1e-7)


@pytest.mark.wide
@given(any_wins, st.integers(2, 5))
def test_more_of_the_same_ballots_change_nothing(wins, times):
    assert published_of(wins * times) == pytest.approx(published_of(wins), rel=1e-12)


@pytest.mark.wide
@given(any_wins, st.data())
def test_one_more_win_never_lowers_a_score(wins, pick):
    one, other = pick.draw(st.permutations(range(len(wins))))[:2]
    more = wins.copy()
    more[one, other] += 1
    assert scores_of(more)[one] >= scores_of(wins)[one] - 1e-7


@pytest.mark.wide
@given(any_wins)
def test_turning_every_comparison_round_turns_the_order_round(wins):
    assert scores_of(wins.T) == pytest.approx(1 - scores_of(wins), abs=1e-7)


@given(st.lists(st.integers(0, 5), max_size=10))
def test_a_rank_counts_those_who_are_better(scores):
    for score, rank in zip(scores, shared_ranks(np.array(scores)), strict=True):
        assert rank == 1 + sum(other > score for other in scores)


def test_the_published_scores_are_those_of_the_authors_program():
    golden = published.golden()
    scores = expected_wins_as_published(tally(published_columns()))
    assert dict(zip(golden["systems"], scores, strict=True)) == pytest.approx(golden["ew_point"], rel=1e-12)


def test_the_published_order_is_that_of_table_3b():
    golden = published.golden()
    scores = expected_wins_as_published(tally(published_columns()))
    ranked = sorted(zip(shared_ranks(scores), golden["systems"], strict=True))
    assert [system for _, system in ranked] == [row["system"] for row in golden["paper"]["table3b"]]
    assert [rank for rank, _ in ranked] == list(range(1, len(scores) + 1))


def test_the_published_scores_are_near_those_printed_in_table_3b():
    golden = published.golden()
    scores = expected_wins_as_published(tally(published_columns()))
    printed = {row["system"]: row["score"] for row in golden["paper"]["table3b"]}
    assert dict(zip(golden["systems"], scores, strict=True)) == pytest.approx(printed, abs=0.0015)


def test_many_tallies_are_scored_at_once():
    wins = np.arange(18).reshape(2, 3, 3) * (1 - np.eye(3, dtype=int))
    both = expected_wins(counted(wins))
    assert both.tolist() == [expected_wins(counted(one)).tolist() for one in wins]
