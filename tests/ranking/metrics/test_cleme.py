"""CLEME and CLEME2.0: by hand, against their definition, and the example of the published program."""

import numpy as np
import pytest
from hypothesis import given, settings

from ranking.metrics.base import ABSENT
from ranking.metrics.catalogue import metric_of
from ranking.metrics.cleme import CHANGED, FIRST, KEPT, LENGTH, Cleme, Cleme2, Cleme2Independent, ClemeIndependent
from ranking.metrics.material import Candidates, Edit, Material
from tests.ranking.metrics import published
from tests.ranking.metrics.ngram_texts import Texts, texts
from tests.ranking.metrics.plain_cleme import counted, score

ALL = (Cleme(), ClemeIndependent(), Cleme2(), Cleme2Independent())
named = {"ids": lambda metric: metric.name}


def by_kind(row):
    """True, wrong, over, missed and kept chunks."""
    return [*row[FIRST:].reshape(4, -1).sum(axis=1).tolist(), int(row[KEPT])]


def chunks(metric, made):
    return [[by_kind(row) for row in rows] for rows in metric.count(made.material, made.candidates)]


@pytest.mark.wide
def test_chunks_and_the_four_qualities_by_hand():
    """One chunk, b c, of which the references make y and x c; the candidate has the change of the second."""
    toy = Texts(Material.of_texts(["a b c d"], [["a y d"], ["a x c d"]]), [["a x c d"], ["a b c d"], ["z b c d"]])
    assert chunks(Cleme(), toy) == [
        [[0, 1, 0, 0, 2], [1, 0, 0, 0, 2]],
        [[0, 0, 0, 1, 2], [0, 0, 0, 1, 2]],
        # The edits of the third and of the references touch.
        [[0, 1, 0, 0, 1], [0, 1, 0, 0, 1]],
    ]
    assert chunks(ClemeIndependent(), toy) == [[[1, 0, 0, 0, 2]], [[0, 0, 0, 1, 2]], [[0, 1, 0, 0, 1]]]
    row = Cleme().count(toy.material, toy.candidates)[0, 0]
    assert (row[CHANGED], row[LENGTH]) == (2, 4)
    # A chunk that some reference keeps need not be changed.
    made = Texts(Material.of_texts(["a b"], [["a b"], ["a x"]]), [["a b"], ["a y"], ["y b"]])
    assert chunks(ClemeIndependent(), made) == [[[0, 0, 0, 0, 2]], [[0, 1, 0, 0, 1]], [[0, 1, 0, 0, 0]]]
    assert chunks(Cleme(), made)[0] == [[0, 0, 0, 0, 2], [0, 0, 0, 1, 1]]
    # An empty reference counts only if there is no other.
    made = Texts(Material.of_texts(["a b"], [[""], ["a x"]]), [["a x"]])
    assert Cleme().count(made.material, made.candidates)[0, :, KEPT].tolist() == [ABSENT, 1]
    assert chunks(Cleme(), made._replace(material=made.material.only([0]))) == [[[0, 1, 0, 0, 0]]]
    found = Cleme2().scores_of(np.array([[3, 1, 1, 2, 9.0]]))
    wanted = {"CLEME2": 0.45 / 2 + 0.35 * 5 / 6 + 0.15 * 4 / 6 + 0.05 * 4 / 5, "CLEME2 hit": 1 / 2,
              "CLEME2 wrong": 1 / 6, "CLEME2 under": 1 / 3, "CLEME2 over": 1 / 5}  # fmt: skip
    assert {name: values.item() for name, values in found.items()} == pytest.approx(wanted)


@pytest.mark.wide
def test_the_example_of_the_published_program():
    """The edits of its example on other words; it prints these counts and scores."""
    first, second = "A B C D E F", "a b c d e f g h i j k l m n o p q r s t"
    material = Material.of_edits(
        [first, second],
        [
            [(), (Edit(3, 4, ("D",)), Edit(4, 5, ("",)), Edit(8, 9, ("I",)))],
            [(), (Edit(3, 4, ("D",)), Edit(4, 5, ("",)), Edit(6, 6, ("F",)), Edit(12, 13, ("M",)))],
        ],
    )
    candidates = Candidates.of([[first, "a b c D e f g h I j k l m n o P Q r S t"]])
    counts = Cleme().count(material, candidates)
    found = {name: round(value.item(), 4) for name, value in Cleme().of_systems(counts, candidates.chosen).items()}
    assert found == {"CLEME F0.5": 0.2711, "CLEME P": 0.2293, "CLEME R": 1.0, "CLEME accuracy": 0.8002}
    assert counts[:, 0, LENGTH].sum() / counts[:, 0, CHANGED].sum() == 1.4


@pytest.mark.wide
@settings(max_examples=60, deadline=None)
@given(texts())
def test_it_equals_its_definition(made):
    source, candidates = made.material.source, made.candidates
    references = [made.references(sentence) for sentence in range(made.material.sentences)]
    for metric in (*ALL, Cleme(weights="none"), Cleme2(weights="length")):
        counts = metric.count(made.material, candidates)
        found = metric.of_systems(counts, candidates.chosen)[metric.main_scores[0]]
        how = metric.is_independent, metric.weights == "length", isinstance(metric, Cleme2)
        assert found == pytest.approx([score(source, output, references, *how) for output in made.outputs], abs=1e-9)
        for number, text in enumerate(candidates.texts):
            place = candidates.sentence[number]
            if references[place]:
                rows, lengths = counted(source[place], text, references[place], metric.is_independent)
                present = [by_kind(row) for row in counts[number] if row[KEPT] != ABSENT]
                assert present == [[sum(kind == other for kind, _ in row) for other in range(5)] for row in rows]
                assert counts[number, 0, CHANGED : LENGTH + 1].tolist() == [len(lengths), sum(lengths)]


@pytest.mark.wide
@pytest.mark.parametrize("metric", ALL, **named)
def test_scores_lie_between_0_and_1_and_are_1_for_the_reference(metric):
    made = Texts(Material.of_texts(["a b c", "d"], [["a x c e", "d f"]]), [["a x c e", "d f"], ["y", "d"], ["", ""]])
    counts = metric.count(made.material, made.candidates)
    for scores in (metric.of_systems(counts, made.candidates.chosen), metric.of_candidates(counts)):
        assert all(((values >= 0) & (values <= 1)).all() for values in scores.values())
        assert scores[metric.main_scores[0]][0] == pytest.approx(1)


@pytest.mark.wide
def test_edits_can_be_those_of_errant():
    """It takes two misspelled words for two edits, which are one difference in words."""
    pytest.importorskip("errant")
    made = Texts(Material.of_texts(["This is teh chese ."], [["This is the cheese ."]]), [["This is the chese ."]])
    for spec, right in (("gotoscorer:weights=none", 0), ("gotoscorer:weights=none:edits=errant", 1)):
        assert metric_of(spec).count(made.material, made.candidates)[0, 0, 0] == right
    by_errant = metric_of("cleme:edits=errant")
    assert by_errant.count(made.material, made.candidates)[0, 0, KEPT] == 2
    assert "|references:1|edits:errant|errant:" in by_errant.signature(made.material)
    assert not by_errant.reads_edits


def test_signatures_name_settings_and_where_edits_come_from():
    material = Material.of_texts(["a"], [["b"]])
    assert metric_of("cleme").signature(material) == "cleme|beta:0.5|weights:length|references:1|edits:texts"
    wanted = "cleme2-independent|hit,wrong,under,over:0.45,0.35,0.15,0.05|weights:none|references:1|edits:texts"
    assert metric_of("cleme2-independent").signature(material) == wanted


@pytest.mark.wide
def test_every_tenth_sentence_of_the_shared_task_equals_the_definition():
    material, outputs = published.gjg15_texts(), published.gjg15_outputs()
    kept = range(0, material.sentences, 10)
    source, *right = ([lines[place] for place in kept] for lines in (material.source, *material.texts))
    candidates = Candidates.of([[output[place] for place in kept] for output in outputs])
    references = list(zip(*right, strict=True))
    for metric in ALL:
        counts = metric.count(Material.of_texts(source, right), candidates)
        found = metric.of_systems(counts, candidates.chosen)[metric.main_scores[0]]
        how = metric.is_independent, metric.weights == "length", isinstance(metric, Cleme2)
        wanted = [score(source, [output[place] for place in kept], references, *how) for output in outputs]
        assert found == pytest.approx(wanted, abs=1e-9)
