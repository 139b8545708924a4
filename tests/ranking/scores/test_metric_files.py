"""Files of metric scores: every layout by hand, every fault with its line, and the published files."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.files.problems import Problems
from ranking.scores.metric_files import read_metric_scores
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel
from tests import published
from tests.shared_data import shared

SYSTEMS = ["AMU", "CAMB"]
NO_NUMBER = "is not a finite number; compute the score again, or leave the metric out"


def read(text: str, systems: list[str] = SYSTEMS, **choices) -> list[MetricScores]:
    return read_metric_scores("scores", text.encode(), systems, **choices)


def problems_of(text: str, **choices) -> list[str]:
    with pytest.raises(Problems) as refusal:
        read(text, **choices)
    return [str(problem) for problem in refusal.value.problems]


def as_lists(found: list[MetricScores]) -> dict[str, list]:
    return {one.metric: one.scores.tolist() for one in found}


@pytest.mark.parametrize(
    "text",
    ["CAMB .2\nAMU .1", "CAMB\t.2\nAMU\t1e-1\n", "CAMB,+.20\n\nAMU,0.1", "CAMB;0,2\nAMU;.1", "\ufeffCAMB .2\r\nAMU .1"],
)
def test_a_score_a_line_is_put_in_the_order_of_the_systems(text):
    (found,) = read(text)
    assert (found.metric, found.level, found.scores.tolist()) == ("scores", ScoreLevel.SYSTEM, [0.1, 0.2])


def test_many_scores_a_line_have_names_and_a_column_for_each_system_may_lack_scores():
    text = "AMU 1 2\nCAMB 3 4"
    assert as_lists(read(text)) == {"scores 1": [1, 3], "scores 2": [2, 4]}
    assert as_lists(read(text, metrics=["M2", "GLEU"])) == {"M2": [1, 3], "GLEU": [2, 4]}
    assert as_lists(read("system\tM2\tGLEU\nAMU\t1\t2\nCAMB\t3\t4")) == {"M2": [1, 3], "GLEU": [2, 4]}
    assert as_lists(read("system,score\nAMU,1\nCAMB,3")) == {"score": [1, 3]}
    assert as_lists(read("1st,2nd\n.5,.6", systems=["1st", "2nd"])) == {"scores": [[0.5, 0.6]]}
    assert as_lists(read("gleu\tsrc-trg\ttest\tCAMB\t.2\ngleu\tsrc-trg\ttest\tAMU\t.1")) == {"gleu": [0.1, 0.2]}
    rows = [f"gleu\tsrc-trg\ttest\t{system}\t{number}\t.{number}" for number in (1, 2) for system in SYSTEMS]
    assert as_lists(read("\n".join(rows))) == {"gleu": [[0.1, 0.1], [0.2, 0.2]]}
    (found,) = read("CAMB,AMU\n1,2\n,\n5,\n", metrics=["human"])
    assert (found.metric, found.level) == ("human", ScoreLevel.SENTENCE)
    assert np.array_equal(found.scores, [[2, 1], [np.nan, np.nan], [np.nan, 5]], equal_nan=True)


@pytest.mark.parametrize("base", [0, 1])
def test_scores_of_sentences_may_be_numbered_from_0_or_from_1(base):
    text = "system\tsegment\tM2\n" + "\n".join(
        f"{system}\t{number + base}\t{number}{place}" for place, system in enumerate(SYSTEMS) for number in (1, 0)
    )
    (found,) = read(text, sentences=2)
    assert (found.level, found.scores.tolist()) == (ScoreLevel.SENTENCE, [[0, 1], [10, 11]])


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("AMU 1", ["scores: has no score of CAMB by scores; add it, or leave the metric out"]),
        ("AMU 1\nCAMB 2\nAMU 3", ["scores, line 3: AMU has a score on line 1 already; keep one of them"]),
        ("AMU 1\nCAMB 2\ncamb 3", ["scores, line 3: camb does not take part; is it CAMB?"]),
        ("AMU 1\nCAMB 2\nX 3", ["scores, line 3: X does not take part; the systems are AMU, CAMB"]),
        ("AMU NaN\nCAMB 1", [f"scores, line 1: scores of AMU: 'NaN' {NO_NUMBER}"]),
        ("AMU 1\nCAMB -inf", [f"scores, line 2: scores of CAMB: '-inf' {NO_NUMBER}"]),
        ("AMU 1e999\nCAMB 1_0", [f"scores, line 1: scores of AMU: '1e999' {NO_NUMBER}",
                                 f"scores, line 2: scores of CAMB: '1_0' {NO_NUMBER}"]),
        ("AMU 0,35\nCAMB 1", ["scores, line 1: scores of AMU: 0,35 has a decimal comma; write a point"]),
        ("AMU,\nCAMB,1", ["scores, line 1: scores of AMU: has no score; write the number, or leave the metric out"]),
        ("AMU 1\nCAMB 1 2",
         ["scores, line 2: has 3 cells where the first line has 2; give each line a score for each column"]),
        ("system,a,a\nAMU,1,2\nCAMB,1,2", ["scores, line 1: names the metric a twice; give each column its own name"]),
        ("", ["scores: the file is empty"]),
        ("\n \n", ["scores: holds no score; write a line 'SYSTEM score' for each system"]),
        ("AMU\nCAMB", ["scores: holds no score; write a line 'SYSTEM score' for each system"]),
        ('AMU,"1\nCAMB,2',
         ["scores, line 2: cannot be read as a table (unexpected end of data); is a quotation mark not closed?"]),
        ("AMU,CAMB,AMU\n1,2,3\n4,5,6", ["scores, line 1: AMU has two columns; keep one of them"]),
        ("AMU,CAMB\n1,2\n\n3,4",
         ["scores, line 3: is empty; remove it, or write only separators for a sentence without scores"]),
        ("AMU x\nX 1", ["scores: has no score of CAMB by scores; add it, or leave the metric out",
                        f"scores, line 1: scores of AMU: 'x' {NO_NUMBER}",
                        "scores, line 2: X does not take part; the systems are AMU, CAMB"]),
    ],
)  # fmt: skip
def test_every_fault_is_reported_with_its_line(text, faults):
    assert problems_of(text)[: len(faults)] == faults


def test_sentences_must_be_those_of_the_material_and_names_as_many_as_columns():
    assert problems_of("AMU,CAMB\n1,2\n3,4", sentences=3) == [
        "scores: scores 2 sentences, but there are 3; score each of them once"
    ]
    assert problems_of("system,line,m\nAMU,1,1\nAMU,2,1\nAMU,3,1\nCAMB,1,1\nCAMB,3,2") == [
        "scores: scores 2 of 3 sentences of CAMB by m; sentence 2 is missing, so add the rest"
    ]
    assert problems_of("system,line,m\nAMU,one,1\nCAMB,1,1") == [
        "scores, line 2: 'one' is not a segment number; number segments from 0 or from 1"
    ]
    assert problems_of("AMU 1 2\nCAMB 1 2", metrics=["M2"]) == [
        "scores, line 1: has 2 scores a line, so give as many names of metrics, not 1"
    ]
    assert problems_of("AMU,CAMB\n1,2", metrics=["M2", "GLEU"]) == [
        "scores: has a column for each system, so it holds one metric and not 2"
    ]


snippets = st.lists(st.sampled_from(["AMU", "CAMB", "x", "1", ".5", "-", "nan", " ", "\t", ",", "\n", '"', "line"]))


@given(st.one_of(st.binary(max_size=60), snippets.map(lambda parts: "".join(parts).encode())))
def test_any_file_is_read_or_refused(content):
    with suppress(Problems):
        for one in read_metric_scores("any", content, SYSTEMS):
            assert one.scores.shape[-1] == len(SYSTEMS)
            assert one.level is ScoreLevel.SENTENCE or np.isfinite(one.scores).all()


@given(st.lists(st.floats(-1e9, 1e9), min_size=3, max_size=3), st.permutations(range(3)))
def test_the_order_of_lines_does_not_matter(scores, order):
    names = ["A", "B", "C"]
    text = "\n".join(f"{names[place]}\t{scores[place]!r}" for place in order)
    assert read(text, systems=names)[0].scores.tolist() == scores


def test_the_published_tables_are_read_by_their_own_names():
    for metric in ("gleu", "imeasure", "m2score"):
        content = shared(f"data/gjg15/metrics/official.{metric}.tsv").read_bytes()
        (found,) = read_metric_scores("official", content, published.golden()["systems"])
        assert (found.metric, found.level, len(found.scores)) == (metric, ScoreLevel.SYSTEM, 13)


@pytest.mark.parametrize("part", ["dev", "test"])
def test_the_published_scores_of_sentences_have_the_published_means(part):
    folder = shared(f"data/gmeg-fce/{part}")
    systems = ["amu", "marian", "nus", "lstm", "lstm-r", "ref", "source", "transformer"]
    sentences = len((folder / "source").read_text(encoding="utf-8").splitlines())
    (by_sentence,) = read_metric_scores(
        "segment", (folder / "segment-scores.csv").read_bytes(), systems, sentences=sentences
    )
    (overall,) = read_metric_scores("corpus", (folder / "corpus-scores.csv").read_bytes(), systems)
    assert np.nanmean(by_sentence.scores, axis=0) == pytest.approx(overall.scores, rel=1e-12)
