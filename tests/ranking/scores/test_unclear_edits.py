"""Edits of the types Um and UNK only mark an error; they change no text, on any path to a metric."""

import csv

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from judgments.exchange.references import use_corrections
from judgments.material import storing
from judgments.material.rules.reading import Roles, read_material
from judgments.models import SystemOutput
from judgments.rules.files.text_files import UploadedFile, read_text
from judgments.rules.texts.m2 import annotators, correct_sentence, read_m2
from ranking.metrics.imeasure_mixing import clusters
from ranking.metrics.material import Candidates
from ranking.metrics.maxmatch import MaxMatch
from ranking.scores.files import material_of_m2
from ranking.scores.texts import material_of
from tests import factory
from tests.judgments.exchange.corrections import bring, correction_campaign
from tests.ranking.metrics.published import gjg15_systems, official
from tests.shared_data import shared

M2 = """S He go the of there .
A 1 2|||SVA|||goes||went|||REQUIRED|||-NONE-|||0
A 2 4|||Um||||||REQUIRED|||-NONE-|||0
A 2 4|||UNK|||-NONE-|||REQUIRED|||-NONE-|||1
A 4 5|||Um|||here|||REQUIRED|||-NONE-|||1

S I likes the tea .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 2 3|||ArtOrDet|||-NONE-|||REQUIRED|||-NONE-|||1
"""
TEXTS = (("He goes the of there .", "I likes the tea ."), ("He go the of there .", "I likes tea ."))
APPLIED = (("He goes there .", "I likes the tea ."), ("He go here .", "I likes tea ."))
OUTPUT = "He goes there .\nI likes the tea .\n"


def sentences(text: str = M2):
    return read_m2(read_text("gold.m2", text.encode()))


def scored(folder, *options: str) -> dict[str, dict[str, str]]:
    """Scores of whole outputs by metric and system, and the signatures of the metrics."""
    call_command("score_files", "--out", str(folder / "out"), *options)
    scores: dict[str, dict[str, str]] = {}
    with (folder / "out" / "metric_scores.csv").open() as file:
        for row in csv.DictReader(file):
            if row["level"] == "system":
                scores.setdefault(row["metric"], {})[row["system"]] = row["value"]
    with (folder / "out" / "signatures.csv").open() as file:
        return scores | {"signatures": {row["metric"]: row["signature"] for row in csv.DictReader(file)}}


@pytest.fixture
def toy(tmp_path):
    (tmp_path / "Heron").write_text(OUTPUT)
    (tmp_path / "gold.m2").write_text(M2)
    for name, texts in {"source": [line.text for line in sentences()], "ref0": TEXTS[0], "ref1": TEXTS[1]}.items():
        (tmp_path / name).write_text("\n".join(texts) + "\n")
    return tmp_path


def test_texts_and_mixtures_of_references_leave_them_out():
    both = material_of_m2(sentences()), material_of_m2(sentences(), frozenset())
    assert [given.texts for given in both] == [TEXTS, APPLIED]
    words = both[0].source[0].split()
    (cluster,), others = (clusters(words, [one.changing_edits(row[0] or ()) for row in one.edits]) for one in both)
    assert (cluster.start, cluster.end, cluster.alternatives) == (1, 2, (("goes",), ("go",)))
    assert len(others) == 3


@pytest.mark.wide
def test_they_count_as_edits_of_the_reference_as_in_the_official_program():
    counts = MaxMatch().count(material_of_m2(sentences()), Candidates.of([OUTPUT.splitlines()]))
    assert counts.tolist() == [[[2, 2, 2], [1, 2, 2]], [[0, 0, 0], [0, 0, 1]]]


@pytest.mark.wide
def test_an_m2_file_scores_as_the_texts_that_it_makes(toy):
    outputs, metrics = ("--outputs", str(toy / "Heron")), ("--metrics", "gleu,i-measure,i-measure:mixing=yes,bleu")
    references = ("--references", str(toy / "ref0"), str(toy / "ref1"))
    by_texts = scored(toy, "--source", str(toy / "source"), *outputs, *references, *metrics)
    by_edits = scored(toy, "--m2", str(toy / "gold.m2"), *outputs, *metrics)
    applied = scored(toy, "--m2", str(toy / "gold.m2"), "--apply-unclear", *outputs, *metrics)
    signatures = [each.pop("signatures") for each in (by_texts, by_edits, applied)]
    assert by_edits == by_texts
    assert all(by_edits[name] != applied[name] for name in ("GLEU", "I-measure", "BLEU"))
    assert [each["GLEU"].split("|")[3:-1] for each in signatures] == [
        ["references:2"], ["references:2", "unclear:left-out"], ["references:2", "unclear:applied"]
    ]  # fmt: skip


@pytest.mark.wide
def test_the_signature_says_nothing_of_them_if_no_text_was_made_of_edits(toy):
    files = ("--references", str(toy / "ref0"), "--m2", str(toy / "gold.m2"), "--outputs", str(toy / "Heron"))
    signatures = scored(toy, *files, "--metrics", "gleu,m2")["signatures"]
    assert "unclear" not in signatures["GLEU"]
    assert "|edits:m2|unclear:left-out|data:" in signatures["M2 F0.5"]


@pytest.mark.wide
def test_the_published_edits_give_the_published_scores_of_all_systems(tmp_path):
    files = [str(shared(f"data/gjg15/outputs/{name}")) for name in gjg15_systems()]
    gold = str(shared("data/gjg15/references/gold.m2"))
    found = scored(tmp_path, "--m2", gold, "--outputs", *files, "--metrics", "gleu")["GLEU"]
    assert {name: f"{float(value):.4f}" for name, value in found.items()} == official("gleu")


class TestInCampaigns:
    pytestmark = pytest.mark.django_db

    def test_an_m2_file_makes_the_same_texts_for_judges_and_for_metrics(self):
        campaign = factory.make_campaign({"source": [line.text for line in sentences()], "Heron": OUTPUT.splitlines()})
        known = storing.places_of(campaign), storing.source_of(campaign)
        storing.store_material(campaign, read_material([UploadedFile("gold.m2", M2.encode())], Roles(), *known))
        stored = SystemOutput.objects.filter(system__name="gold-0").order_by("segment__position")
        assert tuple(stored.values_list("candidate__text", flat=True)) == TEXTS[0]
        assert material_of(campaign).texts == TEXTS

    def test_what_judges_deleted_under_such_a_category_stays_deleted(self):
        source, target = correction_campaign(["He go the of ."]), factory.make_campaign({"source": ["He go the of ."]})
        bring(source, {("ada", 1): [(6, 13, "", "Um")]})
        use_corrections(source, target)
        assert material_of(target).texts == (("He go .",),)


spans = st.sampled_from(["0 1", "1 1", "1 2", "2 3", "3 3"])
kinds = st.sampled_from(["Um", "UNK", "noop", "Nn"])
corrections = st.sampled_from(["", "-NONE-", "x", "x y||z"])
edits = st.tuples(spans, kinds, corrections, st.sampled_from("01"))


@pytest.mark.wide
@given(st.lists(st.lists(edits, max_size=5, unique_by=lambda edit: (edit[0], edit[3])), min_size=1, max_size=3))
def test_judges_and_metrics_read_the_same_texts_from_any_file(annotated):
    line = "A {}|||{}|||{}|||REQUIRED|||-NONE-|||{}\n".format
    read = sentences("\n".join("S a b c\n" + "".join(line(*edit) for edit in edits) for edits in annotated))
    material = material_of_m2(read)
    for number, annotator in enumerate(annotators(read)):
        for place, sentence in enumerate(read):
            text = correct_sentence(sentence, annotator)
            assert material.texts[number][place] == text or (text is None and not sentence.edits)
