"""Unexpanded comparisons one by one: by hand, ballot by ballot, and as many as published."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from ranking.stats.agreement.meetings import BETTER, EVEN, WORSE, pairs_of
from tests.ranking.stats.ballots import Ballot, any_ballots, ballot, columns, published_columns


def by_hand(ballots: list[Ballot]) -> list[tuple[int, tuple, int]]:
    """Number of the ballot, segment with both candidates, outcome for the first of them."""
    found = []
    for number, one in enumerate(ballots):
        for groups in combinations(one.groups, 2):
            first, second = sorted(groups)
            outcome = 1 + int(np.sign(first.merit - second.merit))
            found.append((number, (one.segment, first.systems, second.systems), outcome))
    return found


def test_the_first_candidate_is_that_whose_systems_come_first_wherever_it_was_shown():
    shown = [(("A", 1), ("B", 2)), (("B", 2), ("A", 1)), (("B", 1), ("A", 2)), (("AC", 4), ("AB", 4)),
             (("AB", 1), ("A", 2))]  # fmt: skip
    pairs = pairs_of(columns([ballot(*groups) for groups in shown]))
    assert pairs.outcome.tolist() == [BETTER, BETTER, WORSE, EVEN, WORSE]


def test_a_pair_is_known_again_in_other_company_but_not_on_another_segment():
    alone, elsewhere = ballot(("A", 1), ("B", 2)), ballot(("A", 1), ("B", 2), segment=1)
    pairs = pairs_of(columns([alone, ballot(("C", 1), ("B", 2), ("A", 3)), elsewhere]))
    assert pairs.ballot.tolist() == [0, 1, 1, 1, 2]
    assert pairs.keys == 4
    assert pairs.key[0] == pairs.key[3]
    assert pairs.outcome.tolist() == [BETTER, WORSE, WORSE, WORSE, BETTER]
    assert len(set(pairs.key[[0, 1, 2, 4]].tolist())) == 4


@pytest.mark.wide
@given(any_ballots)
def test_every_pair_of_candidates_is_listed_once_and_shares_its_key_with_those_of_its_segment(ballots):
    pairs = pairs_of(columns(ballots))
    found, expected = {}, {}
    for number, key, outcome in zip(pairs.ballot.tolist(), pairs.key.tolist(), pairs.outcome.tolist(), strict=True):
        found.setdefault(key, []).append((number, outcome))
    for number, key, outcome in by_hand(ballots):
        expected.setdefault(key, []).append((number, outcome))
    assert sorted(map(sorted, found.values())) == sorted(map(sorted, expected.values()))
    assert pairs.keys == len(expected)


def test_the_published_pairs_are_those_of_table_1():
    pairs = pairs_of(published_columns())
    assert len(pairs.key) == 20516
    assert (pairs.outcome == EVEN).sum() == 5694
