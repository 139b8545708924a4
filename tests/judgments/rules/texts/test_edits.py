"""Edits: what they make of a sentence, what is wrong with them, and which ones a rewritten sentence stands for."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.texts.diff import Change, compare
from judgments.rules.texts.edits import (
    LONGEST_REPLACEMENT,
    MOST_EDITS,
    Edit,
    Fault,
    apply_edits,
    derive_edits,
    faults_in,
    in_order,
    stops_of,
    tidy,
)

SENTENCE = "He go school ."
WORDS = st.lists(
    st.sampled_from(["a", "go", "goes", "don't", "e\u0301te\u0301", "👩‍👧", "هذا", "中文", ".", ",", "  "]), max_size=12
)


def faults(text: str, *edits: Edit, categories: tuple[str, ...] = ()) -> list[Fault]:
    return [fault for _, fault in faults_in(text, edits, categories)]


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([], "He go school ."),
        ([Edit(3, 5, "goes"), Edit(5, 5, " to")], "He goes to school ."),
        ([Edit(5, 5, " to"), Edit(3, 5, "goes")], "He goes to school ."),
        ([Edit(0, 3, "")], "go school ."),
        ([Edit(14, 14, " !"), Edit(0, 0, "Then ")], "Then He go school . !"),
        ([Edit(3, 5, "goes"), Edit(3, 3, "never ")], "He never goes school ."),
    ],
)
def test_they_are_made_from_left_to_right_however_they_are_given(edits, expected):
    assert apply_edits(SENTENCE, edits) == expected


def test_an_insertion_comes_before_what_is_changed_behind_it_and_faults_give_the_position_as_entered():
    edits = [Edit(3, 5, "x"), Edit(3, 3, "y"), Edit(0, 3, "z")]
    assert in_order(edits) == [edits[2], edits[1], edits[0]]
    assert faults_in(SENTENCE, [Edit(3, 5, "x"), Edit(0, 2, "He")], ()) == [(2, Fault.IDLE)]


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        (Edit(3, 99, "x"), Fault.OUTSIDE),
        (Edit(-1, 2, "x"), Fault.OUTSIDE),
        (Edit(5, 3, "x"), Fault.OUTSIDE),
        (Edit(3, 5, "go"), Fault.IDLE),
        (Edit(3, 3, ""), Fault.IDLE),
        (Edit(3, 5, "x" * (LONGEST_REPLACEMENT + 1)), Fault.TOO_LONG),
        (Edit(3, 5, "a\nb"), Fault.NO_LINE),
        (Edit(3, 5, "a\x00b"), Fault.NO_LINE),
        (Edit(3, 5, "\ud800"), Fault.NO_LINE),
        (Edit(3, 5, "\u2028"), Fault.NO_LINE),
        (Edit(3, 5, "x", "Vt"), Fault.UNKNOWN_CATEGORY),
    ],
)
def test_an_edit_that_cannot_be_is_refused(edit, fault):
    assert faults(SENTENCE, edit) == [fault]


def test_no_edit_goes_through_what_readers_see_as_one_character():
    text = "cafe\u0301 👩‍👧 !"
    assert faults(text, Edit(3, 4, "x")) == [Fault.CUTTING]
    assert faults(text, Edit(6, 7, "x")) == [Fault.CUTTING]
    assert faults(text, Edit(3, 5, "x"), Edit(6, 9, "y")) == []
    assert stops_of(text) == [0, 1, 2, 3, 5, 6, 9, 10, 11]


def test_with_categories_each_edit_needs_one_of_them_and_there_is_a_most():
    assert faults(SENTENCE, Edit(3, 5, "x"), categories=("Vt",)) == [Fault.UNCATEGORISED]
    assert faults(SENTENCE, Edit(3, 5, "x", "vt"), categories=("Vt",)) == [Fault.UNKNOWN_CATEGORY]
    assert faults(SENTENCE, Edit(3, 5, "x", "Vt"), categories=("Vt",)) == []
    assert faults("a" * 600, *(Edit(at, at + 1, "b") for at in range(MOST_EDITS + 1))) == [Fault.TOO_MANY]


@pytest.mark.parametrize(
    ("one", "other", "faults_of_both"),
    [
        (Edit(3, 5, "x"), Edit(4, 6, "y"), [Fault.OVERLAPPING]),
        (Edit(0, 12, "x"), Edit(3, 5, "y"), [Fault.OVERLAPPING]),
        (Edit(3, 5, "x"), Edit(3, 5, "y"), [Fault.OVERLAPPING]),
        (Edit(3, 5, "x"), Edit(4, 4, "y"), [Fault.OVERLAPPING]),
        (Edit(3, 3, "x"), Edit(3, 3, "y"), [Fault.DOUBLED]),
        *[(Edit(3, 5, "x"), other, []) for other in (Edit(3, 3, "y"), Edit(5, 5, "y"), Edit(5, 6, ""), Edit(2, 3, ""))],
    ],
)
def test_edits_may_touch_but_not_get_into_each_others_way(one, other, faults_of_both):
    assert faults(SENTENCE, one, other) == faults(SENTENCE, other, one) == faults_of_both


@pytest.mark.parametrize(
    ("text", "rewritten", "expected"),
    [
        ("He go school .", "He goes to school .", [Edit(3, 5, "goes to")]),
        ("I like the tea .", "I like tea .", [Edit(6, 10, "")]),
        ("the goverment", "the government", [Edit(4, 13, "government")]),
        ("I recieve it", "I receive it", [Edit(2, 9, "receive")]),
        ("It is so", "It is so", []),
        ("", "New .", [Edit(0, 0, "New .")]),
        ("I know what he is", "I know wthat he is", [Edit(7, 11, "wthat")]),
        ("I can not go", "I cannot go", [Edit(2, 9, "cannot")]),
        ("a well known is alot", "a well-known is a lot", [Edit(2, 12, "well-known"), Edit(16, 20, "a lot")]),
        ("He drives always fast", "He always drives fast", [Edit(3, 16, "always drives")]),
        ("Always he drives", "He always drives", [Edit(0, 9, "He always")]),
        ("It is his or her dog", "It is their dog", [Edit(6, 16, "their")]),
        ("They have wrote", "They sat", [Edit(5, 15, "sat")]),
        ("I like the music in garden", "I like music in the garden", [Edit(6, 10, ""), Edit(19, 19, " the")]),
    ],
)
def test_a_rewritten_sentence_stands_for_edits_of_whole_words(text, rewritten, expected):
    assert derive_edits(text, rewritten) == expected


@pytest.mark.parametrize(
    ("text", "rewritten", "expected"),
    [
        ("He go .", "  He  goes .\u00a0 ", "He goes ."),
        (" He go .", " He  go .", " He go ."),
        ("He  go .", "He   goes . ", "He   goes ."),
    ],
)
def test_slips_with_spaces_are_no_edits(text, rewritten, expected):
    assert tidy(text, rewritten) == expected


@given(WORDS, WORDS, st.sampled_from(["", " "]))
def test_derived_edits_make_the_rewritten_sentence_and_are_in_order(before, after, space):
    text, rewritten = space.join(before), space.join(after)
    edits = derive_edits(text, rewritten)
    assert apply_edits(text, edits) == rewritten
    assert edits == in_order(edits)
    assert faults_in(text, edits, ()) == []
    # They are the marks that judges see.
    pieces = compare(text, rewritten)
    starts = accumulate((len(piece.old) for piece in pieces), initial=0)
    marks = [(at, *piece) for at, piece in zip(starts, pieces, strict=False) if piece.change is not Change.SAME]
    assert marks == [(edit.start, text[edit.start : edit.end], edit.replacement) for edit in edits]


@given(st.text(max_size=30), st.text(max_size=30))
def test_derived_edits_make_any_text_of_any_other(text, rewritten):
    assert apply_edits(text, derive_edits(text, rewritten)) == rewritten


@given(
    st.text(max_size=20), st.lists(st.tuples(st.integers(-2, 22), st.integers(-2, 22), st.text(max_size=3)), max_size=4)
)
def test_edits_without_fault_leave_the_rest_of_the_text_alone(text, given_edits):
    edits = [Edit(*edit) for edit in given_edits]
    if faults_in(text, edits, ()):
        return
    taken = sum(edit.end - edit.start for edit in edits)
    put = sum(len(edit.replacement) for edit in edits)
    assert len(apply_edits(text, edits)) == len(text) - taken + put
    back, shift = [], 0
    for edit in in_order(edits):
        at = edit.start + shift
        back.append(Edit(at, at + len(edit.replacement), text[edit.start : edit.end]))
        shift += len(edit.replacement) - (edit.end - edit.start)
    assert apply_edits(apply_edits(text, edits), back) == text
