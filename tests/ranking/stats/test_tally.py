"""Tallies: counted by hand, comparison by comparison, and as the authors of the paper counted."""

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.stats.tally import Counts, Tally, count_by_judge, pairs_of_parts, tally, tally_by, weighted_tallies
from tests import published
from tests.ranking.stats.ballots import (
    MOST_SYSTEMS,
    Ballot,
    any_ballot,
    any_ballots,
    ballot,
    columns,
    published_columns,
)


def tally_of(*ballots: Ballot, systems: int = MOST_SYSTEMS) -> Tally:
    return tally(columns(ballots, systems))


def same(one: Tally, other: Tally) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in Tally.__dataclass_fields__)


def test_the_toy_of_the_definition_and_ties_and_skipped_ballots_that_are_no_wins():
    counted = tally_of(ballot(("AB", 1), ("C", 2)), systems=3)
    assert counted.wins.tolist() == [[0, 0, 1], [0, 0, 1], [0, 0, 0]]
    assert counted.ties.tolist() == np.zeros((3, 3)).tolist()
    assert counted.shared.tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert counted.merits.tolist() == [-1, -1, -2]
    assert counted.shown.tolist() == [1, 1, 1]
    counted = tally_of(ballot(("A", 1), ("B", 1)), ballot(), systems=2)
    assert not counted.wins.any()
    assert counted.ties.tolist() == [[0, 1], [1, 0]]
    assert not tally_of(systems=2).compared.any()


@pytest.mark.wide
@given(any_ballots)
def test_every_comparison_is_counted_once_merits_are_summed_and_parts_add_up_to_the_whole(ballots):
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
    for system in range(MOST_SYSTEMS):
        given_merits = [g.merit for one in ballots for g in one.groups if system in g.systems]
        assert counted.shown[system] == len(given_merits)
        assert counted.merits[system] == sum(given_merits)
    given_columns = columns(ballots)
    parts = tally_by(given_columns, given_columns.judge, given_columns.judges)
    assert same(parts.total(), tally(given_columns))


@pytest.mark.wide
@given(any_ballots)
def test_pairs_of_parts_are_those_that_somebody_compared(ballots):
    judged = columns(ballots)
    wins, ties = np.zeros((2, judged.segments, MOST_SYSTEMS, MOST_SYSTEMS), dtype=int)
    for one, other, part, won, lost, tied in pairs_of_parts(judged, judged.segment):
        assert ((one < other) & (won + lost + tied > 0)).all()
        wins[part, one, other], wins[part, other, one] = won, lost
        ties[part, one, other] = ties[part, other, one] = tied
    counted = tally_by(judged, judged.segment, judged.segments)
    assert np.array_equal(wins, counted.wins)
    assert np.array_equal(ties, counted.ties)


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


def count(*ballots: Ballot) -> Counts:
    return sum(count_by_judge(columns(ballots)), Counts())


def in_the_order_of_the_paper(counts: Counts) -> list[int]:
    return [counts.ballots, counts.unexpanded, counts.unexpanded_ties, counts.expanded, counts.expanded_ties]


def test_counts_by_hand_are_kept_by_judge():
    assert count(ballot(("AB", 1), ("C", 2))) == Counts(1, 0, 1, 0, 3, 1, 1)
    assert count(ballot()) == Counts(1, 1, 0, 0, 0, 0)
    ballots = [ballot(("A", 1), ("B", 2), judge=2), ballot(("A", 1), ("B", 1), judge=0), ballot(judge=2)]
    assert count_by_judge(columns(ballots, judges=3)) == [Counts(1, 0, 1, 1, 1, 1), Counts(), Counts(2, 1, 1, 0, 1, 0)]
    assert count_by_judge(columns([], judges=1)) == [Counts()]


@given(any_ballot())
def test_comparisons_are_all_pairs_of_candidates_and_of_the_systems_behind_them(one):
    placed = [(system, place, group.merit) for place, group in enumerate(one.groups) for system in group.systems]
    pairs = list(combinations(placed, 2))
    counts = count(one)
    assert counts.expanded == len(pairs)
    assert counts.expanded_ties == sum(a[1] == b[1] or a[2] == b[2] for a, b in pairs)
    pairs = list(combinations([group.merit for group in one.groups], 2))
    assert counts.unexpanded == len(pairs)
    assert counts.unexpanded_ties == sum(a == b for a, b in pairs)


@pytest.mark.wide
@given(any_ballots)
def test_judges_counts_add_up_and_shared_ties_are_pairs_behind_one_candidate(ballots):
    sizes = [len(group.systems) for one in ballots for group in one.groups]
    assert count(*ballots).shared == sum(size * (size - 1) // 2 for size in sizes)
    by_judge = count_by_judge(columns(ballots))
    assert sum(by_judge, Counts()) == sum(map(count, ballots), Counts())
    assert {judge for judge, counts in enumerate(by_judge) if counts.ballots} == {one.judge for one in ballots}


def test_the_published_comparisons_are_those_of_table_1_and_of_the_authors_programs():
    printed = published.golden()["paper"]["table1"]
    by_judge = count_by_judge(published_columns())
    assert {str(judge): in_the_order_of_the_paper(counts) for judge, counts in enumerate(by_judge, 1)} == {
        judge: row for judge, row in printed.items() if judge != "total"
    }
    assert in_the_order_of_the_paper(sum(by_judge, Counts())) == printed["total"]
    golden = published.golden()
    for judge, counts in zip(golden["judges"], by_judge, strict=True):
        row = golden["table1"][judge]
        assert in_the_order_of_the_paper(counts) == [
            row[column] for column in ("ranks", "unexpanded", "unexpanded_ties", "expanded", "expanded_ties")
        ]
    total = sum(by_judge, Counts())
    assert (total.skipped, total.shared) == (13, golden["expanded_ties_within_one_output"])
