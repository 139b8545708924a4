"""Scoring as a whole: requests, refusals, and the numbers of a metric simple enough to check by hand."""

import numpy as np
import pytest

from judgments.rules.files.problems import Problems
from ranking.metrics import catalogue
from ranking.metrics.bleu import Bleu
from ranking.metrics.catalogue import Labelled, metric_of, metrics_of
from ranking.metrics.material import FROM_M2, Edit, Material, MetricError
from ranking.metrics.scoring import score, tables_of
from ranking.scores.files import GivenFile, read_lines, read_material, read_outputs
from tests.ranking.metrics.toy import Toy

MATERIAL = Material.of_texts(["a b", "c d"], [["a x", "c d"]])
GOLD = b"S a b\nA 1 2|||X|||x|||REQUIRED|||-NONE-|||0\n\nS c d\n"


@pytest.fixture(autouse=True)
def _toy(monkeypatch):
    monkeypatch.setitem(catalogue.METRICS, "toy", Toy)


def test_scores_by_hand_with_their_intervals_and_tables():
    scored = score(Toy(), MATERIAL, ["A", "B"], [["a b", "c d"], ["a x", "c d"]])
    assert scored.systems["Toy"].tolist() == [0.75, 1.0]
    assert scored.sentences["Toy"].tolist() == [[0.5, 1.0], [1.0, 1.0]]
    assert scored.signature.startswith("toy|weight:1.0|edits:texts|data:")
    steps = []
    score(Toy(), MATERIAL, ["A", "B"], [["a b", "c d"], ["a b", "c  d"]], lambda done, total: steps.append(total))
    assert steps == [2, 2], "identical outputs are counted once"
    empty = score(Toy(), MATERIAL, ["A"], [["", ""]])
    assert all(np.isfinite(values).all() for values in (*empty.systems.values(), *empty.sentences.values()))
    outputs = [["a b", "c d"], ["a x", "c d"]]
    first, second = (score(Toy(), MATERIAL, ["A", "B"], outputs).tables[0] for _ in range(2))
    assert first == second
    rows = {row["system"]: row for row in first.dicts() if row["metric"] == "Toy"}
    assert (rows["A"]["low"], rows["A"]["value"], rows["A"]["high"]) == (0.5, 0.75, 1.0)
    assert (rows["B"]["low"], rows["B"]["high"]) == (1.0, 1.0)
    scored = score(Toy(), MATERIAL, ["A"], [["a b", "c d"]])
    scores, signatures, *others = tables_of([scored, scored])
    assert scores.rows[0] == ("Toy", "system", "A", None, 0.75)
    assert ("Toy", "sentence", "A", 2, 1.0) in scores.rows
    assert str(signatures.rows[0][1]).startswith("toy|weight:1.0|edits:texts|data:")
    assert {table.name for table in others} == {"score_intervals", "error_types"}
    assert others[1].rows == (("Toy", "A", "any"),)


@pytest.mark.parametrize(
    ("names", "outputs", "message"),
    [(["A"], [["a b"]], "A has 1 line where the source has 2"), ([], [], "There is nothing to score")],
)
def test_outputs_of_other_sentences_are_refused(names, outputs, message):
    with pytest.raises(MetricError, match=message):
        score(Toy(), MATERIAL, names, outputs)


def test_settings_follow_colons_and_stand_in_the_names_of_scores():
    assert metric_of("toy:weight=2:strict=yes") == Labelled(Toy(2.0, True), "strict=yes, weight=2")
    assert list(metrics_of(" toy , toy:weight=2, TOY:weight=2.0, toy:weight=1")) == ["toy", "toy:weight=2"]
    scored = score(metric_of("toy:weight=2"), MATERIAL, ["A"], [["a b", "c d"]])
    assert scored.systems["Toy (weight=2)"].tolist() == [1.5]
    assert scored.main_scores == ("Toy (weight=2)", "Toy (weight=2) words")
    assert {row[0] for table in scored.tables for row in table.rows} == {*scored.main_scores, "Toy (weight=2)"}


CHINESE = Material.of_texts(["他去学校 。"], [["他去了学校。"], ["她去学校。"]])


@pytest.mark.wide
@pytest.mark.parametrize(
    "name", ["m2", "gleu", "green", "i-measure", "bleu", "cleme", "cleme2-independent", "gotoscorer"]
)
def test_characters_can_take_the_place_of_words(name):
    """Without spaces a sentence is a word, and one that is nearly right is wrong; spaces do not matter."""
    metric, words = metric_of(f"{name}:tokens=characters"), metric_of(name)
    apart = Material.of_texts(["他 去 学 校 。"], [["他 去 了 学 校 。"], ["她 去 学 校 。"]])
    outputs = [["他去了学校。"], ["他去学校。"], ["她去了学 校。"]]
    found = score(metric, CHINESE, "ABC", outputs)
    wanted = score(words, apart, "ABC", [[" ".join("".join(line.split()))] for (line,) in outputs])
    assert found.systems[metric.main_scores[0]].tolist() == wanted.systems[words.main_scores[0]].tolist()
    assert "|tokens:characters" in found.signature
    assert [table.name for table in found.tables] == [table.name for table in wanted.tables]


@pytest.mark.wide
@pytest.mark.parametrize("name", ["m2", "green", "cleme", "cleme-independent", "gotoscorer"])
def test_metrics_with_precision_and_recall_have_f_for_many_betas(name):
    metric = metric_of(name)
    scored = score(metric, MATERIAL, ["A", "B"], [["a b", "x d"], ["a x", "c d"]])
    (table,) = (table for table in scored.tables if table.name == "f_scores")
    title, _, f = metric.main_scores[0].partition(" F")
    assert {row[0] for row in table.rows} == {title}
    found = {row["system"]: row["f"] for row in table.dicts() if row["beta"] == float(f)}
    assert list(found.values()) == scored.systems[metric.main_scores[0]].tolist()


def test_edits_of_words_become_edits_of_characters_and_signatures_have_a_digest_of_the_material():
    material = Material.of_edits(["ab c"], [[(Edit(1, 2, ("de f", "")), Edit(2, 2, ("g",)))]]).in_characters()
    assert (material.source, material.texts) == (("a b c",), (("a b d e f g",),))
    assert material.edits == (((Edit(2, 3, ("d e f", "")), Edit(3, 3, ("g",))),),)
    other = Material.of_texts(["a b", "c d"], [["a x", "c e"]])
    signatures = {score(Toy(), material, ["A"], [["a", "c"]]).signature for material in (MATERIAL, other, MATERIAL)}
    assert len(signatures) == 2


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("bleurt", "There is no metric 'bleurt'; choose from"),
        ("toy:height=2", "toy has no setting 'height=2'; it has weight=1.0, strict=False"),
        ("toy:weight", "toy has no setting 'weight'"),
        ("toy:weight=much", "toy: weight is a number, not 'much'"),
        ("toy:weight=nan", "toy: weight is a number, not 'nan'"),
        ("toy:strict=perhaps", "toy: strict is yes or no"),
        ("toy:weight=0", "weight must be above 0"),
        ("toy:tokens=letters", "toy: tokens is words or characters, not 'letters'"),
        ("chrf:tokens=characters", "chrf does not take characters for words; leave tokens=characters out."),
        ("cleme:edits=errant:tokens=characters", "cleme does not take characters for words"),
        (" , ", "Name at least one metric"),
    ],
)
def test_a_bad_request_is_refused_in_a_sentence(spec, message):
    with pytest.raises(MetricError, match=message):
        metrics_of(spec)


def as_files(**files: bytes) -> list[GivenFile]:
    return [GivenFile(name, content) for name, content in files.items()]


def test_files_of_texts_stand_beside_an_m2_file_and_what_is_no_text_is_refused():
    material = read_material(None, as_files(ref=b"a y\nc d\n"), GivenFile("gold.m2", GOLD))
    assert (material.texts, material.edits_from) == ((("a y", "c d"),), FROM_M2)
    assert material.edits[0][0][0].corrections == ("x",)
    assert read_material(None, [], GivenFile("gold.m2", GOLD)).source == ("a b", "c d")
    with pytest.raises(Problems, match="is not UTF-8"):
        read_lines(GivenFile("A", b"\xff\n"))
    with pytest.raises(Problems, match="A: is the name of 2 outputs"):
        read_outputs([GivenFile("A.txt", b"a\n"), GivenFile("A", b"b\n")])
    with pytest.raises(Problems):
        read_outputs([GivenFile("A\nB", b"a\n")])


@pytest.mark.parametrize(
    ("source", "references", "m2", "message"),
    [
        (None, {}, None, "there are no references"),
        (None, {"ref": b"a\n"}, None, "there is no source"),
        (["a b"], {"ref": b"a\nb\n"}, None, "ref: has 2 lines where the source has 1"),
        (["a b", "c e"], {}, GOLD, "Sentence 2 of gold.m2 is not that of the source: 'c d' against 'c e'"),
        (["a b"], {}, GOLD, "The source has 1 sentences, and gold.m2 has 2"),
        (["a b", "", "c d"], {}, GOLD, "3 sentences, and gold.m2 has 2; they must be the same. 1 line of the source"),
        (["a b", "c e"], {"ref": b"a\nb\n"}, GOLD, "Sentence 2 of the M2 file is not that of the source"),
        (["a b"], {}, GOLD.replace(b"|||0", b""), "gold.m2, line 2: an annotation has 6 fields"),
    ],
)
def test_references_that_do_not_fit_are_refused_in_a_sentence(source, references, m2, message):
    with pytest.raises((MetricError, Problems)) as refused:
        read_material(source, as_files(**references), GivenFile("gold.m2", m2) if m2 else None)
    assert message in str(refused.value)


@pytest.mark.parametrize(
    "spec",
    [
        "m2:beta=1e308", "m2:unchanged=1000000", "errant:beta=1e200", "chrf:beta=1e160", "chrf++:beta=0",
        "gleu:draws=100000000", "gleu:order=1000000", "i-measure:weight=1000000000000000000000",
        "i-measure:mixing=yes:cap=1000000000000", "meteor:alpha=2", "meteor:gamma=1e308", "meteor:beta=1e308",
    ],
)  # fmt: skip
def test_settings_that_would_take_all_memory_or_time_are_refused(spec):
    with pytest.raises(MetricError, match="must lie between"):
        metric_of(spec)


def test_metrics_that_read_texts_are_compared_with_people_beside_edits_of_fewer_people():
    source = ["a b c d e", "f g h i j"]
    texts = Material.of_texts(source, [["a x c d e", "f g h i j"], ["a b c y e", "f g z i j"]])
    both = texts.with_edits_of(Material.of_edits(source, [[(Edit(1, 2, ("x",)),), ()]]))
    outputs = [["a x c d e", "f g h i j"]]
    alone, beside = ({table.name: table for table in score(Bleu(), material, ["A"], outputs).tables}
                     for material in (texts, both))  # fmt: skip
    assert beside["ratios"] == alone["ratios"]
