"""Edits by characters and by tokens say the same."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.texts.edits import Edit, apply_edits
from judgments.rules.texts.token_edits import TokenEdit, by_characters, by_tokens

texts = st.text(alphabet="ab .\t\u00a0\u0301😀", max_size=30)


def with_token_edits(text: str, edits: list[TokenEdit] | tuple[TokenEdit, ...]) -> str:
    """The tokens of a text with edits made that do not overlap, joined by single spaces."""
    tokens, built, done = text.split(), [], 0
    for edit in sorted(edits, key=lambda edit: edit[:2]):
        built += tokens[done : edit.start] + edit.correction.split()
        done = edit.end
    return " ".join(built + tokens[done:])


@st.composite
def edited(draw):
    """A text and edits of it that neither overlap nor stand at one place."""
    text = draw(texts)
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pairs = dict.fromkeys(zip(places[::2], places[1::2], strict=False))
    starts = set()
    edits = []
    for start, end in pairs:
        replacement = draw(st.text(alphabet="xa \t", min_size=start == end, max_size=5))
        if start not in starts or start < end:
            edits.append(Edit(start, end, replacement, draw(st.sampled_from(["", "Nn", "Vt"]))))
        starts.add(start)
    return text, edits


@st.composite
def edited_tokens(draw):
    """A text and edits of its tokens, each of which changes something."""
    text = draw(texts)
    tokens = text.split()
    places = sorted(draw(st.lists(st.integers(0, len(tokens)), max_size=8)))
    edits = []
    for start, end in dict.fromkeys(zip(places[::2], places[1::2], strict=False)):
        correction = " ".join(draw(st.lists(st.sampled_from("xyz"), min_size=start == end, max_size=3)))
        edits.append(TokenEdit(start, end, correction, draw(st.sampled_from(["", "Nn"]))))
    return text, edits


@given(edited())
def test_the_tokens_that_come_out_are_those_of_the_edited_text(case):
    text, edits = case
    token_edits = by_tokens(text, edits)
    assert with_token_edits(text, token_edits).split() == apply_edits(text, edits).split()


@given(edited())
def test_edits_by_tokens_are_in_order_apart_and_change_something(case):
    text, edits = case
    tokens, end = text.split(), (-1, -1)
    for edit in by_tokens(text, edits):
        assert 0 <= edit.start <= edit.end <= len(tokens)
        assert edit.start >= end[1]
        assert (edit.start, edit.end) != end
        assert edit.correction.split() != tokens[edit.start : edit.end]
        end = (edit.start, edit.end)


@given(edited_tokens())
def test_from_tokens_to_characters_and_back_nothing_is_changed(case):
    text, edits = case
    there = by_characters(text, edits)
    assert all(before.end <= after.start for before, after in pairwise(there))
    assert len({edit[:2] for edit in there}) == len(there)
    tokens = text.split()
    changing = [edit for edit in edits if edit.correction.split() != tokens[edit.start : edit.end]]
    assert len(by_tokens(text, there)) == len(changing)
    assert apply_edits(text, there).split() == with_token_edits(text, edits).split()
    assert with_token_edits(text, by_tokens(text, there)).split() == with_token_edits(text, edits).split()


@pytest.mark.parametrize(
    ("text", "edits", "expected"),
    [
        ("I can not wlk", [(5, 6, ""), (11, 11, "a")], [(1, 3, "cannot"), (3, 4, "walk")]),
        ("I cannot go", [(5, 5, " ")], [(1, 2, "can not")]),
        ("a cat sat", [(2, 2, "big ")], [(1, 1, "big")]),
        ("a cat sat", [(1, 1, " big")], [(1, 1, "big")]),
        ("a cat sat", [(1, 2, " big ")], [(1, 1, "big")]),
        ("a cat sat", [(2, 6, "")], [(1, 2, "")]),
        ("a cat sat", [(1, 5, "")], [(1, 2, "")]),
        ("a cat sat", [(0, 0, "Then ")], [(0, 0, "Then")]),
        ("a cat sat", [(9, 9, " down")], [(3, 3, "down")]),
        ("a cat sat", [(9, 9, ".")], [(2, 3, "sat.")]),
        ("a cat sat", [(2, 3, "b"), (4, 5, "r")], [(1, 2, "bar")]),
        ("a cat sat", [(0, 5, "a dog")], [(0, 2, "a dog")]),
        ("He go school", [(3, 5, "goes"), (5, 5, " to")], [(1, 2, "goes"), (2, 2, "to")]),
        ("x", [(1, 1, " x")], [(1, 1, "x")]),
        ("x", [(0, 0, "x ")], [(0, 0, "x")]),
        ("a b c", [(0, 2, ""), (2, 4, "")], [(0, 1, ""), (1, 2, "")]),
        ("a  cat", [(1, 2, "")], []),
        ("a cat", [(2, 5, "cat")], []),
        ("", [(0, 0, "Yes .")], [(0, 0, "Yes .")]),
    ],
)
def test_by_hand(text, edits, expected):
    assert [edit[:3] for edit in by_tokens(text, [Edit(*edit) for edit in edits])] == expected


def test_what_grows_together_has_the_first_category_that_is_given():
    edits = [Edit(0, 1, "b"), Edit(2, 3, "r", "Mec"), Edit(3, 3, "s", "Nn")]
    assert by_tokens("cat", edits) == (TokenEdit(0, 1, "bars", "Mec"),)


@pytest.mark.parametrize(
    ("edit", "made"),
    [((1, 2, ""), "a sat"), ((2, 3, ""), "a cat"), ((0, 3, ""), ""), ((3, 3, "down"), "a cat sat down"),
     ((0, 0, "Then"), "Then a cat sat")],
)  # fmt: skip
def test_white_space_goes_and_comes_with_words(edit, made):
    assert apply_edits("a cat sat", by_characters("a cat sat", [TokenEdit(*edit)])) == made
