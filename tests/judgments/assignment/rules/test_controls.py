"""Controls: worse than their source in a way that a seed decides and a reader sees."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.assignment.rules.controls import (
    FLIPS,
    PREPOSITIONS,
    SMALL_WORDS,
    add_errors,
    add_errors_to_all,
    changed_characters,
    confuse_preposition,
    double_word,
    drop_small_word,
    flip_agreement,
    swap_words,
)
from judgments.management.demo.comparisons import CONTROL, TEXTS
from judgments.rules.texts.collapsing import normalise

word = st.sampled_from(
    [*sorted(SMALL_WORDS)[:4], "The", "is", "Are", "These", "cat", "cats", "sat", ".", "naïve", "猫"]
)
sentence = st.lists(word, min_size=1, max_size=12).map(" ".join)
seed = st.integers()


def rng(number: int | str = 1) -> random.Random:
    return random.Random(number)


def with_errors(slips, text: str) -> set[str]:
    words = text.split()
    return {" ".join([*words[: one.start], *one.words, *words[one.end :]]) for one in slips(words)}


@pytest.mark.parametrize(
    ("slips", "text", "worse"),
    [
        (drop_small_word, "They sat on mats", {"They sat mats"}),
        (drop_small_word, "The cat", set()),  # of two
        (drop_small_word, "The cat sat", {"Cat sat"}),  # the capital stays
        (drop_small_word, "He is in in bed", set()),  # would be a correction
        (drop_small_word, "Cats sat down", set()),
        (flip_agreement, "He is here", {"He are here"}),
        (flip_agreement, "This works", {"These works"}),
        (flip_agreement, "I am", {"I is"}),
        (flip_agreement, "Cats sat", set()),
        (confuse_preposition, "sat on", {f"sat {other}" for other in PREPOSITIONS - {"on"}}),
        (confuse_preposition, "Cats sat", set()),
        (swap_words, "no no yes", {"no yes no"}),
        (swap_words, "no no no", set()),
        (swap_words, "no", set()),
        (swap_words, "Cats sat down .", {"Cats down sat ."}),  # capitals and marks stay where they are
        (swap_words, "Cats sat .", set()),
        (swap_words, "no no yes yes yes", {"no yes no yes yes"}),  # the words after a swap stay
        (double_word, "cats", {"cats cats"}),
        (double_word, "", set()),
    ],
)
def test_each_kind_of_error_knows_where_it_fits(slips, text, worse):
    assert with_errors(slips, text) == worse


def test_one_error_is_put_in_or_two_and_none_into_a_sentence_without_a_word():
    made = {add_errors("The cats is on mats", rng(number)) for number in range(200)}
    assert made >= {"The cats is mats", "Cats is on mats", "Cats is mats"}
    assert [add_errors(text, rng()) for text in ("", "  ")] == [None, None]


def test_a_word_that_an_output_or_a_reference_changes_stays():
    """*She have been* would become right, and *Informations are* no worse."""
    others = ["She has been here since 2 years .", "She have been here for two years ."]
    made = {add_errors("She have been here since two years .", rng(number), others) for number in range(100)}
    assert all(text.startswith("She have ") and "since two" in text for text in made)
    assert {add_errors("The informations are", rng(n), ["The information are"]) for n in range(50)} == {
        "The The informations are", "The informations are are",
    }  # fmt: skip
    assert {add_errors("My hobbies is good", rng(n), ["My hobby is good"]) for n in range(50)} == {
        "My hobbies good is"
    }, "with another verb the sentence would be right"


def test_a_sentence_of_which_every_word_is_changed_gets_no_control_nor_one_that_is_an_output():
    assert add_errors("He go", rng(), ["She goes"]) is None
    assert add_errors("He go", rng(), ["He goes", "It go"]) is None
    assert add_errors("cat", rng(), ["cat  cat"]) is None
    assert add_errors_to_all(["He go", "He go"], 1, [["She goes"], []]) == [None, add_errors("He go", rng("1:1"))]


def test_each_sentence_of_a_whole_text_has_an_error_if_its_words_are_left_as_they_are():
    text, other = "He is here .\n\nHe go . It is in town .", "He is here .\n\nShe goes! It is in town ."
    first, empty, second = str(add_errors(text, rng(), [other], is_whole=True)).split("\n")
    assert (first == "He is here .", empty) == (False, "")
    assert second.startswith("He go . ")
    assert second != "He go . It is in town ."


def test_every_sentence_of_the_demonstration_has_a_control_that_changes_what_nobody_corrects():
    texts = {file.stem: file.read_text("utf-8").splitlines() for file in TEXTS.glob("*.txt")}
    source = texts.pop("source")
    others = [lines for name, lines in texts.items() if name != CONTROL]
    made = add_errors_to_all(source, 1, [*zip(*others, strict=True)])
    assert None not in made
    for text, worse, *corrected in zip(source, made, *others, strict=True):
        assert changed_characters(text, [worse]).isdisjoint(changed_characters(text, corrected)), text


def test_what_is_written_onto_a_word_changes_it():
    assert changed_characters("I go home", ["I went home,"]) == {2, 3, 8}
    assert changed_characters("I go home", ["I often go home"]) == set()


def test_every_common_error_is_put_in_now_and_then():
    made = {add_errors("The cats is here on Monday", rng(number)) for number in range(500)}
    assert {"Cats is here on Monday", "The cats are here on Monday", "The cats is here by Monday"} <= made


def test_words_are_swapped_or_doubled_only_where_nothing_else_fits():
    """Judges would recognise controls by them: hardly anybody writes a word twice."""
    for number in range(100):
        words = str(add_errors("The cats are on the mats", rng(number))).split()
        assert len(set(words)) == len(words)
        assert words.index("mats" if "mats" in words else "mat") == len(words) - 1
    assert {add_errors("We sing well .", rng(number)) for number in range(9)} == {"We well sing ."}
    assert {add_errors("Good .", rng(number)) for number in range(9)} == {"Good Good .", "Good . ."}


def test_flipping_gives_another_word_and_twice_never_the_source_back():
    assert all(word != flipped for word, flipped in FLIPS.items())
    assert all(add_errors("is", rng(number)) != "is" for number in range(100))


@given(sentence | st.text().filter(str.strip), seed, st.lists(sentence, max_size=3))
def test_a_control_never_equals_its_source_nor_another_text(text, number, others):
    assert normalise(str(add_errors(text, rng(number)))) != normalise(text)
    assert add_errors(text, rng(number), others) not in {normalise(one) for one in (text, *others)}


@given(sentence, seed)
def test_a_control_has_at_most_two_errors(text, number):
    added = Counter(str(add_errors(text, rng(number))).split()) - Counter(text.split())
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
