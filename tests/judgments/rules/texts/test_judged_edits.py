"""Stored verdicts on edits: what is read, and what is refused."""

import pytest

from judgments.rules.texts.edits import Edit, JudgedEdit, edits_made, fault_of_judged, lie_within, read_judged


def row(start: int, end: int, replacement: str | None, verdict: str = "right") -> dict:
    return {"start": start, "end": end, "replacement": replacement, "verdict": verdict}


def test_edits_are_read_from_left_to_right_and_may_touch():
    judged = read_judged([row(8, 9, None, "missed"), row(3, 5, "goes")])
    assert judged == (JudgedEdit(3, 5, "goes", "right"), JudgedEdit(8, 9, None, "missed"))
    assert edits_made(judged) == [Edit(3, 5, "goes")]
    assert (lie_within(judged, 9), lie_within(judged, 8)) == (True, False)
    assert fault_of_judged([row(3, 3, "x "), row(3, 5, "y"), row(5, 5, "z")]) is None


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ({}, "is not a list"),
        ([{"start": 1}], "does not consist of start, end, replacement, verdict"),
        ([row(5, 3, "x")], "not whole numbers in order"),
        ([row(True, 3, "x")], "not whole numbers in order"),
        ([row(1, 3, "x", "")], "without a verdict"),
        ([row(1, 3, "x", "missed")], "missed but has a replacement"),
        ([row(1, 3, None)], "missed but has a replacement, or has neither"),
        ([row(3, 3, None, "missed")], "missed error without a character"),
        ([row(3, 3, "")], "changes nothing"),
        ([row(3, 4, "x" * 2001)], "too long"),
        ([row(1, 4, "x"), row(3, 5, "y")], "edits that overlap"),
        ([row(3, 3, "x"), row(3, 3, "y")], "edits that overlap"),
    ],
)
def test_what_is_not_a_list_of_judged_edits_is_refused(rows, fault):
    assert fault in fault_of_judged(rows)
