"""Leaving out: by hand, against ballots that were really left out, and on the published judgments."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from ranking.stats.rankings.expected_wins import expected_wins
from ranking.stats.rankings.leave_out import Kind, Move, leave_out
from ranking.stats.tally import Tally, tally
from tests.ranking.stats.ballots import (
    MOST_SYSTEMS,
    any_ballots,
    ballot,
    columns,
    published_columns,
    without_system,
)


def mean_merit(counted: Tally) -> np.ndarray:
    """A method for tests: one that can do without comparisons."""
    return np.divide(counted.merits, counted.shown, out=np.full(counted.systems, np.nan), where=counted.shown > 0)


def test_what_can_be_left_out_by_hand():
    ballots = [ballot(("A", 1), ("B", 3), ("C", 2), judge=0), *[ballot(("A", 1), ("B", 2), ("C", 4), judge=1)] * 2]
    assert list(leave_out(columns(ballots, 3), mean_merit, Kind.JUDGE)) == [
        Move(0, pytest.approx(1), pytest.approx(1), 0, 0),
        Move(1, pytest.approx(0.5), pytest.approx(1 / 3), 1, 1),
    ]
    ballots = columns([ballot(("A", 1), ("B", 2), ("C", 3), segment=n) for n in range(4)], 3)
    two = replace(ballots, documents=2, document_of=np.array([0, 0, 1, 1]))
    assert [move.left_out for move in leave_out(two, mean_merit, Kind.DOCUMENT)] == [0, 1]
    ballots = columns([ballot(("A", 1), ("B", 2), ("C", 3), ("D", 4))], 4)
    found = leave_out(ballots, mean_merit, Kind.SYSTEM)
    assert [(move.left_out, move.spearman, move.largest) for move in found] == [
        (system, pytest.approx(1), 0) for system in range(4)
    ]
    ballots = [ballot(("A", 1), ("B", 2), judge=0), ballot(("A", 1), ("B", 1), judge=1)]
    assert [move.left_out for move in leave_out(columns(ballots, 2), expected_wins, Kind.JUDGE)] == [1]


@pytest.mark.parametrize("kind", Kind)
def test_the_only_judge_or_document_and_one_of_two_systems_cannot_be_left_out(kind):
    assert not list(leave_out(columns([ballot(("A", 1), ("B", 2))], 2), expected_wins, kind))


@pytest.mark.wide
@given(any_ballots, st.sampled_from([Kind.JUDGE, Kind.DOCUMENT]))
def test_ballots_that_are_left_out_do_not_count(ballots, kind):
    given_columns = columns(ballots)
    owner = given_columns.judge if kind is Kind.JUDGE else given_columns.segment
    whole = mean_merit(tally(given_columns))
    for move in leave_out(given_columns, mean_merit, kind):
        left = mean_merit(tally(given_columns.choose(owner != move.left_out)))
        known = ~np.isnan(left)
        assert move.spearman == pytest.approx(spearmanr(whole[known], left[known]).statistic, abs=1e-9)
        assert move.kendall == pytest.approx(kendalltau(whole[known], left[known]).statistic, abs=1e-9)


@pytest.mark.wide
@given(any_ballots, st.integers(0, 5))
def test_without_a_system_it_is_as_if_it_had_not_taken_part(ballots, system):
    given_columns = columns(ballots)
    moves = {move.left_out: move for move in leave_out(given_columns, mean_merit, Kind.SYSTEM)}
    left = mean_merit(tally(columns(without_system(ballots, system), MOST_SYSTEMS - 1)))
    whole = np.delete(mean_merit(tally(given_columns)), system)
    known = ~np.isnan(left)
    can_be_ranked = known.sum() > 1 and np.ptp(whole[known]) > 0 and np.ptp(left[known]) > 0
    assert (system in moves) == can_be_ranked
    if can_be_ranked:
        assert moves[system].kendall == pytest.approx(kendalltau(whole[known], left[known]).statistic, abs=1e-9)
        assert moves[system].system != system


def published_moves(kind: Kind) -> list[Move]:
    return list(leave_out(published_columns(), expected_wins, kind))


def test_many_documents_are_left_out_in_blocks_without_a_seam():
    ballots = published_columns()
    found = published_moves(Kind.DOCUMENT)
    assert len(found) == 663
    for place in (0, 127, 128, 662):
        move = found[place]
        left = expected_wins(tally(ballots.choose(ballots.segment != move.left_out)))
        assert move.kendall == pytest.approx(kendalltau(expected_wins(tally(ballots)), left).statistic)
