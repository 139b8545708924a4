"""Unexpanded comparisons one by one: by hand, ballot by ballot, and as many as published."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.stats.agreement.pairs import BETTER, EVEN, WORSE, pairs_of
from tests.ranking.stats.ballots import Ballot, any_ballots, ballot, columns, published_columns


def outcomes(*ballots: Ballot) -> list[int]:
    return pairs_of(columns(ballots)).outcome.tolist()


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
    assert outcomes(ballot(("A", 1), ("B", 2))) == [BETTER]
    assert outcomes(ballot(("B", 2), ("A", 1))) == [BETTER]
    assert outcomes(ballot(("B", 1), ("A", 2))) == [WORSE]
    assert outcomes(ballot(("AC", 4), ("AB", 4))) == [EVEN]
    assert outcomes(ballot(("AB", 1), ("A", 2))) == [WORSE]


def test_a_pair_is_known_again_in_other_company_but_not_on_another_segment():
    alone, elsewhere = ballot(("A", 1), ("B", 2)), ballot(("A", 1), ("B", 2), segment=1)
    pairs = pairs_of(columns([alone, ballot(("C", 1), ("B", 2), ("A", 3)), elsewhere]))
    assert pairs.ballot.tolist() == [0, 1, 1, 1, 2]
    assert pairs.keys == 4
    assert pairs.key[0] == pairs.key[3]
    assert pairs.outcome.tolist() == [BETTER, WORSE, WORSE, WORSE, BETTER]
    assert len(set(pairs.key[[0, 1, 2, 4]].tolist())) == 4


def test_without_two_candidates_there_is_no_pair():
    assert outcomes() == []
    assert outcomes(ballot(), ballot(("ABC", 1))) == []


@pytest.mark.wide
@given(any_ballots)
def test_every_pair_of_candidates_is_listed_once(ballots):
    pairs, expected = pairs_of(columns(ballots)), by_hand(ballots)
    assert Counter(zip(pairs.ballot.tolist(), pairs.outcome.tolist(), strict=True)) == Counter(
        (number, outcome) for number, _, outcome in expected
    )
    assert pairs.keys == len({key for _, key, _ in expected})


@pytest.mark.wide
@given(any_ballots)
def test_comparisons_of_one_key_are_those_of_one_segment_and_two_candidates(ballots):
    pairs = pairs_of(columns(ballots))
    found, expected = {}, {}
    for number, key, outcome in zip(pairs.ballot.tolist(), pairs.key.tolist(), pairs.outcome.tolist(), strict=True):
        found.setdefault(key, []).append((number, outcome))
    for number, key, outcome in by_hand(ballots):
        expected.setdefault(key, []).append((number, outcome))
    assert sorted(map(sorted, found.values())) == sorted(map(sorted, expected.values()))


@pytest.mark.wide
@given(any_ballots, st.randoms(use_true_random=False))
def test_the_order_of_candidates_does_not_matter(ballots, rng):
    shuffled = [one._replace(groups=tuple(rng.sample(one.groups, len(one.groups)))) for one in ballots]
    sides = [pairs_of(columns(each)) for each in (ballots, shuffled)]
    one, other = (Counter(zip(pairs.ballot.tolist(), pairs.outcome.tolist(), strict=True)) for pairs in sides)
    assert one == other
    assert sides[0].keys == sides[1].keys


@pytest.mark.wide
@given(any_ballots)
def test_turning_the_merits_round_turns_the_outcomes_round(ballots):
    turned = [one._replace(groups=tuple(g._replace(merit=-g.merit) for g in one.groups)) for one in ballots]
    assert outcomes(*turned) == [BETTER - outcome for outcome in outcomes(*ballots)]


def test_the_published_pairs_are_those_of_table_1():
    pairs = pairs_of(published_columns())
    assert len(pairs.key) == 20516
    assert (pairs.outcome == EVEN).sum() == 5694
