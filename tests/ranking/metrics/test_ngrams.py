"""The trie of a sentence's n-grams."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking.metrics.material import Vocabulary
from ranking.metrics.ngrams import TIMES, KnownTexts, new_trie, new_walk, plant, walk

lines = st.lists(st.sampled_from("abc"), max_size=12).map(" ".join)


def walked(texts, line, order, others=()):
    """Order, how often it was met before, and how often each text has it, of each n-gram found."""
    vocabulary = Vocabulary()
    indexed = KnownTexts.of([*zip(*[*others, texts], strict=True)], vocabulary.words)
    tokens = vocabulary.words([line])
    sentences = np.arange(len(others) + 1)
    trie = new_trie(sentences, indexed.tokens.starts, len(texts), order)
    for sentence in sentences:
        plant(trie, indexed.tokens.numbers, indexed.tokens.starts, sentence * len(texts), order)
    found = new_walk(tokens.starts, order)
    many = walk(trie, tokens.numbers, 0, len(line.split()), order, found)
    return [(length, before, trie[TIMES][node].tolist()) for node, length, before in found[:, :many].T.tolist()]


@pytest.mark.wide
def test_the_toy_and_a_missing_text():
    once = [(0, 0, [1, 2]), (1, 0, [0, 1]), (0, 1, [1, 2]), (1, 1, [0, 1]), (0, 2, [1, 2])]
    assert walked(("a b", "b b"), "b b b", 2) == once
    found = KnownTexts.of([["a", None], ["b", ""]], Vocabulary().words)
    assert found.tokens.lengths.tolist() == [1, 1, 0, 0]
    assert found.present.tolist() == [[True, True], [False, True]]


@pytest.mark.wide
@given(st.lists(lines, min_size=1, max_size=3), lines, st.integers(1, 4), st.lists(lines, min_size=3, max_size=3))
def test_it_finds_the_n_grams_of_the_texts_and_none_of_earlier_ones(texts, line, order, others):
    wanted, met, words = [], {}, line.split()
    for start in range(len(words)):
        for end in range(start + 1, min(start + order, len(words)) + 1):
            gram = tuple(words[start:end])
            times = [occurrences(text.split(), gram) for text in texts]
            if any(times):
                wanted.append((end - start - 1, met.get(gram, 0), times))
                met[gram] = met.get(gram, 0) + 1
    assert walked(texts, line, order, [tuple(others[: len(texts)])]) == wanted


def occurrences(words, gram):
    return sum(tuple(words[start : start + len(gram)]) == gram for start in range(len(words) - len(gram) + 1))
