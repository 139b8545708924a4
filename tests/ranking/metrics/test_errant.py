"""ERRANT from texts on: by hand, as the package errant does it, and as it printed scores of published texts.

By hand: `She go to school .` has two changes in the reference, go -> went (tense) and a missing determiner, and two in
the output, go -> goes (agreement) and the same determiner. By spans and corrections 1 agrees of 2; by spans both do.
"""

import argparse
import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ranking.metrics.base import ABSENT
from ranking.metrics.errant import KINDS, MODES, Errant, rows_of
from ranking.metrics.errant_edits import Extractor, extractor
from ranking.metrics.f_measure import f_precision_recall
from ranking.metrics.material import Candidates, Material, MetricError
from ranking.metrics.ratio import ratio_scores
from ranking.metrics.scoring import score
from tests.ranking.metrics import published

pytestmark = pytest.mark.long  # to load the parser takes ten seconds

SENTENCES, SYSTEMS = 60, ("amu", "marian", "source+error")
# Cases of the rules: possessives, marks, case, hyphens, auxiliaries, determiners, words that are alike.
WORDS = "the The a cat cats Cat cat's 's ' , . ; well-known well known to be been is are eat eating eats look at it"
texts = st.lists(st.sampled_from(WORDS.split()), max_size=9).map(" ".join)


@pytest.fixture(scope="module")
def errant():
    """The package, with the model that is loaded already."""
    package = pytest.importorskip("errant")
    return package.load("en", extractor().parser.model)


@pytest.fixture(scope="module")
def essays(errant) -> tuple[Material, Candidates]:
    """The first sentences of the published essays, with four references."""
    material = published.gmeg_texts("dev")
    outputs = [published.lines(f"data/gmeg-fce/dev/{name}")[:SENTENCES] for name in SYSTEMS]
    references = [row[:SENTENCES] for row in material.texts]
    return Material.of_texts(material.source[:SENTENCES], references), Candidates.of(outputs)


def as_printed(metric: Errant, sums: np.ndarray) -> list[float]:
    """Counts, precision, recall and F of one output, to four digits."""
    whole = sums.sum(axis=0)
    f, precision, recall = f_precision_recall(whole, metric.beta)
    return [*whole.tolist(), *(round(float(share), 4) for share in (precision, recall, f))]


def theirs(errant, source: str, text: str) -> list[tuple[int, int, str, str]]:
    """Edits as the package makes them, each sentence parsed by itself."""
    edits = errant.annotate(errant.parse(source), errant.parse(text))
    return [(edit.o_start, edit.o_end, edit.type, edit.c_str) for edit in edits]


def ours(source: str, text: str) -> list[tuple[int, int, str, str]]:
    edits = extractor().edits([(source, text)])[source, text]
    return [(edit.start, edit.end, edit.kind, *edit.corrections) for edit in edits]


@pytest.mark.parametrize(("mode", "agree"), [("cs", 1), ("cse", 1), ("ds", 2), ("dt", 2)])
def test_by_hand(errant, mode, agree):
    material = Material.of_texts(["She go to school ."], [["She went to the school ."]])
    candidates = Candidates.of([["She goes to the school ."]])
    metric = Errant(mode=mode)
    sums = metric.sums(metric.count(material, candidates), candidates.chosen)[0]
    assert sums.sum(axis=0).tolist() == [agree, 2 - agree, 2 - agree]
    assert ours(material.source[0], candidates.texts[0]) == [(1, 2, "R:VERB:SVA", "goes"), (3, 3, "M:DET", "the")]


def test_edits_of_published_texts_are_those_of_the_package(errant, essays):
    material, candidates = essays
    rng, source = random.Random(17), list(material.source)
    pairs = [(source[place], text) for place, text in zip(candidates.sentence, candidates.texts, strict=True)]
    pairs += zip(rng.sample(source, 20), rng.sample(source, 20), strict=True)
    assert len(pairs) > 150
    for pair in pairs:
        assert ours(*pair) == theirs(errant, *pair)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts.filter(bool), texts.filter(bool))
def test_edits_of_made_texts_are_those_of_the_package(errant, source, text):
    assert ours(source, text) == theirs(errant, source, text)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("beta", [0.2, 0.5])
def test_counts_are_those_of_the_package(errant, essays, mode, beta):
    """By what the package's own command does with edits."""
    from errant.commands import compare_m2

    material, candidates = essays
    choices = argparse.Namespace(
        beta=beta, verbose=False, single=False, multi=False, filt=[], **{each: each == mode for each in MODES}
    )
    metric = Errant(beta=beta, mode=mode)
    sums = metric.sums(metric.count(material, candidates), candidates.chosen)

    def processed(source: str, *texts: str) -> dict:
        edits = [[*edit, number] for number, text in enumerate(texts) for edit in ours(source, text)]
        nothing = [[-1, -1, "noop", "-NONE-", number] for number, text in enumerate(texts) if not ours(source, text)]
        return compare_m2.process_edits([*edits, *nothing], choices)

    for row, found in zip(candidates.chosen, sums, strict=True):
        best, kinds = Counter(tp=0, fp=0, fn=0), {}
        for place, source in enumerate(material.source):
            output = processed(source, candidates.texts[row[place]])
            references = processed(source, *(row[place] for row in material.texts))
            more, of_kinds = compare_m2.evaluate_edits(output, references, best, place, source, choices)
            best += Counter(more)
            kinds = compare_m2.merge_dict(kinds, of_kinds)
        assert found.sum(axis=0).tolist() == [best["tp"], best["fp"], best["fn"]]
        assert {kind: counts for kind, counts in zip(KINDS, found.tolist(), strict=True) if any(counts)} == kinds


def test_the_scores_of_the_published_essays_to_every_printed_digit(errant):
    names = ("marian", "source")
    material = published.gmeg_texts("test")
    candidates = Candidates.of([published.lines(f"data/gmeg-fce/test/{name}") for name in names])
    for mode, beta in (("cs", 0.5), ("cs", 0.2), ("cse", 0.5), ("cse", 0.2), ("ds", 0.5), ("dt", 0.5)):
        metric = Errant(beta=beta, mode=mode)
        sums = metric.sums(metric.count(material, candidates), candidates.chosen)
        for name, found in zip(names, sums, strict=True):
            golden = published.golden()["gmeg"][f"test.fce.{name}"]["errant"][f"{mode}.{beta}"]
            assert as_printed(metric, found) == [golden[key] for key in ("TP", "FP", "FN", "P", "R", "F")]
            rows = {kind: [*row[:3], *(round(share, 4) for share in row[3:])] for kind, *row in rows_of(found, beta)}
            for category, printed in (golden["categories"] or {}).items():
                assert rows[category] == printed


def test_a_parsed_pair_is_not_parsed_again(errant, monkeypatch):
    fresh, steps = Extractor(extractor().parser), []
    found = fresh.edits([("a cat", "cats"), ("a cat", "the cat")], lambda *so_far: steps.append(so_far))
    assert steps == [(2, 2)]
    monkeypatch.setattr(fresh.parser, "parse", None)
    assert fresh.edits([("a cat", "the cat"), ("a cat", "cats"), ("a", "a")]) == found | {("a", "a"): ()}


def test_only_so_many_are_kept(errant, monkeypatch):
    monkeypatch.setattr("ranking.metrics.errant_edits.MOST_CACHED", 1)
    few = Extractor(extractor().parser)
    assert len(few.edits([("a cat", "cats"), ("a cat", "the cat")])) == 2
    assert list(few.cached) == [("a cat", "the cat")]


def test_ratios_and_scores_of_sentences_and_types_come_from_the_same_counts(errant):
    material = Material.of_texts(["She go .", "A cat ."], [["She goes .", "A cat ."], ["She went .", "The cat ."]])
    outputs = [["She goes .", "The cat ."], ["She go .", "A cat ."]]
    scored = score(Errant(), material, ["A", "B"], outputs)
    assert scored.systems["ERRANT F0.5"].tolist() == [1, 0]
    assert scored.sentences["ERRANT F0.5"].tolist() == [[1, 0], [1, 1]]
    assert {table.name for table in scored.tables} >= {"f_scores", "error_types", "score_intervals"}
    with pytest.raises(MetricError, match="score 0 or less"):
        ratio_scores(Errant(), material, outputs)


@pytest.mark.parametrize(
    ("source", "output", "references", "scores"),
    [
        ("", "a b", ["", None], [0, 0, 1]),
        ("", "a b", ["a b"], [1, 1, 1]),
        ("a b", "", [None, "a b", ""], [1, 1, 1]),
        ("", "", ["a", None], [0, 1, 0]),
        ("", "", [None], [1, 1, 1]),
        ("it is", "it  was\u00a0", ["it was"] * 10, [1, 1, 1]),
    ],
)
def test_empty_and_missing_texts(errant, source, output, references, scores):
    material, candidates = (
        Material.of_texts([source], [[reference] for reference in references]),
        Candidates.of([[output]]),
    )
    counts = Errant().count(material, candidates)
    assert [(row == ABSENT).all() for row in counts[0]] == [reference is None for reference in references]
    for found in (Errant().of_systems(counts, candidates.chosen), Errant().of_candidates(counts)):
        assert [found[name][0] for name in Errant().main_scores] == scores
        assert all(np.isfinite(values).all() for values in found.values())
    with pytest.raises(MetricError, match="there is no reference"):
        Errant().count(Material.of_texts(["a"], []), candidates)


@pytest.mark.parametrize("different", [1, 3, 1000])
def test_long_lines_take_no_long_time(errant, different):
    """Nothing is kept, or nearly everything could have been moved."""
    rng = random.Random(different)
    source, text = (
        " ".join(f"{sign}{rng.randrange(different)}" for _ in range(600))
        for sign in ("x", "x" if different == 3 else "y")
    )
    edits = extractor().edits([(source, text)])[source, text]
    assert all(edit.end <= later.start for edit, later in pairwise(edits))
    assert edits[-1].end <= 600
    assert (len(edits) >= 600) == (different != 3), "more changes in a row than rules join are an edit each"
