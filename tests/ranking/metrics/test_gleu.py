"""GLEU and charGLEU: by hand, as published, and against their definition written out."""

from math import exp
from time import perf_counter
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given, settings

from ranking.metrics.base import ABSENT
from ranking.metrics.candidates import Candidates
from ranking.metrics.gleu import CharGleu, CharGleuExpected, Gleu, GleuExpected
from ranking.metrics.material import Material, MetricError
from tests.ranking.metrics import published
from tests.ranking.metrics.ngram_texts import Texts, monster, texts
from tests.ranking.metrics.plain_gleu import by_definition, gleu, statistics

ALL = (Gleu(), GleuExpected(), CharGleu(), CharGleuExpected(), CharGleu(spaces=False), CharGleuExpected(spaces=False))
GOLDEN = {
    Gleu(): ("gleu", "gleu_py2"),
    GleuExpected(): ("gleu", "gleu_expected"),
    CharGleu(): ("chargleu", "chargleu5_space"),
    CharGleuExpected(): ("chargleu", "chargleu5_space_expected"),
    CharGleu(spaces=False): ("chargleu", "chargleu5_nospace"),
    CharGleuExpected(spaces=False): ("chargleu", "chargleu5_nospace_expected"),
}


def composed(line):
    return normalize("NFC", line)


def scores(metric, material, outputs):
    candidates = Candidates.of(outputs)
    return metric.of_systems(metric.count(material, candidates), candidates.chosen)[metric.title]


def test_the_toy():
    """`a` and `sat` are shared with the reference, `cat` is the source's alone: (2 - 1) / 3; 1 of 2 pairs is lost too.

    Of order 2: `a cat` and `cat sat` are both the source's alone: max(0, 0 - 2) / 2, and 1 in place of 0 by itself:
    sqrt(1/3 * 1/2).
    """
    toy = Material.of_texts(["a cat sat"], [["a dog sat"]])
    counts = Gleu(order=2).count(toy, Candidates.of([["a cat sat"]]))
    assert counts.tolist() == [[[1, 0, 3, 2, 3, 3]]]
    assert scores(Gleu(order=1), toy, [["a cat sat"], ["a dog sat"]]) == pytest.approx([1 / 3, 1])
    assert scores(Gleu(order=2), toy, [["a cat sat"]]) == [0]
    assert Gleu(order=2).of_candidates(counts)["GLEU"] == pytest.approx([(1 / 6) ** 0.5])


def test_an_empty_candidate_has_a_little_by_itself_and_nothing_as_an_output():
    toy = Material.of_texts(["a b c d e"], [["a b c d f"]])
    counts = Gleu().count(toy, Candidates.of([[""]]))
    assert Gleu().of_candidates(counts)["GLEU"] == pytest.approx([exp(1 - 5)])
    assert scores(Gleu(), toy, [[""]]) == [0]


@settings(max_examples=60, deadline=None)
@given(texts())
def test_it_is_its_definition(made):
    for mine, expected, tokens in (
        (Gleu(draws=7), GleuExpected(), str.split),
        (Gleu(order=2, draws=7), GleuExpected(order=2), str.split),
        (CharGleu(draws=7), CharGleuExpected(), composed),
        (CharGleu(draws=7, spaces=False), CharGleuExpected(spaces=False), lambda line: composed(line.replace(" ", ""))),
    ):
        wanted = [
            by_definition(made.material.source, made.references, output, tokens, mine.order, 7)
            for output in made.outputs
        ]
        found = zip(*(scores(metric, made.material, made.outputs) for metric in (mine, expected)), strict=True)
        assert np.allclose(list(found), wanted, atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(texts())
def test_by_itself_it_is_the_mean_over_references(made):
    candidates = made.candidates
    found = Gleu().of_candidates(Gleu().count(made.material, candidates))["GLEU"]
    for text, sentence, score in zip(candidates.texts, candidates.sentence, found, strict=True):
        source = made.material.source[sentence].split()
        rows = [statistics(source, text.split(), other.split(), 4) for other in made.references(sentence)]
        assert score == pytest.approx(np.mean([gleu([value or 1 for value in row]) for row in rows]))


@settings(max_examples=30, deadline=None)
@given(texts())
def test_some_references_are_taken_from_counts_as_if_counted_alone(made):
    candidates = made.candidates
    for metric in ALL:
        counts = metric.count(made.material, candidates)
        alone = metric.count(made.material.only([0]), candidates)
        assert np.array_equal(counts[:, :1], alone)
        some = metric.of_systems(counts[:, :1], candidates.chosen)[metric.title]
        assert np.isfinite(some).all()
        assert np.array_equal(some, metric.of_systems(alone, candidates.chosen)[metric.title])


def test_a_sentence_without_a_reference_counts_for_nothing():
    line = "a b c d e f"
    both = Texts(Material.of_texts([line, "x y"], [[line, None]]), [[line, "x"]])
    counts = Gleu().count(both.material, both.candidates)
    assert (counts[1] == ABSENT).all()
    assert Gleu().of_candidates(counts)["GLEU"].tolist() == [1, 0]
    for metric in ALL:
        assert scores(metric, both.material, both.outputs) == pytest.approx([1])


def test_one_reference_is_one_draw():
    toy = Material.of_texts(["a b c d e"], [["a b c d f"]])
    outputs = [["a b c d g"]]
    assert scores(Gleu(), toy, outputs) == scores(Gleu(draws=1), toy, outputs) == scores(GleuExpected(), toy, outputs)


def test_a_sentence_that_comes_twice_is_one_more():
    made = Texts(Material.of_texts(["a b", "c d"], [["a b", "c e"]]), [["a b", "c d"]])
    metric = GleuExpected(order=1)
    counts = metric.count(made.material, made.candidates)
    twice = metric.of_systems(counts, np.array([[0, 1, 1]]))[metric.title]
    assert twice == pytest.approx([2 / 6])  # 2 of 2 and twice max(0, 1 - 1) of 2


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: f"{metric.name} {getattr(metric, 'spaces', '')}")
def test_hard_cases_take_no_time_and_give_numbers(metric):
    hard = monster()
    metric.count(hard.material, hard.candidates)
    start = perf_counter()
    counts = metric.count(hard.material, hard.candidates)
    assert perf_counter() - start < 2
    for found in (metric.of_candidates(counts), metric.of_systems(counts, hard.candidates.chosen)):
        assert np.isfinite(found[metric.title]).all()
        assert (found[metric.title] >= 0).all()


def test_no_outputs_and_no_sentences_are_no_error():
    for metric in ALL:
        none = Candidates.of([])
        toy = Material.of_texts(["a"], [["a"]])
        assert metric.of_systems(metric.count(toy, none), none.chosen)[metric.title].tolist() == []
        empty = Candidates.of([[]])
        assert scores(metric, Material.of_texts([], [[]]), [[]]).tolist() == [0], metric
        assert metric.of_candidates(metric.count(Material.of_texts([], [[]]), empty))[metric.title].tolist() == []


def test_what_cannot_be_scored_is_refused():
    toy = Material.of_texts(["a"], [["a"]])
    with pytest.raises(MetricError, match="GLEU needs a reference"):
        Gleu().count(toy.only([]), Candidates.of([["a"]]))
    with pytest.raises(MetricError, match="The outputs have 2 lines where the source has 1"):
        Gleu().count(toy, Candidates.of([["a", "b"]]))
    with pytest.raises(MetricError, match="must lie between 1 and"):
        Gleu(draws=0)
    with pytest.raises(MetricError, match="order must lie between 1 and 20"):
        CharGleu(order=0)


def test_signatures():
    toy = Material.of_texts(["a"], [["a"], [None]])
    assert [metric.signature(toy) for metric in ALL[:4]] == [
        "gleu|n:4|draws:500|references:2",
        "gleu-expected|n:4|references:2",
        "chargleu|n:5|draws:500|characters:nfc|spaces:yes|references:2",
        "chargleu-expected|n:5|characters:nfc|spaces:yes|references:2",
    ]
    assert [metric.kept for metric in ALL[:2]] == [("GLEU",), ("GLEU expected",)]


@pytest.mark.parametrize("part", ["dev", "test"])
@pytest.mark.parametrize("metric", GOLDEN, ids=lambda metric: "-".join(GOLDEN[metric]))
def test_published_systems_on_essays_have_their_scores(metric, part):
    kind, key = GOLDEN[metric]
    material, candidates = published.gmeg_texts(part), published.gmeg(part)
    wanted = [published.golden()["gmeg"][f"{part}.fce.{name}"][kind][key] for name in published.GMEG_SYSTEMS]
    counts = metric.count(material, candidates)
    assert metric.of_systems(counts, candidates.chosen)[metric.title] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize("part", ["dev", "test"])
def test_published_systems_on_essays_have_their_means_of_sentences(part):
    candidates = published.gmeg(part)
    found = Gleu().of_candidates(Gleu().count(published.gmeg_texts(part), candidates))["GLEU"]
    golden = published.golden()["gmeg"]
    wanted = [golden[f"{part}.fce.{name}"]["gleu"]["sent_mean"] for name in published.GMEG_SYSTEMS]
    assert found[candidates.chosen].mean(axis=1) == pytest.approx(wanted, abs=1e-9)


def test_systems_of_the_shared_task_have_the_official_scores():
    found = scores_of_the_shared_task()
    official = published.official("gleu")
    assert {name: f"{score:.4f}" for name, score in found.items()} == {name: official[name] for name in found}
    golden = published.golden()["conll14"]["scores"]
    exact = {name: of["gleu"] for name, of in golden.items()}
    assert {name: found[name] for name in exact} == pytest.approx(exact, abs=1e-9)


def scores_of_the_shared_task():
    candidates = published.gjg15()
    counts = Gleu().count(published.gjg15_texts(), candidates)
    return dict(
        zip(published.gjg15_systems(), Gleu().of_systems(counts, candidates.chosen)["GLEU"].tolist(), strict=True)
    )


def test_many_mixtures_are_scored_at_once_as_one_by_one():
    candidates = published.gmeg("test")
    counts = Gleu().count(published.gmeg_texts("test"), candidates)
    rng = np.random.default_rng(1)
    sentences = candidates.chosen.shape[1]
    mixed = candidates.chosen[rng.integers(0, 8, (40, sentences)), np.arange(sentences)]
    together = Gleu().of_systems(counts, mixed)["GLEU"]
    assert together[[3, 39]].tolist() == [Gleu().of_systems(counts, mixed[[row]])["GLEU"][0] for row in (3, 39)]
