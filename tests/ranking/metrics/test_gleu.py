"""GLEU and charGLEU: by hand, by definition, as published, and draws of references as Python 2 makes them."""

import random

import numpy as np
import pytest
from hypothesis import given, settings

from ranking.metrics.gleu import CharGleu, CharGleuExpected, Gleu, GleuExpected, over_draws, random_numbers
from ranking.metrics.material import Material
from tests.ranking.metrics import published
from tests.ranking.metrics.ngram_texts import Texts, texts
from tests.ranking.metrics.plain_ngrams import gleu_by_definition

GOLDEN = {
    Gleu(): ("gleu", "gleu_py2"),
    GleuExpected(): ("gleu", "gleu_expected"),
    CharGleu(): ("chargleu", "chargleu5_space"),
    CharGleuExpected(spaces=False): ("chargleu", "chargleu5_nospace_expected"),
}


@pytest.mark.wide
def test_the_toy():
    """Of `a cat sat` two words are shared with the reference `a dog sat`, and `cat` is only the source's."""
    toy = Texts(Material.of_texts(["a cat sat"], [["a dog sat"]]), [["a cat sat"], ["a dog sat"]])
    assert Gleu(order=1).count(toy.material, toy.candidates)[0].tolist() == [[1, 3, 3, 3]]
    assert toy.scores(Gleu(order=1)) == pytest.approx([1 / 3, 1])
    assert Gleu(order=1).signature(toy.material) == "gleu|n:1|draws:500|references:1"


@pytest.mark.wide
@settings(max_examples=60, deadline=None)
@given(texts())
def test_it_equals_its_definition(made):
    for drawn, expected in ((Gleu(draws=20), GleuExpected()), (Gleu(order=2, draws=3), GleuExpected(order=2))):
        wanted = [
            gleu_by_definition(made.material.source, made.references, output, str.split, drawn.order, drawn.draws)
            for output in made.outputs
        ]
        assert np.allclose(np.stack([made.scores(drawn), made.scores(expected)], axis=1), wanted, atol=1e-9)


@pytest.mark.wide
@settings(max_examples=30, deadline=None)
@given(texts())
def test_replicates_are_those_of_the_expectation_moved_within_0_and_1(made):
    chosen, metric, expected = made.candidates.chosen, Gleu(order=2, draws=3), GleuExpected(order=2)
    counts = metric.count(made.material, made.candidates)
    draws = np.random.default_rng(1).integers(0, chosen.shape[1], (20, chosen.shape[1]))
    by = (made.scores(metric) - made.scores(expected))[:, None]
    wanted = expected.of_resampled(counts, chosen, draws)["GLEU expected"] + by
    assert np.allclose(metric.of_resampled(counts, chosen, draws)["GLEU"], wanted.clip(0, 1), atol=1e-12)


@pytest.mark.wide
@pytest.mark.parametrize("metric", GOLDEN, ids=lambda metric: metric.name)
def test_published_systems_on_essays_have_their_scores(metric):
    candidates, (group, key) = published.gmeg("dev"), GOLDEN[metric]
    found = metric.of_systems(metric.count(published.gmeg_texts("dev"), candidates), candidates.chosen)[metric.title]
    golden = [published.golden()["gmeg"][f"dev.fce.{name}"][group][key] for name in published.GMEG_SYSTEMS]
    assert found == pytest.approx(golden, abs=1e-9)


@pytest.mark.wide
def test_the_official_scores_of_the_shared_task_to_every_printed_digit():
    counts, chosen = Gleu().count(published.gjg15_texts(), published.gjg15()), published.gjg15().chosen
    scores = zip(published.gjg15_systems(), Gleu().of_systems(counts, chosen)["GLEU"], strict=True)
    assert {name: f"{score:.4f}" for name, score in scores} == published.official("gleu")


def test_the_numbers_are_those_of_pythons_random():
    wanted = []
    for draw in range(30):
        random.seed(101 * draw)
        wanted.append([random.random() for _ in range(40)])
    assert random_numbers(30, 40).tolist() == wanted


@pytest.mark.wide
def test_only_references_that_are_there_are_drawn():
    """The first sentence has its second reference alone, the other has both."""
    counts = np.array([[[-1], [5]], [[10], [20]]])
    seen = []

    def keep(block, sums):
        seen.extend(sums[0, :, 0].tolist())
        return sums[:, :, 0]

    mean = over_draws(counts, np.array([[0, 1]]), 50, keep)
    wanted = [5 + (20 if row[1] >= 0.5 else 10) for row in random_numbers(50, 2)]
    assert seen == wanted
    assert mean == [np.mean(wanted)]
