"""The stemmer, against NLTK's."""

import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from ranking.metrics.porter import measure, stem
from tests.ranking.metrics import published

# fmt: off
ENDINGS = [
    "s", "es", "ies", "sses", "ss", "ied", "eed", "ed", "ing", "at", "bl", "iz", "ll", "y", "ational", "tional",
    "enci", "anci", "izer", "bli", "alli", "entli", "eli", "ousli", "ization", "ation", "ator", "alism", "iveness",
    "fulness", "ousness", "aliti", "iviti", "biliti", "fulli", "logi", "icate", "ative", "alize", "iciti", "ical",
    "ful", "ness", "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion",
    "ou", "ism", "ate", "iti", "ous", "ive", "ize", "e", "ly",
]
# fmt: on
THEIRS = PorterStemmer()


@pytest.mark.parametrize(
    ("word", "wanted"),
    [("relational", "relat"), ("hopping", "hop"), ("falling", "fall"), ("flies", "fli"), ("dies", "die"),
     ("enjoyed", "enjoy"), ("happily", "happili"), ("Skies", "sky"), ("is", "is"), ("", ""), ("naïveté", "naïveté")],
)  # fmt: skip
def test_known_stems(word, wanted):
    assert stem(word) == wanted == THEIRS.stem(word)


@pytest.mark.parametrize(("text", "times"), [("tree", 0), ("by", 0), ("trouble", 1), ("oats", 1), ("private", 2)])
def test_the_examples_of_the_definition(text, times):
    assert measure(text) == times


@pytest.mark.wide
def test_made_words_have_the_stems_of_nltk():
    rng = random.Random(1)
    for _ in range(20_000):
        beginning = "".join(rng.choice("aeiouybcdlstwxz") for _ in range(rng.randint(0, 5)))
        word = beginning + "".join(rng.choices(ENDINGS, k=rng.randint(0, 2)))
        assert stem(word) == THEIRS.stem(word), word


def test_words_of_learners_have_the_stems_of_nltk():
    texts = [lines for name in ("source", "ref0", "nus") for lines in published.lines(f"data/gmeg-fce/test/{name}")]
    words = set(re.findall(r"\S+", " ".join(texts)))
    assert {word: stem(word) for word in words} == {word: THEIRS.stem(word) for word in words}


@given(st.text(max_size=12))
def test_any_text_has_the_stem_of_nltk(text):
    assert stem(text) == THEIRS.stem(text)
