"""Verdicts on edits by hand and by simulation: shares, agreement, and what an edit is worth."""

from math import log, sqrt

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import stdtrit

from ranking.numbers.tables import StatisticsError
from ranking.reports.kinds.edits import kind_of
from ranking.stats.edits import judges, systems, worth
from ranking.stats.edits.clusters import Clusters, Ratios, poisson
from ranking.stats.edits.study import EditParameters
from studies.edits import EditWorld, edits
from tests.ranking.stats.comparisons.sections.cast import made
from tests.ranking.stats.edits.cast import QUICK, Judged, study_of


def test_the_variance_and_the_interval_of_a_mean_of_counts_by_hand():
    clusters = Clusters(np.array([0, 1]), None, 0.95)
    found = Ratios.of(csr_array([[1.0], [2.0]]), csr_array([[2.0], [2.0]]), clusters)
    assert found.value[0] == 0.75
    assert found.covariance[0, 0] == pytest.approx(2 / 32 * (stdtrit(1, 0.975) / 1.959964) ** 2)
    # Four judgments of which each sentence and each judge has the same sum: the part of judges is below 0.
    above, below = csr_array([[1.0], [0.0], [0.0], [1.0]]), csr_array(np.ones((4, 1)))
    sentence, judge = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    for judged_by in (None, judge):
        assert Ratios.of(above, below, Clusters(sentence, judged_by, 0.95)).covariance[0, 0] == 0
    # Every edit is right: no score differs from 0, but sentences there are.
    assert Ratios.of(below, below, Clusters(sentence, None, 0.95)).covariance[0, 0] == 0
    assert poisson(1, 4, 0.95) == pytest.approx((1 + 0.4802 - 1.3794 / 1.2661 * 1.0, 2.5714), abs=0.01)
    assert poisson(0, 4, 0.95) == pytest.approx((0, 1.959964**2 / 4))


def test_shares_by_hand_of_few_edits_of_shared_ones_and_of_repeats():
    (line,) = made(systems.systems, study_of(*(Judged(n, 0, ["+"]) for n in range(3))))[0]["edit_systems"].dicts()
    assert (line["precision"], line["edits"], line["right_a_sentence"]) == (1, 3, 1)
    assert (line["precision_low"], line["precision_high"]) == (pytest.approx(3 / (3 + 1.959964**2)), 1)
    assert line["right_a_sentence_low"] < 0.5 < 2 < line["right_a_sentence_high"]
    assert line["wrong_a_sentence"] == 0 < 1 < line["wrong_a_sentence_high"]
    found, _ = made(systems.categories, study_of(Judged(0, 0, ["+-", "+"]), Judged(1, 1, ["", "-"]), shared=True))
    lines = {line["system"]: line for line in found["edit_categories"].dicts()}
    assert [(lines[name]["verdicts"], lines[name]["right"]) for name in ("A", "B", "all systems")] == [
        (2, 1), (2, 1), (3, 1),
    ]  # fmt: skip
    study = study_of(Judged(0, 0, ["++"]), Judged(0, 0, ["+-"], repeat=True), Judged(1, 1, ["-"]))
    (line,) = made(systems.systems, study)[0]["edit_systems"].dicts()
    assert (line["verdicts"], line["right"]) == (3, 2)
    line = made(judges.judges, study)[0]["edit_judges"].dicts()[0]
    assert (line["repeated"], line["same_again"]) == (2, 1)


def test_one_of_three_pairs_has_the_interval_of_a_pair_alone_at_a_third_of_the_error():
    signs = [("++", "+-", "-"), ("+", "-", "--"), ("+-", "-+", ""), ("++", "+", "-")] * 3
    three = study_of(*(Judged(n, 0, versions) for n, versions in enumerate(signs)))
    third = EditParameters(level=1 - (1 - QUICK.level) / 3)
    two = study_of(*(Judged(n, 0, versions[:2]) for n, versions in enumerate(signs)), parameters=third)
    pair, alone = (made(systems.systems, study)[0]["edit_pairs"].dicts()[0] for study in (three, two))
    assert pair == alone


def test_agreement_by_hand():
    """Ada accepts two of four edits, Ben one of these; enough for kappa if they go on so."""
    study = study_of(*(Judged(n, judge, [signs]) for n in range(20) for judge, signs in enumerate(("++--", "+---"))))
    tables, gaps = made(judges.agreement, study)
    (pair,) = tables["edit_judge_pairs"].dicts()
    assert (pair["edits"], pair["same"], pair["kappa"]) == (80, 0.75, pytest.approx(0.5))
    alpha, kappa = tables["edit_agreement"].dicts()
    # With n values of which a share of 3/8 accepts, chance disagrees in 2 3/8 5/8 n / (n - 1).
    assert alpha["value"] == pytest.approx(1 - 0.25 / (30 / 64 * 160 / 159))
    assert (kappa["value"], gaps) == (pytest.approx(0.5), {})
    with pytest.raises(StatisticsError, match="No edit was judged by two people"):
        made(judges.agreement, study_of(Judged(0, 0, ["+"])))


def duelling(won: int, lost: int):
    """A has one right edit and B none; A is preferred on so many sentences."""
    return [Judged(n, n % 3, ["+", ""], (1, 2) if n < won else (2, 1)) for n in range(won + lost)]


def test_a_right_edit_that_wins_three_of_four_is_worth_log_three(monkeypatch):
    monkeypatch.setattr(worth, "PRIOR", 1e6)
    study = study_of(*duelling(30, 10))
    of = worth.duels(study)
    value, intervals = worth.worth(of, worth.differences(of, worth.own_counts(study))[:, :1])
    assert value == pytest.approx([log(3)])
    # By hand: curvature 40 3/16, scores 30 (1/4)^2 + 10 (3/4)^2 = 7.5, both clusters single sentences.
    reach = stdtrit(39, 0.975) * sqrt(40 / 39 * 7.5) / 7.5
    assert intervals[0] == pytest.approx((log(3) - reach, log(3) + reach))


def test_an_edit_that_always_wins_is_worth_no_finite_number_of_which_one_is_sure():
    tables, _ = made(worth.edit_worth, study_of(*duelling(40, 0)))
    edits, both = tables["edit_worth"].dicts()
    assert edits["log_odds_low"] > 0
    assert both["log_odds_low"] < 0, "the same, or that A is the better system"
    assert both["log_odds_high"] - both["log_odds_low"] > 5


def test_few_or_tied_preferences_say_nothing_of_edits():
    with pytest.raises(StatisticsError, match=r"needs 30 pairs .* on 10 sentences; there are 29 on 29"):
        made(worth.edit_worth, study_of(*duelling(20, 9)))
    with pytest.raises(StatisticsError, match="Judges ranked no versions"):
        made(worth.edit_worth, study_of(Judged(0, 0, ["+", "-"])))
    tied = [Judged(40 + n, 0, ["+", "-"], (1, 1)) for n in range(5)]
    tables, gaps = made(worth.edit_worth, study_of(*duelling(30, 10), *tied))
    assert [(line["pairs"], line["ties"]) for line in tables["edit_worth"].dicts()] == [(40, 5)] * 2
    assert "Too few versions were judged by two people" in gaps["edits marked by others"]


def test_marks_of_others_are_means_and_edits_alone_predict_where_judges_rank_by_edits():
    study = study_of(Judged(0, 0, ["++"]), Judged(0, 1, ["+-"]), Judged(0, 2, ["--"]), Judged(1, 0, ["+"]))
    assert worth.others_counts(study)[:3].tolist() == [[0.5, 1.5], [1, 1], [1.5, 0.5]]
    assert np.isnan(worth.others_counts(study)[3]).all()
    world = EditWorld(sentences=60, worth=(2.0, -2.0), strength=(0, 0, 0, 0), right=(0.6,) * 4)
    tables, _ = made(worth.edit_worth, world.campaign(np.random.default_rng(1), EditParameters(replicates=200)))
    own = {line["predicted_by"]: line["right"] for line in tables["edit_prediction"].dicts()
           if line["marked_by"] == worth.OWN}  # fmt: skip
    assert own["edits"] > 0.8 > 0.6 > own["systems"]


@pytest.mark.wide
def test_intervals_hold_the_truth_as_often_as_they_say(monkeypatch):
    """A small form of `python -m studies edits`; both units, with few judges and sentences."""
    monkeypatch.setattr("studies.edits.CASES", ((20, 5),))
    for line in edits(12, 200).dicts():
        assert line["hold the truth"] > 0.85, line


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("go", "goes", "replacement"), ("", "to ", "insertion"), ("the ", "", "deletion"),
        ("Ive", "I've", "punctuation"), (" ,", ",", "case or spaces"),
        ("infront", "in front", "case or spaces"), ("", ".", "punctuation"),
    ],
)  # fmt: skip
def test_kinds_of_edits_without_a_parser(old, new, kind):
    assert kind_of(old, new) == kind
