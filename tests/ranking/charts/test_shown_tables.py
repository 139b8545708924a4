"""Tables as a page shows them."""

import re

import pytest

from ranking.charts.shown_tables import MOST_ROWS, OF_A_PAIR, ShownColumn, ShownTable
from ranking.numbers.tables import Table


def toy_table(columns: tuple[str, ...], *rows: tuple) -> ShownTable:
    return ShownTable.of(Table.of("toy", columns, rows))


def texts_of(table: ShownTable) -> list[list[str]]:
    return [re.findall(r">([^<>]+)</t[hd]>", row) for row in table.body.split("\n")]


def test_numbers_are_short_right_aligned_and_unknown_ones_are_a_dash():
    numbers = toy_table(
        ("system", "score", "ties", "enough"), ("Heron", 0.12345, 1234, True), ("Wren", -0.5, None, False)
    )
    assert texts_of(numbers) == [["Heron", "0.123", "1,234", "yes"], ["Wren", "−0.500", "–", "no"]]
    numbers = toy_table(("p_value", "score"), (1e-17, 1e-17))
    assert texts_of(numbers) == [["&lt;.001", "0.000"]]
    assert 'data-value="1e-17"' in numbers.body, "by which it is sorted"
    columns = ("name", "document", "value", "unknown", "enough")
    numbers = toy_table(columns, ("a", 1, 0.5, None, True), ("b", "x", 2, None, False))
    right = [column for column in numbers.columns if column.is_number]
    assert right == [ShownColumn("value", True), ShownColumn("unknown", True)]


def test_names_are_texts_and_links_are_for_organisers_alone():
    numbers = ShownTable.of(Table.of("pairs", ("system", "opponent"), [("<b>", "A&B")]), OF_A_PAIR)
    assert numbers.body.startswith(
        '<tr><th scope="row"><a href="pairs/?system=%3Cb%3E&amp;opponent=A%26B">&lt;b&gt;</a>'
    )
    assert numbers.public_body == '<tr><th scope="row">&lt;b&gt;</th><td>A&amp;B</td></tr>'
    table = Table.of("pairs", ("system", "share", "opponent"), [("A & B", 0.5, "C")])
    assert ShownTable.of(table, OF_A_PAIR).addresses == ("pairs/?system=A+%26+B&opponent=C",)
    assert ShownTable.of(table).addresses == ("",)


@pytest.mark.parametrize(
    ("column", "words"),
    [("system", "System"), ("left_out", "Left out"), ("p_best", "P(best)"), ("rank_low", "Rank from"),
     ("kappa_high", "Kappa to"), ("low", "From"), ("class: my_system", "Class: my_system")],
)  # fmt: skip
def test_a_column_is_headed_by_words(column, words):
    assert toy_table((column,), (1,)).columns[0].words == words


def test_only_the_first_rows_of_a_long_table_are_shown():
    numbers = toy_table(("number",), *((number,) for number in range(MOST_ROWS + 1)))
    assert len(numbers.rows) == MOST_ROWS
    assert numbers.number_of_rows == MOST_ROWS + 1
    assert numbers.has_more
    assert not numbers.is_short
    assert toy_table(("number",), (1,)).is_short
    assert not toy_table(("number",), (1,)).has_more
