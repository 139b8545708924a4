"""Weighted kappa: by hand, against the published kappa and Cohen's tables, and what must not change it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.stats.agreement.kappa import Agreement, Weighting, agreements, disagreements, kappas
from ranking.stats.agreement.meetings import REST, entries_of, meetings_with_rest
from ranking.stats.ballots import Ballots
from tests.ranking.stats.agreement.test_kappa import answers
from tests.ranking.stats.ballots import Ballot, any_ballots, columns


def kappas_with_rest(ballots: Ballots, weighting: Weighting) -> list[Agreement]:
    return agreements(meetings_with_rest(entries_of(ballots)), weighting)


def cells(ballots: list[Ballot], weighting: Weighting) -> dict[tuple[int, int], tuple[float, int]]:
    found = kappas(columns(ballots), weighting)
    return {(cell.judge, cell.other): (cell.kappa, cell.compared) for cell in found}


def close(kappa: float):
    return pytest.approx(kappa, rel=1e-9, abs=1e-9, nan_ok=True)


def test_the_toy_of_the_definition_and_the_further_apart_the_more_it_counts():
    ballots = answers(0, ">>=<") + answers(1, ">==<")
    assert cells(ballots, Weighting.LINEAR) == {(0, 1): (close(19 / 27), 4)}
    assert cells(ballots, Weighting.NOMINAL) == {(0, 1): (close(13 / 21), 4)}
    near, far = answers(0, "><=") + answers(1, "=<="), answers(0, "><=") + answers(1, "<<=")
    for weighting in (Weighting.LINEAR, Weighting.QUADRATIC):
        assert cells(near, weighting)[0, 1] > cells(far, weighting)[0, 1]
    assert disagreements(3, Weighting.QUADRATIC).tolist() == [[0, 0.25, 1], [0.25, 0, 0.25], [1, 0.25, 0]]


@pytest.mark.wide
@given(any_ballots, st.sampled_from(Weighting))
def test_the_rest_counts_as_one_judge_with_all_their_judgments(ballots, weighting):
    for cell in kappas_with_rest(columns(ballots), weighting):
        merged = [one._replace(judge=int(one.judge != cell.judge)) for one in ballots]
        assert cells(merged, weighting)[0, 1] == (close(cell.kappa), cell.compared)
        assert cell.other == REST


@pytest.mark.wide
@given(any_ballots)
def test_a_judge_meets_the_rest_as_often_as_all_the_others(ballots):
    given_columns = columns(ballots)
    between = [cell for cell in kappas(given_columns) if cell.judge != cell.other]
    expected = {
        judge: sum(cell.compared for cell in between if judge in (cell.judge, cell.other)) for judge in range(8)
    }
    found = {cell.judge: cell.compared for cell in kappas_with_rest(given_columns, Weighting.NOMINAL)}
    assert found == {judge: compared for judge, compared in expected.items() if compared}


@pytest.mark.wide
@given(any_ballots, st.sampled_from(Weighting))
def test_turning_the_merits_round_changes_nothing(ballots, weighting):
    turned = [one._replace(groups=tuple(g._replace(merit=-g.merit) for g in one.groups)) for one in ballots]
    assert cells(turned, weighting) == {
        cell: (close(kappa), compared) for cell, (kappa, compared) in cells(ballots, weighting).items()
    }
