"""Problems stay readable whatever they quote."""

from judgments.rules.problems import Problem


def test_a_problem_that_quotes_at_length_keeps_its_beginning_and_its_end():
    told = str(Problem("a.csv", 3, f"'{'9' * 5_000}' is no score; write a number"))
    assert told.startswith("a.csv, line 3: '999")
    assert told.endswith("9' is no score; write a number")
    assert len(told) < 700


def test_a_short_problem_stays_as_it_is():
    assert str(Problem("a.csv", None, "is empty; write something")) == "a.csv: is empty; write something"
