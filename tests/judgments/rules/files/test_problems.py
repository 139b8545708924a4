"""Problems: each a sentence with its place, and never one file burying the others."""

from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.files.problems import MOST_PER_FILE, Problem, Problems, shorten


def problems(number: int) -> list[Problem]:
    return [Problem("AMU", line, "is odd") for line in range(1, number + 1)]


def test_a_problem_names_its_file_and_line_and_a_long_one_keeps_its_beginning_and_its_end():
    assert str(Problem("AMU", 3, "is odd")) == "AMU, line 3: is odd"
    assert str(Problem("AMU", None, "is odd")) == "AMU: is odd"
    assert str(Problem("", None, "there is no file")) == "there is no file"
    refusal = Problems(iter(problems(2)))
    assert refusal.problems == problems(2)
    assert str(refusal) == "AMU, line 1: is odd\nAMU, line 2: is odd"
    sentence = str(Problem("a.csv", 3, f"'{'9' * 5_000}' is no score; write a number"))
    assert sentence.startswith("a.csv, line 3: '999")
    assert sentence.endswith("9' is no score; write a number")
    assert len(sentence) < 700


def test_ten_problems_of_a_file_are_listed_and_those_beyond_counted():
    assert shorten("AMU", problems(10)) == problems(10)
    *reported, last = shorten("AMU", problems(12))
    assert reported == problems(10)
    assert str(last) == "AMU: and 2 more like these"


@given(st.integers(0, 40))
def test_listed_and_counted_problems_add_up(number):
    short = shorten("AMU", problems(number))
    counted = int(short[-1].what.split()[1]) if number > MOST_PER_FILE else 0
    assert len(short) - (number > MOST_PER_FILE) + counted == number
    assert MOST_PER_FILE == 10
