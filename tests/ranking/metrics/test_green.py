"""GREEN: by hand, against its definition, and against gec-metrics."""

import pytest
from hypothesis import given, settings

from ranking.metrics.green import Green
from ranking.metrics.material import Material
from tests.ranking.metrics import published
from tests.ranking.metrics.ngram_texts import Texts, monster, texts
from tests.ranking.metrics.plain_ngrams import green_by_definition

# The scores of gec-metrics 0.1.1, `GREEN().score_corpus` with both references, for the systems in the order of names.
GEC_METRICS = (
    0.796393582743, 0.800732871211, 0.794978256940, 0.774490646106, 0.773745095706, 0.767606625701, 0.785591362239,
    0.786804533549, 0.784782388942, 0.780791164961, 0.777242232300, 0.775949054265, 0.783901395867,
)  # fmt: skip


@pytest.mark.wide
def test_the_toy():
    """Of `a cat sat` two words are kept, as in the reference `a dog sat`; `cat` should be deleted, `dog` inserted."""
    toy = Texts(Material.of_texts(["a cat sat"], [["a dog sat"]]), [["a cat sat"], ["a dog sat"], ["the cat"]])
    metric = Green(order=1)
    counts = metric.count(toy.material, toy.candidates)
    assert counts.tolist() == [[[[2, 0, 2]]], [[[4, 0, 0]]], [[[0, 3, 2]]]]
    assert toy.scores(metric) == pytest.approx([5 * 0.5 / 4.5, 1, 0])
    assert toy.scores(metric, "GREEN P").tolist() == [1, 1, 0]


@pytest.mark.wide
@settings(max_examples=100, deadline=None)
@given(texts())
def test_it_equals_its_definition(made):
    for metric in (Green(), Green(beta=0.5, order=2)):
        counts = metric.count(made.material, made.candidates)
        found, alone = metric.of_systems(counts, made.candidates.chosen), metric.of_candidates(counts)
        for number, output in enumerate(made.outputs):
            whole, each = green_by_definition(made.material.source, made.references, output, metric.order, metric.beta)
            assert found[metric.main_scores[0]][number] == pytest.approx(whole, abs=1e-9)
            assert alone[metric.main_scores[0]][made.candidates.chosen[number]] == pytest.approx(each, abs=1e-9)


@pytest.mark.wide
def test_hard_cases_equal_the_definition():
    hard = monster()
    wanted = [green_by_definition(hard.material.source, hard.references, output, 4, 2)[0] for output in hard.outputs]
    assert hard.scores(Green()) == pytest.approx(wanted, abs=1e-9)


@pytest.mark.wide
def test_the_shared_task_of_2014_has_the_scores_of_gec_metrics():
    made, candidates = published.gjg15_texts(), published.gjg15()
    counts = Green().count(made, candidates)
    assert Green().of_systems(counts, candidates.chosen)["GREEN F2"] == pytest.approx(GEC_METRICS, abs=1e-12)
    assert Green().signature(made) == "green|n:4|beta:2|references:2"
