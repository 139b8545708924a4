"""The texts of a campaign as metrics read them, and edits that ERRANT finds in them if an organiser wants so."""

import pytest
from django.core.management import CommandError, call_command

from judgments.material import storing
from judgments.material.rules.reading import EmptyLine, Roles, read_material
from judgments.models import Assignment, SystemOutput
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from judgments.rules.files.text_files import UploadedFile
from ranking.metrics.material import FROM_M2, FROM_TEXTS, Edit
from ranking.scores.texts import material_of, outputs_of
from tests import factory
from tests.judgments.exchange.marked import SOURCE

pytestmark = [pytest.mark.database, pytest.mark.django_db]

GOLD = b"""S He go to school .
A 1 2|||SVA|||goes||went|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S She have a cat .
A 1 2|||SVA|||has|||REQUIRED|||-NONE-|||1

S I likes tea .

S We was here .

S It rain .
"""


def bring_in(campaign, files, roles):
    known = storing.places_of(campaign), storing.source_of(campaign)
    return storing.store_material(campaign, read_material(files, roles, *known))


@pytest.fixture
def campaign():
    return factory.make_campaign(roles=Roles())


def test_outputs_come_by_the_names_of_the_systems_and_a_missing_one_is_an_empty_line(campaign):
    names, outputs = outputs_of(campaign)
    assert names == ("Heron", "Magpie", "Wren")
    assert outputs[0] == tuple(factory.SYSTEMS["Heron"])
    texts = {"source": factory.SOURCE, "Heron": ["", *factory.SYSTEMS["Heron"][1:]]}
    campaign = factory.make_campaign(texts, Roles(empty_line=EmptyLine.MISSING))
    _, ((first, *_), *_) = outputs_of(campaign)
    assert first == ""


def test_an_m2_file_keeps_its_edits_beside_texts_until_others_replace_them(campaign):
    bring_in(campaign, [UploadedFile("gold.m2", GOLD)], Roles())
    material = material_of(campaign)
    assert material.edits_from == FROM_M2
    assert [edits[0] for edits in material.edits] == [(Edit(1, 2, ("goes", "went"), "SVA"),), ()]
    assert [edits[1] for edits in material.edits] == [None, (Edit(1, 2, ("has",), "SVA"),)]
    assert [edits[2] for edits in material.edits] == [(), None]  # nobody said anything
    assert [texts[0] for texts in material.texts] == ["He goes to school .", "He go to school ."]
    bring_in(campaign, factory.upload({"mended": factory.SYSTEMS["Heron"]}), Roles(references=frozenset({"mended"})))
    material = material_of(campaign)
    assert (len(material.texts), len(material.edits)) == (1, 2)
    bring_in(campaign, [UploadedFile("gold.m2", GOLD.replace(b"|||SVA|||goes", b"|||Verb|||goes"))], Roles())
    assert material_of(campaign).edits[0][0] == (Edit(1, 2, ("goes", "went"), "Verb"),)


def test_a_text_that_replaces_one_of_an_m2_file_has_no_edits(campaign):
    noops = "".join(f"S {text}\nA -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0\n\n" for text in factory.SOURCE)
    bring_in(campaign, [UploadedFile("gold.m2", noops.encode())], Roles())
    mended = ["He goes to school .", *factory.SOURCE[1:]]
    bring_in(campaign, factory.upload({"gold-0": mended}), Roles(references=frozenset({"gold-0"})))
    outputs = SystemOutput.objects.filter(system__name="gold-0").order_by("segment__position")
    assert [output.edits for output in outputs] == [None, [], [], [], []]


def test_references_came_as_texts_or_nothing_can_be_scored(campaign):
    with pytest.raises(Refused, match="no references; import an M2 file"):
        material_of(campaign)
    bring_in(campaign, factory.upload({"mended": factory.SYSTEMS["Heron"]}), Roles(references=frozenset({"mended"})))
    material = material_of(campaign)
    assert (material.source, material.edits_from) == (tuple(factory.SOURCE), FROM_TEXTS)
    assert material.texts == (tuple(factory.SYSTEMS["Heron"]),)
    assert material.edits[0][0] == (Edit(1, 2, ("goes",)),)


CUT = {"source": ["I seen it now a days ."], "Heron": ["I saw it nowadays ."], "Wren": ["I have seen it now a days ."]}


@pytest.mark.wide
@pytest.mark.postgresql
def test_judges_see_the_edits_that_errant_finds(db):
    pytest.importorskip("errant")
    campaign = factory.open_campaign(CUT, protocol="marking")
    called = call_command("propose_edits", campaign.slug)
    assert "ERRANT found the edits of 2 outputs." in called
    (stored,) = SystemOutput.objects.filter(system__name="Heron").values_list("edits", flat=True)
    assert stored == [[1, 2, ["saw"], "R:VERB:TENSE"], [3, 6, ["nowadays"], "R:ORTH"]]
    assignment = Assignment.objects.earliest("pk")
    shown = protocol_of(assignment.campaign).specification(assignment)
    heron = shown.proposed[shown.versions.index("I saw it nowadays .")]
    assert [shown.source[edit.start : edit.end] for edit in heron] == ["seen", "now a days"]
    assert "of 0 outputs" in call_command("propose_edits", campaign.slug), "those found once stay"


@pytest.mark.parametrize(
    ("chosen", "begun", "why"),
    [
        ({"protocol": "ranking"}, False, "Only campaigns with verdicts on edits"),
        ({"protocol": "marking", "language": "pl"}, False, "no parser of the language 'pl'.* Or upload an M2 file"),
        ({"protocol": "marking"}, True, "Judges have begun; all must see the same edits."),
    ],
)
def test_edits_are_not_found_where_they_would_not_serve(db, chosen, begun, why):
    campaign = factory.open_campaign({"source": SOURCE, "Heron": SOURCE, "Wren": SOURCE[::-1]}, **chosen)
    if begun:
        factory.judge_batch(factory.judge(campaign, "ada"))
    with pytest.raises(CommandError, match=why):
        call_command("propose_edits", campaign.slug)
