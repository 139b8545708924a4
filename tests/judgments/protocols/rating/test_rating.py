"""Ratings: exactly the candidates shown, each scored; and what a tutorial expects."""

from uuid import uuid4

import pytest
from django.utils import translation

from judgments.protocols.form import FormSpecification
from judgments.protocols.rating import RatingForm, RatingProtocol, Score

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


def test_scores_agree_within_their_range_and_with_their_box():
    scores = [Score(80), Score(79), Score(20, meaning_changed=True), Score(20)]
    expected = ["80-100", "80-100", "0-30 meaning changed", "0-30 meaning changed"]
    assert PROTOCOL.as_expected(expected, scores) == [True, False, True, False]
    assert [PROTOCOL.describe_answer(score) for score in scores[1:3]] == ["79", "20 meaning changed"]


def test_what_a_tutorial_expects_is_given_in_the_language_of_the_reader():
    for text in ("60-100", "0 - 30 meaning changed"):
        assert PROTOCOL.describe_expected(text) == text
    with translation.override("pl"):
        assert PROTOCOL.describe_expected("0-30 meaning changed") == "0-30, zmienione znaczenie"
        assert PROTOCOL.describe_answer(Score(20, True)) == "20, zmienione znaczenie"
