"""Expected Wins: by hand, for any ballots, and as published."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ranking.numbers.tables import StatisticsError
from ranking.stats.rankings.bradley_terry import bradley_terry
from ranking.stats.rankings.expected_wins import (
    BORROWED,
    expected_wins,
    expected_wins_as_published,
    expected_wins_of_judge,
)
from ranking.stats.rankings.uncertainty import shared_ranks
from ranking.stats.tally import Tally, tally
from tests import published
from tests.ranking.stats.ballots import ballot, columns, published_columns

any_wins = st.integers(2, 6).flatmap(
    lambda systems: arrays(int, (systems, systems), elements=st.integers(0, 9)).map(
        lambda wins: wins * (1 - np.eye(systems, dtype=int))
    )
)


def counted(wins: np.ndarray) -> Tally:
    nothing = np.zeros(wins.shape, dtype=int)
    return Tally(wins, nothing, nothing, wins.sum(axis=-1), wins.sum(axis=-1))


def test_the_toy_of_the_definition_and_pairs_without_a_win_or_a_comparison():
    wins = np.array([[0, 3, 0], [1, 0, 0], [0, 0, 0]])
    assert expected_wins_as_published(counted(wins)).tolist() == [3 / 8, 1 / 8, 0]
    assert expected_wins_of_judge(wins)[:2].tolist() == [0.75, 0.25]
    assert np.isnan(expected_wins_of_judge(wins)[2])
    wins = np.array([[0, 1, 0], [1, 0, 0], [4, 0, 0]])
    assert expected_wins_as_published(counted(wins))[0] == 1 / 4
    assert expected_wins_of_judge(wins)[0] == 1 / 2
    wins = np.array([[0, 5, 0], [0, 0, 0], [0, 0, 0]])
    assert expected_wins_as_published(counted(wins)).tolist() == [0.5, 0, 0]
    best, worst, middle = expected_wins(counted(wins)).tolist()
    assert best > middle > worst > 0


def test_ties_change_nothing():
    decided = [ballot(("A", 1), ("B", 2)), ballot(("B", 1), ("A", 2)), ballot(("A", 1), ("B", 3))]
    tied = [*decided, ballot(("A", 1), ("B", 1)), ballot(("AB", 1))]
    published_ones = [expected_wins_as_published(tally(columns(ballots, 2))).tolist() for ballots in (tied, decided)]
    assert published_ones[0] == published_ones[1] == pytest.approx([2 / 3, 1 / 3], rel=1e-15)
    borrowed = [expected_wins(tally(columns(ballots, 2))) for ballots in (tied, decided)]
    assert borrowed[0] == pytest.approx(borrowed[1], rel=1e-9)


ONE = "There is only one system, so there is nothing to compare it with."
NONE = "No judge preferred any output to another, so there is nothing to rank systems by."


@pytest.mark.parametrize(("systems", "reason"), [(0, ONE), (1, ONE), (2, NONE)])
def test_one_system_or_no_preference_cannot_be_ranked(systems, reason):
    with pytest.raises(StatisticsError) as refusal:
        expected_wins(counted(np.zeros((systems, systems), dtype=int)))
    assert str(refusal.value) == reason


@pytest.mark.wide
@given(any_wins)
def test_a_score_is_the_mean_share_of_wins_against_the_others_and_each_pair_borrows_ten_from_bradley_terry(wins):
    assume(wins.any())
    strength, systems = np.exp(bradley_terry(counted(wins))), range(len(wins))
    published_ones, borrowing = expected_wins_as_published(counted(wins)), expected_wins(counted(wins))
    for one in systems:
        others = [other for other in systems if other != one]
        met = [wins[one, other] + wins[other, one] for other in others]
        shares = [wins[one, other] / met if wins[one, other] else 0 for other, met in zip(others, met, strict=True)]
        assert published_ones[one] == pytest.approx(np.mean(shares), rel=1e-12)
        lent = [BORROWED * strength[one] / (strength[one] + strength[other]) for other in others]
        shares = [
            (wins[one, other] + more) / (met + BORROWED) for other, met, more in zip(others, met, lent, strict=True)
        ]
        assert borrowing[one] == pytest.approx(np.mean(shares), rel=1e-12)


@given(st.lists(st.integers(0, 5), max_size=10))
def test_a_rank_counts_those_who_are_better(scores):
    for score, rank in zip(scores, shared_ranks(np.array(scores)), strict=True):
        assert rank == 1 + sum(other > score for other in scores)


def test_the_published_scores_are_those_of_the_authors_program_and_near_those_printed_in_table_3b():
    golden = published.golden()
    scores = expected_wins_as_published(tally(published_columns()))
    assert dict(zip(golden["systems"], scores, strict=True)) == pytest.approx(golden["ew_point"], rel=1e-12)
    ranked = sorted(zip(shared_ranks(scores), golden["systems"], strict=True))
    assert [system for _, system in ranked] == [row["system"] for row in golden["paper"]["table3b"]]
    assert [rank for rank, _ in ranked] == list(range(1, len(scores) + 1))
    printed = {row["system"]: row["score"] for row in golden["paper"]["table3b"]}
    assert dict(zip(golden["systems"], scores, strict=True)) == pytest.approx(printed, abs=0.0015)


def test_many_tallies_are_scored_at_once():
    wins = np.arange(18).reshape(2, 3, 3) * (1 - np.eye(3, dtype=int))
    both = expected_wins(counted(wins))
    assert both.tolist() == [expected_wins(counted(one)).tolist() for one in wins]
