"""The judges in a report: weighted kappas and correlations have intervals, everybody together a line."""

from dataclasses import replace

import pytest

from ranking.numbers.tables import StatisticsError
from ranking.stats.agreement.kappa import Weighting, kappas
from ranking.stats.comparisons import judges
from ranking.stats.comparisons.judges import correlations_of_judges, reliability
from ranking.stats.comparisons.study import ComparisonStudy, Names
from tests.ranking.stats.ballots import ballot, columns
from tests.ranking.stats.comparisons.sections.cast import QUICK, SYSTEMS, made, plain_ballots, published_study, study


def test_weighted_kappas_are_those_of_the_judgments_with_their_intervals():
    of = study()
    table = made(judges.agreement, of)[0]["agreement"]
    inter = {row["weighting"]: row for row in table.dicts() if row["kind"] == "inter"}
    for weighting in Weighting:
        (expected,) = [one for one in kappas(of.ballots, weighting) if one.judge != one.other]
        assert inter[weighting.value]["kappa"] == pytest.approx(expected.kappa)
        assert inter[weighting.value]["low"] <= inter[weighting.value]["high"]


def test_at_a_glance_agreement_is_that_of_the_whole_report():
    of = published_study()
    whole = made(judges.agreement, of)[0]["agreement"].dicts()
    (glance,) = made(judges.agreement_at_a_glance, of)[0]["agreement"].dicts()
    assert glance == next(line for line in whole if line["kind"] == "overall inter") | {"low": None, "high": None}
    alone = columns([ballot(("A", 1), ("B", 2), judge=0, segment=0)], 4, 2)
    with pytest.raises(StatisticsError, match="no agreement to measure"):
        made(judges.agreement_at_a_glance, replace(study(), ballots=alone))


def test_correlations_of_judges_have_intervals_around_them_unless_judges_are_very_many(monkeypatch):
    tables, _ = made(correlations_of_judges, published_study())
    *rows, average = tables["judge_correlations"].dicts()
    for row in rows:
        assert row["spearman_low"] <= row["spearman_high"]
        assert -1 <= row["pearson_low"] <= row["pearson_high"] <= 1
    assert average["spearman_low"] is None
    monkeypatch.setattr(judges, "MOST_JUDGES", 7)
    tables, gaps = made(correlations_of_judges, published_study())
    assert {row["pearson_high"] for row in tables["judge_correlations"].dicts()} == {None}
    assert "more than 7 judges" in gaps["intervals of judges' correlations"]


def test_what_halves_say_of_all_judgments_stands_beside_them():
    rated = ComparisonStudy(plain_ballots(), Names(SYSTEMS, ("ada", "ben")), QUICK, are_ratings=True)
    lines = {(row["number"], row["level"]): row["value"] for row in made(reliability, rated)[0]["reliability"].dicts()}
    half, whole = lines["split halves, Pearson", "sentence"], lines["all judgments, Pearson", "sentence"]
    assert whole == pytest.approx(2 * half / (1 + half))


def test_the_place_on_the_screen_is_tested_for_everybody_together():
    """The first one shown was best on 23 ballots of 24."""
    (table,) = made(judges.judges, study())[0].values()
    last = table.dicts()[-1]
    assert last["judge"] == "everybody"
    assert last["position_p_value"] < 1e-6
    assert last["judgments"] is None
