"""BLEU: by hand, and against sacrebleu."""

from itertools import combinations
from time import perf_counter

import numpy as np
import pytest
from hypothesis import given, settings
from sacrebleu import sentence_bleu
from sacrebleu.metrics import BLEU

from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material, MetricError
from ranking.metrics.ngrams import bleu
from ranking.metrics.ngrams.bleu import Bleu
from tests.ranking.metrics import published
from tests.ranking.metrics.ngrams.ngram_texts import Texts, monster, texts


def test_the_toy():
    """`a a b` has a twice as the second reference, b, `a a` and `a b`, not `a a b`, and is closest to both lengths."""
    toy = Texts(Material.of_texts([""], [["a b"], ["a a c d"]]), [["a a b"]])
    counts = Bleu().count(toy.material, toy.candidates)
    assert counts.tolist() == [[3, 2, 0, 0, 3, 2, 1, 0, 3, 2]]
    assert Bleu().of_candidates(counts)["BLEU"] == pytest.approx([100 * 0.5 ** (1 / 3)])
    assert Bleu().of_systems(counts, toy.candidates.chosen)["BLEU"].tolist() == [0]


@pytest.mark.wide
@settings(max_examples=150, deadline=None)
@given(texts())
def test_it_equals_sacrebleu(made):
    metric, candidates = Bleu(), made.candidates
    counts = metric.count(made.material, candidates)
    theirs = BLEU(tokenize="none")
    wanted = [theirs.corpus_score(output, made.streams()).score for output in made.outputs]
    assert np.allclose(metric.of_systems(counts, candidates.chosen)["BLEU"], wanted, rtol=0, atol=1e-9)
    assert metric.signature(made.material) == f"bleu|{theirs.get_signature()}"
    alone = [
        sentence_bleu(text, made.references(sentence), tokenize="none").score
        for text, sentence in zip(candidates.texts, candidates.sentence, strict=True)
    ]
    assert np.allclose(metric.of_candidates(counts)["BLEU"], alone, rtol=0, atol=1e-9)


@pytest.mark.wide
@settings(max_examples=50, deadline=None)
@given(texts())
def test_subsets_of_the_references_count_as_they_would_alone(made):
    references = range(made.material.references)
    subsets = [subset for size in (1, 2) for subset in combinations(references, size)]
    found = Bleu().counts_of_subsets(made.material, made.candidates, subsets)
    for subset, counts in zip(subsets, found, strict=True):
        assert np.array_equal(counts, Bleu().count(made.material.only(subset), made.candidates))


def test_parts_of_many_candidates_are_joined(monkeypatch):
    made = monster()
    whole = Bleu().count(made.material, made.candidates)
    monkeypatch.setattr(bleu, "AT_ONCE", 2)
    assert np.array_equal(Bleu().count(made.material, made.candidates), whole)


def test_a_sentence_without_a_reference_counts_for_nothing():
    made = Texts(Material.of_texts(["a", "b"], [["a b c d", None]]), [["a b c d", "x"]])
    counts = Bleu().count(made.material, made.candidates)
    assert Bleu().of_systems(counts, made.candidates.chosen)["BLEU"] == pytest.approx([100])
    assert Bleu().of_candidates(counts)["BLEU"] == pytest.approx([100, 0])


def test_hard_cases_are_fast_and_equal_sacrebleu():
    hard = monster()
    start = perf_counter()
    counts = Bleu().count(hard.material, hard.candidates)
    assert perf_counter() - start < 10
    found = Bleu().of_systems(counts, hard.candidates.chosen)["BLEU"]
    theirs = [BLEU(tokenize="none").corpus_score(output, hard.streams()).score for output in hard.outputs]
    assert np.allclose(found, theirs, rtol=0, atol=1e-9)


def test_no_outputs_and_no_sentences_are_no_error():
    none, toy = Candidates.of([]), Material.of_texts(["a"], [["a"]])
    assert Bleu().of_systems(Bleu().count(toy, none), none.chosen)["BLEU"].tolist() == []
    empty, nothing = Candidates.of([[]]), Material.of_texts([], [[]])
    assert Bleu().of_systems(Bleu().count(nothing, empty), empty.chosen)["BLEU"].tolist() == [0]


def test_no_reference_is_refused():
    with pytest.raises(MetricError, match="BLEU needs a reference"):
        Bleu().count(Material.of_texts(["a"], []), Candidates.of([["a"]]))


@pytest.mark.parametrize("part", ["dev", "test"])
def test_published_systems_on_essays_have_their_scores(part):
    material, candidates = published.gmeg_texts(part), published.gmeg(part)
    golden = [published.golden()["gmeg"][f"{part}.fce.{name}"]["sacrebleu"] for name in published.GMEG_SYSTEMS]
    found = Bleu().of_systems(Bleu().count(material, candidates), candidates.chosen)["BLEU"]
    assert found == pytest.approx([each["bleu_tok_none"] for each in golden], abs=1e-9)
    assert {Bleu().signature(material)} == {f"bleu|{each['bleu_tok_none_sig']}" for each in golden}
    assert Bleu().kept == ("BLEU",)
