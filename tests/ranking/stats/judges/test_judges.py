"""Judges: habits, self-consistency, severity and bias by position, by hand, for any ballots, and as published."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, friedmanchisquare

from ranking.numbers.tables import StatisticsError
from ranking.stats.comparisons.judges import (
    ALL_JUDGES,
    EVERYBODY,
    judges,
    position_bias,
    repeats_of_judges,
    severities,
)
from ranking.stats.comparisons.study import ComparisonStudy, Names, Parameters
from tests import published
from tests.ranking.stats.ballots import Ballot, Group, any_ballots, ballot, columns, published_columns, rated


def timed(*seconds: float, judge: int = 0) -> list[Ballot]:
    return [ballot(("A", 1), ("B", 2), judge=judge)._replace(seconds=each) for each in seconds]


def lines(ballots: list[Ballot], are_ratings: bool = False) -> dict[str, dict]:
    """The table of judges, by their numbers as names."""
    given = columns(ballots) if isinstance(ballots, list) else ballots
    names = Names(tuple(map(str, range(given.systems))), tuple(map(str, range(given.judges))))
    (table,) = judges(ComparisonStudy(given, names, Parameters(), are_ratings))
    return {line["judge"]: line for line in table.dicts() if line["judge"] != EVERYBODY}


def test_seconds_by_hand_where_they_are_known():
    found = lines(timed(20, 60, 4))["0"]
    assert (found["median_seconds"], found["hasty"]) == (20, pytest.approx(1 / 3))
    slow, unknown = lines([*timed(5, 7, float("nan")), *timed(float("nan"), judge=1)]).values()
    assert (slow["median_seconds"], slow["hasty"]) == (6, 0)
    assert (unknown["median_seconds"], unknown["hasty"]) == (None, None)


def test_ties_and_the_ends_of_the_scale_have_shares():
    ballots = [
        Ballot(0, 0, (Group((0,), 100.0), Group((1,), 100.0), Group((2,), 0.0))), Ballot(0, 1, (Group((0,), 50.0),)),
        ballot(judge=4),
    ]  # fmt: skip
    found = lines(ballots, are_ratings=True)
    assert [found["0"][name] for name in ("judgments", "skipped", "ties", "lowest", "highest")] == [
        2, 0, pytest.approx(1 / 3), 1 / 4, 2 / 4,
    ]  # fmt: skip
    assert [found["4"][name] for name in ("judgments", "skipped", "ties", "lowest", "highest")] == [
        1, 1, None, None, None,
    ]  # fmt: skip
    assert lines(ballots)["0"]["lowest"] is None


@pytest.mark.wide
@given(any_ballots)
def test_every_judge_with_a_ballot_is_listed_once(ballots):
    found = lines(ballots)
    assert list(found) == [str(judge) for judge in sorted({one.judge for one in ballots})]
    assert sum(line["judgments"] for line in found.values()) == len(ballots)


def test_the_published_judges_tie_as_often_as_table_1_and_are_as_consistent_as_table_2_says():
    printed, golden = published.golden()["paper"]["table1"], published.golden()["table2"]["cells"]
    for judge, line in lines(published_columns()).items():
        number = int(judge) + 1
        ballots, unexpanded, ties, *_ = printed[str(number)]
        assert (line["judgments"], line["ties"]) == (ballots, pytest.approx(ties / unexpanded))
        assert line["self_kappa"] == pytest.approx(golden[f"{number}-{number}"]["kappa"])


def test_repeats_of_judges_by_hand():
    ratings = [Ballot(2, 0, (Group((0,), merit),)) for merit in (60, 80, 50)]
    assert repeats_of_judges(columns(ratings))[:3].tolist() == [0, 0, 3]
    line = lines([ballot(("A", 1), ("B", 2)), ballot(("A", 2), ("B", 1)), ballot(("A", 1), judge=1)])
    assert [(one["self_kappa"], one["repeats"]) for one in line.values()] == [(-1, 2), (None, None)]


def by_judge(ballots: list[Ballot]) -> dict[int, float]:
    try:
        return severities(columns(ballots))
    except StatisticsError:
        return {}


def by_hand(ballots: list[Ballot], judge: int) -> tuple[list[float], list[float]]:
    """The judge's merits that others can be set against, and what the others say on average."""
    own, others = [], []
    for one in ballots:
        elsewhere = [other for other in ballots if other.judge != judge == one.judge and other.segment == one.segment]
        for group in one.groups:
            merits = [there.merit for other in elsewhere for there in other.groups if there.systems == group.systems]
            if merits:
                own.append(group.merit)
                others.append(np.mean(merits))
    return own, others


def test_severity_by_hand():
    assert by_judge(rated((50, 40), (70, 90))) == pytest.approx({0: -5, 1: 5})
    with pytest.raises(StatisticsError, match="have some sentences judged twice"):
        severities(columns(rated((1,), (2,))))


@pytest.mark.wide
@given(any_ballots)
def test_severity_follows_the_definition(ballots):
    found = by_judge(ballots)
    for judge in range(8):
        own, others = by_hand(ballots, judge)
        assert (judge in found) == bool(own)
        if own:
            assert found[judge] == pytest.approx(np.mean(own) - np.mean(others), abs=1e-9)


any_orders = st.integers(3, 5).flatmap(lambda size: st.lists(st.permutations(range(size)), min_size=10, max_size=20))


def shown(*merits: float, judge: int = 0) -> Ballot:
    """A ballot whose candidates got these merits in the order shown."""
    return Ballot(judge, 0, tuple(Group((system,), merit) for system, merit in enumerate(merits)))


def of_everybody(*ballots: Ballot) -> float:
    return position_bias(columns(ballots))[ALL_JUDGES]


def test_position_bias_by_hand():
    """The statistic is 6.4 with one degree of freedom."""
    assert of_everybody(*[shown(2, 1)] * 9, shown(1, 2)) == pytest.approx(chi2.sf(6.4, 1))
    some = [shown(2, 1, 3)] * 9 + [shown(1, 2)] * 5
    assert of_everybody(*some, shown(4, 4), shown(1), shown()) == of_everybody(*some)
    found = position_bias(columns([*[shown(2, 1)] * 10, *[shown(1, 2, judge=3)] * 10, shown(1, 2, judge=5)]))
    assert list(found) == [ALL_JUDGES, 0, 3]
    assert found[0] == found[3] < 0.01 < 0.5 < found[ALL_JUDGES]
    assert of_everybody(*[shown(-1, -3, -1), shown(-2, -1, -2)] * 5) == 1  # what rounding leaves of 0 is no number
    with pytest.raises(StatisticsError, match="Fewer than 10 ballots prefer one candidate"):
        position_bias(columns([shown(2, 1)] * 9 + [shown(1, 1)]))


@pytest.mark.wide
@given(any_orders)
def test_without_ties_and_with_ballots_of_one_size_it_is_friedmans_test(orders):
    friedman = friedmanchisquare(*np.array(orders).T)
    assert of_everybody(*(shown(*order) for order in orders)) == pytest.approx(friedman.pvalue, rel=1e-9, abs=1e-9)


@pytest.mark.wide
@given(any_ballots, st.floats(0.1, 9), st.floats(-9, 9))
def test_other_units_of_merits_change_nothing(ballots, times, more):
    many = ballots * 5
    moved = [o._replace(groups=tuple(g._replace(merit=g.merit * times + more) for g in o.groups)) for o in many]
    try:
        once = of_everybody(*many)
    except StatisticsError:
        return
    assert of_everybody(*moved) == pytest.approx(once, rel=1e-6, abs=1e-6)


@pytest.mark.wide
def test_on_orders_that_chance_made_few_tests_are_significant():
    rng = np.random.default_rng(5)
    significant = 0
    for _ in range(300):
        sizes = (rng.choice([1, 1, 2, 3, 5], rng.integers(2, 6)) for _ in range(40))
        significant += of_everybody(*(shown(*rng.permutation(merits)) for merits in sizes)) < 0.1
    assert significant / 300 == pytest.approx(0.1, abs=0.05)
