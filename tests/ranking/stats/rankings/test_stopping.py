"""Goals fixed in advance: the toy, who is best, pairs that are settled, and what is forgone."""

from math import inf

import pytest

from ranking.numbers.tables import Table
from ranking.stats.comparisons.standings import PAIRS
from ranking.stats.rankings.stopping import Goal, PairOfSystems, forgone, pairs_of, standing

SETTLED = PairOfSystems("A", "C", 0.2, 0.1, True, False)
OPEN = PairOfSystems("A", "B", 0.04, 0.06, False, False)
EQUIVALENT = PairOfSystems("B", "C", 0.01, 0.02, False, True)


def test_a_pair_is_settled_by_a_difference_or_by_equivalence_whichever_needs_less():
    assert OPEN.factor() == pytest.approx(2.25)
    assert SETTLED.factor() == 1
    assert EQUIVALENT.factor(delta=0.05) == 1
    assert OPEN.factor(delta=0.2) == 1, "its interval lies within delta already, so the next look may say so"
    assert PairOfSystems("A", "B", 0.01, 0.06, False, False).factor(delta=0.05) == pytest.approx((0.06 / 0.04) ** 2)
    assert PairOfSystems("A", "B", 0.0, 0.06, False, False).factor() == inf


def test_goals_are_reached_where_their_pairs_are_settled():
    pairs = [OPEN, SETTLED, EQUIVALENT]
    found = standing(Goal.BEST, pairs, 100)
    assert (found.leader, found.pairs, found.settled, found.is_reached) == ("A", 2, 1, False)
    assert found.judgments == pytest.approx(225)
    assert standing(Goal.BEST, [SETTLED], 100).is_reached
    assert not standing(Goal.BEST, [], 0).is_reached
    assert standing(Goal.PAIRS, [SETTLED, EQUIVALENT], 100, delta=0.05).is_reached
    found = standing(Goal.PAIRS, [SETTLED, EQUIVALENT], 100)
    assert (found.settled, found.is_reached, found.judgments) == (1, False, pytest.approx(400))
    assert [forgone(pairs, 100, budget) for budget in (100, 230, 500)] == [0, 1, 2]


def test_pairs_are_those_of_the_method_to_cite():
    row = ("expected-wins", "A", "B", 0.04, -0.02, 0.10, 0.9, 0.2, True, 0.3, False)
    far = ("expected-wins", "A", "C", 0.02, None, None, 0.9, 1.0, False, 0.01, True)
    table = Table.of("pairs", PAIRS, [row, far, ("bradley-terry", *row[1:])])
    assert pairs_of(table) == [
        PairOfSystems("A", "B", 0.04, pytest.approx(0.06), is_resolved=True, is_equivalent=False),
        PairOfSystems("A", "C", 0.02, inf, is_resolved=False, is_equivalent=True),
    ]
