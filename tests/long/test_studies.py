"""Studies by simulation: what docs/statistics.md quotes from them holds in a small form."""

import pytest

from studies.__main__ import as_text
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
