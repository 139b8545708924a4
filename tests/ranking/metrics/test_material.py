"""Material and candidates: what metrics are given."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.files.text_files import read_text
from judgments.rules.texts.m2 import read_m2
from ranking.metrics.material import (
    Candidates,
    Edit,
    Material,
    MetricError,
    Vocabulary,
    apply_edits,
    characters,
    difference,
)
from ranking.scores.files import material_of_m2

GOLD = """S A cat sat .
A 1 2|||Nn|||dog||big dog|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S So it is .

S It it is .
A 1 2|||U|||-NONE-|||REQUIRED|||-NONE-|||1
"""
words = st.lists(st.sampled_from("abcd"), max_size=8)


def gold(text: str = GOLD) -> Material:
    return material_of_m2(read_m2(read_text("gold.m2", text.encode()), may_overlap=True))


def test_files_and_texts_give_texts_and_edits_of_all_or_some_references():
    material = gold()
    assert material.source == ("A cat sat .", "So it is .", "It it is .")
    assert material.texts == (("A dog sat .", "So it is .", None), ("A cat sat .", None, "It is ."))
    assert material.edits[0] == ((Edit(1, 2, ("dog", "big dog"), "Nn"),), (), None)
    assert material.edits[1] == ((), None, (Edit(1, 2, ("",), "U"),))
    material = Material.of_texts(["a cat sat"], [["a big dog sat"], ["a cat sat"], [None]])
    assert material.edits == (((Edit(1, 2, ("big dog",)),),), ((),), (None,))
    assert gold().only([1]).texts == (("A cat sat .", None, "It is ."),)


def test_lines_of_another_length_are_refused_and_overlapping_edits_all_applied():
    with pytest.raises(MetricError, match="Reference 2 has 2 lines where the source has 1"):
        Material.of_texts(["a"], [["a"], ["a", "b"]])
    with pytest.raises(MetricError, match="Output 2 has 1 line where the first has 2"):
        Candidates.of([["a", "b"], ["a"]])
    assert apply_edits("a b c d", [Edit(0, 2, ("x",)), Edit(1, 3, ("y",))]) == "x y d"


@given(words, words)
def test_applying_the_differences_gives_the_other_sentence(before, after):
    edits = [Edit(*span) for span in difference(before, after)]
    assert apply_edits(" ".join(before), edits) == " ".join(after)
    assert all(one.end < other.start for one, other in pairwise(edits))


def test_identical_candidates_are_there_once_and_words_and_characters_are_numbers():
    candidates = Candidates.of([["x", "a  b"], ["y", "a b"], ["x", "c"]])
    assert candidates.texts == ("x", "y", "a b", "c")
    assert candidates.sentence.tolist() == [0, 0, 1, 1]
    assert candidates.chosen.tolist() == [[0, 2], [1, 2], [0, 3]]
    assert len(Candidates.of([])) == 0
    vocabulary = Vocabulary()
    assert vocabulary.words(["a b a", "", "b"]).numbers.tolist() == [0, 1, 0, 1]
    assert vocabulary.words(["c b"]).numbers.tolist() == [2, 1]
    assert vocabulary.words(["a b a", "", "b"]).lengths.tolist() == [3, 0, 1]
    assert characters(["ab", "é"]).numbers.tolist() == [97, 98, 233]
