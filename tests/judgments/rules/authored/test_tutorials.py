"""Tutorials as organisers write them: examples, or every problem with its line."""

from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.authored.tutorials import Example, ExampleRules, ExampleVersion, read_tutorial
from tests.judgments.rules.refusals import answer_or_problems, complaints


class Ranks(ExampleRules):
    def fault_of_expected(self, expected: str) -> str | None:
        return None if expected.isdigit() else f"{expected!r} is no rank"


class Pairs(Ranks):
    fewest_versions = 2


RANKS = Ranks()


def test_examples_come_with_versions_and_reasons():
    text = "# first\n> He go .\n1: He goes .\n2: He go .\n! The verb\n! agrees.\n\n\n> A\n1: It is 10: 30 .\n"
    assert read_tutorial(text, RANKS) == [
        Example("He go .", (ExampleVersion("1", "He goes ."), ExampleVersion("2", "He go .")), "The verb agrees."),
        Example("A", (ExampleVersion("1", "It is 10: 30 ."),)),
    ]


def test_every_problem_is_reported_with_its_line():
    text = (
        "> He go .\nfirst: He goes .\nHe goes .\n\n1: no sentence\n\n> no version\n\n"
        "> He go .\n1: He goes .\n> She go .\n1: She goes .\n"
    )
    assert complaints(read_tutorial, text, RANKS) == [
        "tutorial, line 2: 'first' is no rank",
        "tutorial, line 3: begin with > (the sentence), ! (why) or the expected answer and a colon",
        "tutorial, line 1: an example needs 1 to 20 versions with the answers expected for them, such as 1: text",
        "tutorial, line 5: this example has no sentence; begin it with a line > ...",
        "tutorial, line 7: an example needs 1 to 20 versions with the answers expected for them, such as 1: text",
        "tutorial, line 11: a second sentence in one example; leave an empty line before each > ...",
    ]


def test_the_numbers_of_examples_and_versions_are_bounded():
    assert read_tutorial("  \n\n# nothing\n", RANKS) == []
    (sentence,) = complaints(read_tutorial, "> He go .\n1: He goes .\n", Pairs())
    assert "an example needs 2 to 20 versions" in sentence
    assert complaints(read_tutorial, "> a\n1: b\n\n" * 101, RANKS) == [
        "tutorial: holds 101 blocks; at most 100 are allowed"
    ]


@given(st.text(alphabet=">!#1:a \n"))
def test_any_text_is_read_or_refused_with_reasons(text):
    for example in answer_or_problems(read_tutorial, text, RANKS) or []:
        assert example.source
        assert example.versions
