"""Paragraphs beside those of versions: as many rows as the source has paragraphs, whatever a version does to them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.collation import align_paragraphs
from judgments.rules.texts.diff import compare_once

TEXTS = st.text("ab .\n", max_size=40).map(normalise)


def rows(source: str, *versions: str) -> list[tuple]:
    found = align_paragraphs(source, [compare_once(source, version) for version in versions])
    return [(row.source, *((cell.start, cell.text) for cell in row.cells)) for row in found]


@pytest.mark.parametrize(
    ("version", "cells"),
    [
        ("A b.\n\nC d.", [(0, "A b."), (6, "C d.")]),
        ("A b.\n\nE d.", [(0, "A b."), (6, "E d.")]),
        ("A b. C d.", [(0, "A b. "), (5, "C d.")]),
        ("A\nb.\n\nC d.", [(0, "A\nb."), (6, "C d.")]),
        ("A b.\nC d.", [(0, "A b."), (5, "C d.")]),
        ("C d.", [(0, ""), (0, "C d.")]),
        ("", [(0, ""), (0, "")]),
    ],
)
def test_what_a_version_says_stays_beside_the_paragraph_that_it_changes(version, cells):
    assert rows("A b.\n\nC d.", version) == [("A b.", cells[0]), ("C d.", cells[1])]


def test_several_versions_share_the_rows():
    assert rows("A.\nB.", "A.\nB.", "X.\nB!") == [("A.", (0, "A."), (0, "X.")), ("B.", (3, "B."), (3, "B!"))]


def test_a_blank_line_of_which_a_version_keeps_a_part_is_one_break():
    assert rows("a.\n\n.a", "a.\na") == [("a.", (0, "a.")), (".a", (3, "a"))]


@given(TEXTS, TEXTS)
@example("a.\n\n.a", "a.\na")
@example("a\n\nb", "a\n b")
def test_cells_are_where_they_say_and_leave_out_only_breaks(source, version):
    found = rows(source, version)
    assert [row[0] for row in found] == [line for line in source.split("\n") if line or not source]
    at = 0
    for _, (start, text) in found:
        assert version[at:start].strip("\n") == ""
        assert version[start : start + len(text)] == text
        at = start + len(text)
    assert version[at:].strip("\n") == ""
