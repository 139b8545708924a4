"""What holds for every metric: subsets of references, sentences without any, and nothing to score."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings

from ranking.metrics import base
from ranking.metrics.base import ABSENT
from ranking.metrics.bleu import Bleu
from ranking.metrics.catalogue import metric_of
from ranking.metrics.chrf import Chrf, ChrfPlusPlus
from ranking.metrics.cleme import Cleme, Cleme2, Cleme2Independent, ClemeIndependent
from ranking.metrics.gleu import Gleu, GleuExpected
from ranking.metrics.gotoscorer import GoToScorer
from ranking.metrics.green import Green
from ranking.metrics.imeasure import IMeasure
from ranking.metrics.material import Candidates, Material, MetricError
from ranking.metrics.meteor import Meteor
from tests.ranking.metrics.ngram_texts import texts

METRICS = (
    Bleu(), Chrf(), ChrfPlusPlus(), Green(), Meteor(wordnet=None), Cleme(), ClemeIndependent(), Cleme2(),
    Cleme2Independent(), GoToScorer(),
)  # fmt: skip
every = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)


@pytest.mark.wide
@every
@settings(max_examples=30, deadline=None)
@given(texts())
def test_subsets_of_the_references_count_as_they_would_alone(metric, made):
    subsets = [subset for size in (1, 2) for subset in combinations(range(made.material.references), size)]
    if metric.by_reference:
        counts = metric.count(made.material, made.candidates)
        found = [counts[:, list(subset)] for subset in subsets]
    else:
        found = metric.counts_of_subsets(made.material, made.candidates, subsets)
    for subset, counts in zip(subsets, found, strict=True):
        assert np.array_equal(counts, metric.count(made.material.only(subset), made.candidates))
        for values in metric.of_systems(counts, made.candidates.chosen).values():
            assert np.isfinite(values).all()


@pytest.mark.wide
@pytest.mark.parametrize("metric", [*METRICS, IMeasure(), GleuExpected()], ids=lambda metric: metric.name)
@settings(max_examples=10, deadline=None)
@given(texts())
def test_drawn_sentences_score_as_if_they_were_all(metric, made):
    """Drawn in several parts, as many sentences would be."""
    counts, chosen = metric.count(made.material, made.candidates), made.candidates.chosen
    draws = np.random.default_rng(1).integers(0, chosen.shape[1], (5, chosen.shape[1]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base, "MOST_CELLS", 2 * chosen.shape[1])
        found = metric.of_resampled(counts, chosen, draws)
    for output, drawn in enumerate(chosen[:, draws]):
        for name, values in metric.of_systems(counts, drawn).items():
            assert np.allclose(found[name][output], values, rtol=0, atol=1e-9), name


@pytest.mark.wide
@every
def test_a_sentence_without_a_reference_counts_for_nothing(metric):
    material, candidates = Material.of_texts(["a", "b"], [["a b c d", None]]), Candidates.of([["a b c d", "x"]])
    counts = metric.count(material, candidates)
    alone = metric.count(Material.of_texts(["a"], [["a b c d"]]), Candidates.of([["a b c d"]]))
    assert not metric.by_reference or (counts[1] == ABSENT).all()
    (found,) = metric.of_systems(counts, candidates.chosen)[metric.main_scores[0]]
    assert found == pytest.approx(metric.of_systems(alone, np.array([[0]]))[metric.main_scores[0]][0])
    assert found > 0.9


@pytest.mark.wide
@pytest.mark.parametrize("metric", [*METRICS, Gleu()], ids=lambda metric: metric.name)
def test_no_outputs_and_no_sentences_are_no_error(metric):
    for outputs, material in (([], Material.of_texts(["a"], [["a"]])), ([[]], Material.of_texts([], [[]]))):
        candidates = Candidates.of(outputs)
        found = metric.of_systems(metric.count(material, candidates), candidates.chosen)[metric.main_scores[0]]
        assert len(found) == len(outputs)
        assert np.isfinite(found).all()


@every
def test_no_reference_is_refused(metric):
    reason = "needs a reference|compares edits with those of references"
    with pytest.raises(MetricError, match=f"{metric.title.replace('+', '.')} ({reason})"):
        metric.count(Material.of_texts(["a"], []), Candidates.of([["a"]]))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("chrf:beta=0", "chrF: beta must lie between"),
        ("green:beta=0", "GREEN: beta must lie between"),
        ("cleme:beta=0", "CLEME: beta must lie between"),
        ("cleme:weights=many", "weights is length or none, not 'many'"),
        ("cleme2:hit=0.5", "hit, wrong, under and over must add up to 1, not 1.05"),
        ("cleme2:hit=2", "hit must lie between 0 and 1"),
        ("gotoscorer:edits=letters", "edits is words or errant, not 'letters'"),
        ("gotoscorer:beta=0", "GoToScorer: beta must lie between"),
        ("gotoscorer:weights=many", "weights is difficulty or none, not 'many'"),
    ],
)
def test_settings_that_make_no_sense_are_refused(spec, message):
    with pytest.raises(MetricError, match=message):
        metric_of(spec)
