"""The few lines that the pure packages have of their own, as they know nothing of collecting, say what it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.material.rules import usages
from judgments.models import judge_statistics
from judgments.rules.files import csv_tables
from ranking.numbers import intervals, tables
from ranking.stats.verdicts import systems

texts = st.text() | st.text("'=+-@\t\ra", max_size=4)


@given(texts)
def test_cells_are_defused_alike(text):
    assert tables.defuse(text) == csv_tables.defuse(text)
    assert csv_tables.undo_defusing(str(tables.defuse(text))) == text


@pytest.mark.parametrize(("passed", "seen"), [(0, 0), (0, 7), (8, 10), (7, 7), (2.5, 9.0)])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.99])
def test_shares_have_the_same_interval(passed, seen, level):
    assert intervals.wilson(passed, seen, level) == judge_statistics.wilson(passed, seen, level)


def test_collecting_and_reports_call_an_error_from_the_same_probability_on():
    assert systems.ERROR_FROM == usages.ERROR_FROM
