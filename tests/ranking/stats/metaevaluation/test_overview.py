"""One table of metrics against several scores by people."""

import numpy as np
import pytest

from ranking.numbers.tables import Gap
from ranking.stats.metaevaluation.overview import People, by_way, overview
from ranking.stats.metaevaluation.tables import SYSTEM, ScoredSystems

BEST = np.array([1.0, 2, 3, 4, 5, 6])
ALIKE = ScoredSystems("alike", SYSTEM, np.array([1.0, 2, 3, 5, 6, 8]))
APART = ScoredSystems("apart", SYSTEM, np.array([2.0, 1, 3, 3, 1, 2]))


def rows(people, metrics):
    table, *gaps = reversed(list(overview(people, metrics, seed=3)))
    return {(row["people"], row["metric"]): row for row in table.dicts()}, gaps


def test_a_metric_that_orders_as_people_do_is_better_than_one_that_does_not():
    found, gaps = rows([People("EW", BEST), People("TS", -BEST)], [ALIKE, APART])
    alike = found["EW", "alike"]
    assert (alike["accuracy"], alike["spearman"], alike["kendall"], alike["better_than"]) == (1, 1, 1, 1)
    assert alike["pearson_low"] <= alike["pearson"] <= alike["pearson_high"]
    assert found["EW", "apart"]["better_than"] == 0
    assert found["TS", "alike"]["spearman"] == -1
    assert gaps == []


def test_systems_without_a_score_by_people_are_left_out():
    found, _ = rows([People("EW", np.where(BEST == 6, np.nan, BEST))], [ALIKE, APART])
    assert found["EW", "alike"]["systems"] == 5


def test_outliers_are_left_out_in_rows_of_their_own():
    found, _ = rows([People("EW", np.array([1.0, 2, 3, 4, 5, 20]))], [ALIKE, APART])
    assert [people for people, _ in found] == ["EW", "EW", "EW, without outliers", "EW, without outliers"]
    assert found["EW, without outliers", "alike"]["systems"] == 5


def test_a_metric_whose_scores_are_all_equal_is_a_gap():
    flat = ScoredSystems("flat", SYSTEM, np.ones(6))
    found, gaps = rows([People("EW", BEST)], [ALIKE, flat])
    assert list(found) == [("EW", "alike")]
    assert gaps == [Gap("flat, EW", "All scores by the metric are equal, so their correlation is undefined.")]


def test_intervals_draw_sentences_if_people_scored_them():
    replicates = BEST + np.random.default_rng(1).normal(0, 0.01, (200, 6))
    by_sentence, _ = rows([People("mean", BEST, replicates)], [APART])
    by_system, _ = rows([People("mean", BEST)], [APART])
    wide, narrow = (
        found["mean", "apart"]["pearson_high"] - found["mean", "apart"]["pearson_low"]
        for found in (by_system, by_sentence)
    )
    assert narrow < wide / 5


def test_a_chart_shows_one_way_of_scoring():
    (table,) = overview([People("EW", BEST), People("TS", -BEST)], [ALIKE, APART], seed=3)
    (found,) = by_way(table, "TS").values()
    assert len(found.rows) == 2 * 3
    assert found.column("value")[1] == pytest.approx(-1)
