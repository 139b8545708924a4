"""Judges: habits, self-consistency, severity and bias by position, by hand, for any ballots, and as published."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare

from ranking.numbers.tables import StatisticsError
from ranking.stats.comparisons.judges import (
    ALL_JUDGES,
    Consistency,
    Habits,
    PositionBias,
    Severity,
    consistencies,
    habits,
    position_bias,
    severities,
)
from tests import published
from tests.ranking.stats.ballots import Ballot, Group, any_ballots, ballot, columns, published_columns, rated


def timed(*seconds: float, judge: int = 0) -> list[Ballot]:
    return [ballot(("A", 1), ("B", 2), judge=judge)._replace(seconds=each) for each in seconds]


def test_seconds_by_hand_where_they_are_known():
    (found,) = habits(columns(timed(20, 60, 4)))
    assert (found.median_seconds, found.hasty) == (20, pytest.approx(1 / 3))
    slow, unknown = habits(columns([*timed(5, 7, float("nan")), *timed(float("nan"), judge=1)]))
    assert (slow.median_seconds, slow.hasty) == (6, 0)
    assert (unknown.median_seconds, unknown.hasty) == (None, None)
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


def test_repeats_of_judges_by_hand():
    ratings = [Ballot(2, 0, (Group((0,), merit),)) for merit in (60, 80, 50)]
    assert consistencies(columns(ratings)) == [Consistency(2, None, 0, 20, 3)]
    found = consistencies(columns([ballot(("A", 1), ("B", 2)), ballot(("A", 2), ("B", 1)), ballot(("A", 1), judge=1)]))
    assert found == [Consistency(0, -1, 1, 1, 2)]
    assert consistencies(columns([ballot(("A", 1), ("B", 2))])) == []
    assert consistencies(columns([])) == []


@pytest.mark.wide
@given(any_ballots)
def test_differences_are_of_all_pairs_of_repeats(ballots):
    found = {each.judge: each for each in consistencies(columns(ballots))}
    for judge in range(8):
        merits_of: dict[tuple, list[float]] = {}
        for one in ballots:
            for group in one.groups if one.judge == judge else ():
                merits_of.setdefault((one.segment, group.systems), []).append(group.merit)
        differences = [abs(a - b) for merits in merits_of.values() for a, b in combinations(merits, 2)]
        assert (judge in found) == bool(differences)
        if differences:
            assert found[judge].repeats == len(differences)
            assert found[judge].repeat_difference == pytest.approx(np.mean(differences))


def test_the_published_judges_are_as_consistent_as_table_2_says():
    golden = published.golden()["table2"]["cells"]
    for each in consistencies(published_columns()):
        cell = golden[f"{each.judge + 1}-{each.judge + 1}"]
        assert (each.kappa, each.compared) == (pytest.approx(cell["kappa"]), cell["n"])
        assert 0 < each.repeat_difference < 2


def by_judge(ballots: list[Ballot]) -> dict[int, Severity]:
    try:
        return {each.judge: each for each in severities(columns(ballots))}
    except StatisticsError:
        return {}


def by_hand(ballots: list[Ballot], judge: int) -> tuple[list[float], list[float], list[float]]:
    """The judge's merits that others can be set against, what the others say on average, and their mean squares."""
    own, others, squares = [], [], []
    for one in ballots:
        elsewhere = [other for other in ballots if other.judge != judge == one.judge and other.segment == one.segment]
        for group in one.groups:
            merits = [there.merit for other in elsewhere for there in other.groups if there.systems == group.systems]
            if merits:
                own.append(group.merit)
                others.append(np.mean(merits))
                squares.append(np.mean(np.square(merits)))
    return own, others, squares


def test_severity_by_hand_with_no_spread_if_the_others_always_answer_the_same():
    found = by_judge(rated((50, 40), (70, 80)))
    assert (found[0].difference, found[0].spread, found[0].compared) == (0, pytest.approx(1 / 2), 2)
    assert (found[1].difference, found[1].spread, found[1].compared) == (0, pytest.approx(2), 2)
    found = by_judge(rated((50, 40), (70, 40)))
    assert (found[0].difference, found[0].spread) == (20, None)
    assert (found[1].difference, found[1].spread) == (-20, 0)
    with pytest.raises(StatisticsError, match="have some sentences judged twice"):
        severities(columns(rated((1,), (2,))))


@pytest.mark.wide
@given(any_ballots)
def test_severity_follows_the_definition(ballots):
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


any_orders = st.integers(3, 5).flatmap(lambda size: st.lists(st.permutations(range(size)), min_size=10, max_size=20))


def shown(*merits: float, judge: int = 0) -> Ballot:
    """A ballot whose candidates got these merits in the order shown."""
    return Ballot(judge, 0, tuple(Group((system,), merit) for system, merit in enumerate(merits)))


def of_everybody(*ballots: Ballot) -> PositionBias:
    return position_bias(columns(ballots))[0]


def test_position_bias_by_hand():
    found = of_everybody(*[shown(2, 1)] * 9, shown(1, 2))
    assert found.places == [(pytest.approx(0.8), 10), (pytest.approx(-0.8), 10)]
    assert (found.judge, found.degrees) == (ALL_JUDGES, 1)
    assert found.statistic == pytest.approx(6.4)
    assert round(found.p_value, 3) == 0.011
    some = [shown(2, 1, 3)] * 9 + [shown(1, 2)] * 5
    assert of_everybody(*some, shown(4, 4), shown(1), shown()) == of_everybody(*some)
    found = position_bias(columns([*[shown(2, 1)] * 10, *[shown(1, 2, judge=3)] * 10, shown(1, 2, judge=5)]))
    assert [each.judge for each in found] == [ALL_JUDGES, 0, 3]
    assert found[1].places[0].mean == pytest.approx(1)
    assert found[2].places[0].mean == pytest.approx(-1)
    assert found[1].p_value < 0.01 < 0.5 < found[0].p_value
    with pytest.raises(StatisticsError, match="Fewer than 10 ballots prefer one candidate"):
        position_bias(columns([shown(2, 1)] * 9 + [shown(1, 1)]))


@pytest.mark.wide
@given(any_orders)
def test_without_ties_and_with_ballots_of_one_size_it_is_friedmans_test(orders):
    found, friedman = of_everybody(*(shown(*order) for order in orders)), friedmanchisquare(*np.array(orders).T)
    assert found.statistic == pytest.approx(friedman.statistic, rel=1e-9, abs=1e-9)
    assert found.p_value == pytest.approx(friedman.pvalue, rel=1e-9, abs=1e-9)


@pytest.mark.wide
@given(any_ballots, st.floats(0.1, 9), st.floats(-9, 9))
def test_doubled_ballots_double_the_statistic_and_other_units_of_merits_change_nothing(ballots, times, more):
    many = ballots * 5
    moved = [o._replace(groups=tuple(g._replace(merit=g.merit * times + more) for g in o.groups)) for o in many]
    try:
        once = of_everybody(*many)
    except StatisticsError:
        return
    twice = of_everybody(*many, *many)
    assert twice.statistic == pytest.approx(2 * once.statistic, abs=1e-9)
    assert [place.mean for place in twice.places] == pytest.approx([place.mean for place in once.places], abs=1e-9)
    assert sum(place.mean * place.shown for place in once.places) == pytest.approx(0, abs=1e-9)
    assert of_everybody(*moved).statistic == pytest.approx(once.statistic, rel=1e-6, abs=1e-6)


@pytest.mark.wide
def test_on_orders_that_chance_made_few_tests_are_significant():
    rng = np.random.default_rng(5)
    significant = 0
    for _ in range(300):
        sizes = (rng.choice([1, 1, 2, 3, 5], rng.integers(2, 6)) for _ in range(40))
        significant += of_everybody(*(shown(*rng.permutation(merits)) for merits in sizes)).p_value < 0.1
    assert significant / 300 == pytest.approx(0.1, abs=0.05)
