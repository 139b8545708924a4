"""Reports on edits as a whole: what is where, what cannot be made, the same seed and the same bytes."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.tables import StatisticsError
from ranking.stats.analysis import analyse
from ranking.stats.choices import ParametersError
from ranking.stats.edits import SECTIONS, metrics
from ranking.stats.edits.study import EditParameters, EditStudy, VerdictName
from ranking.stats.study_files import read, write
from tests.ranking.stats.comparisons.sections.cast import made
from tests.ranking.stats.edits.cast import RIGHT, WRONG, Judged, study_of, whole_study

versions = st.lists(st.text("+-", max_size=3), min_size=2, max_size=2)
ranks = st.sampled_from([(), (1, 2), (1, 1)])
judgment = st.builds(Judged, st.integers(0, 3), st.integers(0, 2), versions, ranks, st.booleans())


@pytest.mark.wide
@given(st.lists(judgment, min_size=1, max_size=8), st.booleans())
def test_any_verdicts_make_a_report_or_a_sentence(judged, shared):
    study = study_of(*judged, shared=shared)
    assert write(read(EditStudy, write(study))) == write(study)
    if not len(study.marks):
        return
    found = analyse(study, SECTIONS)
    assert {"counts", "edit_judges", "edit_categories"} <= found.tables.keys() or study.is_repeat.any()
    assert all(reason.endswith(".") for reason in found.gaps.values())
    for line in found.tables["edit_systems"].dicts() if "edit_systems" in found.tables else ():
        if line["precision"] is not None:
            assert 0 <= line["precision_low"] <= line["precision"] <= line["precision_high"] <= 1


def test_every_verdict_of_an_organiser_has_its_share_and_its_worth():
    names = (RIGHT, WRONG, VerdictName("changes meaning", False))
    study = whole_study()
    verdict = np.where(study.marks.edit % 3 == 0, 2, study.marks.verdict)
    study = replace(
        study, names=study.names._replace(verdicts=names), marks=replace(study.marks, verdict=verdict), metrics=()
    )
    found = analyse(study, SECTIONS)
    lines = [line for line in found.tables["edit_verdicts"].dicts() if line["system"] == "s0"]
    assert sum(line["share"] for line in lines) == pytest.approx(1)
    assert len({line["verdict"] for line in found.tables["edit_worth"].dicts()}) == 3
    assert "alpha of verdicts" in found.tables["edit_agreement"].column("coefficient")


def test_edits_in_references_and_a_system_without_edits_by_hand():
    """Of four edits a reference makes the first two; people accept the first and the third."""
    study = study_of(Judged(0, 0, ["+-+-"]), in_reference=np.array([[1.0], [1.0], [0.0], [np.nan]]))
    study = replace(study, names=study.names._replace(references=("references",)))
    (line,) = made(metrics.references, study)[0]["edit_references"].dicts()
    assert (line["edits"], line["right"], line["in_reference"], line["same"]) == (3, 2, 2, pytest.approx(1 / 3))
    assert (line["right_in_reference"], line["right_elsewhere"]) == (0.5, 1)
    tables, _ = made(SECTIONS["systems"], study_of(Judged(0, 0, ["", "-+"]), Judged(1, 0, ["", "-"])))
    assert [(line["system"], line["precision"]) for line in tables["edit_systems"].dicts()] == [
        ("B", pytest.approx(1 / 3)), ("A", None),
    ]  # fmt: skip
    assert "edit_pairs" not in tables
    with pytest.raises(StatisticsError, match="No judge has given a verdict on an edit yet"):
        analyse(study_of(Judged(0, 0, ["", ""])), SECTIONS)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"unit": "pair"}, "choose from broadest, sentence, sentence-and-judge"),
        ({"categories": "own"}, "choose from errant, plain"),
        ({"methods": ("expected-wins",)}, "A report has no methods"),
    ],
)
def test_invalid_choices_are_refused(changes, message):
    with pytest.raises(ParametersError, match=message):
        EditParameters().with_changes(**changes)
