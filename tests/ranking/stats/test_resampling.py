"""The resampler: what is drawn, that it is the same however the work is split, and the published tables from it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.choices import ADJUDICATED
from ranking.stats.rankings.expected_wins import expected_wins_as_published
from ranking.stats.rankings.uncertainty import all_later, uncertainty
from ranking.stats.resampling import (
    MEANING_OF_BROADEST,
    Unit,
    UnitChoices,
    resample,
    resample_pairs,
    resample_sums,
    units_of,
)
from ranking.stats.tally import Tally, tally
from tests import published
from tests.ranking.stats.ballots import any_ballots, ballot, columns, published_columns

FEW = [
    ballot(("A", 1), ("B", 2), judge=0, segment=0),
    ballot(("A", 2), ("B", 1), judge=1, segment=0),
    ballot(("AB", 1), ("C", 2), judge=1, segment=1),
]
DRAWN = [unit for unit in Unit if unit.drawn is unit]


def same(one: Tally, other: Tally) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("wins", "ties", "shared"))


def test_what_other_judges_would_change_is_asked_of_enough_judges_and_not_of_adjudicated_answers():
    adjudicated = UnitChoices(answers=ADJUDICATED)
    units = [chosen.for_judges(many).unit for chosen in (UnitChoices(), adjudicated) for many in (4, 5)]
    assert units == [Unit.SENTENCE, Unit.SENTENCE_AND_JUDGE, Unit.SENTENCE, Unit.SENTENCE]
    assert UnitChoices().for_plan()["unit"] == MEANING_OF_BROADEST
    assert adjudicated.for_plan()["unit"] == Unit.SENTENCE


@pytest.mark.parametrize("unit", DRAWN)
def test_replicates_are_the_same_however_the_work_is_split(unit):
    ballots = columns([one._replace(judge=n) for n, one in enumerate(FEW * 4)], 3, 12)
    whole = resample(ballots, unit, 7, seed=5)
    for first, number in ((0, 3), (3, 4)):
        assert same(resample(ballots, unit, number, seed=5, first=first), whole[first : first + number])
    assert not same(resample(ballots, unit, 7, seed=6), whole)


@pytest.mark.parametrize("unit", [Unit.RANKING, Unit.SENTENCE, Unit.JUDGE])
def test_ballots_count_by_their_worth_and_from_one_unit_nothing_can_be_drawn(unit):
    ballots = columns(FEW, 3)
    plain = resample(ballots, unit, 5, seed=5)
    double = resample(ballots, unit, 5, seed=5, worth=np.full(3, 2.0))
    assert np.array_equal(double.wins, 2 * plain.wins)
    only_first = resample(ballots, unit, 5, seed=5, worth=np.array([1.0, 1.0, 0.0]))
    assert not only_first.wins[:, :, 2].any()
    assert np.array_equal(only_first.wins[:, 0, 1], plain.wins[:, 0, 1])
    with pytest.raises(StatisticsError, match=f"There is only one {unit}"):
        resample(columns(FEW[:1], 3), unit, 5, seed=1)


@pytest.mark.parametrize(
    ("unit", "parts"), [(Unit.RANKING, [0, 1, 2]), (Unit.SENTENCE, [0, 0, 1]), (Unit.JUDGE, [0, 1, 1])]
)
def test_units_are_judged_ballots_sentences_or_judges(unit, parts):
    part, number = units_of(columns(FEW, 3), unit)
    assert part.tolist() == parts
    assert number == max(parts) + 1
    assert units_of(columns([FEW[0], FEW[2]], 3, judges=9), Unit.JUDGE)[1] == 2


@pytest.mark.parametrize("kind", [bool, np.uint8, np.int64, float])
def test_sums_of_many_units_are_whole_whatever_they_are_of(kind):
    assert resample_sums(np.ones((300, 1), dtype=kind), 2, seed=1).tolist() == [[300], [300]]


def test_without_a_comparison_nothing_can_be_drawn():
    with pytest.raises(StatisticsError, match="no comparison"):
        resample(columns([ballot(("A", 1))], 3), Unit.PAIR, 5, seed=1)


@pytest.mark.wide
@given(any_ballots, st.integers(0, 99))
def test_as_many_comparisons_are_drawn_as_there_are(ballots, seed):
    counted = tally(columns(ballots))
    if not counted.compared.any():
        return
    drawn = resample_pairs(counted, 4, seed)
    assert (np.triu(drawn.compared).sum(axis=(1, 2)) == np.triu(counted.compared).sum()).all()
    assert not drawn.wins[:, counted.wins == 0].any()
    assert (drawn.ties == drawn.ties.swapaxes(1, 2)).all()


@pytest.mark.parametrize("seed", [0, 17, 2015])
def test_published_clusters_and_ranges_come_from_pairs(seed):
    golden = published.golden()
    scores = expected_wins_as_published(resample(published_columns(), Unit.PAIR, 1000, seed))
    found = uncertainty(scores, 0.95)
    rows = golden["paper"]["table3b"]
    places = [golden["systems"].index(row["system"]) for row in rows]
    assert all_later([found.ranges[place] for place in places]) == [row["cluster"] for row in rows]
    for row, place in zip(rows, places, strict=True):
        assert scores.mean(axis=0)[place] == pytest.approx(row["score"], abs=0.002)
        assert abs(found.ranges[place].best - row["lo"]) <= 1
        assert abs(found.ranges[place].worst - row["hi"]) <= 1
