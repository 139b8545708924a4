"""I-measure: by hand, as published, and against a plain table of all cells and all mixtures.

By hand, w = 2: the source `a cat sat`, the references `the dog sat` and `a cat sat`. The output `a dog sat` against the
first: a/a/the FN, cat/dog/dog TP, sat TN; WAcc = (2 + 1) / (2 + 1 + 1) = 3/4, the source has TN 1, FN 2 and 1/3, so
I = (3/4 - 1/3) / (2/3) = 5/8. Against the second: TN 2, FP 1; WAcc = 2/4, so the first is taken. The output `one dog
sat` against the first: one differs from both a and the, so FP 1, FN 1, FPN 1 in correction, and TP in detection;
WAcc = (2 + 1) / (2 x 2 + 1 + 1 - 3/2) = 2/3 and I = (2/3 - 1/3) / (2/3) = 1/2; in detection all is right, 1.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.rules.texts.m2 import UNCLEAR
from ranking.metrics import imeasure_mixing
from ranking.metrics.base import ABSENT
from ranking.metrics.imeasure import NOT_SHOWN, IMeasure, best_counts_of, first_best
from ranking.metrics.imeasure_alignment import COLUMNS, FN, FP, FPN, PAID, TN, TP, align
from ranking.metrics.imeasure_mixing import ALL_COLUMNS, SOURCE_FN, SOURCE_TN, best_sum, clusters
from ranking.metrics.material import Candidates, Edit, Material, MetricError, Vocabulary, apply_edits
from tests.ranking.metrics import published
from tests.ranking.metrics.plain_imeasure import align_in_a_table
from tests.ranking.metrics.published import gjg15, gjg15_gold, gjg15_systems, gjg15_texts, gmeg, gmeg_gold, gmeg_texts

APPLIED: frozenset[str] = frozenset()
TOY = Material.of_texts(["a cat sat"], [["the dog sat"], ["a cat sat"]])

words = st.lists(st.sampled_from("abcd"), max_size=7)
triples = st.tuples(words, words, words)


def scored(metric: IMeasure, material: Material, *outputs: list[str]):
    candidates = Candidates.of(outputs)
    counts = metric.count(material, candidates)
    return counts, metric.of_systems(counts, candidates.chosen)


def aligned(*texts: list[str], most_cells: int = 1 << 20) -> list[int]:
    return align(Vocabulary().words(map(" ".join, texts)), np.array([[0, 1, 2]]), most_cells)[0].tolist()


@pytest.mark.wide
def test_the_toy_and_a_source_that_is_left_as_it_is():
    counts, scores = scored(IMeasure(), TOY, ["a dog sat"], ["one dog sat"], ["a cat sat"])
    assert counts[0].tolist() == [[1, 1, 0, 1, 0, 1, 2], [0, 2, 1, 0, 0, 3, 0]]
    assert counts[1].tolist() == [[1, 1, 1, 1, 1, 1, 2], [0, 1, 2, 0, 0, 3, 0]]
    assert scores["I-measure WAcc"].tolist() == pytest.approx([3 / 4, 2 / 3, 1])
    assert scores["I-measure"].tolist() == pytest.approx([5 / 8, 1 / 2, 1])
    assert scores["I-measure detection"].tolist() == pytest.approx([5 / 8, 1, 1])
    assert scores["I-measure correction P"].tolist() == [1, 1 / 2, 1]
    assert scores["I-measure correction FPN"].tolist() == [0, 1, 0]
    _, scores = scored(IMeasure(), TOY.only([0]), ["a cat sat"])
    assert scores["I-measure"].tolist() == [0]
    assert (scores["I-measure correction P"].item(), scores["I-measure correction R"].item()) == (1, 0)


@pytest.mark.wide
def test_it_has_a_name_and_a_signature_and_a_sentence_counts_as_often_as_it_is_chosen():
    assert IMeasure().signature(TOY) == "i-measure|weight:2|mixing:no|references:2|edits:texts"
    assert IMeasure(mixing=True, cap=9).signature(TOY) == "i-measure|weight:2|mixing:9|references:2|edits:texts"
    assert IMeasure().by_reference
    assert not IMeasure(mixing=True).by_reference
    _, scores = scored(IMeasure(), TOY, ["a"])
    assert set(IMeasure().main_scores) <= scores.keys()
    with pytest.raises(MetricError, match="weight must lie between 1 and"):
        IMeasure(weight=0)
    material = Material.of_texts(["a b", "c d"], [["a x", "c d"]])
    candidates = Candidates.of([["a x", "c c"]])
    counts = IMeasure().count(material, candidates)
    scores = IMeasure().of_systems(counts, np.array([[0, 1, 1], [0, 0, 0]]))
    assert scores["I-measure correction TN"].tolist() == [3, 3]
    assert scores["I-measure"][1] == IMeasure().of_candidates(counts)["I-measure"][0] == 1


@pytest.mark.wide
@pytest.mark.parametrize("material_of", [gmeg_texts, gmeg_gold])
@pytest.mark.parametrize("part", ["dev", "test"])
def test_the_learners_essays_score_as_the_reference_program_scores_them(part, material_of):
    """Plain references and the edits that were made of them are the same texts."""
    _, scores = scored_of_published(material_of(part), gmeg(part))
    for place, system in enumerate(published.GMEG_SYSTEMS):
        wanted = published.golden()["gmeg"][f"{part}.fce.{system}"]["i_measure"]
        for level, letter in (("correction", "C"), ("detection", "D")):
            for name in ("P", "R", "Acc", "Acc_b", "WAcc_b"):
                assert scores[f"I-measure {level} {name}"][place] == pytest.approx(wanted[letter][name], abs=1e-12)
        for name in ("TP", "TN", "FP", "FN", "FPN"):
            assert scores[f"I-measure correction {name}"][place] == wanted["C"][name]
        for prefix, letter in (("I-measure", "C"), ("I-measure detection", "D")):
            assert scores[prefix][place] == pytest.approx(wanted[letter]["I"], abs=1e-12)
            assert scores[f"{prefix} WAcc"][place] == pytest.approx(wanted[letter]["WAcc"], abs=1e-12)


@pytest.mark.wide
def test_the_shared_task_scores_against_texts_as_the_reference_program_scores_it():
    _, scores = scored_of_published(gjg15_texts(), gjg15())
    wanted = [published.golden()["conll14"]["scores"][system]["I_nomix"] for system in gjg15_systems()]
    assert (100 * scores["I-measure"]).tolist() == pytest.approx(wanted, abs=1e-9)
    of_edits = scored_of_published(gjg15_gold(), gjg15())[1]
    assert of_edits["I-measure"] == pytest.approx(scores["I-measure"], abs=1e-12)


@pytest.mark.wide
@pytest.mark.parametrize(("left_out", "near"), [(UNCLEAR, 0.13), (APPLIED, 0.055)])
def test_the_published_scores_of_the_shared_task_are_near(left_out, near):
    _, scores = scored_of_published(gjg15_gold(left_out), gjg15())
    wanted = [float(published.official("imeasure")[system]) for system in gjg15_systems()]
    assert (100 * scores["I-measure"]).tolist() == pytest.approx(wanted, abs=near)


@pytest.mark.wide
def test_they_differ_as_the_published_ones_were_made_of_edits_changed_on_the_way():
    """Words of corrections were split anew (`known,the`), and of two insertions in one place one was lost."""
    gold = gjg15_gold(APPLIED)
    edits = tuple(
        tuple(None if made is None else tuple(as_converted(made)) for made in reference) for reference in gold.edits
    )
    _, scores = scored_of_published(replace(gold, given=edits), gjg15())
    ours = dict(zip(gjg15_systems(), (100 * scores["I-measure"]).tolist(), strict=True))
    wanted = {system: float(published.official("imeasure")[system]) for system in gjg15_systems()}
    assert ours == pytest.approx(wanted, abs=0.0101)
    assert {system for system in ours if round(ours[system], 2) != wanted[system]} == {"CAMB", "POST"}


def scored_of_published(material: Material, candidates: Candidates):
    counts = IMeasure().count(material, candidates)
    return counts, IMeasure().of_systems(counts, candidates.chosen)


def as_converted(edits: tuple[Edit, ...]) -> list[Edit]:
    converted: dict[tuple[int, int], Edit] = {}
    for edit in edits:
        split = re.sub(r"(?<=\w),(?=\D)", " , ", re.sub(r"(?<=\w)\.$", " .", edit.corrections[0]))
        converted.setdefault((edit.start, edit.end), edit._replace(corrections=(split,)))
    return list(converted.values())


@pytest.mark.wide
@settings(max_examples=150, deadline=None)
@given(triples)
def test_the_alignment_is_that_of_a_table_of_all_cells(texts):
    assert aligned(*texts) == align_in_a_table(*texts)


@pytest.mark.wide
@settings(max_examples=100, deadline=None)
@given(triples, st.integers(1, 100))
def test_lines_that_are_cut_are_aligned_at_no_less_and_wholly(texts, most_cells):
    cut, whole = aligned(*texts, most_cells=most_cells), aligned(*texts)
    assert cut[PAID] >= whole[PAID]
    columns = cut[TP] + cut[TN] + cut[FP] + cut[FN] - cut[FPN]
    assert max(map(len, texts)) <= columns <= sum(map(len, texts))


@pytest.mark.wide
@settings(max_examples=50, deadline=None)
@given(words, words, words)
def test_the_counts_of_source_and_reference_as_outputs(source, reference, other):
    material = Material.of_texts([" ".join(source)], [[" ".join(reference)]])
    counts, scores = scored(IMeasure(), material, [" ".join(source)], [" ".join(reference)], [" ".join(other)])
    left = counts[0, 0]
    assert (left[TN], left[FN], left[TP], left[FP]) == (left[SOURCE_TN], left[SOURCE_FN], 0, 0)
    assert scores["I-measure"][1] == 1 or source == reference
    assert all(np.isfinite(score).all() for score in scores.values())
    assert (scores["I-measure"] >= -1).all()
    assert (scores["I-measure detection WAcc"] >= scores["I-measure WAcc"]).all()


@pytest.mark.wide
@settings(max_examples=50, deadline=None)
@given(words, st.lists(words, min_size=1, max_size=4), words)
def test_another_order_of_references_or_one_twice_changes_no_score(source, references, output):
    texts = [[" ".join(text)] for text in references]
    orders = (texts, [*texts, texts[0]])
    scores = [scored(IMeasure(), Material.of_texts([" ".join(source)], each), [" ".join(output)])[1] for each in orders]
    assert scores[0] == scores[1]
    turned = scored(IMeasure(), Material.of_texts([" ".join(source)], texts[::-1]), [" ".join(output)])[1]
    assert turned["I-measure WAcc"] == scores[0]["I-measure WAcc"]
    assert turned["I-measure"] == scores[0]["I-measure"]


@pytest.mark.wide
@pytest.mark.parametrize("metric", [IMeasure(), IMeasure(mixing=True)])
def test_empty_missing_and_degenerate_texts_do_no_harm(metric):
    material = Material.of_texts(["", "a b", "a b", "c"], [["x", None, "a", ""], [None, None, "a b", "c"]])
    counts, scores = scored(metric, material, ["", "a b", "", ""], ["y", "", "a", "c"])
    assert all(np.isfinite(score).all() for score in scores.values())
    assert all(np.isfinite(score).all() for score in metric.of_candidates(counts).values())
    if metric.by_reference:
        assert counts[0, 1].tolist() == [ABSENT] * ALL_COLUMNS
    none = Candidates.of([])
    assert metric.of_systems(metric.count(material, none), none.chosen)["I-measure"].shape == (0,)
    line = [f"w{number % 97}" for number in range(600)]
    references = [[" ".join([*line[:at], "x", *line[at + 2 :]])] for at in range(0, 500, 50)]
    material = Material.of_texts([" ".join(line)], references)
    _, scores = scored(metric, material, [" ".join(["again"] * 600)], [" ".join(line[::-1])], [""])
    assert all(np.isfinite(score).all() for score in scores.values())


def test_a_sentence_that_is_too_long_is_named():
    material = Material.of_texts(["a", "a " * 6000], [["a", "a"]])
    with pytest.raises(MetricError, match="Sentence 2 is too long"):
        IMeasure().count(material, Candidates.of([["a", "b " * 6000]]))


def test_clusters_hold_overlapping_edits():
    """As in the toy of the module."""
    references = [(Edit(1, 2, ("x",)),), (Edit(1, 3, ("y",)),), (Edit(4, 4, ("e",)),)]
    one, other = clusters(["a", "b", "c", "d"], references)
    assert one == (1, 3, (("x", "c"), ("y",), ("b", "c")), (0, 1, 2))
    assert other == (4, 4, ((), ("e",)), (0, 0, 1))
    # An insertion at the edge of a cluster is another.
    found = clusters(["a", "b"], [(Edit(0, 0, ("x",)), Edit(0, 1, ("y",))), (Edit(1, 1, ("z",)),)])
    assert [(cluster.start, cluster.end) for cluster in found] == [(0, 0), (0, 1), (1, 1)]
    assert mixtures(found) == 8


rows = st.lists(st.tuples(*[st.integers(0, 3)] * ALL_COLUMNS), min_size=1, max_size=4)


@pytest.mark.wide
@settings(max_examples=100, deadline=None)
@given(st.lists(rows, min_size=1, max_size=4), st.integers(1, 3))
def test_the_best_sum_is_the_best_of_all(blocks, weight):
    """Counts that alignments can have: FPN is part of FP and of FN."""
    blocks = [
        [(tp, tn, fp + fpn, fn + fpn, fpn, tn_b, fn_b) for tp, tn, fp, fn, fpn, tn_b, fn_b in rows] for rows in blocks
    ]
    sums = [np.zeros(ALL_COLUMNS, dtype=int)]
    for block in blocks:
        sums = [before + np.array(row) for before in sums for row in block]
    found = best_sum(blocks, weight, partial(first_best, weight=weight))
    assert found.is_best
    assert found.counts == tuple(best_counts_of(np.array(sums), weight).tolist())
    assert found.counts == tuple(np.sum([block[row] for block, row in zip(blocks, found.rows, strict=True)], axis=0))


def mixtures(found: Iterable[imeasure_mixing.Cluster]) -> int:
    return prod(len(cluster.alternatives) for cluster in found)


def all_mixtures(source: list[str], found) -> list[str]:
    spans = [[Edit(cluster.start, cluster.end, (" ".join(by),)) for by in cluster.alternatives] for cluster in found]
    return [apply_edits(" ".join(source), edits) for edits in product(*spans)]


def against(source: list[str], output: list[str], references: list[str]) -> np.ndarray:
    texts = Vocabulary().words([" ".join(source), " ".join(output), *references])
    rows = range(2, len(texts))
    left, mine = (align(texts, np.array([[0, text, row] for row in rows])) for text in (0, 1))
    return np.column_stack((mine[:, :COLUMNS], left[:, TN], left[:, FN]))


def mixed(source: list[str], found, output: list[str], weight: int, cap: int) -> imeasure_mixing.BestSum:
    best_of = partial(first_best, weight=weight)
    sentence = imeasure_mixing.MixedSentence(source, found)
    return imeasure_mixing.best_mixture(sentence, output, weight, cap, best_of)


@st.composite
def mixing_cases(draw):
    source = draw(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12))
    places = st.integers(0, len(source))
    span = st.tuples(places, st.integers(0, 2), st.lists(st.sampled_from("abxy"), max_size=2))
    changes = st.lists(span, max_size=3)

    def edits(changes):
        made = {Edit(start, min(start + length, len(source)), (" ".join(by),)) for start, length, by in changes}
        return tuple(sorted(made))

    references = [edits(draw(changes)) for _ in range(draw(st.integers(1, 3)))]
    output = list(source)
    for edit in reversed(edits(draw(changes))):
        output[edit.start : edit.end] = edit.corrections[0].split()
    return source, references, output


@pytest.mark.wide
@settings(max_examples=250, deadline=None)
@given(mixing_cases(), st.integers(1, 3), st.sampled_from([1, 3, 1000]))
def test_a_mixture_shown_best_is_the_best_of_all_mixtures(case, weight, cap):
    source, references, output = case
    found = clusters(source, references)
    everything = against(source, output, all_mixtures(source, found))
    whole = against(source, output, [apply_edits(" ".join(source), edits) for edits in references])
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(imeasure_mixing, "FEW", 0)
        choice = mixed(source, found, output, weight, cap)
    if choice.is_best:
        assert choice.counts == tuple(best_counts_of(everything, weight).tolist())
    else:
        assert cap < mixtures(found)
        assert list(choice.counts) in everything.tolist()
        both = np.array([best_counts_of(whole, weight), choice.counts])
        assert first_best(both[::-1], weight) == 0


@pytest.mark.wide
def test_mixing_serves_an_output_between_references_and_counts_what_is_not_proven():
    """`the` is of the first reference, `mat` of the second; no reference has both."""
    material = Material.of_texts(["a cat sat on a rug"], [["the cat sat on a rug"], ["a cat sat on a mat"]])
    output = ["the cat sat on a mat"]
    assert scored(IMeasure(), material, output)[1]["I-measure"] == pytest.approx(-0.1)
    counts, scores = scored(IMeasure(mixing=True), material, output)
    assert counts.tolist() == [[2, 4, 0, 0, 0, 4, 2, 0]]
    assert scores["I-measure"] == 1
    # An output that has nothing of the source leaves no place to cut.
    material = Material.of_texts(["a b c d e"], [["A b C d E"], ["1 b 2 d 3"]])
    output = ["x x x"]
    for cap, not_shown in ((8, 0), (7, 1)):
        counts, scores = scored(IMeasure(mixing=True, cap=cap), material, output, ["a b c d e"])
        assert counts[:, NOT_SHOWN].tolist() == [not_shown, 0]
        assert scores["I-measure not shown best"].tolist() == [not_shown, 0]


@pytest.mark.wide
@pytest.mark.parametrize(("few", "most_cells", "is_best"), [(16, 196, True), (16, 195, False), (0, 195, False)])
def test_mixing_proves_nothing_beyond_its_memory(monkeypatch, few, most_cells, is_best):
    """Four mixtures of tables of 7 x 7 cells, or with a cut the words of the mixtures of both parts, 10 such tables."""
    monkeypatch.setattr(imeasure_mixing, "FEW", few)
    monkeypatch.setattr(imeasure_mixing, "MOST_CELLS", most_cells)
    source = ["a", "cat", "sat", "on", "a", "rug"]
    found = clusters(source, [(Edit(0, 1, ("the",)),), (Edit(5, 6, ("mat",)),)])
    assert mixed(source, found, ["the", "cat", "sat", "on", "a", "mat"], 1, 1000).is_best == is_best


@pytest.mark.wide
def test_mixing_proves_the_best_for_every_output_of_the_learners_essays():
    candidates, material = gmeg("test"), gmeg_gold("test")
    few = candidates.sentence < 60
    some = Candidates(tuple(np.array(candidates.texts)[few]), candidates.sentence[few], candidates.chosen[:, :60])
    mixing = IMeasure(mixing=True)
    counts = mixing.count(material, some)
    whole = IMeasure().of_candidates(IMeasure().count(material, some))
    assert counts[:, NOT_SHOWN].sum() == 0
    assert (mixing.of_candidates(counts)["I-measure WAcc"] >= whole["I-measure WAcc"]).all()
