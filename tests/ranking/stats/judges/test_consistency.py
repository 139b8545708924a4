"""Self-consistency: by hand, pair by pair, and as published."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from ranking.stats.judges import Consistency, consistencies
from tests import published
from tests.ranking.stats.ballots import Ballot, Group, any_ballots, ballot, columns, published_columns


def test_the_toy_of_the_definition():
    ratings = [Ballot(2, 0, (Group((0,), merit),)) for merit in (60, 80, 50)]
    assert consistencies(columns(ratings)) == [Consistency(2, None, 0, 20, 3)]


def test_a_judge_who_changes_their_mind_disagrees():
    found = consistencies(columns([ballot(("A", 1), ("B", 2)), ballot(("A", 2), ("B", 1)), ballot(("A", 1), judge=1)]))
    assert found == [Consistency(0, -1, 1, 1, 2)]


def test_judges_without_repeats_are_left_out():
    assert consistencies(columns([ballot(("A", 1), ("B", 2))])) == []
    assert consistencies(columns([])) == []


@pytest.mark.wide
@given(any_ballots)
def test_differences_are_of_all_pairs_of_repeats(ballots):
    found = {each.judge: each for each in consistencies(columns(ballots))}
    for judge in range(8):
        merits_of: dict[tuple, list[float]] = {}
        for one in ballots:
            for group in one.groups if one.judge == judge else ():
                merits_of.setdefault((one.segment, group.systems), []).append(group.merit)
        differences = [abs(a - b) for merits in merits_of.values() for a, b in combinations(merits, 2)]
        assert (judge in found) == bool(differences)
        if differences:
            assert found[judge].repeats == len(differences)
            assert found[judge].repeat_difference == pytest.approx(np.mean(differences))


def test_the_published_judges_are_as_consistent_as_table_2_says():
    golden = published.golden()["table2"]["cells"]
    for each in consistencies(published_columns()):
        cell = golden[f"{each.judge + 1}-{each.judge + 1}"]
        assert (each.kappa, each.compared) == (pytest.approx(cell["kappa"]), cell["n"])
        assert 0 < each.repeat_difference < 2
