"""Whole numbers as files write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.files.csv_tables import whole_number


@pytest.mark.parametrize(("text", "number"), [("12", 12), ("-1", -1), ("", None), ("1.0", None), ("x", None)])
def test_a_text_is_a_whole_number_or_none(text, number):
    assert whole_number(text) == number


def test_a_number_of_thousands_of_digits_is_none():
    assert whole_number("1" * 5000) is None


@pytest.mark.parametrize("text", ["٢", "²", "1_000", " 1", "1\n", "+1", "--1", "-"])
def test_only_plain_digits_are_a_number(text):
    assert whole_number(text) is None


@given(st.integers(-(10**9) + 1, 10**9 - 1))
def test_a_number_comes_back_as_it_was_written(number):
    assert whole_number(str(number)) == number


@given(st.text())
def test_any_text_is_a_number_or_none(text):
    number = whole_number(text)
    assert number is None or abs(number) < 10**9
