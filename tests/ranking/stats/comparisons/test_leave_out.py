"""Leaving out: by hand, against ballots that were really left out, and on the published judgments."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from ranking.stats.ballots import Ballots
from ranking.stats.comparisons.leave_out import DOCUMENT, JUDGE, KINDS, SYSTEM, leave_out
from ranking.stats.rankings.expected_wins import expected_wins
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


def moves(ballots: Ballots, scoring=mean_merit, kind: str = JUDGE) -> list[tuple]:
    return list(leave_out(ballots, scoring, kind, tally(ballots)))


def test_what_can_be_left_out_by_hand():
    ballots = [ballot(("A", 1), ("B", 3), ("C", 2), judge=0), *[ballot(("A", 1), ("B", 2), ("C", 4), judge=1)] * 2]
    assert moves(columns(ballots, 3)) == [
        (0, pytest.approx(1), pytest.approx(1), 0, 0, 0), (1, pytest.approx(0.5), pytest.approx(1 / 3), 1, 1, 0),
    ]  # fmt: skip
    ballots = [*[ballot(("A", 1), ("B", 2), judge=0)] * 2, ballot(("A", 2), ("B", 1), judge=1)]
    assert [move[-1] for move in moves(columns(ballots, 2))] == [1, 0]
    ballots = columns([ballot(("A", 1), ("B", 2), ("C", 3), segment=n) for n in range(4)], 3)
    two = replace(ballots, documents=2, document_of=np.array([0, 0, 1, 1]))
    assert [move[0] for move in moves(two, kind=DOCUMENT)] == [0, 1]
    ballots = columns([ballot(("A", 1), ("B", 2), ("C", 3), ("D", 4))], 4)
    found = moves(ballots, kind=SYSTEM)
    assert [(move[0], move[1], move[3]) for move in found] == [(system, pytest.approx(1), 0) for system in range(4)]
    ballots = [ballot(("A", 1), ("B", 2), judge=0), ballot(("A", 1), ("B", 1), judge=1)]
    assert [move[0] for move in moves(columns(ballots, 2), expected_wins)] == [1]


@pytest.mark.parametrize("kind", KINDS)
def test_the_only_judge_or_document_and_one_of_two_systems_cannot_be_left_out(kind):
    assert not moves(columns([ballot(("A", 1), ("B", 2))], 2), expected_wins, kind)


@pytest.mark.wide
@given(any_ballots, st.sampled_from([JUDGE, DOCUMENT]))
def test_ballots_that_are_left_out_do_not_count(ballots, kind):
    given_columns = columns(ballots)
    owner = given_columns.judge if kind == JUDGE else given_columns.segment
    whole = mean_merit(tally(given_columns))
    for number, rho, tau, *_ in moves(given_columns, kind=kind):
        left = mean_merit(tally(given_columns.choose(owner != number)))
        known = ~np.isnan(left)
        assert rho == pytest.approx(spearmanr(whole[known], left[known]).statistic, abs=1e-9)
        assert tau == pytest.approx(kendalltau(whole[known], left[known]).statistic, abs=1e-9)


@pytest.mark.wide
@given(any_ballots, st.integers(0, 5))
def test_without_a_system_it_is_as_if_it_had_not_taken_part(ballots, system):
    given_columns = columns(ballots)
    found = {number: (tau, moved) for number, _, tau, _, moved, _ in moves(given_columns, kind=SYSTEM)}
    left = mean_merit(tally(columns(without_system(ballots, system), MOST_SYSTEMS - 1)))
    whole = np.delete(mean_merit(tally(given_columns)), system)
    known = ~np.isnan(left)
    can_be_ranked = known.sum() > 1 and np.ptp(whole[known]) > 0 and np.ptp(left[known]) > 0
    assert (system in found) == can_be_ranked
    if can_be_ranked:
        tau, moved = found[system]
        assert tau == pytest.approx(kendalltau(whole[known], left[known]).statistic, abs=1e-9)
        assert moved != system


def test_many_documents_are_left_out_in_blocks_without_a_seam():
    ballots = published_columns()
    found = moves(ballots, expected_wins, DOCUMENT)
    assert len(found) == 663
    for place in (0, 127, 128, 662):
        number, _, tau, *_ = found[place]
        left = expected_wins(tally(ballots.choose(ballots.segment != number)))
        assert tau == pytest.approx(kendalltau(expected_wins(tally(ballots)), left).statistic)
