"""Bets against a careful judge, counted by hand."""

import random

from judgments.judges.rules.alarms import LATER, evidence_against


def test_the_toy():
    assert evidence_against([1, 1, 1], 1 / 1.27) == range(1)
    assert evidence_against([1, 1, 1], 1 / 1.28) == range(2)
    first = 0.5 * (1.2**2 + 1.5**2 + 1.95**2) / 3
    entered = 0.5 * LATER * (1.2 + 1.5 + 1.95) / 3
    capital = first + entered + 0.5 * (1 - LATER)
    assert evidence_against([1, 1, 0], 1 / (capital - 1e-9)) == range(2)
    assert evidence_against([1, 1, 0], 1 / (capital + 1e-9)) is None
    assert [evidence_against(gains, 0.5) for gains in ([], [0.0] * 300, [-1.0] * 300)] == [None] * 3


def test_evidence_begins_where_the_gains_begin():
    found = evidence_against([-1.0] * 100 + [1.0] * 30, 0.001)
    assert found.start == 100
    assert len(found) < 25


def test_fair_bets_raise_few_alarms_at_any_of_100_looks():
    rng = random.Random(3)
    false = sum(evidence_against((rng.choice((-1, 1)) for _ in range(100)), 0.1) is not None for _ in range(500))
    assert 0 < false / 500 < 0.1
