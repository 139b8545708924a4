"""Weighted kappa: by hand, against the published kappa and Cohen's tables, and what must not change it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.kappa import kappas
from ranking.stats.agreement.meetings import REST
from ranking.stats.agreement.weighted_kappa import (
    Weighting,
    disagreements,
    kappa_of_table,
    kappas_with_rest,
    weighted_kappas,
)
from ranking.stats.ballots import Ballot
from tests.ranking.stats.agreement.test_kappa import answers
from tests.ranking.stats.ballots import any_ballots, columns, published_columns

# Cohen (1960), Table 2, and the disagreements that Cohen (1968) gave the same kind of table.
COHEN_1960 = np.array([[44, 5, 1], [7, 20, 3], [9, 5, 6]])
COHEN_1968 = np.array([[0, 1, 3], [1, 0, 6], [3, 6, 0]])


def cells(ballots: list[Ballot], weighting: Weighting) -> dict[tuple[int, int], tuple[float, int]]:
    found = weighted_kappas(columns(ballots), weighting)
    return {(cell.judge, cell.other): (cell.kappa, cell.compared) for cell in found}


def close(kappa: float):
    return pytest.approx(kappa, rel=1e-9, abs=1e-9, nan_ok=True)


def test_the_toy_of_the_definition():
    ballots = answers(0, ">>=<") + answers(1, ">==<")
    assert cells(ballots, Weighting.LINEAR) == {(0, 1): (close(19 / 27), 4)}
    assert cells(ballots, Weighting.NOMINAL) == {(0, 1): (close(13 / 21), 4)}


def test_the_further_apart_the_more_it_counts():
    near, far = answers(0, "><=") + answers(1, "=<="), answers(0, "><=") + answers(1, "<<=")
    for weighting in (Weighting.LINEAR, Weighting.QUADRATIC):
        assert cells(near, weighting)[0, 1] > cells(far, weighting)[0, 1]
    assert disagreements(3, Weighting.QUADRATIC).tolist() == [[0, 0.25, 1], [0.25, 0, 0.25], [1, 0.25, 0]]


def test_cohens_own_tables():
    assert round(kappa_of_table(COHEN_1960, disagreements(3, Weighting.NOMINAL)), 3) == 0.492
    assert round(kappa_of_table(COHEN_1960, COHEN_1968), 3) == 0.348


def test_a_table_of_one_outcome_is_refused():
    with pytest.raises(StatisticsError, match="always gave the same answer"):
        kappa_of_table(np.diag([4, 0, 0]), disagreements(3, Weighting.NOMINAL))


@given(any_ballots)
def test_counting_every_disagreement_as_one_gives_the_published_kappa(ballots):
    published_way = {(c.judge, c.other): (close(c.kappa), c.compared) for c in kappas(columns(ballots))}
    assert cells(ballots, Weighting.NOMINAL) == published_way


def test_on_the_published_judgments_too():
    ballots = published_columns()
    published_way = {(c.judge, c.other): (close(c.kappa), c.compared) for c in kappas(ballots)}
    found = weighted_kappas(ballots, Weighting.NOMINAL)
    assert {(c.judge, c.other): (c.kappa, c.compared) for c in found} == published_way


@given(any_ballots, st.sampled_from(Weighting))
def test_the_rest_counts_as_one_judge_with_all_their_judgments(ballots, weighting):
    for cell in kappas_with_rest(columns(ballots), weighting):
        merged = [one._replace(judge=int(one.judge != cell.judge)) for one in ballots]
        assert cells(merged, weighting)[0, 1] == (close(cell.kappa), cell.compared)
        assert cell.other == REST


@given(any_ballots)
def test_a_judge_meets_the_rest_as_often_as_all_the_others(ballots):
    given_columns = columns(ballots)
    between = [cell for cell in kappas(given_columns) if cell.judge != cell.other]
    expected = {
        judge: sum(cell.compared for cell in between if judge in (cell.judge, cell.other)) for judge in range(8)
    }
    found = {cell.judge: cell.compared for cell in kappas_with_rest(given_columns)}
    assert found == {judge: compared for judge, compared in expected.items() if compared}


@given(any_ballots, st.sampled_from(Weighting))
def test_turning_the_merits_round_changes_nothing(ballots, weighting):
    turned = [one._replace(groups=tuple(g._replace(merit=-g.merit) for g in one.groups)) for one in ballots]
    assert cells(turned, weighting) == {
        cell: (close(kappa), compared) for cell, (kappa, compared) in cells(ballots, weighting).items()
    }


def test_many_pairs_are_counted_in_pieces_without_a_seam(monkeypatch):
    whole = weighted_kappas(published_columns(), Weighting.LINEAR)
    monkeypatch.setattr("ranking.stats.agreement.meetings.AT_ONCE", 100)
    assert weighted_kappas(published_columns(), Weighting.LINEAR) == whole
