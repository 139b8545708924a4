"""Tables: the same numbers, the same bytes, in every format."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.files.csv_tables import defuse
from ranking.numbers.tables import Table, to_csv, to_latex, to_markdown, to_typst

names = st.text(st.characters(exclude_categories=["C"]))
SMALL = Table.of(
    "small", ("system", "score", "mark"), [("A_1", np.float64(0.5), "‡"), ("B|2", float("nan"), ""), ("C", 2, None)]
)


def test_numbers_are_written_in_full_and_no_name_is_a_formula():
    assert to_csv(SMALL) == "system,score,mark\nA_1,0.5,‡\nB|2,,\nC,2,\n"
    assert to_csv(Table.of("t", ("judge", "score"), [("=1+1", -0.5), ("@x", 1)])) == "judge,score\n'=1+1,-0.5\n'@x,1\n"
    assert to_csv(Table.of("t", ("a",), [("",), ("x",)])) == 'a\n""\nx\n'
    assert to_csv(Table.of("t", ("a", "b"), [])) == "a,b\n"


@given(st.floats(1e-300, 1e300))
def test_digits_that_machines_round_differently_are_left_out(number):
    """Twelve digits: neighbours in the last bits are one number, and nothing is off by more than rounding."""
    table = Table.of("t", ("x",), [(number,), (np.nextafter(number, np.inf),)])
    assert table.rows[0][0] == pytest.approx(number, rel=1e-11)
    assert Table.of("t", ("x",), table.rows).rows == table.rows
    assert Table.of("t", ("x",), [(0.1 + 0.2,)]).rows == ((0.3,),)


def test_for_markdown_and_latex_numbers_are_short_and_signs_are_kept():
    assert to_markdown(SMALL) == (
        "| system | score | mark |\n| --- | ---: | --- |\n| A_1 | 0.500 | ‡ |\n| B\\|2 |  |  |\n| C | 2 |  |\n"
    )
    latex = to_latex(SMALL, decimals=2)
    assert r"\begin{tabular}{lrl}" in latex
    assert r"A\_1 & 0.50 & \ddag{} \\" in latex
    below = Table.of("below", ("score",), [(-0.5,), (-0.0001,)])
    assert to_csv(below) == "score\n-0.5\n-0.0001\n"
    assert "\n$-$0.500 \\\\\n0.000 \\\\" in to_latex(below)
    assert "[\N{MINUS SIGN}0.500], \n    [0.000]" in to_typst(below)
    assert "| \N{MINUS SIGN}0.500 |\n| 0.000 |" in to_markdown(below)


@pytest.mark.parametrize(
    ("name", "markdown", "latex", "typst"),
    [
        ("[n]", r"\[n\]", "{[}n{]}", r"\[n\]"),  # LaTeX would read it as the space after the line before
        ("*m*", r"\*m\*", "{*}m{*}", r"\*m\*"),
        ("a--b", "a--b", "a-{}-b", r"a\--b"),
        ("- c", "- c", "- c", r"\- c"),  # a list in Typst
        ("@k $d #e", r"\@k \$d \#e", r"@k \$d \#e", r"\@k \$d \#e"),
        ("~g ^h \\i", r"\~g \^h \\i", r"\textasciitilde{}g \textasciicircum{}h \textbackslash{}i", r"\~g ^h \\i"),
        ("<j> | `q`", r"\<j\> \| \`q\`", r"\textless{}j\textgreater{} \textbar{} \textasciigrave{}q\textasciigrave{}",
         r"\<j\> | \`q\`"),
        ("a_b _c_", r"a_b \_c\_", r"a\_b \_c\_", r"a\_b \_c\_"),
    ],
)  # fmt: skip
def test_names_are_shown_as_they_are(name, markdown, latex, typst):
    table = Table.of("names", ("system",), [(name,)])
    assert f"\n| {markdown} |\n" in to_markdown(table)
    assert f"\n{latex} \\\\\n" in to_latex(table)
    assert f"\n    [{typst}]," in to_typst(table)


def test_rows_are_found_by_their_columns_and_a_table_in_latex_says_what_it_needs():
    assert to_latex(SMALL).startswith("% Needs \\usepackage{booktabs}.\n\\begin{tabular}")
    assert "XeLaTeX" not in to_latex(Table.of("latin", ("system",), [("Łódź’s – ‡",)]))
    assert "XeLaTeX" in to_latex(Table.of("chinese", ("system",), [("甲乙",)]))
    assert SMALL.column("score") == [0.5, None, 2]
    assert SMALL.dicts()[0] == {"system": "A_1", "score": 0.5, "mark": "‡"}
    with pytest.raises(TypeError, match="cannot stand in a table"):
        Table.of("bad", ("a",), [[[1]]])


@pytest.mark.wide
@given(st.lists(st.tuples(names, st.floats(allow_nan=False, allow_infinity=False))))
def test_written_rows_read_back_the_same(rows):
    table = Table.of("any", ("text", "number"), rows)
    read = list(csv.reader(io.StringIO(to_csv(table), newline="")))
    assert read[0] == ["text", "number"]
    assert [(text, float(number)) for text, number in read[1:]] == [
        (defuse(text), number) for text, number in table.rows
    ]
