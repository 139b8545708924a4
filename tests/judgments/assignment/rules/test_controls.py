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


def test_an_article_or_preposition_is_dropped():
    assert drop_small_word(["They", "sat", "on", "mats"], rng()) == ["They", "sat", "mats"]


def test_no_word_is_dropped_from_a_sentence_of_two():
    assert drop_small_word(["The", "cat"], rng()) is None


def test_a_sentence_of_three_words_loses_one_and_keeps_its_capital():
    assert drop_small_word(["The", "cat", "sat"], rng()) == ["Cat", "sat"]


def test_without_small_words_none_is_dropped():
    assert drop_small_word(["Cats", "sat", "down"], rng()) is None


@pytest.mark.parametrize(
    ("right", "wrong"), [("He is here", "He are here"), ("This works", "These works"), ("I am", "I is")]
)
def test_agreement_is_flipped_and_keeps_its_capital(right, wrong):
    assert flip_agreement(right.split(), rng()) == wrong.split()


def test_without_a_word_that_agrees_nothing_is_flipped():
    assert flip_agreement(["Cats", "sat"], rng()) is None


def test_a_preposition_becomes_another_one():
    given, wrong, last = confuse_preposition(["sat", "on", "mats"], rng())
    assert (given, last) == ("sat", "mats")
    assert wrong in SMALL_WORDS - {"on", "a", "an", "the"}
    assert confuse_preposition(["Cats", "sat"], rng()) is None


def test_two_different_neighbours_are_swapped():
    assert swap_words(["no", "no", "yes"], rng()) == ["no", "yes", "no"]
    assert swap_words(["no", "no", "no"], rng()) is None
    assert swap_words(["no"], rng()) is None


def test_capitals_and_marks_stay_where_they_are():
    assert swap_words(["Cats", "sat", "down", "."], rng()) == ["Cats", "down", "sat", "."]
    assert swap_words(["Cats", "sat", "."], rng()) is None


def test_the_words_after_a_swap_stay():
    assert swap_words(["no", "no", "yes", "yes", "yes"], rng()) == ["no", "yes", "no", "yes", "yes"]


def test_a_word_is_doubled():
    assert double_word(["cats"], rng()) == ["cats", "cats"]
    assert double_word([], rng()) is None


def test_one_error_is_put_in_or_two():
    assert {add_errors("cat", rng(number)) for number in range(50)} == {"cat cat", "cat cat cat"}


def test_a_sentence_without_a_word_stays_as_it_is():
    assert add_errors("", rng()) == ""
    assert add_errors("  ", rng()) == ""


def test_every_common_error_is_put_in_now_and_then():
    made = {add_errors("The cats is here on Monday", rng(number)) for number in range(500)}
    assert {"Cats is here on Monday", "The cats are here on Monday"} <= made
    assert "The cats is here by Monday" in made


def test_words_are_swapped_or_doubled_only_where_nothing_else_fits():
    """Judges would recognise controls by them: hardly anybody writes a word twice."""
    for number in range(100):
        words = add_errors("The cats are on the mats", rng(number)).split()
        assert len(set(words)) == len(words)
        assert words.index("mats" if "mats" in words else "mat") == len(words) - 1
    assert add_errors("We sing well .", rng(1)) == "We well sing ."
    assert add_errors("Good .", rng(1)) in {"Good Good .", "Good . ."}


def test_flipping_twice_never_gives_the_source_back():
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
@given(st.lists(sentence, max_size=8), seed)
def test_the_same_seed_makes_the_same_controls(sentences, number):
    assert add_errors_to_all(sentences, number) == add_errors_to_all(sentences, number)


@pytest.mark.wide
@given(st.lists(sentence, min_size=1, max_size=8), sentence, seed, st.data())
def test_another_sentence_leaves_the_other_controls_alone(sentences, other, number, pick):
    place = pick.draw(st.integers(0, len(sentences) - 1))
    changed = [*sentences[:place], other, *sentences[place + 1 :]]
    before, after = add_errors_to_all(sentences, number), add_errors_to_all(changed, number)
    assert len(before) == len(after) == len(sentences)
    assert before[:place] + before[place + 1 :] == after[:place] + after[place + 1 :]


def test_another_seed_makes_other_controls():
    sentences = ["The cat is on the mat of a friend ."] * 20
    assert add_errors_to_all(sentences, 1) != add_errors_to_all(sentences, 2)


def test_sentences_that_are_alike_get_controls_of_their_own():
    assert len(set(add_errors_to_all(["The cat is on the mat of a friend ."] * 20, 1))) > 5


def test_flipping_a_word_gives_another_word():
    assert all(word != flipped for word, flipped in FLIPS.items())
