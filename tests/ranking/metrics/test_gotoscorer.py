"""GoToScorer: by hand, and against its definition."""

import numpy as np
import pytest
from hypothesis import given, settings

from ranking.metrics.base import ABSENT
from ranking.metrics.catalogue import metric_of
from ranking.metrics.gotoscorer import GoToScorer
from ranking.metrics.material import Candidates, Edit, Material
from ranking.metrics.scoring import score
from tests.ranking.metrics import published
from tests.ranking.metrics.ngram_texts import Texts, texts
from tests.ranking.metrics.plain_gotoscorer import by_definition

TOY = Texts(Material.of_texts(["a b"], [["a x"]]), [["a x"], ["a b"], ["y b"]])
PLAIN = GoToScorer(weights="none")


def counted(metric, made):
    return metric.count(made.material, made.candidates)


@pytest.mark.wide
def test_by_hand():
    """Two of three are wrong about b → x, and one about a; all are right about the three places between words."""
    assert counted(GoToScorer(), TOY).tolist() == [[[2, 0, 0, 1]], [[0, 0, 2, 1]], [[0, 1, 2, 0]]]
    assert counted(PLAIN, TOY).tolist() == [[[1, 0, 0, 4]], [[0, 0, 1, 4]], [[0, 1, 1, 3]]]
    scores = GoToScorer().of_systems(counted(GoToScorer(), TOY), TOY.candidates.chosen)
    assert scores["GoToScorer F0.5"].tolist() == [1, 0, 0]
    assert scores["GoToScorer P"].tolist() == [1, 1, 0]
    assert scores["GoToScorer accuracy"] == pytest.approx([1, 1 / 3, 0])
    made = Texts(Material.of_texts(["a b"], [["a x"]]), [["y a z b"]])
    # Two insertions are wrong (FP); b → x is modified and missing.
    assert counted(PLAIN, made).tolist() == [[[0, 3, 1, 2]]]


@pytest.mark.wide
@settings(max_examples=60, deadline=None)
@given(texts())
def test_it_equals_its_definition(made):
    material, candidates = made.material, made.candidates
    for metric in (GoToScorer(), PLAIN):
        counts = counted(metric, made)
        scores = metric.of_systems(counts, candidates.chosen)
        assert all(((values >= 0) & (values <= 1)).all() for values in scores.values())
        for place, source in enumerate(material.source):
            outputs = [output[place] for output in made.outputs]
            for reference, row in enumerate(material.texts):
                found = counts[candidates.chosen[:, place], reference].tolist()
                if row[place] is None:
                    assert found == [[ABSENT] * 4] * len(outputs)
                else:
                    assert found == by_definition(source, row[place], outputs, metric is not PLAIN)


@pytest.mark.wide
def test_outputs_weigh_in_any_order_and_references_scored_like_systems_do_not():
    people = Candidates.of([["a x"], ["a b"], ["y b"]], [["a x"]])
    assert np.array_equal(GoToScorer().count(TOY.material, people), counted(GoToScorer(), TOY))
    scored = score(GoToScorer(), Material.of_texts(["a b"], [["a x"], ["a b"]]), "AB", [["a x"], ["y b"]])
    assert scored.signature.split("|data:")[0] == (
        f"gotoscorer|beta:0.5|weights:difficulty|references:2|edits:texts|{Candidates.of([['a x'], ['y b']]).signature}"
    )
    first, second = (Candidates.of(outputs) for outputs in ([["a"], ["b"]], [["b"], ["a"]]))
    assert first.signature == second.signature == "systems:2:" + first.signature[-8:]
    assert first.signature != Candidates.of([["a"], ["c"]]).signature
    assert metric_of("gotoscorer").among_systems
    assert not metric_of("gotoscorer:weights=none").among_systems


@pytest.mark.wide
def test_edits_of_an_annotator_that_overlap_are_one():
    overlapping = (Edit(0, 2, ("x",)), Edit(1, 2, ("y",)), Edit(2, 2, ("p",)), Edit(2, 3, ("c",)))
    material = Material.of_edits(["a b c"], [[overlapping]])
    # The candidate has one edit, x y p; c → c is none; the places at both ends and the word c are kept.
    assert PLAIN.count(material, Candidates.of([["x y p c"]])).tolist() == [[[0, 1, 2, 3]]]


@pytest.mark.wide
def test_every_tenth_sentence_of_the_shared_task_equals_the_definition():
    material, candidates = published.gjg15_texts(), published.gjg15()
    counts, outputs = GoToScorer().count(material, candidates), published.gjg15_outputs()
    for place in range(0, material.sentences, 10):
        lines = [output[place] for output in outputs]
        wanted = by_definition(material.source[place], material.texts[0][place], lines)
        assert counts[candidates.chosen[:, place], 0].tolist() == wanted, material.source[place]
