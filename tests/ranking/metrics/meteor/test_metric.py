"""METEOR: by hand, and against NLTK's."""

from pathlib import Path
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.meteor_score import meteor_score

from ranking.metrics.base import ABSENT
from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material, MetricError
from ranking.metrics.meteor.metric import Meteor
from ranking.metrics.meteor.wordnet import installed, opened
from tests.ranking.metrics import published
from tests.ranking.metrics.meteor.test_wordnet import write_wordnet
from tests.ranking.metrics.ngrams.ngram_texts import Texts, monster, texts

PLAIN = Meteor(wordnet=None)


class Lemma:
    """A word as NLTK has it."""

    def __init__(self, word: str) -> None:
        self.word = word

    def name(self) -> str:
        return self.word


class Synset:
    """Words as NLTK has them."""

    def __init__(self, words: frozenset[str]) -> None:
        self.words = words

    def lemmas(self) -> list[Lemma]:
        return [Lemma(word) for word in self.words]


class Stub:
    """The WordNet that NLTK uses: ours, or none."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def synsets(self, word: str) -> list[Synset]:
        return [Synset(opened(self.folder).synonyms(word))] if self.folder else []


def theirs(metric, text, references):
    return meteor_score(
        [reference.split() for reference in references],
        text.split(),
        wordnet=Stub(metric.wordnet),
        alpha=metric.alpha,
        beta=metric.beta,
        gamma=metric.gamma,
    )


def agrees(metric, made):
    candidates = made.candidates
    counts = metric.count(made.material, candidates)
    wanted = [
        theirs(metric, text, made.references(sentence))
        for text, sentence in zip(candidates.texts, candidates.sentence, strict=True)
    ]
    found = metric.of_candidates(counts)["METEOR"]
    assert np.allclose(found, wanted, rtol=0, atol=1e-12)
    means = np.array(wanted)[candidates.chosen].mean(axis=1)
    assert np.allclose(metric.of_systems(counts, candidates.chosen)["METEOR"], means, rtol=0, atol=1e-12)


@pytest.mark.wide
def test_the_toy():
    """`the`, `cats` by its stem, and `sat` in one run: P = 1, R = 3/4."""
    toy = Texts(Material.of_texts([""], [["The cat sat down"]]), [["the cats sat"]])
    counts = PLAIN.count(toy.material, toy.candidates)
    assert counts.tolist() == [[[3, 1, 3, 4]]]
    wanted = 0.75 / (0.9 + 0.1 * 0.75) * (1 - 0.5 / 27)
    assert PLAIN.of_candidates(counts)["METEOR"] == pytest.approx([wanted])
    assert round(wanted, 4) == 0.755


@pytest.mark.wide
def test_synonyms_are_looked_for_last(tmp_path):
    """`went` is no synonym of `leave` but by its base form; `cat` finds `cats` by its stem before `Felis`."""
    toy = Texts(Material.of_texts([""], [["cats leave"]]), [["cat went"]])
    assert PLAIN.count(toy.material, toy.candidates)[0, 0, 0] == 1
    counts = Meteor(wordnet=write_wordnet(tmp_path)).count(toy.material, toy.candidates)
    # The stem of `leave` is `leav`, which is no word, as in NLTK.
    assert counts[0, 0, 0] == 1
    toy = Texts(Material.of_texts([""], [["big move"]]), [["large going"]])
    assert PLAIN.count(toy.material, toy.candidates)[0, 0, 0] == 0
    counts = Meteor(wordnet=tmp_path).count(toy.material, toy.candidates)
    assert counts[0, 0, 0] == 1


@pytest.mark.wide
@settings(max_examples=100, deadline=None)
@given(texts(), st.sampled_from([PLAIN, Meteor(0.5, 1, 0.3, wordnet=None)]))
def test_it_equals_nltk(made, metric):
    agrees(metric, made)


@pytest.fixture(scope="module")
def small_wordnet(tmp_path_factory):
    return write_wordnet(tmp_path_factory.mktemp("wordnet"))


lines = st.lists(
    st.sampled_from(["cat", "men", "bloke", "man", "go", "went", "travel", "big", "large", "x"]), max_size=9
)


@pytest.mark.wide
@settings(max_examples=100, deadline=None)
@given(line=lines.map(" ".join), other=lines.map(" ".join))
def test_it_equals_nltk_with_synonyms(small_wordnet, line, other):
    agrees(Meteor(wordnet=small_wordnet), Texts(Material.of_texts([""], [[other]]), [[line]]))


@pytest.mark.wide
def test_a_sentence_without_a_reference_counts_for_nothing():
    made = Texts(Material.of_texts(["a", "b"], [["a b", None]]), [["a b", "x"]])
    counts = PLAIN.count(made.material, made.candidates)
    assert (counts[1] == ABSENT).all()
    alone = 1 - 0.5 / 8
    assert PLAIN.of_candidates(counts)["METEOR"] == pytest.approx([alone, 0])
    assert PLAIN.of_systems(counts, made.candidates.chosen)["METEOR"] == pytest.approx([alone])


@pytest.mark.wide
def test_some_references_are_taken_from_counts_as_if_counted_alone():
    made = monster(references=3, words=20)
    counts = PLAIN.count(made.material, made.candidates)
    assert np.array_equal(counts[:, 1:2], PLAIN.count(made.material.only([1]), made.candidates))


@pytest.mark.wide
def test_hard_cases_are_fast_and_equal_nltk():
    hard = monster()
    PLAIN.count(hard.material, hard.candidates)
    start = perf_counter()
    PLAIN.count(hard.material, hard.candidates)
    assert perf_counter() - start < 1
    agrees(PLAIN, hard)


@pytest.mark.wide
def test_no_outputs_and_no_sentences_are_no_error():
    for made in (Texts(Material.of_texts(["a"], [["a"]]), []), Texts(Material.of_texts([], [[]]), [[]])):
        counts = PLAIN.count(made.material, made.candidates)
        found = PLAIN.of_systems(counts, made.candidates.chosen)["METEOR"]
        assert found.tolist() == [0] * len(made.outputs)


def test_no_reference_is_refused():
    with pytest.raises(MetricError, match="METEOR needs a reference"):
        PLAIN.count(Material.of_texts(["a"], []), Candidates.of([["a"]]))


def test_signatures_name_the_stages(small_wordnet):
    toy = Material.of_texts(["a"], [["a"], ["b"]])
    weights = "meteor|alpha:0.9|beta:3|gamma:0.5|case:lc|language:en|stages:exact+stem"
    assert PLAIN.signature(toy) == f"{weights}|references:2"
    assert Meteor(wordnet=small_wordnet).signature(toy) == f"{weights}+synonym|wordnet:3.0|references:2"
    assert PLAIN.kept == ("METEOR",)


def golden(key):
    return [published.golden()["gmeg"][f"test.fce.{name}"]["meteor"][key] for name in published.GMEG_SYSTEMS]


def of_essays(metric):
    candidates = published.gmeg("test")
    return metric.of_systems(metric.count(published.gmeg_texts("test"), candidates), candidates.chosen)["METEOR"]


@pytest.mark.wide
def test_published_systems_on_essays_have_their_scores():
    assert of_essays(PLAIN) == pytest.approx(golden("meteor_nltk_nosyn"), abs=1e-9)


@pytest.mark.wide
@pytest.mark.skipif(installed() is None, reason="wordnet-base is not installed")
def test_published_systems_on_essays_have_their_scores_with_synonyms():
    assert of_essays(Meteor()) == pytest.approx(golden("meteor_nltk"), abs=1e-9)
