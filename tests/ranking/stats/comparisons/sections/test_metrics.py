"""Metrics in a report: by hand, as published, and what cannot be set against people."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.comparisons.metrics import (
    BETAS,
    curves,
    f_beta,
    f_score,
    meta_evaluation,
    metric_correlations,
)
from ranking.stats.comparisons.study import PRESETS, ComparisonStudy, Covariates, Names
from ranking.stats.metaevaluation.correlations import PUBLISHED, Coefficient, correlation
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel
from ranking.stats.metaevaluation.sentences import CALIBRATED, EPSILON
from ranking.stats.rankings.methods import METHODS
from tests import published
from tests.ranking.stats.comparisons.sections.cast import (
    QUICK,
    made,
    of_sentences,
    of_systems,
    plain_ballots,
    published_study,
    study,
)
from tests.ranking.stats.metaevaluation.scores import published_human, published_m2, published_metric

LIKE, UNLIKE = of_systems("like", 4, 3, 2, 1), of_systems("unlike", 1, 2, 3, 4)


def values(table, level: str = "system") -> dict[tuple, float]:
    return {(row["metric"], row["coefficient"]): row["value"] for row in table.dicts() if row["level"] == level}


def test_metrics_that_order_as_people_do_or_not_have_correlations_with_both_intervals():
    tables, gaps = made(metric_correlations, study(metrics=[LIKE, UNLIKE]))
    found = values(tables["metric_correlations"])
    assert found["like", "spearman"] == found["like", "kendall"] == found["like", "pairwise accuracy"] == 1
    assert found["unlike", "spearman"] == found["unlike", "kendall"] == -1
    assert found["unlike", "pairwise accuracy"] == found["unlike", "pairwise accuracy, pairs that differ"] == 0
    assert not gaps
    tables, _ = made(metric_correlations, study(metrics=[LIKE]))
    over_others = {
        row["coefficient"] for row in tables["metric_correlations"].dicts() if row["other_systems_low"] is not None
    }
    assert over_others == set(), "four systems are too few to draw"
    for row in tables["metric_correlations"].dicts():
        assert row["low"] <= row["high"]


@pytest.mark.wide
def test_one_table_has_every_metric_and_every_ranking_with_the_numbers_of_the_others():
    both = ("expected-wins", "bradley-terry")
    of = study(
        QUICK.with_changes(methods=both, level=0.9), metrics=[LIKE, UNLIKE, of_sentences("like", [(4, 3, 2, 1)] * 12)]
    )
    rows = made(meta_evaluation, of)[0]["meta_evaluation"].dicts()
    assert [(row["people"], row["metric"]) for row in rows] == [
        (METHODS[method].label, name) for method in both for name in ("like", "unlike")
    ]
    assert all(row["sentence_pairs"] for row in rows if row["metric"] == "like")
    tables, _ = made(metric_correlations, of)
    cited = {row["metric"]: row for row in rows if row["people"] == METHODS[both[0]].label}
    for row in tables["metric_correlations"].dicts():
        if row["metric"] == "unlike" and row["coefficient"] in list(Coefficient):
            ours = [cited["unlike"][f"system_{row['coefficient']}{end}"] for end in ("", "_low", "_high")]
            assert ours == [row["value"], row["low"], row["high"]]


@pytest.mark.wide
def test_scores_of_sentences_are_averaged_over_those_that_were_judged_and_right_by_sentence():
    """On the sentences that nobody judged the metric says the opposite, and that does not count."""
    like, unlike = (4, 3, 2, 1), (1, 2, 3, 4)
    plain = plain_ballots()
    ballots = plain.choose(plain.segment < 6)
    metric = of_sentences("half", [like] * 6 + [unlike] * 6)
    of = ComparisonStudy(
        ballots, Names(("A", "B", "C", "D"), ("ada", "ben")), QUICK, covariates=Covariates(metrics=(metric,))
    )
    found = values(made(metric_correlations, of)[0]["metric_correlations"], "mean of sentences")
    assert found["half", "kendall"] == 1
    # Of 24 ballots 23 have the metric's order and one the opposite: 6 pairs each.
    of = study(metrics=[of_sentences("like", [(4, 3, 2, 1)] * 12)])
    found = values(made(metric_correlations, of)[0]["metric_correlations"], "sentence")
    # The first sentence has as many right as wrong.
    assert found["like", "acc-eq"] == pytest.approx((11 + 0.5) / 12)
    assert found["like", "tau-b"] == pytest.approx(11 / 12)
    assert found["like", CALIBRATED] == found["like", "acc-eq"]
    assert found["like", EPSILON] == 0


@pytest.mark.wide
def test_a_metric_at_both_levels_is_one_metric_by_its_own_scores_and_the_means_are_a_row():
    own = replace(of_systems("same", 4, 3, 1, 2), replicates=np.tile([4.0, 3, 2, 1], (QUICK.replicates, 1)))
    metrics = [of_sentences("same", [(4, 3, 2, 1)] * 12), own, UNLIKE]
    for ordered in (metrics, metrics[::-1]):
        tables, _ = made(metric_correlations, study(metrics=ordered))
        lines = tables["metric_correlations"].dicts()
        soft = [line["level"] for line in lines if line["coefficient"] == "soft pairwise accuracy"]
        assert soft == ["mean of sentences"], "it permutes scores of sentences"
        tau = {line["level"]: line for line in lines if (line["metric"], line["coefficient"]) == ("same", "kendall")}
        assert tau["system"]["value"] == pytest.approx(2 / 3)
        assert tau["mean of sentences"]["value"] == pytest.approx(1)
        # Not the scores but their replicates order systems as the means do.
        assert tau["system"]["high"] == tau["mean of sentences"]["high"]
        assert {(row["metric"], row["level"]) for row in tables["metric_scatter"].dicts()} == {
            ("same", "system"), ("unlike", "system")
        }  # fmt: skip


def test_precision_and_recall_are_not_compared_with_their_own_f():
    parts = [of_systems(f"M2 {part}", *scores) for part, scores in
             (("F0.5", (4, 3, 1, 2)), ("P", (4, 3, 2, 1)), ("R", (1, 3, 2, 4)))]  # fmt: skip
    of = study(metrics=[*parts, of_systems("ours precision", 3, 4, 2, 1)])
    names = {"M2 F0.5", "ours precision"}
    for section, table in ((meta_evaluation, "meta_evaluation"), (metric_correlations, "williams")):
        assert set(made(section, of)[0][table].column("metric")) == names
    assert len(set(made(metric_correlations, of)[0]["metric_correlations"].column("metric"))) == 4


def test_impossible_correlations_are_a_gap_and_without_metrics_there_is_nothing():
    flat = of_systems("flat", 1, 1, 1, 1)
    tables, gaps = made(metric_correlations, study(metrics=[flat, LIKE], lacking={"old": "It has no score of E."}))
    assert set(tables["metric_correlations"].column("metric")) == {"like"}
    assert gaps.keys() == {"metric flat", "metric old"}
    for section in (metric_correlations, meta_evaluation, f_beta):
        assert made(section, study()) == ({}, {})


def test_windows_are_of_the_best_and_of_neighbours_and_williams_says_both_ways_who_is_better():
    near = of_systems("near", 4, 3, 1, 2)
    tables, _ = made(metric_correlations, study(metrics=[LIKE, near, of_systems("flat", 1, 1, 1, 1)]))
    first, second = tables["williams"].dicts()
    assert (first["metric"], first["other"]) == ("like", "near")
    assert first["p_value"] < 0.5
    assert first["p_value"] + second["p_value"] == pytest.approx(1)
    tables, _ = made(meta_evaluation, study(metrics=[LIKE]))
    kinds = {(row["kind"], row["first"], row["last"]) for row in tables["metric_windows"].dicts()}
    assert kinds == {("top", 1, 3), ("top", 1, 4), ("window", 1, 4)}


def test_precision_and_recall_of_one_name_make_a_curve():
    parts = of_systems("m2 P", 0.5, 0.4, 0.3, 0.2), of_systems("m2 R", 0.1, 0.2, 0.3, 0.1)
    tables, _ = made(f_beta, study(metrics=[*parts, of_systems("x P", 1, 2, 3, 4)]))
    lines = tables["f_beta"].dicts()
    assert {line["metric"] for line in lines} == {"m2"}
    assert (lines[0]["beta"], lines[-1]["beta"]) == (1, 0.01)
    # Nearly precision alone, which orders as people do.
    assert lines[-1]["kendall"] == 1


@pytest.mark.wide
def test_the_published_preset_correlates_as_published():
    """From scores to three decimals and without shared ranks; the paper's own values follow from its printed scores."""
    gleu = MetricScores("GLEU", ScoreLevel.SYSTEM, published_metric("official.gleu.tsv"))
    m2 = published_m2()
    parts = [MetricScores(f"M2 {part}", ScoreLevel.SYSTEM, scores) for part, scores in
             (("P", m2.precision), ("R", m2.recall))]  # fmt: skip
    chosen = PRESETS["grundkiewicz2015"].with_changes(methods=("expected-wins-published",))
    of = published_study(chosen, (gleu, *parts))
    human = of.scores(METHODS["expected-wins-published"])
    found = values(made(metric_correlations, of)[0]["metric_correlations"])
    for coefficient in Coefficient:
        expected = correlation(np.round(human, 3), gleu.scores, coefficient, PUBLISHED)
        assert found["GLEU", coefficient.value] == pytest.approx(expected, abs=1e-9)
    by_program = published.golden()["table5_from_3_decimal_scores"]["m2"]
    curve = {line["beta"]: line for line in made(f_beta, of)[0]["f_beta"].dicts()}
    for beta in (1.0, 0.5, 0.25, 0.18, 0.1):
        found = curve[beta]["spearman"], curve[beta]["pearson"]
        exact, printed = (table[f"{beta:g}"] for table in (by_program, published.golden()["paper"]["table5"]))
        assert found == pytest.approx(exact, abs=1e-9)
        # The line of 0.18 has the highest of each coefficient, and that of r is at 0.17.
        assert (found[0], curve[0.17]["pearson"] if beta == 0.18 else found[1]) == pytest.approx(printed, abs=0.0005)


shares = st.floats(0, 1, allow_subnormal=False)


def peak(curve: np.ndarray) -> tuple[float, float]:
    """The beta with the highest correlation, the first of equal ones, and this correlation."""
    place = int(np.argmax(curve))
    return float(BETAS[place]), float(curve[place])


def test_the_toy_of_the_definition_and_0_without_precision_or_recall():
    half, quarter = np.array(1 / 2), np.array(1 / 4)
    assert [float(f_score(half, quarter, beta)) for beta in (1, 0.5, 0)] == pytest.approx([1 / 3, 5 / 12, 1 / 2])
    assert f_score(np.array([1.0, 0, 0]), np.array([0, 1.0, 0]), 0.5).tolist() == [0, 0, 0]


@given(shares.filter(lambda share: share > 1e-9), shares.filter(lambda share: share > 1e-9), st.floats(0.01, 10))
def test_f_is_a_weighted_harmonic_mean(precision, recall, beta):
    weight = 1 / (1 + beta**2)
    expected = 1 / (weight / precision + (1 - weight) / recall)
    assert float(f_score(np.array(precision), np.array(recall), beta)) == pytest.approx(expected, rel=1e-9)


def test_the_sweep_goes_down_by_hundredths_and_takes_the_first_of_equal_peaks():
    assert (len(BETAS), BETAS[0], BETAS[1], BETAS[-1]) == (100, 1.0, 0.99, 0.01)
    human = np.array([3.0, 2, 1])
    assert peak(curves(human, human / 4, human / 4)[Coefficient.KENDALL]) == (1.0, pytest.approx(1))
    with pytest.raises(StatisticsError, match="All scores by the metric are equal"):
        curves(np.array([1.0, 2, 3]), np.ones(3), np.zeros(3))


@pytest.mark.parametrize("gold", ["m2", "m2.0", "m2.1"])
def test_the_published_correlations_of_f_for_each_beta(gold):
    scores = published_m2(f"scores.{gold}")
    for beta, values in published.golden()["table5_from_3_decimal_scores"][gold].items():
        metric = f_score(scores.precision, scores.recall, float(beta))
        found = [
            correlation(published_human(), metric, coefficient, PUBLISHED)
            for coefficient in (Coefficient.SPEARMAN, Coefficient.PEARSON)
        ]
        assert found == pytest.approx(values, abs=1e-12)


def test_table_5_gives_each_coefficient_its_own_best_beta_in_the_row_of_018():
    """The paper's row "F 0.18" holds the maximum of rho, at .18, and the maximum of r, which is at .17."""
    scores = published_m2()
    found = curves(published_human(), scores.precision, scores.recall, choices=PUBLISHED)
    by_coefficient = [found[coefficient] for coefficient in (Coefficient.SPEARMAN, Coefficient.PEARSON)]
    (beta_of_rho, rho), (beta_of_r, r) = map(peak, by_coefficient)
    assert (beta_of_rho, beta_of_r) == (0.18, 0.17)
    printed = published.golden()["paper"]["table5"]
    assert [round(rho, 3), round(r, 3)] == printed["0.18"]
    for beta in ("1", "0.5", "0.25", "0.1"):
        place = int(np.flatnonzero(float(beta) == BETAS)[0])
        assert [round(float(curve[place]), 3) for curve in by_coefficient] == printed[beta]
