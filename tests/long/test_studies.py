"""Studies by simulation: what docs/statistics.md quotes from them holds in a small form."""

import pytest

from studies.__main__ import as_text
from studies.calibration import THIN, calibration
from studies.coverage import coverage


@pytest.fixture(scope="module")
def found() -> dict[tuple, dict]:
    table = coverage(campaigns=30, replicates=200)
    assert as_text(table).count("\n") == len(table.rows) + 1
    return {(line["judges"], line["unit"]): line for line in table.dicts()}


def test_drawing_sentences_covers_the_truth_for_these_judges(found):
    assert 0.93 < found["judges agree", "sentence"]["score, other judges"] < 0.98
    assert found["judges have tastes", "sentence"]["score, these judges"] > 0.93
    assert found["judges have tastes", "sentence"]["score, other judges"] < 0.93


def test_drawing_sentences_and_judges_covers_the_truth_for_other_judges(found):
    for judges in ("judges have tastes", "five judges with tastes"):
        line = found[judges, "sentence-and-judge"]
        assert line["score, other judges"] > 0.94
        assert line["rank range"] > 0.98
        assert line["false boundaries"] <= 0.01


def test_posterior_draws_cover_the_truth_even_of_a_system_on_few_sentences():
    found = {(line["judges"], line["method"]): line for line in calibration(campaigns=40, replicates=250).dicts()}
    for judges in ("judges agree", "judges have tastes", "three judges a sentence"):
        line = found[judges, "hierarchical"]
        assert line["score"] > 0.91
        assert line["rank range"] > 0.92
        assert abs(line["0.05-0.30 said"] - line["0.05-0.30 best"]) < 0.08
    assert found[THIN, "hierarchical"]["score"] > 0.85 > found[THIN, "expected-wins"]["score"]
