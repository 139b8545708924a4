"""Tables of recorded judgments: rows by header with their lines, and the whole numbers in them."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.files.csv_tables import read_rows, whole_number
from tests.judgments.rules.refusals import complaints


def rows(text: str | bytes, needed: tuple[str, ...] = ()) -> list[tuple[int, dict[str, str]]]:
    return list(read_rows("pairs.csv", text.encode() if isinstance(text, str) else text, needed))


def problems(text: str | bytes, needed: tuple[str, ...] = ()) -> list[str]:
    return complaints(rows, text, needed)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a,b\n\n1,2\n\n", [(3, {"a": "1", "b": "2"})], id="blank lines are passed over"),
        pytest.param('a,b\n"1,5","say ""so"""\n', [(2, {"a": "1,5", "b": 'say "so"'})], id="quoted cells"),
        pytest.param("a,b\n'=ada,'ben\n", [(2, {"a": "=ada", "b": "'ben"})], id="made safe for spreadsheets"),
        pytest.param("a,b\n", [], id="a header alone"),
        pytest.param("a,b\r\n1,2\r\n", [(2, {"a": "1", "b": "2"})], id="Windows line ends"),
        pytest.param("a;b\n1,5;x\n", [(2, {"a": "1,5", "b": "x"})], id="semicolons, as of Excel in much of Europe"),
        pytest.param("a,b,c;d\n1;5,x,y\n", [(2, {"a": "1;5", "b": "x", "c;d": "y"})], id="a semicolon between commas"),
        pytest.param("a\tb\n1,5\tx;y\n", [(2, {"a": "1,5", "b": "x;y"})], id="tabs"),
        pytest.param("a,b\n1,2\n,\n , \n,,,\n", [(2, {"a": "1", "b": "2"})], id="empty rows, as of Excel"),
        pytest.param("A, B \n1, 2 \n", [(2, {"a": "1", "b": "2"})], id="headers in lower case, cells without spaces"),
    ],
)
def test_rows_come_by_header_with_their_lines(text, expected):
    assert rows(text, ("a", "B")) == expected


@pytest.mark.parametrize(
    ("text", "needed", "sentences"),
    [
        ("judgeID\nada\n", "segmentId judgeId system1Id", ["line 1: lacks the columns segmentId, system1Id"]),
        ("a,b,A,,\n1,2,3,,\n", "a b", ["line 1: has the column a twice; keep one of them"]),
        (
            "a,b\n1\n1,2\n3\n1,2,3\n", "",
            [f"line {line}: has {number} cells where the header has 2" for line, number in ((2, 1), (4, 1), (5, 3))],
        ),
    ],
)  # fmt: skip
def test_columns_that_are_missing_and_rows_that_do_not_fit_are_reported(text, needed, sentences):
    assert problems(text, tuple(needed.split())) == [f"pairs.csv, {sentence}" for sentence in sentences]


def test_an_unreadable_file_is_reported():
    assert problems("") == ["pairs.csv: the file is empty"]
    assert problems(b"a,b\n\xff,1\n")[0].startswith("pairs.csv, line 2: byte 1")
    (sentence,) = problems('a,b\n"1,2\n' + "1,2\n" * 50_000)  # a quotation mark is left open
    assert sentence.startswith("pairs.csv, line ")


cell = st.text(st.characters(exclude_categories=("Cc", "Cs"), include_characters='\n,"'), max_size=5)
header = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=4, unique=True)
table = header.flatmap(lambda of: st.tuples(st.just(of), st.lists(st.tuples(*[cell] * len(of)), max_size=5)))


@given(table)
def test_cells_come_back_as_they_were_written_but_for_empty_rows(written):
    columns, cells = written
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([columns, *cells])
    read = rows(text.getvalue())
    stripped = [[one.strip() for one in row] for row in cells]
    assert [list(row.values()) for _, row in read] == [row for row in stripped if any(row)]
    assert all(list(row) == columns for _, row in read)


@pytest.mark.parametrize("text", ["", "1.0", "x", "1" * 5000, "٢", "²", "1_000", " 1", "1\n", "+1", "--1", "-"])
def test_only_plain_digits_are_a_number(text):
    assert whole_number(text) is None


@given(st.integers(-(10**9) + 1, 10**9 - 1))
def test_a_number_comes_back_as_it_was_written(number):
    assert whole_number(str(number)) == number


@given(st.text())
def test_any_text_is_a_number_or_none(text):
    number = whole_number(text)
    assert number is None or abs(number) < 10**9
