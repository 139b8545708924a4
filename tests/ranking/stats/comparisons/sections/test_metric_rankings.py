"""Metrics ranked as people are, and people against people, in a report."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.comparisons import metrics
from ranking.stats.comparisons.metrics import SENTENCE, ballots_by_metric, human_ceiling, metric_correlations
from ranking.stats.comparisons.study import PRESETS, ComparisonStudy, Covariates, Names
from ranking.stats.metaevaluation import human_agreement as ceiling_module
from ranking.stats.metaevaluation.correlations import Coefficient, correlation
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel
from ranking.stats.metaevaluation.sentences import ALL_SYSTEMS, DIFFERENT_TEXTS
from ranking.stats.rankings.methods import METHODS
from ranking.stats.tally import tally
from tests.ranking.stats.ballots import MOST_SYSTEMS, any_ballots, ballot, columns, published_columns
from tests.ranking.stats.comparisons.sections.cast import QUICK, made, of_sentences, of_systems, published_study, study

LIKE, UNLIKE = of_sentences("like", [(4, 3, 2, 1)] * 12), of_sentences("unlike", [(1, 2, 3, 4)] * 12)


def values(table) -> dict[tuple, float]:
    return {(row["metric"], row["method"], row["coefficient"]): row["value"] for row in table.dicts()}


def test_a_metric_is_ranked_by_the_method_of_people_and_by_comparisons():
    """One judge turned one sentence round, so people's scores are not quite those of a metric that never does."""
    tables, gaps = made(metrics.metric_rankings, study(metrics=[LIKE, UNLIKE]))
    found = values(tables["metric_rankings"])
    assert {method for _, method, _ in found} == {"expected-wins", "trueskill"}
    assert found["like", "expected-wins", "spearman"] == found["like", "trueskill", "spearman"] == 1
    assert found["unlike", "expected-wins", "kendall"] == found["unlike", "trueskill", "kendall"] == -1
    human = METHODS["expected-wins"].scores(study().ballots)
    expected = correlation(human, np.array([1, 2 / 3, 1 / 3, 0]), Coefficient.PEARSON)
    assert found["like", "expected-wins", "pearson"] == pytest.approx(expected)
    assert not gaps
    rows = made(metrics.metric_rankings, study(metrics=[LIKE]))[0]["metric_rankings"].dicts()
    for row in rows:
        assert (row["low"] is None) == (row["method"] == "trueskill")
        assert row["low"] is None or row["low"] - 1e-6 <= row["value"] <= row["high"] + 1e-6


def test_a_metric_that_ties_everything_is_a_gap_and_scores_of_systems_have_no_comparisons():
    tables, gaps = made(metrics.metric_rankings, study(metrics=[of_sentences("flat", [(1, 1, 1, 1)] * 12), LIKE]))
    assert set(tables["metric_rankings"].column("metric")) == {"like"}
    assert "metric flat, by Expected Wins" in gaps
    assert made(metrics.metric_rankings, study(metrics=[of_systems("like", 4, 3, 2, 1)])) == ({}, {})


@pytest.mark.wide
def test_half_of_people_says_what_the_other_half_says():
    tables, gaps = made(human_ceiling, study(metrics=[LIKE]))
    rows = tables["human_ceiling"].dicts()
    assert {row["halves"] for row in rows} == {"judgments", "judges"}
    assert all(row["value"] > 0.9 and row["splits"] == 100 for row in rows)
    assert not gaps
    of = study(metrics=[LIKE])
    alone = ComparisonStudy(of.ballots.choose(of.ballots.judge == 1), of.names, QUICK, covariates=of.covariates)
    tables, gaps = made(human_ceiling, alone)
    assert set(tables["human_ceiling"].column("halves")) == {"judgments"}
    assert "only one judge" in gaps["halves of judges"]
    chosen = QUICK.with_changes(methods=("trueskill",))
    tables, _ = made(human_ceiling, study(chosen, metrics=[LIKE]))
    assert set(tables["human_ceiling"].column("method")) == {"expected-wins"}


def test_systems_stand_side_by_side_and_are_left_out_one_by_one():
    of = study(metrics=[of_systems("near", 4, 3, 1, 2)])
    rows = made(metric_correlations, of)[0]["metric_scatter"].rows
    human = METHODS["expected-wins"].scores(of.ballots)
    assert [row[:3] for row in rows] == [("near", "system", name) for name in "ABCD"]
    assert [row[3] for row in rows] == pytest.approx(human.tolist())
    assert [row[4] for row in rows] == [4, 3, 1, 2]
    tables, _ = made(metric_correlations, of)
    rows = {(row["left_out"], row["coefficient"]): row["value"] for row in tables["metric_leave_out"].dicts()}
    assert len(rows) == 12
    assert rows["C", "kendall"] == rows["D", "kendall"] == 1
    assert rows["A", "kendall"] == pytest.approx(1 / 3)


def test_pairs_of_one_text_are_right_for_free():
    """A and B share a text; people and the metric order the two texts the other way round."""
    ballots = [ballot(("AB", 1), ("C", 2), segment=segment) for segment in range(3)]
    metric = of_sentences("wrong", [(1, 1, 2)] * 3)
    of = ComparisonStudy(
        columns(ballots, 3, 1), Names(("A", "B", "C"), ("ada",)), QUICK, covariates=Covariates(metrics=(metric,))
    )
    table = made(metric_correlations, of)[0]["metric_correlations"]
    found = {row["level"]: row["value"] for row in table.dicts() if row["coefficient"] == "acc-eq"}
    assert found == {SENTENCE: 0, ALL_SYSTEMS: pytest.approx(1 / 3), DIFFERENT_TEXTS: 0}


def test_a_computation_that_would_take_too_long_is_a_gap(monkeypatch):
    monkeypatch.setattr(metrics, "MOST_COMPARISONS", 100)
    monkeypatch.setattr(ceiling_module, "MANY_JUDGMENTS", 20)
    monkeypatch.setattr(metrics, "MOST_PAIRS", 100)
    tables, gaps = made(metrics.metric_rankings, study(metrics=[LIKE]))
    assert set(tables["metric_rankings"].column("method")) == {"expected-wins"}
    assert gaps == {"metrics by TrueSkill": "This takes too long with more than 100 comparisons."}
    assert set(made(human_ceiling, study(metrics=[LIKE]))[0]["human_ceiling"].column("splits")) == {10}
    assert "|halves-of-people:10-splits|" in study(metrics=[LIKE]).signature()
    tables, gaps = made(metric_correlations, study(metrics=[LIKE]))
    assert set(tables["metric_correlations"].column("level")) == {"mean of sentences", SENTENCE}
    assert gaps == {"metrics, sentence, all systems": "There are more than 100 pairs of systems; see sentence."}


def test_without_metrics_there_is_nothing():
    for section in (metrics.metric_rankings, human_ceiling):
        assert made(section, study()) == ({}, {})


@pytest.mark.wide
def test_published_judgments_as_their_own_metric_rank_as_people_do():
    """A metric that gives each output its mean merit by all judges: nearly what each judge answered."""
    ballots = published_columns()
    system = ballots.candidates.members[ballots.candidates.starts[:-1]][ballots.candidate]
    sums, times = np.zeros((2, ballots.segments, ballots.systems))
    np.add.at(sums, (ballots.segment[ballots.ballot_of], system), ballots.merit)
    np.add.at(times, (ballots.segment[ballots.ballot_of], system), 1)
    scores = np.divide(sums, times, out=np.full(sums.shape, np.nan), where=times > 0)
    metric = MetricScores("themselves", ScoreLevel.SENTENCE, scores)
    of = published_study(PRESETS["recommended"].with_changes(replicates=200, seed=1), [metric])
    found = values(made(metrics.metric_rankings, of)[0]["metric_rankings"])
    assert found["themselves", "expected-wins", "pearson"] > 0.98


def test_a_metric_compares_the_outputs_that_it_scored():
    ballots = columns([ballot(("A", 1), ("B", 2), ("C", 2))], 3, 1)
    filled = tally(ballots_by_metric(ballots, np.array([[0.5, 0.5, 0.1]])))
    assert filled.wins.tolist() == [[0, 0, 1], [0, 0, 1], [0, 0, 0]]
    assert filled.ties[0, 1] == 1
    ballots = columns([ballot(("A", 1), ("B", 2), ("C", 3)), ballot(("A", 1), ("B", 2), segment=1)], 3, 1)
    filled = ballots_by_metric(ballots, np.array([[1.0, np.nan, 2.0], [np.nan, np.nan, 1.0]]))
    assert (len(filled), filled.sizes.tolist()) == (2, [2, 0])
    assert tally(filled).wins.tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]
    with pytest.raises(StatisticsError, match="scored no judged output"):
        ballots_by_metric(columns([ballot(("A", 1), ("B", 2))], 2, 1), np.full((1, 2), np.nan))


@pytest.mark.wide
@given(any_ballots, st.integers(0, 2**31 - 1))
def test_only_the_order_of_a_metric_counts_and_what_was_compared_stays(some, seed):
    ballots = columns(some)
    if not len(ballots.candidate):
        return
    metric = np.random.default_rng(seed).integers(0, 4, (ballots.segments, MOST_SYSTEMS)) / 4
    one, other = tally(ballots_by_metric(ballots, metric)), tally(ballots_by_metric(ballots, np.exp(metric)))
    assert (one.wins == other.wins).all()
    assert (one.compared == tally(ballots).compared).all()
