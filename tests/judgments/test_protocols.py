"""Forms of the protocols: exactly the candidates shown, each answered, or a skip with a reason."""

from uuid import uuid4

import pytest
from django.utils import translation

from judgments.protocols import PROTOCOLS
from judgments.protocols.base import FormSpecification
from judgments.protocols.ranking import RankingForm
from judgments.protocols.rating import RatingForm, Score

KEY = str(uuid4())


def ranking(**data) -> RankingForm:
    return RankingForm({"key": KEY, **data}, specification=FormSpecification(3))


def rating(**data) -> RatingForm:
    return RatingForm({"key": KEY, **data}, specification=FormSpecification(2))


def test_a_complete_ranking_is_taken_ties_and_gaps_included():
    form = ranking(rank_1="3", rank_2="1", rank_3="3")
    assert form.is_valid()
    assert form.submission()["answers"] == [3, 1, 3]


def test_a_missing_rank_is_named():
    form = ranking(rank_1="1", rank_3="2")
    assert form.errors == {"rank_2": ["Give sentence 2 a rank."]}


@pytest.mark.parametrize("rank", ["0", "4", "-1", "1.5", "best", "1" * 400])
def test_a_rank_that_is_not_offered_is_refused(rank):
    assert "rank_1" in ranking(rank_1=rank, rank_2="1", rank_3="1").errors


def test_an_answer_for_a_candidate_that_is_not_shown_is_ignored():
    form = ranking(rank_1="1", rank_2="1", rank_3="1", rank_4="1")
    assert form.is_valid()
    assert form.submission()["answers"] == [1, 1, 1]


def test_a_skip_needs_a_reason_and_no_ranks():
    form = ranking(skip="1", skip_reason="cannot tell")
    assert form.is_valid()
    assert form.submission()["skip_reason"] == "cannot tell"
    assert "skip_reason" in ranking(skip="1").errors


def test_a_form_without_a_key_is_refused():
    assert (
        "key" in RankingForm({"rank_1": "1", "rank_2": "1", "rank_3": "1"}, specification=FormSpecification(3)).errors
    )


def test_scores_run_from_0_to_100():
    form = rating(score_1="0", score_2="100", changed_2="on")
    assert form.is_valid()
    assert form.submission()["answers"] == [Score(0), Score(100, True)]


@pytest.mark.parametrize("score", ["", "-1", "101", "ten", "5.5"])
def test_a_score_out_of_range_is_refused(score):
    assert "score_1" in rating(score_1=score, score_2="1").errors


@pytest.mark.parametrize(
    ("protocol", "good", "bad"),
    [
        ("ranking", ["1", "5", "12"], ["0", "best", "1.5", "", "-1", "90"]),
        ("rating", ["80", "60-100", "0 - 30 meaning changed", "100 meaning changed"], ["101", "60-50", "good", "-3"]),
    ],
)
def test_a_tutorial_expects_only_what_can_be_answered(protocol, good, bad):
    fault = PROTOCOLS[protocol].teaching.kind.fault
    assert [fault(expected) for expected in good] == [None] * len(good)
    assert all(fault(expected) for expected in bad)


@pytest.mark.parametrize(
    ("given", "agree"),
    [
        ([1, 2, 3], [True, True, True]),
        ([2, 4, 5], [True, True, True]),
        ([1, 3, 2], [True, False, False]),
        ([1, 1, 2], [False, False, True]),
        ([3, 2, 1], [False, False, False]),
    ],
)
def test_ranks_agree_by_their_order_alone(given, agree):
    assert PROTOCOLS["ranking"].teaching.agree(["1", "2", "3"], given) == agree


def test_scores_agree_within_their_range_and_with_their_box():
    given = [Score(80), Score(79), Score(20, meaning_changed=True), Score(20)]
    expected = ["80-100", "80-100", "0-30 meaning changed", "0-30 meaning changed"]
    assert PROTOCOLS["rating"].teaching.agree(expected, given) == [True, False, True, False]
    assert [PROTOCOLS["rating"].teaching.tell(score) for score in given[1:3]] == ["79", "20 meaning changed"]


def test_what_a_tutorial_expects_is_told_in_the_language_of_the_reader():
    teaching = PROTOCOLS["rating"].teaching
    assert [teaching.tell_expected(text) for text in ("60-100", "0 - 30 meaning changed")] == [
        "60-100",
        "0 - 30 meaning changed",
    ]
    with translation.override("pl"):
        assert teaching.tell_expected("0-30 meaning changed") == "0-30, zmienione znaczenie"
        assert teaching.tell(Score(20, True)) == "20, zmienione znaczenie"
