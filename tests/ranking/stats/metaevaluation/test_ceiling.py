"""The human ceiling: by hand, on the published judgments, and what must always hold."""

import pytest

from ranking.numbers.tables import StatisticsError
from ranking.stats.metaevaluation.correlations import Coefficient
from ranking.stats.metaevaluation.human_agreement import Halves, ceiling
from ranking.stats.rankings.methods import METHODS
from tests.ranking.stats.ballots import ballot, columns, published_columns

EXPECTED_WINS = METHODS["expected-wins"].scores


def alike(sentences: int = 4, judges: int = 2):
    """Judges who rank four systems alike on every sentence."""
    ranked = (("A", 1), ("B", 2), ("C", 3), ("D", 4))
    ballots = [ballot(*ranked, judge=judge, segment=segment) for segment in range(sentences) for judge in range(judges)]
    return columns(ballots, 4, judges)


@pytest.mark.parametrize("halves", Halves)
def test_the_toy_of_the_definition(halves):
    found = ceiling(alike(), 2, EXPECTED_WINS, halves, seed=1, splits=5)
    assert found == [(name, pytest.approx(1), 5) for name in Coefficient]


@pytest.mark.parametrize("halves", Halves)
def test_every_ballot_of_people_is_in_one_half_and_automatic_ties_in_both(halves):
    ballots, seen = alike(sentences=5, judges=3), []

    def scoring(half):
        seen.append(list(zip(half.judge.tolist(), half.segment.tolist(), strict=True)))
        return EXPECTED_WINS(half)

    ceiling(ballots, 2, scoring, halves, seed=3, splits=4)
    everything = sorted(zip(ballots.judge.tolist(), ballots.segment.tolist(), strict=True))
    for one, other in zip(seen[::2], seen[1::2], strict=True):
        nobody = [pair for pair in everything if pair[0] == 2]
        assert sorted([*one, *other]) == sorted([*everything, *nobody])
        if halves is Halves.JUDGMENTS:
            assert {segment for judge, segment in one if judge < 2} == set(range(5))


def test_the_same_seed_gives_the_same_and_judgments_agree_more_than_the_judges():
    ballots = published_columns()
    one, other = (ceiling(ballots, 8, EXPECTED_WINS, Halves.JUDGES, 7, splits=3) for _ in range(2))
    assert one == other
    # A half of the judgments has all judges in it, so it misses what is peculiar to some of them.
    values = [ceiling(published_columns(), 8, EXPECTED_WINS, halves, 17, splits=40)[0][1] for halves in Halves]
    assert 0.8 < values[1] < values[0] < 1


def test_where_no_half_can_rank_there_is_no_ceiling():
    ballots = alike(judges=1)
    with pytest.raises(StatisticsError, match="only one judge"):
        ceiling(ballots, 1, EXPECTED_WINS, Halves.JUDGES, seed=1)
    assert ceiling(ballots, 1, EXPECTED_WINS, Halves.JUDGMENTS, seed=1, splits=9)[0][1] == pytest.approx(1)
    with pytest.raises(StatisticsError, match="No half of the judgments"):
        ceiling(columns([ballot(("A", 1), ("B", 1))] * 2, 2, 1), 1, EXPECTED_WINS, Halves.JUDGMENTS, seed=1)
