"""Comprehension checks as organisers write them: questions, or every problem with its line."""

from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.authored.tutorials import Option, Question, read_questions, rightly_answered
from tests.judgments.rules.refusals import answer_or_problems, complaints

TEXT = "? Is it\n? so?\n- No.\n+ Yes.\n! Because.\n\n? And now?\n+ Yes.\n+ Surely.\n- No.\n"


def test_questions_come_with_options_and_reasons_and_answers_are_right_or_wrong_by_their_place():
    questions = read_questions(TEXT)
    assert questions == [
        Question("Is it so?", (Option("No.", False), Option("Yes.", True)), "Because."),
        Question("And now?", (Option("Yes.", True), Option("Surely.", True), Option("No.", False))),
    ]
    assert rightly_answered(questions, [1, 2]) == [True, False]
    assert rightly_answered(questions, [0, 1]) == [False, True]


def test_every_problem_is_reported_with_its_line():
    text = "? Only right?\n+ Yes.\n\n+ Yes.\n- No.\nwhat\n\n? One?\n+ Yes.\n- No.\n? Two?\n+ Yes.\n- No.\n"
    assert complaints(read_questions, text) == [
        "questions, line 1: a question needs a right option (+) and a wrong one (-)",
        "questions, line 6: begin with ? (the question), + (a right option), - (a wrong one) or ! (why)",
        "questions, line 4: the question is missing; begin with a line ? ...",
        "questions, line 11: a second question in one; leave an empty line before each ? ...",
    ]


@given(st.text(alphabet="?+-!# a\n"))
def test_any_text_is_read_or_refused_with_reasons(text):
    for question in answer_or_problems(read_questions, text) or []:
        assert question.text
        assert {option.is_right for option in question.options} == {True, False}
