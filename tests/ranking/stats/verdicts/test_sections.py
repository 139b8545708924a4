"""Reports on verdicts: the toy of the whole, what is where, what cannot be made, the same seed and the same bytes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.analysis import analyse
from ranking.stats.answers import Answers
from ranking.stats.choices import ParametersError
from ranking.stats.study_files import read, write
from ranking.stats.verdicts import SECTIONS, VerdictStudy, judges, systems, usages
from ranking.stats.verdicts import crowd as of_crowd
from ranking.stats.verdicts.study import VerdictParameters
from tests.ranking.stats.comparisons.sections.cast import made
from tests.ranking.stats.verdicts.cast import QUICK, E, K, answers, study_of, verdicts, whole_study


def paper() -> Answers:
    """Fifty judges: 45, 28 and 10 of them find an error in three usages, so p = .9 .56 .2."""
    return verdicts(*("e" * errors + "k" * (50 - errors) for errors in (45, 28, 10)))


def test_the_toy_of_the_paper_in_a_report():
    tables, gaps = made(systems.measures, study_of(paper(), [[1, 1, 0]]))
    weighted, unweighted = tables["measures"].dicts()
    assert (weighted["by"], weighted["usages"]) == ("weighted", 3)
    assert [weighted[name] for name in ("hits", "misses", "false_positives")] == pytest.approx([1.46, 0.2, 0.54])
    assert (weighted["precision"], round(weighted["recall"], 4)) == (pytest.approx(0.73), 0.8795)
    assert (unweighted["precision"], unweighted["recall"], unweighted["f"]) == (1.0, 1.0, 1.0)
    for name in ("precision", "recall", "f"):
        assert weighted[f"{name}_low"] <= weighted[name] <= weighted[f"{name}_high"]
    assert gaps == {}


def test_a_model_that_does_not_settle_and_undecided_usages_are_gaps(monkeypatch):
    tables, gaps = made(usages.usages, study_of(verdicts("ek", "ke", "uu", "kk", "ee")))
    assert gaps["undecided usages"].startswith("The verdicts on 2 of 4 usages fit an error as well as none")
    assert tables["usages"].column("error_chance")[:3] == [0.5, 0.5, None]
    assert "undecided usages" not in made(usages.usages, study_of(verdicts("ee", "kk")))[1]
    monkeypatch.setattr(of_crowd, "MOST_ROUNDS", 1)
    tables, gaps = made(usages.usages, study_of(verdicts("eek", "kke", "eku")))
    assert gaps["model of judges"].startswith("The model did not converge in 1 rounds")
    assert tables["usages"].rows


rows = st.lists(st.text(alphabet="eku.", min_size=3, max_size=3), min_size=1, max_size=6).filter(
    lambda rows: any(letter in row for row in rows for letter in "eku")
)


@pytest.mark.wide
@given(rows, st.integers(0, 1000))
def test_any_verdicts_make_a_report_or_a_sentence(rows, seed):
    random = np.random.default_rng(seed)
    cast = verdicts(*rows)
    classes = np.where(random.random((2, len(rows))) < 0.3, np.nan, random.random((2, len(rows))))
    gold = np.where(random.random(len(rows)) < 0.5, np.nan, random.integers(0, 2, len(rows)))
    quick = QUICK.with_changes(replicates=200, draws=2, experts=str(random.choice(["majority", "each"])))
    study = study_of(cast, classes, quick, gold, experts=np.flatnonzero(random.random(3) < 0.3))
    assert write(read(VerdictStudy, write(study))) == write(study)
    if not study.crowd.is_decided.any():
        return
    found = analyse(study, SECTIONS)
    assert {"crowd", "usages", "verdict_judges"} <= found.tables.keys()
    assert all(reason.endswith(".") for reason in found.gaps.values())


def test_experts_controls_and_repeats_are_no_part_of_the_crowd():
    columns = np.array([0, 0, 0, 0, 1]), np.array([0, 1, 2, 0, 0]), np.array([E, K, E, E, E])
    cast = answers(*columns, 2, 3, is_repeat=np.arange(5) == 3, is_control=np.arange(5) == 4)
    study = study_of(cast, gold=[np.nan, 1], experts=(2,))
    first, second = made(usages.usages, study)[0]["usages"].dicts()
    assert (first["errors"], first["ok"], first["p"], first["majority"]) == (1, 1, 0.5, None)
    assert (second["errors"], second["p"], second["gold"], second["error_chance"]) == (0, None, "error", None)
    lines = made(judges.judges, study)[0]["verdict_judges"].dicts()
    assert [(line["verdicts"], line["gold"], line["right"], line["repeats"]) for line in lines] == [
        (2, 1, 1, 1), (1, 0, 0, 0), (1, 0, 0, 0),
    ]  # fmt: skip
    assert [line["expert"] for line in lines] == [False, False, True]


def test_an_usage_has_a_column_for_each_system_and_a_bin_the_majority_of_its_usages():
    (table,) = made(usages.usages, study_of(verdicts("ek", "kk"), [[1, np.nan], [0.25, 0]]))[0].values()
    assert [(line["class: A"], line["class: B"]) for line in table.dicts()] == [(1, 0.25), (None, 0)]
    cast = verdicts("eeee", "eeek", "kkke", "kkkk", "eekk")
    (table,) = made(systems.bins, study_of(cast, [[1, 1, 1, 0, 1]]))[0].values()
    assert [(line["low"], line["high"], line["usages"], line["errors"], line["precision"]) for line in
            table.dicts()] == [(0.75, 0.9, 2, 1, 0.5), (0.9, 1, 2, 1, 1)]  # fmt: skip


def test_the_authority_is_named():
    study = whole_study()
    (table,) = made(judges.enough, study)[0].values()
    assert set(table.column("against")) == {"majority of experts"}
    (table,) = made(judges.enough, replace(study, parameters=QUICK.with_changes(experts="each")))[0].values()
    assert set(table.column("against")) == {"each expert"}
    (table,) = made(judges.enough, replace(study, is_expert=np.zeros(7, dtype=bool)))[0].values()
    assert set(table.column("against")) == {"gold"}
    assert table.column("judges") == [1, 2, 3, 4, 5, 6, 7]
    with pytest.raises(StatisticsError, match="Mark some judges as experts"):
        list(judges.enough(study_of(verdicts("ek"))))


def test_systems_stand_by_their_weighted_f_or_are_a_gap():
    (tables, _) = made(systems.measures, study_of(paper(), [[0, 0, 1], [1, 1, 0]]))
    assert list(dict.fromkeys(tables["measures"].column("system"))) == ["B", "A"]
    tables, gaps = made(systems.measures, study_of(verdicts("ee", ".."), [[np.nan, 1], [1, 1]]))
    assert set(tables["measures"].column("system")) == {"B"}
    assert gaps == {"systems not measured": "The crowd has no majority on any usage of A."}
    found = analyse(study_of(verdicts("ek", "ee")), SECTIONS)
    assert "Upload the classes" in found.gaps["measures"]
    assert "crowd" in found.tables


@pytest.mark.parametrize(
    ("study", "message"),
    [
        (study_of(verdicts("e").choose(np.zeros(1, dtype=bool))), "There are no judgments yet"),
        (study_of(verdicts("u")), "The crowd has not decided on any usage"),
        (study_of(verdicts("e"), experts=(0,)), "or unmark some experts"),
    ],
)
def test_without_a_crowd_there_is_a_sentence(study, message):
    with pytest.raises(StatisticsError, match=message):
        analyse(study, SECTIONS)


def test_agreement_by_hand():
    """Three of four pairs of verdicts agree; alpha = 1 - (7 - 1) * 1 / (3 * 5) from 2 disagreeing values of 8."""
    (table,) = made(usages.verdict_agreement, study_of(verdicts("ee", "ee", "ek", "kk")))[0].values()
    line = table.dicts()[0]
    assert (line["who"], line["agreement"], line["usages"], line["verdicts"]) == ("crowd", 0.75, 4, 8)
    # Krippendorff: observed 2/8, expected 2 * 5 * 3 / (8 * 7).
    assert line["alpha"] == pytest.approx(1 - (2 / 8) / (30 / 56))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cuts": (0.9, 0.5)}, "must rise"),
        ({"cuts": (0.5, float("nan"))}, "must rise"),
        ({"experts": "all"}, "choose from majority, each"),
        ({"most_judges": 0}, "between 1 and"),
        ({"draws": 0}, "between 1 and"),
        ({"methods": ("expected-wins",)}, "A report has no methods"),
        ({"level": 2}, "level"),
    ],
)
def test_invalid_choices_are_refused(changes, message):
    with pytest.raises(ParametersError, match=message):
        VerdictParameters().with_changes(**changes)


def test_the_signature_is_that_of_verdicts():
    signature = whole_study().signature()
    assert (
        "cuts:0.5+0.75+0.9+1.0|experts:majority|most-judges:20|draws:20|replicates:200|level:0.95|seed:3" in signature
    )
    assert "of-them-experts:2|usages:30" in signature
