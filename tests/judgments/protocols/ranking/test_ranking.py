"""Rankings: exactly the candidates shown, each ranked, or a skip with a reason; and what a tutorial expects."""

from uuid import uuid4

import pytest

from judgments.protocols.form import FormSpecification
from judgments.protocols.ranking import RankingForm, RankingProtocol
from judgments.rules.authored.tutorials import Example, ExampleVersion

KEY = str(uuid4())

PROTOCOL = RankingProtocol()


def ranking(**data) -> RankingForm:
    return RankingForm({"key": KEY, **data}, specification=FormSpecification(3))


def test_a_complete_ranking_is_taken_ties_and_gaps_included_and_what_is_not_shown_is_ignored():
    form = ranking(rank_1="3", rank_2="1", rank_3="3", rank_4="1")
    assert form.is_valid()
    assert form.submission()["answers"] == [3, 1, 3]


def test_a_missing_rank_is_named_and_a_key_needed_and_a_skip_has_a_reason():
    assert ranking(rank_1="1", rank_3="2").errors == {"rank_2": ["Give version B a rank."]}
    ranks = dict.fromkeys(("rank_1", "rank_2", "rank_3"), "1")
    assert RankingForm(ranks, specification=FormSpecification(3)).errors.keys() == {"key"}
    form = ranking(skip="1", skip_reason="cannot tell")
    assert form.is_valid()
    assert form.submission()["skip_reason"] == "cannot tell"
    assert "skip_reason" in ranking(skip="1").errors


@pytest.mark.parametrize("rank", ["0", "4", "-1", "1.5", "best", "1" * 400])
def test_a_rank_that_is_not_offered_is_refused(rank):
    assert "rank_1" in ranking(rank_1=rank, rank_2="1", rank_3="1").errors


def test_a_tutorial_expects_only_what_can_be_answered():
    fault = PROTOCOL.fault_of_expected
    assert [fault(expected) for expected in ["1", "5", "12"]] == [None] * 3
    assert all(fault(expected) for expected in ["0", "best", "1.5", "", "-1", "90"])


@pytest.mark.parametrize(
    ("wanted", "ranks", "differences"),
    [
        ("123", [1, 2, 3], []),
        ("123", [2, 4, 5], []),
        ("112", [2, 2, 3], []),
        ("123", [1, 3, 2], ["You put B below C; we put it above."]),
        ("123", [1, 1, 2], ["You tie A and B; we put B below A."]),
        ("312", [1, 1, 1], [f"You tie {pair}." for pair in (
            "B and A; we put A below B", "C and A; we put A below C", "B and C; we put C below B"
        )]),
        ("121", [1, 3, 2], ["You put C below A; we tie them."]),
        ("111", [3, 1, 1], ["You put A below B; we tie them.", "You put A below C; we tie them."]),
    ],
)  # fmt: skip
def test_the_pairs_that_differ_are_said_whatever_the_numbers_are(wanted, ranks, differences):
    example = Example("", tuple(ExampleVersion(rank, "") for rank in wanted))
    assert PROTOCOL.differences(example, ranks) == differences
