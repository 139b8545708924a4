"""A whole report on corrections: tables from a study, which files keep without loss."""

from dataclasses import replace

import pytest

from ranking.numbers.tables import StatisticsError
from ranking.stats.analysis import Day, analyse
from ranking.stats.choices import ParametersError
from ranking.stats.corrections import SECTIONS
from ranking.stats.corrections.scoring import Corrections
from ranking.stats.corrections.study import PRESETS, CorrectionParameters, CorrectionStudy, Label
from ranking.stats.study_files import read, write
from tests.ranking.metrics import published
from tests.ranking.stats.corrections import toy

QUICK = CorrectionParameters(replicates=200, seed=3, documents=2, least_edits=1)


def study(corrections: Corrections | None = None, parameters: CorrectionParameters = QUICK) -> CorrectionStudy:
    days = Day("2026-01-02", 9, 1), Day("2026-01-03", 8, 2)
    return CorrectionStudy(corrections or toy.random(seed=1, judges=5), parameters, 17, (Label(0, "merge", 2),), days)


@pytest.mark.wide
def test_people_are_scored_against_every_number_of_others():
    combinations = analyse(study(), SECTIONS).tables["combinations"].dicts()
    people = [line for line in combinations if line["kind"] == "people"]
    assert [line["gold"] for line in people] == [1, 2, 3]
    assert [line["subsets"] for line in people] == [4, 6, 4]
    assert all(line["f_low"] <= line["f"] <= line["f_high"] for line in combinations)


def test_hostile_texts_come_back_from_files():
    texts = ('"', "a,\nb", "", "=1", "\u0085")
    edits = ((toy.change(0, 1, '"\n,', "|"),), None, None, (), ()), (None,) * 5
    hostile = Corrections(texts, (0,) * 5, ('"', "\n"), edits, ("x",), (texts,), ((0, 1), (1, 4)))
    assert read(CorrectionStudy, write(study(hostile))) == study(hostile)


@pytest.mark.wide
def test_no_system_and_no_category():
    corrections = replace(toy.random(seed=1), systems=(), outputs=())
    plain = tuple(tuple(tuple(edit._replace(kind="") for edit in edits) for edits in row) for row in corrections.edits)
    made = study(replace(corrections, edits=plain))
    found = analyse(made, SECTIONS)
    assert read(CorrectionStudy, write(made)) == made
    assert "edits_by_category" not in found.tables
    assert found.gaps == {
        "category_agreement": "No category has the required number of edits, 1. Require fewer when you make a"
        " report, or have judges choose categories."
    }


@pytest.mark.wide
def test_one_judge_alone_has_gaps_with_reasons_and_without_judgments_there_is_nothing():
    found = analyse(study(toy.toy().only([0], [0, 1, 2])), SECTIONS)
    assert {"edits_by_judge", "one_by_one"} <= set(found.tables)
    for name in ("people and systems", "categories", "fewer documents", "same_as_others"):
        assert "Only one judge saw" in found.gaps[name]
    with pytest.raises(StatisticsError, match="Nobody has corrected"):
        analyse(study(Corrections(("a",), (0,), (), ())), SECTIONS)


def test_the_signature_changes_with_choices_and_edits():
    one, other = study(), study(toy.random(seed=2, judges=5))
    assert one.signature() != other.signature()
    assert one.signature() != replace(one, parameters=QUICK.with_changes(beta=1.0)).signature()
    assert "corrections|m2|unchanged:2|judgments:17|judges:4|data:" in one.signature()
    assert "|beta:0.5|unit:sentence|replicates:200|" in one.signature()


@pytest.mark.parametrize(
    ("choice", "message"),
    [({"beta": 0}, "Beta"), ({"unit": "judge"}, "unit: there is no 'judge'"),
     ({"most_subsets": 3}, "subsets must lie between"), ({"documents": -1}, "Documents"),
     ({"least_edits": 0}, "at least 1"), ({"least_share": 0.0}, "at most 1")],
)  # fmt: skip
def test_choices_that_make_no_sense_are_refused(choice, message):
    with pytest.raises(ParametersError, match=message):
        PRESETS["recommended"].with_changes(**choice)
    assert (PRESETS["bryant2015"].unit, PRESETS["bryant2015"].documents) == ("document", 10)


@pytest.mark.wide
def test_learners_essays_have_the_ratios_of_another_program(monkeypatch):
    """It follows the rule of M2 alone; in one of 50,632 counts the official program finds another path."""
    monkeypatch.setattr("ranking.metrics.maxmatch.MOST_NODES", 0)
    chosen = CorrectionParameters(replicates=200, documents=0)
    lines = analyse(study(toy.essays("test"), chosen), SECTIONS).tables["combinations"].dicts()
    golden = published.golden()["ratio_scoring_m2"]["test.fce"]["ratio"]
    for name, ratios in golden.items():
        found = [line["ratio"] for line in lines if line["who"] == name]
        assert found == pytest.approx(list(ratios.values()), abs=1e-9)
