"""Intervals of kappa: by hand, against drawing the ballots themselves, and on the published judgments."""

import numpy as np
import pytest

from ranking.numbers.intervals import LEVEL, interval_of
from ranking.stats.agreement.kappa import Agreement, Weighting, intervals_of, kappas, overall
from ranking.stats.agreement.meetings import Meetings, entries_of, meetings, meetings_with_rest
from ranking.stats.ballots import Ballots
from tests.ranking.stats.agreement.test_kappa import answers
from tests.ranking.stats.ballots import ballot, columns, published_columns, really_drawn

REPLICATES, SEED = 12, 5


def with_rest(ballots: Ballots) -> Meetings:
    return meetings_with_rest(entries_of(ballots))


def kappa_intervals(
    ballots: Ballots, replicates: int, seed: int, level: float = LEVEL
) -> tuple[list[Agreement], dict[str, Agreement]]:
    (found,) = intervals_of(meetings(entries_of(ballots)), [Weighting.NOMINAL], replicates, seed, level)
    return found


def test_the_toy_of_the_definition():
    twins = answers(0, "><" * 30) + answers(1, "><" * 30)
    cells, together = kappa_intervals(columns(twins), 50, SEED)
    assert cells[0].interval == (1, 1)
    assert together["inter"].interval == pytest.approx((1, 1))
    assert "intra" not in together


def test_cells_with_too_little_to_compare_have_no_interval_and_judges_who_never_meet_no_cell():
    (cell,), _ = kappa_intervals(columns(answers(0, "><=") + answers(1, "><>")), 20, SEED)
    assert (cell.compared, cell.interval) == (3, None)
    assert not with_rest(columns([*answers(0, "><"), ballot(("C", 1), ("D", 2), judge=1)])).judge.size


def test_with_too_many_cells_there_is_only_the_overall_value(monkeypatch):
    monkeypatch.setattr("ranking.stats.agreement.kappa.MOST_CELLS", 34)
    cells, together = kappa_intervals(published_columns(), 20, SEED)
    assert cells == []
    assert together["inter"].compared == 30594


@pytest.fixture(scope="module")
def drawn() -> list[dict[tuple[int, int], float]]:
    """The kappas of ballots that were really drawn, a sentence drawn twice being two sentences."""
    return [{(cell.judge, cell.other): cell for cell in kappas(one)} for one in really_drawn(REPLICATES, SEED)]


def test_each_interval_is_that_of_ballots_really_drawn(drawn):
    for cell in kappa_intervals(published_columns(), REPLICATES, SEED, level=0.8)[0]:
        if cell.interval:
            name = (cell.judge, cell.other)
            kappa_of_each = np.array([each[name].kappa if name in each else np.nan for each in drawn])
            assert cell.interval == pytest.approx(interval_of(kappa_of_each, 0.8), rel=1e-9)


def test_the_overall_interval_is_as_wide_as_that_of_ballots_really_drawn(drawn):
    found = kappa_intervals(published_columns(), REPLICATES, SEED, level=0.8)[1]["inter"]
    enough = {(c.judge, c.other) for c in kappas(published_columns()) if c.is_enough and c.judge != c.other}
    cells = [[each[name] for name in enough & each.keys()] for each in drawn]
    values = [np.average([cell.kappa for cell in each], weights=[cell.compared for cell in each]) for each in cells]
    low, high = interval_of(np.array(values), 0.8)
    assert found.interval.high - found.interval.low == pytest.approx(high - low, rel=1e-9)
    assert found.interval.low < found.kappa < found.interval.high


def test_the_published_values_lie_in_their_intervals():
    ballots = published_columns()
    bounded, together = kappa_intervals(ballots, 200, 17)
    cells = kappas(ballots)
    assert together["inter"].kappa == pytest.approx(overall(c for c in cells if c.judge != c.other).kappa)
    assert together["intra"].kappa == pytest.approx(overall(c for c in cells if c.judge == c.other).kappa)
    ((of_rest, _),) = intervals_of(with_rest(ballots), [Weighting.NOMINAL], 200, 17)
    for one in [*together.values(), *of_rest, *bounded]:
        if one.interval:
            assert one.interval.low <= one.kappa <= one.interval.high


def test_the_same_seed_draws_the_same_and_another_does_not():
    one, same, other = (kappa_intervals(published_columns(), 150, seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other
