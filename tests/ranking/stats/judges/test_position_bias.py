"""Bias by position: by hand, against Friedman's test, and on orders that chance made."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import friedmanchisquare

from ranking.numbers.tables import StatisticsError
from ranking.stats.judges import ALL_JUDGES, PositionBias, position_bias
from tests.ranking.stats.ballots import Ballot, Group, any_ballots, columns, published_columns

any_orders = st.integers(3, 5).flatmap(lambda size: st.lists(st.permutations(range(size)), min_size=10, max_size=20))


def shown(*merits: float, judge: int = 0) -> Ballot:
    """A ballot whose candidates got these merits in the order shown."""
    return Ballot(judge, 0, tuple(Group((system,), merit) for system, merit in enumerate(merits)))


def of_everybody(*ballots: Ballot) -> PositionBias:
    return position_bias(columns(ballots))[0]


def test_the_toy_of_the_definition():
    found = of_everybody(*[shown(2, 1)] * 9, shown(1, 2))
    assert found.places == [(pytest.approx(0.8), 10), (pytest.approx(-0.8), 10)]
    assert (found.judge, found.degrees) == (ALL_JUDGES, 1)
    assert found.statistic == pytest.approx(6.4)
    assert round(found.p_value, 3) == 0.011


@pytest.mark.wide
@given(any_orders)
def test_without_ties_and_with_ballots_of_one_size_it_is_friedmans_test(orders):
    found, friedman = of_everybody(*(shown(*order) for order in orders)), friedmanchisquare(*np.array(orders).T)
    assert found.statistic == pytest.approx(friedman.statistic, rel=1e-9, abs=1e-9)
    assert found.p_value == pytest.approx(friedman.pvalue, rel=1e-9, abs=1e-9)


def test_ballots_that_prefer_nothing_say_nothing():
    some = [shown(2, 1, 3)] * 9 + [shown(1, 2)] * 5
    assert of_everybody(*some, shown(4, 4), shown(1), shown()) == of_everybody(*some)


def test_each_judge_with_enough_ballots_is_tested():
    found = position_bias(columns([*[shown(2, 1)] * 10, *[shown(1, 2, judge=3)] * 10, shown(1, 2, judge=5)]))
    assert [each.judge for each in found] == [ALL_JUDGES, 0, 3]
    assert found[1].places[0].mean == pytest.approx(1)
    assert found[2].places[0].mean == pytest.approx(-1)
    assert found[1].p_value < 0.01 < 0.5 < found[0].p_value


def test_too_few_ballots_are_refused():
    with pytest.raises(StatisticsError, match="Fewer than 10 ballots prefer one candidate"):
        position_bias(columns([shown(2, 1)] * 9 + [shown(1, 1)]))


@pytest.mark.wide
@given(any_ballots)
def test_doubled_ballots_double_the_statistic_and_keep_the_means(ballots):
    many = ballots * 5
    try:
        once = of_everybody(*many)
    except StatisticsError:
        return
    twice = of_everybody(*many, *many)
    assert twice.statistic == pytest.approx(2 * once.statistic, abs=1e-9)
    assert [place.mean for place in twice.places] == pytest.approx([place.mean for place in once.places], abs=1e-9)
    assert sum(place.mean * place.shown for place in once.places) == pytest.approx(0, abs=1e-9)


@pytest.mark.wide
@given(any_ballots, st.floats(0.1, 9), st.floats(-9, 9))
def test_moving_and_stretching_merits_changes_nothing(ballots, times, more):
    many = ballots * 5
    moved = [o._replace(groups=tuple(g._replace(merit=g.merit * times + more) for g in o.groups)) for o in many]
    try:
        once = of_everybody(*many)
    except StatisticsError:
        return
    assert of_everybody(*moved).statistic == pytest.approx(once.statistic, rel=1e-6, abs=1e-6)


@pytest.mark.wide
def test_on_orders_that_chance_made_few_tests_are_significant():
    rng = np.random.default_rng(5)
    p_values = [
        of_everybody(
            *(shown(*rng.permutation(rng.choice([1, 1, 2, 3, 5], rng.integers(2, 6)))) for _ in range(40))
        ).p_value
        for _ in range(300)
    ]
    assert np.mean(np.array(p_values) < 0.1) == pytest.approx(0.1, abs=0.05)


def test_the_published_order_was_not_drawn_at_random_so_its_bias_says_nothing():
    """CAMB (system 1) stands first on most of its screens of five: place and system are confounded."""
    ballots = published_columns()
    behind = ballots.candidates
    has_camb = np.add.reduceat(behind.members == 1, behind.starts[:-1])[ballots.candidate] > 0
    place = np.arange(len(ballots.candidate)) - ballots.starts[ballots.ballot_of]
    of_five = (ballots.sizes == 5)[ballots.ballot_of]
    assert (place[has_camb & of_five] == 0).mean() == pytest.approx(0.64, abs=0.01)
    assert position_bias(ballots)[0].p_value < 1e-6
