"""People's scores from files: the outputs compared with them, and refusals in sentences."""

import numpy as np
import pytest

from judgments.rules.files.problems import Problems
from ranking.scores.files import GivenFile
from ranking.scores.people import is_bound, read_human

OUTPUTS = ("A", "B", "C", "source")
TABLE = b"C,A,ref,B\n1,2,9,3\n4,,9,6\n"


def read(content: bytes, outputs=OUTPUTS, bounds=(), sentences: int = 2):
    return read_human(GivenFile("human.csv", content), outputs, sentences, bounds)


def test_columns_are_taken_by_the_names_of_outputs_that_are_no_bounds():
    names, scores = read(TABLE)
    assert names == ("A", "B", "C")
    assert np.array_equal(scores, np.array([[2, 3, 1], [np.nan, 6, 4]]), equal_nan=True)
    assert [name for name in ("Source", "INPUT", "ref", "Reference", "ref0", "sources") if is_bound(name)] == [
        "Source", "INPUT", "ref", "Reference",
    ]  # fmt: skip
    assert read(TABLE, (*OUTPUTS, "D"), bounds=["D", "nobody"])[0] == ("A", "B", "C")


@pytest.mark.parametrize(
    ("content", "outputs", "bounds", "message"),
    [
        (TABLE, (*OUTPUTS, "D"), [], "human.csv, line 1: has no column D; add it, or leave the output out"),
        (TABLE, ("A", "B", "source"), [], r"the outputs to compare with people \(A, B\) are fewer than 3"),
        (TABLE, OUTPUTS, ["C"], "fewer than 3"),
        (b"A,B,C\n1,2,3\n", OUTPUTS, [], r"scores 1 sentences, but there are 2"),
        (b"A,B,C\n1,2,x\n1,2,3\n", OUTPUTS, [], "line 2: .* of C: 'x' is not a finite number"),
        (b"A,B,C\n1,2,\n1,2,\n", OUTPUTS, [], "has no score of C at all"),
        (b"A,B,C,A\n1,2,3,4\n1,2,3,4\n", OUTPUTS, [], "A has two columns"),
        (b"", OUTPUTS, [], "human.csv: the file is empty"),
        (b"\xff", OUTPUTS, [], "is not UTF-8"),
        (b"A,B,C\n", OUTPUTS, [], "human.csv"),
    ],
)
def test_scores_that_do_not_fit_are_refused_in_a_sentence(content, outputs, bounds, message):
    with pytest.raises(Problems, match=message):
        read(content, outputs, bounds)
