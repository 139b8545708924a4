"""METEOR: by hand, and against NLTK's."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.meteor_score import meteor_score

from ranking.metrics.material import Material
from ranking.metrics.meteor import Meteor
from ranking.metrics.wordnet import installed_wordnet, open_wordnet
from tests.ranking.metrics import published
from tests.ranking.metrics.ngram_texts import Texts, monster, texts
from tests.ranking.metrics.test_wordnet import write_wordnet

PLAIN = Meteor(wordnet=None)


class Lemma:
    def __init__(self, word: str) -> None:
        self.word = word

    def name(self) -> str:
        return self.word


class Synset:
    def __init__(self, words: frozenset[str]) -> None:
        self.words = words

    def lemmas(self) -> list[Lemma]:
        return [Lemma(word) for word in self.words]


class Stub:
    """The WordNet that NLTK uses: ours, or none."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def synsets(self, word: str) -> list[Synset]:
        return [Synset(open_wordnet(self.folder).synonyms(word))] if self.folder else []


def theirs(metric, text, references):
    weights = {"alpha": metric.alpha, "beta": metric.beta, "gamma": metric.gamma}
    return meteor_score(list(map(str.split, references)), text.split(), wordnet=Stub(metric.wordnet), **weights)


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
    with_synonyms = Meteor(wordnet=write_wordnet(tmp_path))
    # The stem of `leave` is `leav`, which is no word, as in NLTK.
    for reference, output, found in (("cats leave", "cat went", [1, 1]), ("big move", "large going", [0, 1])):
        toy = Texts(Material.of_texts([""], [[reference]]), [[output]])
        counts = [metric.count(toy.material, toy.candidates)[0, 0, 0] for metric in (PLAIN, with_synonyms)]
        assert counts == found, output


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
def test_hard_cases_equal_nltk():
    agrees(PLAIN, monster())


def test_signatures_name_the_stages(small_wordnet):
    toy = Material.of_texts(["a"], [["a"], ["b"]])
    weights = "meteor|alpha:0.9|beta:3|gamma:0.5|case:lc|language:en|stages:exact+stem"
    assert PLAIN.signature(toy) == f"{weights}|references:2"
    assert Meteor(wordnet=small_wordnet).signature(toy) == f"{weights}+synonym|wordnet:3.0|references:2"
    assert PLAIN.main_scores == ("METEOR",)


def golden(key):
    return [published.golden()["gmeg"][f"test.fce.{name}"]["meteor"][key] for name in published.GMEG_SYSTEMS]


def of_essays(metric):
    candidates = published.gmeg("test")
    return metric.of_systems(metric.count(published.gmeg_texts("test"), candidates), candidates.chosen)["METEOR"]


@pytest.mark.wide
def test_published_systems_on_essays_have_their_scores():
    assert of_essays(PLAIN) == pytest.approx(golden("meteor_nltk_nosyn"), abs=1e-9)


@pytest.mark.wide
@pytest.mark.skipif(installed_wordnet() is None, reason="wordnet-base is not installed")
def test_published_systems_on_essays_have_their_scores_with_synonyms():
    assert of_essays(Meteor()) == pytest.approx(golden("meteor_nltk"), abs=1e-9)
