"""Kappa and Cohen's kappa: by hand, combination by combination, and as published."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.kappa import ENOUGH, Agreement, beyond_chance, kappa, kappas, overall
from tests import published
from tests.ranking.stats.ballots import Ballot, any_ballots, ballot, columns, published_columns

RANKS = {">": (1, 2), "=": (1, 1), "<": (2, 1)}


def answers(judge: int, signs: str) -> list[Ballot]:
    """The answers of a judge on A and B for segments 0, 1, 2 ..."""
    return [
        ballot(("A", RANKS[sign][0]), ("B", RANKS[sign][1]), judge=judge, segment=segment)
        for segment, sign in enumerate(signs)
    ]


def cells(ballots: list[Ballot]) -> dict[tuple[int, int], tuple[float, int]]:
    return {(cell.judge, cell.other): (cell.kappa, cell.compared) for cell in kappas(columns(ballots))}


def by_hand(ballots: list[Ballot]) -> dict[tuple[int, int], tuple[float, int]]:
    """The cells by the words of the definition."""
    given_by: dict[int, dict[tuple, list[int]]] = {}
    for one in ballots:
        for groups in combinations(one.groups, 2):
            first, second = sorted(groups)
            key = (one.segment, first.systems, second.systems)
            of_judge = given_by.setdefault(one.judge, {})
            of_judge.setdefault(key, []).append(int(np.sign(first.merit - second.merit)))
    found = {}
    for a, b in product(sorted(given_by), repeat=2):
        met = [(given_by[a][key], given_by[b][key]) for key in given_by[a] if key in given_by[b]]
        if a < b:
            combined = [pair for one, other in met for pair in product(one, other)]
            outcomes = [outcome for one, other in met for outcome in (*one, *other)]
        elif a == b:
            combined = [pair for one, _ in met for pair in combinations(one, 2)]
            outcomes = [outcome for one, _ in met if len(one) > 1 for outcome in one]
        else:
            continue
        if combined:
            found[a, b] = (kappa_of(combined, outcomes), len(combined))
    return found


def kappa_of(combined: list[tuple[int, int]], outcomes: list[int]) -> float:
    agreed = sum(one == other for one, other in combined) / len(combined)
    chance = sum((outcomes.count(outcome) / len(outcomes)) ** 2 for outcome in (-1, 0, 1))
    return (agreed - chance) / (1 - chance) if chance < 1 else float("nan")


def test_the_toy_of_the_definition():
    found = cells(answers(0, ">>=<") + answers(1, ">==<"))
    assert found == {(0, 1): (pytest.approx(13 / 21, rel=1e-15), 4)}


def test_repeats_of_a_judge_multiply_with_the_other_and_are_compared_among_themselves():
    found = cells(answers(0, ">") + answers(0, "<") + answers(1, ">") + answers(1, ">"))
    assert found[0, 1][1] == 4
    assert found[0, 0] == (-1, 1)
    assert found[1, 1] == (pytest.approx(float("nan"), nan_ok=True), 1)


def test_the_overall_value_is_the_mean_weighted_by_combinations_of_cells_with_enough_of_them():
    three = [Agreement(0, 1, 0.5, 50), Agreement(0, 2, 0.2, 150), Agreement(1, 2, 0.9, 49)]
    assert overall(three) == Agreement(-1, -1, pytest.approx(0.275), 200)
    with pytest.raises(StatisticsError, match=f"There are fewer than {ENOUGH} combinations"):
        overall([Agreement(0, 1, 0.5, 49)])


@pytest.mark.wide
@given(any_ballots)
def test_the_cells_are_those_of_the_definition(ballots):
    assert cells(ballots) == {
        cell: (pytest.approx(kappa, rel=1e-12, abs=1e-12, nan_ok=True), compared)
        for cell, (kappa, compared) in by_hand(ballots).items()
    }


def test_every_cell_and_the_overall_values_are_those_of_the_authors_program():
    golden = published.golden()["table2"]["cells"]
    found = {f"{cell.judge + 1}-{cell.other + 1}": cell for cell in kappas(published_columns())}
    assert found.keys() == {name for name, cell in golden.items() if cell["n"]}
    for name, cell in found.items():
        assert cell.compared == golden[name]["n"]
        assert cell.kappa == pytest.approx(golden[name]["kappa"], rel=1e-12)
    golden = published.golden()["table2"]
    found = kappas(published_columns())
    inter = overall(cell for cell in found if cell.judge != cell.other)
    intra = overall(cell for cell in found if cell.judge == cell.other)
    assert (inter.kappa, inter.compared) == (pytest.approx(golden["inter"], rel=1e-12), golden["inter_n"])
    assert (intra.kappa, intra.compared) == (pytest.approx(golden["intra"], rel=1e-12), golden["intra_n"])


def test_the_cells_print_as_in_table_2_and_the_starred_ones_are_starred():
    found = {f"{cell.judge + 1}-{cell.other + 1}": cell for cell in kappas(published_columns())}
    for name, printed in published.golden()["paper"]["table2"]["cells"].items():
        if printed is None:
            assert name not in found or not found[name].is_enough
        else:
            assert round(float(found[name].kappa), 2) == printed
            assert found[name].is_enough


def test_kappa_by_hand():
    assert kappa(np.array([1, 1, 0, 0]), np.array([1, 0, 0, 0])) == 0.5
    # Three of four agree; they say yes to three quarters and a half: (3/4 - 1/2) / (1 - 1/2).
    assert kappa(np.array([1.0, 1.0, 1.0, 0.0]), np.array([1.0, 1.0, 0.0, 0.0])) == pytest.approx(0.5)
    assert kappa(np.array([True, False]), np.array([False, True])) == -1.0
    assert kappa(np.ones(3), np.ones(3)) is None
    assert kappa(np.zeros(3), np.zeros(3)) is None


def test_many_at_a_time_are_as_one_at_a_time():
    found = beyond_chance(np.array([0.75, 1.0, np.nan]), np.array([0.5, 1.0, np.nan]), np.array([0.25, 1.0, np.nan]))
    assert found.tolist() == pytest.approx([0.5, np.nan, np.nan], nan_ok=True)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=20))
def test_who_is_first_and_what_is_called_yes_does_not_matter(pairs):
    one, other = np.array(pairs).T
    assert kappa(one, other) == pytest.approx(kappa(other, one))
    assert kappa(~one, ~other) == pytest.approx(kappa(one, other))
