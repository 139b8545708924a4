"""Collapsing: outputs that differ only in white space are one candidate."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.texts.collapsing import collapse, fingerprint, normalise

# Few words, so that equal outputs are frequent.
word = st.sampled_from(["a", "cat", "sat", "Ünïcode", "猫"])
space = st.sampled_from([" ", "  ", "\t", "\u00a0", "\u3000"])
output = st.lists(word, max_size=3).map(" ".join)
outputs = st.lists(st.none() | output, max_size=15)


def test_white_space_is_one_space_and_a_fingerprint_the_same_on_every_machine():
    assert normalise("  A \t cat\u00a0 sat . ") == "A cat sat ."
    assert normalise(" \t ") == ""
    assert fingerprint("") == "cae66941d9efbd404e4d88758ea67670"
    assert len(fingerprint("A cat sat .")) == 32


@pytest.mark.parametrize(
    ("outputs", "collapsed"),
    [
        (["A cat", "a cat"], (["A cat", "a cat"], [0, 1])),
        (["b", "a", " b ", None, "c", "a"], (["b", "a", "c"], [0, 1, 0, None, 2, 1])),
        (["", None, "  "], ([""], [0, None, 0])),
        ([], ([], [])),
    ],
)
def test_equal_outputs_are_one_in_order_of_appearance(outputs, collapsed):
    assert collapse(outputs) == collapsed


@given(st.text())
def test_normalising_twice_changes_nothing_more(text):
    assert normalise(normalise(text)) == normalise(text)


@given(st.lists(st.none() | st.text(), max_size=20))
def test_every_text_finds_itself_among_the_distinct_ones(texts):
    distinct, where = collapse(texts)
    assert [None if at is None else distinct[at] for at in where] == [
        None if text is None else normalise(text) for text in texts
    ]
    assert len(set(distinct)) == len(distinct)


@given(outputs)
def test_distinct_texts_stand_in_order_of_appearance(texts):
    distinct, where = collapse(texts)
    firsts = [where.index(place) for place in range(len(distinct))]
    assert firsts == sorted(firsts)


@pytest.mark.wide
@given(st.lists(output, max_size=8), st.data())
def test_white_space_never_distinguishes_outputs(texts, pick):
    spaced = [pick.draw(space).join(["", *text.split(), ""]) for text in texts]
    assert collapse(spaced) == collapse(texts)


@given(st.text(), st.text())
def test_fingerprints_are_equal_exactly_where_texts_are(one, other):
    assert (fingerprint(one) == fingerprint(other)) == (one == other)
