"""Rubrics: scales with words, severities with weights, the score they make, and what is wrong with them by line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.authored.rubrics import (
    Severity,
    fault_of_reasons,
    fault_of_rubric,
    fault_of_said,
    read_rubric,
)
from judgments.rules.texts.marking import fault_of_spans
from tests.judgments.rules.refusals import answer_or_problems, complaints

RUBRIC = """
# From 1 to 4.
? Form: How correct?
4: Perfect
1: Incomprehensible
-: I cannot say

? Quality
0: garbled
100: perfect

! Errors
minor: small
very bad = 5
"""


def test_a_scale_has_words_buttons_and_perhaps_a_way_out_and_the_score_is_the_mean_of_what_was_said():
    form, quality = read_rubric(RUBRIC).scales
    assert (form.name, form.help, form.other) == ("Form", "How correct?", "I cannot say")
    assert form.buttons == [(1, "Incomprehensible"), (2, ""), (3, ""), (4, "Perfect")]
    assert (quality.lowest, quality.highest, quality.buttons, quality.other) == (0, 100, [], "")
    assert read_rubric(RUBRIC).severities == (Severity("minor", "small", 1.0), Severity("very bad", "", 5.0))
    rubric = read_rubric(RUBRIC)
    assert rubric.score({"Form": 3, "Quality": 50}) == pytest.approx((200 / 3 + 50) / 2)
    assert rubric.score({"Form": None, "Quality": 20}) == 20
    assert rubric.score({"Form": None, "Quality": None}) is None


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "rubric: has no scale"),
        ("? A\n1: x\n", "rubric, line 1: a scale needs words for at least its lowest and highest number"),
        ("? A\n1: x\n2: y\n2: z", "rubric, line 4: gives 2 a second time"),
        ("? A\n1: x\n2: y\n-: z\n-: w", "rubric, line 5: gives - a second time"),
        ("? A\n1: x\n2 y\n3: z", "rubric, line 3: write a number, a colon and its words"),
        ("? A\n1: x\n1001: y", "rubric, line 3: has the number 1001"),
        ("? A\n1: x\n2: y\n\n? a\n1: x\n2: y", "rubric, line 5: names the scale 'a' a second time"),
        ("? A, b\n1: x\n2: y", "rubric, line 1: has a name with a comma"),
        ("?\n1: x\n2: y", "rubric, line 1: has no name"),
        ("? Score\n1: x\n2: y", "rubric, line 1: has the name of another column of exports, 'Score'"),
        ("? A\n1: x\n2: y\n\n!\nerrors", "rubric, line 6: has the name of another column of exports, 'errors'"),
        ("? A\n1: x\n2: y\n\n!\na", "rubric: has a scale and a severity 'a'"),
        ("? A\n1: x\n2: y\n\nminor: z", "rubric, line 5: a block begins with ?"),
        ("? A\n1: x\n2: y\n\n!\n", "rubric, line 5: needs one to 5 lines"),
        ("? A\n1: x\n2: y\n\n!\nminor\nMinor", "rubric, line 7: names the severity 'Minor' a second time"),
        ("? A\n1: x\n2: y\n\n!\nminor = 101", "rubric, line 6: has a weight of 101"),
        ("? A\n1: x\n2: y\n\n!\nminor\n\n!\nmajor", "rubric, line 8: a second block of severities"),
    ],
)
def test_a_fault_is_named_with_its_line(text, complaint):
    (found,) = complaints(read_rubric, text)
    assert found.startswith(complaint)


@given(st.text(alphabet="?!-:=1290 \nab#,", max_size=60))
def test_any_text_is_a_rubric_or_has_problems(text):
    if rubric := answer_or_problems(lambda: read_rubric(text)):
        assert all(scale.lowest < scale.highest for scale in rubric.scales)
        assert fault_of_rubric(text) is None


@pytest.mark.parametrize(
    ("check", "stored", "fault"),
    [
        (fault_of_said, {"Form": 3, "Quality": None}, None),
        (fault_of_said, [3], "is not an object"),
        (fault_of_said, {"": 3}, "impossible"),
        (fault_of_said, {"Form": True}, "neither null nor a number"),
        (fault_of_said, {"Form": -1}, "neither null nor a number"),
        (fault_of_reasons, {"Form": "Other"}, None),
        (fault_of_reasons, {"Form": 3}, "impossible"),
        (fault_of_spans, [{"start": 0, "end": 2, "severity": "minor"}], None),
        (fault_of_spans, {}, "is not a list"),
        (fault_of_spans, [{"start": 0, "end": 2}], "without start, end and severity"),
        (fault_of_spans, [{"start": 2, "end": 2, "severity": "minor"}], "empty or outside"),
        (fault_of_spans, [{"start": 0, "end": 2, "severity": ""}], "impossible severity"),
    ],
)
def test_stored_answers_are_checked_whatever_the_rubric_is(check, stored, fault):
    found = check(stored)
    assert found is None if fault is None else fault in found
