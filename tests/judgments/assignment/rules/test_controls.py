"""Controls: worse than their source in a way that a seed decides and a reader sees."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.assignment.rules.controls import (
    COMMON,
    FLIPS,
    LAST_RESORTS,
    SMALL_WORDS,
    add_errors,
    add_errors_to_all,
    confuse_preposition,
    double_word,
    drop_small_word,
    flip_agreement,
    swap_words,
)
from judgments.rules.texts.collapsing import normalise

word = st.sampled_from(
    [*sorted(SMALL_WORDS)[:4], "The", "is", "Are", "These", "cat", "cats", "sat", ".", "naïve", "猫"]
)
sentence = st.lists(word, min_size=1, max_size=12).map(" ".join)
seed = st.integers()


def rng(number: int = 1) -> random.Random:
    return random.Random(number)


@pytest.mark.parametrize(
    ("insertion", "text", "worse"),
    [
        (drop_small_word, "They sat on mats", "They sat mats"),
        (drop_small_word, "The cat", None),  # of two
        (drop_small_word, "The cat sat", "Cat sat"),  # the capital stays
        (drop_small_word, "Cats sat down", None),
        (flip_agreement, "He is here", "He are here"),
        (flip_agreement, "This works", "These works"),
        (flip_agreement, "I am", "I is"),
        (flip_agreement, "Cats sat", None),
        (confuse_preposition, "Cats sat", None),
        (swap_words, "no no yes", "no yes no"),
        (swap_words, "no no no", None),
        (swap_words, "no", None),
        (swap_words, "Cats sat down .", "Cats down sat ."),  # capitals and marks stay where they are
        (swap_words, "Cats sat .", None),
        (swap_words, "no no yes yes yes", "no yes no yes yes"),  # the words after a swap stay
        (double_word, "cats", "cats cats"),
        (double_word, "", None),
    ],
)
def test_one_error_is_put_in_or_none_where_none_fits(insertion, text, worse):
    assert insertion(text.split(), rng()) == (None if worse is None else worse.split())


def test_a_preposition_becomes_another_one():
    given, wrong, last = confuse_preposition(["sat", "on", "mats"], rng())
    assert (given, last) == ("sat", "mats")
    assert wrong in SMALL_WORDS - {"on", "a", "an", "the"}


def test_one_error_is_put_in_or_two_and_none_into_a_sentence_without_a_word():
    assert {add_errors("cat", rng(number)) for number in range(50)} == {"cat cat", "cat cat cat"}
    assert [add_errors(text, rng()) for text in ("", "  ")] == ["", ""]


def test_every_common_error_is_put_in_now_and_then():
    made = {add_errors("The cats is here on Monday", rng(number)) for number in range(500)}
    assert {"Cats is here on Monday", "The cats are here on Monday", "The cats is here by Monday"} <= made


def test_words_are_swapped_or_doubled_only_where_nothing_else_fits():
    """Judges would recognise controls by them: hardly anybody writes a word twice."""
    for number in range(100):
        words = add_errors("The cats are on the mats", rng(number)).split()
        assert len(set(words)) == len(words)
        assert words.index("mats" if "mats" in words else "mat") == len(words) - 1
    assert add_errors("We sing well .", rng(1)) == "We well sing ."
    assert add_errors("Good .", rng(1)) in {"Good Good .", "Good . ."}


def test_flipping_gives_another_word_and_twice_never_the_source_back():
    assert all(word != flipped for word, flipped in FLIPS.items())
    assert all(add_errors("is", rng(number)) != "is" for number in range(100))


@given(sentence, seed)
def test_each_insertion_changes_one_thing_or_says_that_it_cannot(text, number):
    words = text.split()
    for insertion in (*COMMON, *LAST_RESORTS):
        worse = insertion(list(words), rng(number))
        if worse is not None:
            assert worse != words
            assert abs(len(worse) - len(words)) <= 1
    assert words == text.split()


@given(sentence | st.text().filter(str.strip), seed)
def test_a_control_never_equals_its_source(text, number):
    assert normalise(add_errors(text, rng(number))) != normalise(text)


@given(sentence, seed)
def test_a_control_has_at_most_two_errors(text, number):
    added = Counter(add_errors(text, rng(number)).split()) - Counter(text.split())
    assert added.total() <= 2


@pytest.mark.wide
@given(st.lists(sentence, min_size=1, max_size=8), sentence, seed, st.data())
def test_a_seed_makes_the_same_controls_and_another_sentence_leaves_them_alone(sentences, other, number, pick):
    place = pick.draw(st.integers(0, len(sentences) - 1))
    changed = [*sentences[:place], other, *sentences[place + 1 :]]
    before, after = add_errors_to_all(sentences, number), add_errors_to_all(changed, number)
    assert before == add_errors_to_all(sentences, number)
    assert len(before) == len(after) == len(sentences)
    assert before[:place] + before[place + 1 :] == after[:place] + after[place + 1 :]


def test_another_seed_makes_other_controls_and_so_do_sentences_that_are_alike():
    sentences = ["The cat is on the mat of a friend ."] * 20
    assert add_errors_to_all(sentences, 1) != add_errors_to_all(sentences, 2)
    assert len(set(add_errors_to_all(sentences, 1))) > 5
