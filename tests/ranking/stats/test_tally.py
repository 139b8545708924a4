"""Tallies: counted by hand, comparison by comparison, and as the authors of the paper counted."""

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.stats.tally import Tally, tally, tally_by, weighted_tallies
from tests import published
from tests.ranking.stats.ballots import (
    MOST_SYSTEMS,
    Ballot,
    any_ballots,
    ballot,
    columns,
    published_columns,
    without_system,
)


def tally_of(*ballots: Ballot, systems: int = MOST_SYSTEMS) -> Tally:
    return tally(columns(ballots, systems))


def same(one: Tally, other: Tally) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in Tally.__dataclass_fields__)


def test_the_toy_of_the_definition():
    counted = tally_of(ballot(("AB", 1), ("C", 2)), systems=3)
    assert counted.wins.tolist() == [[0, 0, 1], [0, 0, 1], [0, 0, 0]]
    assert counted.ties.tolist() == np.zeros((3, 3)).tolist()
    assert counted.shared.tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert counted.merits.tolist() == [-1, -1, -2]
    assert counted.shown.tolist() == [1, 1, 1]


def test_ties_and_skipped_ballots_are_no_wins():
    counted = tally_of(ballot(("A", 1), ("B", 1)), ballot(), systems=2)
    assert not counted.wins.any()
    assert counted.ties.tolist() == [[0, 1], [1, 0]]
    assert not tally_of(systems=2).compared.any()


@pytest.mark.wide
@given(any_ballots)
def test_every_comparison_is_counted_once_and_nothing_else(ballots):
    wins, ties, shared = Counter(), Counter(), Counter()
    for one in ballots:
        for a, b in permutations(one.groups, 2):
            for pair in ((s, t) for s in a.systems for t in b.systems):
                wins[pair] += a.merit > b.merit
                ties[pair] += a.merit == b.merit
        for group in one.groups:
            shared.update(permutations(group.systems, 2))
    counted = tally_of(*ballots)
    for matrix, expected in ((counted.wins, wins), (counted.ties, ties), (counted.shared, shared)):
        for i, j in np.ndindex(matrix.shape):
            assert matrix[i, j] == expected[i, j]


@pytest.mark.wide
@given(any_ballots)
def test_merits_are_summed_for_every_system_shown(ballots):
    counted = tally_of(*ballots)
    for system in range(MOST_SYSTEMS):
        given_merits = [g.merit for one in ballots for g in one.groups if system in g.systems]
        assert counted.shown[system] == len(given_merits)
        assert counted.merits[system] == sum(given_merits)


@pytest.mark.wide
@given(any_ballots, st.permutations(range(MOST_SYSTEMS)))
def test_other_numbers_for_the_systems_only_move_their_counts(ballots, numbers):
    renamed = [
        one._replace(groups=tuple(g._replace(systems=tuple(numbers[s] for s in g.systems)) for g in one.groups))
        for one in ballots
    ]
    moved, counted = tally_of(*renamed), tally_of(*ballots)
    assert np.array_equal(moved.wins[np.ix_(numbers, numbers)], counted.wins)
    assert np.array_equal(moved.ties[np.ix_(numbers, numbers)], counted.ties)
    assert np.array_equal(moved.merits[np.array(numbers)], counted.merits)


@pytest.mark.wide
@given(any_ballots, st.randoms(use_true_random=False))
def test_the_order_of_ballots_and_candidates_does_not_matter(ballots, rng):
    shuffled = [one._replace(groups=tuple(rng.sample(one.groups, len(one.groups)))) for one in ballots]
    rng.shuffle(shuffled)
    assert same(tally_of(*shuffled), tally_of(*ballots))


@pytest.mark.wide
@given(any_ballots)
def test_turning_the_merits_round_turns_the_wins_round(ballots):
    turned = [one._replace(groups=tuple(g._replace(merit=-g.merit) for g in one.groups)) for one in ballots]
    assert np.array_equal(tally_of(*turned).wins, tally_of(*ballots).wins.T)
    assert np.array_equal(tally_of(*turned).ties, tally_of(*ballots).ties)


@pytest.mark.wide
@given(any_ballots)
def test_parts_add_up_to_the_whole(ballots):
    given_columns = columns(ballots)
    parts = tally_by(given_columns, given_columns.judge, given_columns.judges)
    assert same(parts.total(), tally(given_columns))


@pytest.mark.wide
@given(any_ballots, st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_a_weight_is_a_number_of_copies(ballots, weights):
    copies = [one for one, weight in zip(ballots, weights, strict=False) for _ in range(weight)]
    part = np.arange(len(ballots))
    weighted = weighted_tallies(columns(ballots), part, np.array(weights[: len(ballots)]).reshape(-1, 1))
    assert same(weighted[0], tally_of(*copies))


@pytest.mark.parametrize("replicates", [1, 127, 128, 129, 300])
def test_blocks_of_replicates_meet_without_a_seam(replicates):
    ballots = columns([ballot(("A", 1), ("B", 2)), ballot(("B", 1), ("A", 2))], systems=2)
    weights = np.stack([np.arange(replicates), np.ones(replicates)]).astype(int)
    counted = weighted_tallies(ballots, np.array([0, 1]), weights)
    assert counted.wins[:, 0, 1].tolist() == list(range(replicates))
    assert (counted.wins[:, 1, 0] == 1).all()


@pytest.mark.wide
@given(any_ballots, st.integers(0, MOST_SYSTEMS - 1))
def test_without_a_system_all_others_keep_their_counts(ballots, system):
    whole, less = tally_of(*ballots), tally_of(*without_system(ballots, system), systems=MOST_SYSTEMS - 1)
    others = [other for other in range(MOST_SYSTEMS) if other != system]
    assert np.array_equal(less.wins, whole.wins[np.ix_(others, others)])
    assert np.array_equal(less.shared, whole.shared[np.ix_(others, others)])
    assert np.array_equal(less.shown, whole.shown[others])


@pytest.mark.wide
@given(any_ballots, st.data())
def test_chosen_ballots_are_counted_as_if_they_were_all(ballots, data):
    numbers = data.draw(st.lists(st.integers(0, len(ballots) - 1), max_size=10)) if ballots else []
    chosen = columns(ballots).choose(np.array(numbers, dtype=int))
    assert same(tally(chosen), tally_of(*(ballots[number] for number in numbers)))


def test_the_published_counts_are_those_of_the_authors_programs():
    golden, counted = published.golden(), tally(published_columns())
    assert counted.wins.tolist() == golden["win_matrix"]
    assert (counted.ties + counted.shared).tolist() == golden["tie_matrix"]
    assert sum(counted.shared[i, j] for i, j in combinations(range(13), 2)) == golden["expanded_ties_within_one_output"]
