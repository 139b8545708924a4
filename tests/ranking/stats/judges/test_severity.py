"""Severity: by hand, judgment by judgment, and for any ballots."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.judges import Severity, severities
from tests.ranking.stats.ballots import Ballot, any_ballots, columns, rated

TOY = rated((50, 40), (70, 80))


def by_judge(ballots: list[Ballot]) -> dict[int, Severity]:
    try:
        return {each.judge: each for each in severities(columns(ballots))}
    except StatisticsError:
        return {}


def by_hand(ballots: list[Ballot], judge: int) -> tuple[list[float], list[float], list[float]]:
    """The judge's merits that others can be set against, what the others say on average, and their mean squares."""
    own, others, squares = [], [], []
    for one in ballots:
        for group in one.groups if one.judge == judge else ():
            merits = [
                there.merit
                for other in ballots
                if other.judge != judge and other.segment == one.segment
                for there in other.groups
                if there.systems == group.systems
            ]
            if merits:
                own.append(group.merit)
                others.append(np.mean(merits))
                squares.append(np.mean(np.square(merits)))
    return own, others, squares


def test_the_toy_of_the_definition():
    found = by_judge(TOY)
    assert (found[0].difference, found[0].spread, found[0].compared) == (0, pytest.approx(1 / 2), 2)
    assert (found[1].difference, found[1].spread, found[1].compared) == (0, pytest.approx(2), 2)


def test_if_the_others_always_answer_the_same_there_is_no_spread():
    found = by_judge(rated((50, 40), (70, 40)))
    assert (found[0].difference, found[0].spread) == (20, None)
    assert (found[1].difference, found[1].spread) == (-20, 0)


@pytest.mark.wide
@given(any_ballots)
def test_it_follows_the_definition(ballots):
    found = by_judge(ballots)
    for judge in range(8):
        own, others, squares = by_hand(ballots, judge)
        assert (judge in found) == bool(own)
        if own:
            assert found[judge].compared == len(own)
            assert found[judge].difference == pytest.approx(np.mean(own) - np.mean(others), abs=1e-9)
            variance = np.mean(squares) - np.mean(others) ** 2
            if variance > 1e-6:
                assert found[judge].spread == pytest.approx(np.std(own) / np.sqrt(variance), abs=1e-6)


@pytest.mark.wide
@given(any_ballots, st.integers(-5, 5))
def test_a_judge_who_gives_more_is_milder_by_as_much(ballots, more):
    before = by_judge(ballots)
    milder = [
        o._replace(groups=tuple(g._replace(merit=g.merit + more * (o.judge == 0)) for g in o.groups)) for o in ballots
    ]
    if 0 in before:
        assert by_judge(milder)[0].difference == pytest.approx(before[0].difference + more, abs=1e-9)


@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3), min_size=1, max_size=5))
def test_if_all_judge_everything_the_differences_cancel(ratings):
    assert sum(each.difference for each in by_judge(rated(*ratings)).values()) == pytest.approx(0, abs=1e-9)


def test_judges_who_share_nothing_are_refused():
    with pytest.raises(StatisticsError, match="have some sentences judged twice"):
        severities(columns(rated((1,), (2,))))
