"""Rows as lines and back: no cell loses anything."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.numbers.spreadsheets import columns_of, rows_of, written_lines

cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=5)


def test_a_line_with_one_empty_cell_is_a_line_and_no_rows_are_columns_without_cells():
    text = written_lines(("a",), [("",), ("x",)])
    assert text == 'a\n""\nx\n'
    assert rows_of(text) == [[""], ["x"]]
    assert columns_of(written_lines(("a", "b"), []), 2) == [(), ()]


@pytest.mark.wide
@given(st.lists(st.tuples(cells, cells)))
def test_written_columns_read_back(rows):
    text = written_lines(("a", "b"), rows)
    assert [tuple(row) for row in rows_of(text)] == rows
    assert list(zip(*columns_of(text, 2), strict=True)) == rows
