"""Categories of errors: the published lists, and an organiser's own with every problem reported."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.authored.categories import (
    CONLL2014,
    ERRANT,
    LONGEST_NAME,
    Category,
    categories_of,
    read_categories,
)
from tests.judgments.rules.refusals import answer_or_problems, complaints


def problems(text: str) -> list[str]:
    return complaints(read_categories, text)


def test_conll_2014_has_28_and_errant_25():
    assert len({category.name for category in CONLL2014}) == 28
    assert len({category.name for category in ERRANT}) == 25


@pytest.mark.parametrize("category", CONLL2014 + ERRANT, ids=lambda category: category.name)
def test_every_published_one_has_a_line_of_help_and_an_example(category):
    assert 4 <= len(category.help) <= 60
    assert category.example
    assert len(category.name) <= LONGEST_NAME


def test_a_list_is_chosen_by_its_name_or_own_with_a_line_each():
    assert categories_of("conll2014") == CONLL2014
    assert categories_of("errant", "Tense: time") == ERRANT
    assert categories_of("none") == ()
    assert categories_of("own", "Tense: time") == (Category("Tense", "time"),)
    text = "# ours\n\nTense: when it happened\nWord order:\nVERB:FORM: to, -ing\nOther"
    assert read_categories(text) == (
        Category("Tense", "when it happened"),
        Category("Word order", ""),
        Category("VERB:FORM", "to, -ing"),
        Category("Other", ""),
    )


def test_every_problem_is_reported_with_its_line():
    text = f"Tense: a\ntense: b\n: c\n{'x' * 41}\nA|||B: d"
    assert problems(text) == [
        "categories, line 2: names 'tense' a second time",
        "categories, line 3: has no name before the colon",
        "categories, line 4: has a name of 41 characters; at most 40 are allowed",
        "categories, line 5: has a character that cannot be exported; remove | and control characters",
    ]
    assert problems("\n# only a remark\n") == [
        "categories: names no category; write a line for each, as in Tense: the time of a verb"
    ]
    assert problems("\n".join(f"c{number}" for number in range(101))) == [
        "categories: names 101 categories; at most 100 are allowed"
    ]


@given(st.text(max_size=200))
def test_any_text_is_a_list_or_has_problems(text):
    found = answer_or_problems(read_categories, text)
    assert found is None or len({category.name.casefold() for category in found}) == len(found) > 0
