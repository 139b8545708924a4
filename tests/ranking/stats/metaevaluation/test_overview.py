"""One table of metrics against several scores by people."""

import numpy as np
import pytest

from ranking.numbers.tables import Gap
from ranking.stats.metaevaluation.correlations import CorrelationChoices
from ranking.stats.metaevaluation.overview import NAME, by_way, overview, windows_of
from ranking.stats.metaevaluation.scores import SYSTEM, HumanScores, ScoredSystems, pairs_of_scores

BEST = np.array([1.0, 2, 3, 4, 5, 6])
ALIKE = ScoredSystems("alike", SYSTEM, np.array([1.0, 2, 3, 5, 6, 8]))
APART = ScoredSystems("apart", SYSTEM, np.array([2.0, 1, 3, 3, 1, 2]))


def rows(people, metrics):
    parts = list(overview(people, metrics, seed=3))
    table = next(part for part in parts if part.name == NAME)
    gaps = [part for part in parts if isinstance(part, Gap)]
    return {(row["people"], row["metric"]): row for row in table.dicts()}, gaps


@pytest.mark.wide
def test_a_metric_that_orders_as_people_do_is_better_than_one_that_does_not():
    found, gaps = rows([HumanScores("EW", BEST), HumanScores("TS", -BEST)], [ALIKE, APART])
    alike = found["EW", "alike"]
    assert [alike[f"system_{name}"] for name in ("accuracy", "spearman", "kendall")] == [1, 1, 1]
    assert alike["better_on_systems"] == 1
    assert alike["system_pearson_low"] <= alike["system_pearson"] <= alike["system_pearson_high"]
    assert found["EW", "apart"]["better_on_systems"] == 0
    assert found["TS", "alike"]["system_spearman"] == -1
    assert gaps == []
    table, *_ = overview([HumanScores("EW", BEST), HumanScores("TS", -BEST)], [ALIKE, APART], seed=3)
    (found,) = by_way(table, "TS").values()
    assert len(found.rows) == 2 * 3
    assert found.column("value")[1] == pytest.approx(-1)


@pytest.mark.wide
def test_outliers_and_systems_without_a_score_by_people_are_left_out():
    found, _ = rows([HumanScores("EW", np.where(BEST == 6, np.nan, BEST))], [ALIKE, APART])
    assert found["EW", "alike"]["systems"] == 5
    found, _ = rows([HumanScores("EW", np.array([1.0, 2, 3, 4, 5, 20]))], [ALIKE, APART])
    assert [people for people, _ in found] == ["EW", "EW", "EW, without outliers", "EW, without outliers"]
    assert found["EW, without outliers", "alike"]["systems"] == 5


def test_what_has_no_correlation_is_a_gap():
    flat = ScoredSystems("flat", SYSTEM, np.ones(6))
    found, gaps = rows([HumanScores("EW", BEST)], [ALIKE, flat])
    assert list(found) == [("EW", "alike")]
    assert gaps == [Gap("flat, EW", "All scores by the metric are equal, so their correlation is undefined.")]
    parts = list(overview([HumanScores("EW", np.ones(6))], [ALIKE, APART], seed=3))
    assert {part.name for part in parts} == {"alike, EW", "apart, EW"}


def test_intervals_draw_sentences_if_people_scored_them_and_windows_have_the_chosen_size():
    replicates = BEST + np.random.default_rng(1).normal(0, 0.01, (200, 6))
    by_sentence, _ = rows([HumanScores("mean", BEST, replicates)], [APART])
    by_system, _ = rows([HumanScores("mean", BEST)], [APART])
    wide, narrow = (
        found["mean", "apart"]["system_pearson_high"] - found["mean", "apart"]["system_pearson_low"]
        for found in (by_system, by_sentence)
    )
    assert narrow < wide / 5
    (table,) = windows_of([HumanScores("EW", BEST)], [ALIKE], CorrelationChoices(window=4))
    kinds = {(row["people"], row["first"], row["last"]) for row in table.dicts() if row["kind"] == "window"}
    assert kinds == {("EW", 1, 4), ("EW", 2, 5), ("EW", 3, 6)}


HUMAN = np.array([[3.0, 2, 1], [3, 2, 2], [1, 2, 3], [3, 1, 2]])
METRIC = np.array([[3.0, 2, 1], [3, 2, 1], [1, 2, 2], [3, 1, 2]])


class TestSentences:
    """People and two metrics on four sentences of three systems; one metric scores systems alone."""

    PEOPLE = HumanScores(
        "mean", HUMAN.mean(axis=0), None, lambda of: pairs_of_scores(HUMAN, of), np.full(4, True), lambda _: np.eye(3)
    )
    LIKE = ScoredSystems("like", SYSTEM, HUMAN.mean(axis=0), None, METRIC)
    UNLIKE = ScoredSystems("unlike", SYSTEM, np.array([1.0, 3, 2]), None, -HUMAN)
    WHOLE = ScoredSystems("whole", SYSTEM, np.array([3.0, 1, 2]))

    @pytest.mark.wide
    def test_the_toy_by_hand(self):
        """Of eleven pairs that people decided the metric ties one and orders the others as they do."""
        found, _ = rows([self.PEOPLE], [self.LIKE, self.UNLIKE, self.WHOLE])
        like, unlike, whole = (found["mean", name] for name in ("like", "unlike", "whole"))
        assert like["sentence_pairs"] == 11
        assert (like["sentence_accuracy"], like["sentence_tau"]) == pytest.approx((10 / 11, 10 / 11))
        assert (unlike["sentence_accuracy"], unlike["sentence_tau"]) == (0, -1)
        assert like["sentence_tau_ties_wrong"] == pytest.approx(9 / 11)
        assert [one["better_by_sentence"] for one in (like, unlike, whole)] == [None] * 3
        assert like["sentence_accuracy_low"] < 10 / 11 < like["sentence_accuracy_high"]
        assert whole["sentence_accuracy"] is None
        found, _ = rows([self.PEOPLE], [self.LIKE, self.WHOLE])
        assert 0 < found["mean", "like"]["system_soft_accuracy"] < 1
        assert found["mean", "whole"]["system_soft_accuracy"] is None
        ties = [found["mean", "like"][f"sentence_{name}"] for name in ("epsilon", "acc_eq_calibrated", "acc_eq")]
        assert ties == [0, pytest.approx(5 / 6), pytest.approx(5 / 6)]

    @pytest.mark.wide
    def test_metrics_are_compared_on_six_sentences_or_more(self):
        def better(sentences):
            human = np.resize(HUMAN, (sentences, 3))
            people = HumanScores("mean", HUMAN.mean(axis=0), None, lambda of: pairs_of_scores(human, of))
            metrics = [
                ScoredSystems(name, SYSTEM, HUMAN.mean(axis=0), None, np.resize(of, (sentences, 3)))
                for name, of in (("like", METRIC), ("unlike", -HUMAN))
            ]
            found, _ = rows([people], metrics)
            return [found["mean", name]["better_by_sentence"] for name in ("like", "unlike")]

        assert (better(5), better(6)) == ([None, None], [1, 0])

    def test_outputs_of_systems_without_a_score_are_left_out_too(self):
        fourth = [[0.0]] * 4
        human, scores = np.hstack([HUMAN, fourth]), np.hstack([METRIC, fourth])
        people = HumanScores("EW", np.append(HUMAN.mean(axis=0), np.nan), None, lambda of: pairs_of_scores(human, of))
        found, _ = rows([people], [ScoredSystems("like", SYSTEM, scores.mean(axis=0), None, scores)])
        assert found["EW", "like"]["sentence_pairs"] == 11
