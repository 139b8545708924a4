"""Intervals of kappa: by hand, against drawing the ballots themselves, and on the published judgments."""

import numpy as np
import pytest

from ranking.numbers.intervals import LEVEL, interval_of
from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.kappa import KappaIntervals, intervals_of, kappas, overall, rest_intervals_of
from ranking.stats.agreement.meetings import Entries, Meetings, entries_of, meetings, meetings_with_rest
from ranking.stats.ballots import Ballots
from ranking.stats.resampling import Unit, units_of
from tests.ranking.stats.agreement.test_kappa import answers
from tests.ranking.stats.ballots import ballot, columns, published_columns, really_drawn

REPLICATES, SEED = 12, 5


def by_sentence(ballots: Ballots) -> Entries:
    return entries_of(ballots, *units_of(ballots, Unit.SENTENCE))


def with_rest(ballots: Ballots) -> Meetings:
    return meetings_with_rest(by_sentence(ballots))


def kappa_intervals(ballots: Ballots, replicates: int, seed: int, level: float = LEVEL) -> KappaIntervals:
    (found,) = intervals_of(meetings(by_sentence(ballots)), replicates, seed, level)
    return found


def test_the_toy_of_the_definition():
    twins = answers(0, "><" * 30) + answers(1, "><" * 30)
    found = kappa_intervals(columns(twins), 50, SEED)
    assert found.cells[0].interval == (1, 1)
    assert found.inter.interval == pytest.approx((1, 1))
    assert found.intra is None


def test_cells_with_too_little_to_compare_and_judges_who_never_meet_have_no_interval():
    (cell,) = kappa_intervals(columns(answers(0, "><=") + answers(1, "><>")), 20, SEED).cells
    assert (cell.agreement.compared, cell.interval) == (3, None)
    with pytest.raises(StatisticsError, match="have some sentences judged twice"):
        rest_intervals_of(with_rest(columns([*answers(0, "><"), ballot(("C", 1), ("D", 2), judge=1)])), 10, SEED)


def test_with_too_many_cells_there_is_only_the_overall_value(monkeypatch):
    monkeypatch.setattr("ranking.stats.agreement.kappa.MOST_CELLS", 34)
    found = kappa_intervals(published_columns(), 20, SEED)
    assert found.cells == []
    assert found.inter.agreement.compared == 30594


@pytest.fixture(scope="module")
def drawn() -> list[dict[tuple[int, int], float]]:
    """The kappas of ballots that were really drawn, a sentence drawn twice being two sentences."""
    return [{(cell.judge, cell.other): cell for cell in kappas(one)} for one in really_drawn(REPLICATES, SEED)]


def test_each_interval_is_that_of_ballots_really_drawn(drawn):
    for cell in kappa_intervals(published_columns(), REPLICATES, SEED, level=0.8).cells:
        if cell.interval:
            name = (cell.agreement.judge, cell.agreement.other)
            kappa_of_each = np.array([each[name].kappa if name in each else np.nan for each in drawn])
            assert cell.interval == pytest.approx(interval_of(kappa_of_each, 0.8), rel=1e-9)


def test_the_overall_interval_is_as_wide_as_that_of_ballots_really_drawn(drawn):
    found = kappa_intervals(published_columns(), REPLICATES, SEED, level=0.8).inter
    enough = {(c.judge, c.other) for c in kappas(published_columns()) if c.is_enough and c.judge != c.other}
    cells = [[each[name] for name in enough & each.keys()] for each in drawn]
    values = [np.average([cell.kappa for cell in each], weights=[cell.compared for cell in each]) for each in cells]
    low, high = interval_of(np.array(values), 0.8)
    assert found.interval.high - found.interval.low == pytest.approx(high - low, rel=1e-9)
    assert found.interval.low < found.agreement.kappa < found.interval.high


def test_the_published_values_lie_in_their_intervals():
    ballots = published_columns()
    found = kappa_intervals(ballots, 200, 17)
    cells = kappas(ballots)
    assert found.inter.agreement.kappa == pytest.approx(overall(c for c in cells if c.judge != c.other).kappa)
    assert found.intra.agreement.kappa == pytest.approx(overall(c for c in cells if c.judge == c.other).kappa)
    for bounded in [found.inter, found.intra, *rest_intervals_of(with_rest(ballots), 200, 17)[0], *found.cells]:
        if bounded.interval:
            assert bounded.interval.low <= bounded.agreement.kappa <= bounded.interval.high


def test_the_same_seed_draws_the_same_and_another_does_not():
    one, same, other = (kappa_intervals(published_columns(), 150, seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other
