"""Ratings: exactly the candidates shown, each scored; and what a tutorial expects."""

from uuid import uuid4

import pytest
from django.utils import translation

from judgments.protocols.form import FormSpecification
from judgments.protocols.rating import RatingForm, RatingProtocol, Score
from judgments.rules.authored.tutorials import Example, ExampleVersion

KEY = str(uuid4())

PROTOCOL = RatingProtocol()


def rating(**data) -> RatingForm:
    return RatingForm({"key": KEY, **data}, specification=FormSpecification(2))


def test_scores_run_from_0_to_100():
    form = rating(score_1="0", score_2="100", changed_2="on")
    assert form.is_valid()
    assert form.submission()["answers"] == [Score(0), Score(100, True)]


@pytest.mark.parametrize("score", ["", "-1", "101", "ten", "5.5"])
def test_a_score_out_of_range_is_refused(score):
    assert "score_1" in rating(score_1=score, score_2="1").errors


def test_a_tutorial_expects_only_what_can_be_answered():
    fault = PROTOCOL.fault_of_expected
    good = ["80", "60-100", "0 - 30 meaning changed", "100 meaning changed"]
    assert [fault(expected) for expected in good] == [None] * 4
    assert all(fault(expected) for expected in ["101", "60-50", "good", "-3"])


def test_the_versions_whose_score_or_box_differs_are_said_in_the_language_of_the_reader():
    wanted = ["80-100", "80 - 100", "0-30 meaning changed", "0-30 meaning changed", "90"]
    example = Example("", tuple(ExampleVersion(one, "") for one in wanted))
    scores = [Score(80), Score(79), Score(20, meaning_changed=True), Score(20), Score(80, meaning_changed=True)]
    assert PROTOCOL.differences(example, scores) == [
        "B: you gave 79; we expect 80 to 100.",
        "D: the meaning changed.",
        "E: you gave 80; we expect 90.",
        "E: the meaning did not change.",
    ]
    with translation.override("pl"):
        assert PROTOCOL.differences(example, scores)[0] == "B: u ciebie 79, oczekujemy od 80 do 100."
