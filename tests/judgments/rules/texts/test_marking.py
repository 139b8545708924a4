"""A usage marked in its sentence."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.texts.marking import find_marked_usage, mark_usage


def test_the_toy_marks_its_usage():
    assert find_marked_usage("He likes [the] music .") == ("He likes ", "the", " music .")


@pytest.mark.parametrize("text", ["He likes the music .", "a [b] c [d]", "a [] b", "a [b", "a b]", "[[a]]", ""])
def test_lines_that_do_not_mark_exactly_one_usage_mark_none(text):
    assert find_marked_usage(text) is None


@given(text=st.text(min_size=1), data=st.data())
def test_the_parts_make_the_sentence(text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert "".join(mark_usage(text, start, end)) == text
    assert mark_usage(text, start, end).usage == text[start:end]
