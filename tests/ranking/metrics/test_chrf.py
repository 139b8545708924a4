"""chrF and chrF++: by hand, and against sacrebleu."""

import numpy as np
import pytest
from hypothesis import given, settings
from sacrebleu.metrics import CHRF

from ranking.metrics.chrf import Chrf, ChrfPlusPlus, word_encoder
from ranking.metrics.material import Material, Vocabulary
from tests.ranking.metrics import published
from tests.ranking.metrics.ngram_texts import Texts, monster, texts

BOTH = (Chrf(), ChrfPlusPlus())
GOLDEN = {Chrf(): "chrf", ChrfPlusPlus(): "chrf++"}
named = {"ids": lambda metric: metric.name}


def theirs(metric):
    return CHRF(word_order=metric.words, beta=metric.beta)


@pytest.mark.wide
def test_the_toy():
    """`ab` and `a c` share 1 of 2 characters, no pair and no word: precision and recall 1/4, or 1/6 with words.

    Of words both have the orders 1 but only the reference order 2.
    """
    toy = Texts(Material.of_texts([""], [["a c"]]), [["ab"]])
    counts = ChrfPlusPlus().count(toy.material, toy.candidates)
    assert counts.tolist() == [[[1, 0, 0, 0, 0, 0, 2, 2, 0, 0, 1, 2]]]
    assert toy.scores(Chrf()) == pytest.approx([25])
    assert toy.scores(ChrfPlusPlus()) == pytest.approx([100 / 6])


@pytest.mark.wide
@settings(max_examples=100, deadline=None)
@given(texts())
def test_it_equals_sacrebleu(made):
    for metric in (*BOTH, Chrf(beta=1), ChrfPlusPlus(beta=3)):
        candidates, program = made.candidates, theirs(metric)
        counts = metric.count(made.material, candidates)
        wanted = [program.corpus_score(output, made.streams()).score for output in made.outputs]
        assert np.allclose(metric.of_systems(counts, candidates.chosen)[metric.title], wanted, rtol=0, atol=1e-9)
        assert metric.signature(made.material) == f"{metric.name}|beta:{metric.beta:g}|{program.get_signature()}"
        alone = [
            theirs(metric).sentence_score(text, made.references(sentence)).score
            for text, sentence in zip(candidates.texts, candidates.sentence, strict=True)
        ]
        assert np.allclose(metric.of_candidates(counts)[metric.title], alone, rtol=0, atol=1e-9)


def test_of_equally_good_references_rounding_chooses_as_it_does_in_sacrebleu():
    """F is 1/15 for both, of 3 characters shared in 7 and 8, or 2 in 7 and 5; the other sentence tells which."""
    made = Texts(Material.of_texts(["", ""], [[None, "a a a ab, (c"], ["a", "a a a a a"]]), [["", "a naïve b"]])
    metric = Chrf(beta=1)
    assert made.scores(metric).tolist() == [theirs(metric).corpus_score(made.outputs[0], made.streams()).score]


def test_words_part_from_their_punctuation():
    """A mark at the end before one at the beginning, one mark a word, and none of a mark by itself."""
    vocabulary = Vocabulary()
    word_encoder(vocabulary)(['"It" is (so) ... , all-right'])
    assert list(vocabulary.numbers) == ['"It', '"', "is", "(so", ")", "..", ".", ",", "all-right"]


@pytest.mark.wide
@pytest.mark.parametrize("metric", BOTH, **named)
def test_hard_cases_equal_sacrebleu(metric):
    hard = monster()
    found = hard.scores(metric)
    wanted = [theirs(metric).corpus_score(output, hard.streams()).score for output in hard.outputs]
    assert np.allclose(found, wanted, rtol=0, atol=1e-9)


@pytest.mark.wide
@pytest.mark.parametrize("part", ["dev", "test"])
@pytest.mark.parametrize("metric", GOLDEN, **named)
def test_published_systems_on_essays_have_their_scores(metric, part):
    made, key = published.gmeg_texts(part), GOLDEN[metric]
    candidates = published.gmeg(part)
    golden = [published.golden()["gmeg"][f"{part}.fce.{name}"]["sacrebleu"] for name in published.GMEG_SYSTEMS]
    found = metric.of_systems(metric.count(made, candidates), candidates.chosen)[metric.title]
    assert found == pytest.approx([each[key] for each in golden], abs=1e-9)
    assert {metric.signature(made)} == {f"{metric.name}|beta:2|{each[f'{key}_sig']}" for each in golden}
    assert metric.main_scores == (metric.title,)
