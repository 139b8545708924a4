"""METEOR, its stemmer and its synonyms: by hand, and against NLTK's."""

import random
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from nltk.translate.meteor_score import meteor_score

from ranking.metrics.catalogue import canonical, metric_of
from ranking.metrics.material import Material, MetricError
from ranking.metrics.meteor import DEBIAN, FILES, Meteor, WordNet, installed_wordnet, measure, open_wordnet, stem
from tests.ranking.metrics import published
from tests.ranking.metrics.ngram_texts import Texts, monster, texts

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


def test_synonyms_can_be_left_out_and_come_from_the_folder_that_a_variable_names(tmp_path, monkeypatch):
    monkeypatch.setenv("WNSEARCHDIR", str(write_wordnet(tmp_path)))
    assert Meteor().wordnet == tmp_path
    assert metric_of("meteor").wordnet == tmp_path
    assert Meteor(synonyms=False).wordnet is None
    assert canonical("METEOR:synonyms=no") == "meteor:synonyms=no"
    monkeypatch.setenv("WNSEARCHDIR", str(tmp_path / "nowhere"))
    assert Meteor().wordnet is None


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


LICENCE = "  1 This software and database is being provided to you under a licence. WordNet 3.0 Copyright 2006\n"
NOUNS = [("big_cat", "cat", "Felis"), ("wolf",), ("man", "adult_male", "bloke")]
VERBS = [("go", "travel", "move"), ("go", "leave"), ("make",)]
ADJECTIVES = [("large(a)", "big"), ("nice",)]


def write_part(folder: Path, part: str, synsets: list[tuple[str, ...]], forms: str = "") -> None:
    data, offsets = LICENCE, {}
    for words in synsets:
        for word in words:
            offsets.setdefault(word.partition("(")[0].lower(), []).append(f"{len(data):08}")
        listed = " ".join(f"{word} 0" for word in words)
        data += f"{len(data):08} 03 n {len(words):02x} {listed} 000 | what it means  \n"
    (folder / f"data.{part}").write_text(data)
    index = "".join(f"{word} n {len(at)} 1 @ {len(at)} 0 {' '.join(at)}  \n" for word, at in sorted(offsets.items()))
    (folder / f"index.{part}").write_text(LICENCE + index)
    (folder / f"{part}.exc").write_text(forms)


def write_wordnet(folder: Path) -> Path:
    write_part(folder, "noun", NOUNS, "men man\n")
    write_part(folder, "verb", VERBS, "went go\n")
    write_part(folder, "adj", ADJECTIVES)
    write_part(folder, "adv", [])
    return folder


@pytest.mark.parametrize(
    ("word", "wanted"),
    [("cat", {"cat", "Felis"}), ("cats", {"cat", "Felis"}), ("wolves", {"wolf"}), ("men", {"man", "bloke"}),
     ("went", {"go", "travel", "move", "leave"}), ("going", {"go", "travel", "move", "leave"}),
     ("making", {"make"}), ("large", {"large", "big"}), ("nicest", {"nice"}), ("unknown", set()), ("", set())],
)  # fmt: skip
def test_synonyms_of_all_senses_and_of_base_forms(tmp_path, word, wanted):
    assert WordNet(write_wordnet(tmp_path)).synonyms(word) == wanted


def test_its_version_is_known_and_a_missing_file_named(tmp_path):
    assert WordNet(write_wordnet(tmp_path)).version == "3.0"
    (tmp_path / "verb.exc").unlink()
    with pytest.raises(MetricError, match=r"verb\.exc is not in .*; give the folder"):
        WordNet(tmp_path)


def test_it_is_taken_from_debian_where_that_has_it(tmp_path, monkeypatch):
    monkeypatch.setattr("ranking.metrics.meteor.DEBIAN", tmp_path)
    assert installed_wordnet() is None
    write_wordnet(tmp_path)
    assert installed_wordnet() == tmp_path


@pytest.mark.skipif(not all((DEBIAN / name).exists() for name in FILES), reason="wordnet-base is not installed")
def test_the_real_one_has_synonyms():
    assert {"buy", "purchase"} <= WordNet(DEBIAN).synonyms("bought")


# fmt: off
ENDINGS = [
    "s", "es", "ies", "sses", "ss", "ied", "eed", "ed", "ing", "at", "bl", "iz", "ll", "y", "ational", "tional",
    "enci", "anci", "izer", "bli", "alli", "entli", "eli", "ousli", "ization", "ation", "ator", "alism", "iveness",
    "fulness", "ousness", "aliti", "iviti", "biliti", "fulli", "logi", "icate", "ative", "alize", "iciti", "ical",
    "ful", "ness", "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "sion", "tion",
    "ou", "ism", "ate", "iti", "ous", "ive", "ize", "e", "ly",
]
# fmt: on
STEMMER = PorterStemmer()


@pytest.mark.parametrize(
    ("word", "wanted"),
    [("relational", "relat"), ("hopping", "hop"), ("falling", "fall"), ("flies", "fli"), ("dies", "die"),
     ("enjoyed", "enjoy"), ("happily", "happili"), ("Skies", "sky"), ("is", "is"), ("", ""), ("naïveté", "naïveté")],
)  # fmt: skip
def test_known_stems(word, wanted):
    assert stem(word) == wanted == STEMMER.stem(word)


@pytest.mark.parametrize(("text", "times"), [("tree", 0), ("by", 0), ("trouble", 1), ("oats", 1), ("private", 2)])
def test_the_examples_of_the_definition(text, times):
    assert measure(text) == times


@pytest.mark.wide
def test_made_words_have_the_stems_of_nltk():
    rng = random.Random(1)
    for _ in range(20_000):
        beginning = "".join(rng.choice("aeiouybcdlstwxz") for _ in range(rng.randint(0, 5)))
        word = beginning + "".join(rng.choices(ENDINGS, k=rng.randint(0, 2)))
        assert stem(word) == STEMMER.stem(word), word


def test_words_of_learners_have_the_stems_of_nltk():
    texts = [lines for name in ("source", "ref0", "nus") for lines in published.lines(f"data/gmeg-fce/test/{name}")]
    words = set(re.findall(r"\S+", " ".join(texts)))
    assert {word: stem(word) for word in words} == {word: STEMMER.stem(word) for word in words}


@given(st.text(max_size=12))
def test_any_text_has_the_stem_of_nltk(text):
    assert stem(text) == STEMMER.stem(text)
