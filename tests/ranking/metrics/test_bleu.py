"""BLEU: by hand, and against sacrebleu."""

import numpy as np
import pytest
from hypothesis import given, settings
from sacrebleu import sentence_bleu
from sacrebleu.metrics import BLEU

from ranking.metrics.bleu import Bleu
from ranking.metrics.material import Material
from tests.ranking.metrics import published
from tests.ranking.metrics.ngram_texts import Texts, monster, texts


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


def test_hard_cases_equal_sacrebleu():
    hard = monster()
    counts = Bleu().count(hard.material, hard.candidates)
    found = Bleu().of_systems(counts, hard.candidates.chosen)["BLEU"]
    theirs = [BLEU(tokenize="none").corpus_score(output, hard.streams()).score for output in hard.outputs]
    assert np.allclose(found, theirs, rtol=0, atol=1e-9)


@pytest.mark.parametrize("part", ["dev", "test"])
def test_published_systems_on_essays_have_their_scores(part):
    material, candidates = published.gmeg_texts(part), published.gmeg(part)
    golden = [published.golden()["gmeg"][f"{part}.fce.{name}"]["sacrebleu"] for name in published.GMEG_SYSTEMS]
    found = Bleu().of_systems(Bleu().count(material, candidates), candidates.chosen)["BLEU"]
    assert found == pytest.approx([each["bleu_tok_none"] for each in golden], abs=1e-9)
    assert {Bleu().signature(material)} == {f"bleu|{each['bleu_tok_none_sig']}" for each in golden}
    assert Bleu().main_scores == ("BLEU",)
