"""Habits of judges: by hand, for any ballots, and as Table 1 counts them."""

import numpy as np
import pytest
from hypothesis import given

from ranking.stats.judges import Habits, habits
from tests import published
from tests.ranking.stats.ballots import Ballot, any_ballots, ballot, columns, published_columns


def timed(*seconds: float, judge: int = 0) -> list[Ballot]:
    return [ballot(("A", 1), ("B", 2), judge=judge)._replace(seconds=each) for each in seconds]


def test_the_toy_of_the_definition():
    (found,) = habits(columns(timed(20, 60, 4)))
    assert (found.median_seconds, found.hasty) == (20, pytest.approx(1 / 3))


def test_a_ballot_whose_time_is_unknown_is_not_counted():
    slow, unknown = habits(columns([*timed(5, 7, float("nan")), *timed(float("nan"), judge=1)]))
    assert (slow.median_seconds, slow.hasty) == (6, 0)
    assert (unknown.median_seconds, unknown.hasty) == (None, None)


def test_the_floor_can_be_chosen():
    assert habits(columns(timed(5, 7)), floor=6)[0].hasty == 1 / 2


def test_ties_and_the_ends_of_the_scale_have_shares():
    ballots = [ballot(("A", 1), ("B", 1), ("C", 5)), ballot(("A", 2)), ballot(judge=4)]
    assert habits(columns(ballots), scale=(-5, -1)) == [
        Habits(0, 2, 0, None, None, 1 / 3, 1 / 4, 2 / 4),
        Habits(4, 1, 1, None, None, None, None, None),
    ]
    assert habits(columns(ballots))[0].lowest is None


@pytest.mark.wide
@given(any_ballots)
def test_every_judge_with_a_ballot_is_listed_once(ballots):
    found = habits(columns(ballots), scale=(-5, -1))
    assert [each.judge for each in found] == sorted({one.judge for one in ballots})
    assert sum(each.ballots for each in found) == len(ballots)
    for each in found:
        merits = [g.merit for one in ballots if one.judge == each.judge for g in one.groups]
        assert each.highest == (pytest.approx(np.mean(np.array(merits) == -1)) if merits else None)


def test_the_published_judges_tie_as_often_as_table_1_says():
    printed = published.golden()["paper"]["table1"]
    for each in habits(published_columns()):
        ballots, unexpanded, ties, *_ = printed[str(each.judge + 1)]
        assert (each.ballots, each.ties) == (ballots, ties / unexpanded)
