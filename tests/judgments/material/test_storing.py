"""Storing material: all or nothing, texts as uploaded, unseen outputs replaceable."""

import pytest

from judgments.assignment import claiming, planning
from judgments.campaigns import states
from judgments.material import storing
from judgments.material.rules.reading import EmptyLine, Roles, read_material
from judgments.models import Campaign, Candidate, Segment, Slot, System, SystemOutput
from judgments.protocols.rows import shown_slots
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import UploadedFile
from tests import factory
from tests.shared_data import shared


def add(campaign: Campaign, texts: dict[str, list[str]], **roles) -> storing.StoredCounts:
    known = storing.places_of(campaign), storing.source_of(campaign)
    return storing.store_material(campaign, read_material(factory.upload(texts), Roles(**roles), *known))


@pytest.fixture
def prepared(db) -> Campaign:
    return factory.make_campaign()


@pytest.mark.postgresql
def test_identical_outputs_point_at_one_candidate_and_are_kept_as_uploaded(prepared, db):
    first = Segment.objects.get(campaign=prepared, position=0)
    outputs = SystemOutput.objects.filter(segment=first).select_related("system")
    by_name = {output.system.name: output.candidate_id for output in outputs}
    assert by_name["Wren"] == by_name["source"] != by_name["Heron"]
    assert Candidate.objects.filter(segment=first).count() == 3
    campaign = factory.make_campaign({"source": ["a  b"], "Heron": [" a b "], "Wren": ["a b"]})
    texts = {output.system.name: output.text for output in SystemOutput.objects.filter(system__campaign=campaign)}
    assert texts == {"source": "a  b", "Heron": " a b ", "Wren": "a b"}
    assert [candidate.text for candidate in Candidate.objects.filter(segment__campaign=campaign)] == ["a b"]
    files = factory.upload({"source": ["A .", "B ."], "Heron": ["A !", ""]})
    campaign = Campaign.objects.create(slug="other", name="Other")
    storing.store_material(campaign, read_material(files, Roles(empty_line=EmptyLine.MISSING)))
    assert SystemOutput.objects.get(system__name="Heron", system__campaign=campaign).text == "A !"


def test_nothing_is_stored_of_a_bad_upload_or_under_a_name_that_differs_in_case_alone(prepared):
    with pytest.raises(Problems):
        add(prepared, {"New": ["only one line"]})
    assert not System.objects.filter(name="New").exists()
    with pytest.raises(Refused, match="There is a system Heron already; HERON is too similar"):
        add(prepared, {"HERON": factory.SYSTEMS["Heron"]})


def test_a_system_can_join_an_open_campaign_but_no_closed_one_and_shares_what_is_assigned(campaign):
    taken = add(campaign, {"Plover": factory.SYSTEMS["Heron"]})
    assert (taken.systems, taken.outputs, taken.segments) == (1, 5, 5)
    heron = SystemOutput.objects.filter(system__name="Heron").values_list("candidate", flat=True)
    plover = SystemOutput.objects.filter(system__name="Plover").values_list("candidate", flat=True)
    assert sorted(heron) == sorted(plover)
    states.close_campaign(campaign)
    with pytest.raises(Refused, match="reopen"):
        add(campaign, {"Plover": factory.SYSTEMS["Heron"]})


def test_an_unseen_output_can_be_replaced_and_its_screen_shows_the_new_one(campaign):
    changed = ["He goes to school !", *factory.SYSTEMS["Heron"][1:]]
    assert add(campaign, {"Heron": changed}).replaced == 1
    shown = Slot.objects.filter(screen__segment__position=0).values_list("candidate__text", flat=True)
    assert "He goes to school !" in shown
    assert "He goes to school ." not in shown
    assert not Candidate.objects.filter(text="He goes to school .").exists()


def test_a_replaced_output_that_stands_on_the_screen_already_leaves_one_place(campaign):
    changed = [factory.SYSTEMS["Magpie"][0], *factory.SYSTEMS["Heron"][1:]]
    add(campaign, {"Heron": changed})
    for assignment in campaign.assignment_set.filter(screen__segment__position=0):
        texts = [slot.candidate.text for slot in shown_slots(assignment)]
        assert sorted(texts) == sorted({"He go to school .", "He going to school ."})


def test_an_output_that_a_judge_has_on_screen_is_only_replaced_by_the_same_words(campaign, ada):
    assignment = claiming.claim_next(ada)
    line = assignment.screen.segment.position
    changed = list(factory.SYSTEMS["Heron"])
    changed[line] = "Something new ."
    with pytest.raises(Refused, match=rf"Heron: judges have seen 1 of the outputs to replace \(lines {line + 1}\)"):
        add(campaign, {"Heron": changed})
    factory.answer_all(ada)
    changed = ["He  goes to school .", *factory.SYSTEMS["Heron"][1:]]
    assert add(campaign, {"Heron": changed}).replaced == 1


def test_the_source_is_never_replaced_and_what_is_assigned_stays_what_it_is(campaign):
    with pytest.raises(Refused, match="Source sentences cannot be replaced"):
        add(campaign, {"source": ["Another sentence .", *factory.SOURCE[1:]]})
    with pytest.raises(Refused, match="already has a source, source"):
        add(campaign, {"INPUT": factory.SOURCE})
    with pytest.raises(Refused, match="Screens show Heron as a system; it cannot become a reference"):
        add(campaign, {"Heron": factory.SYSTEMS["Heron"]}, references=frozenset({"Heron"}))


def test_roles_can_be_mended_and_the_source_take_part_until_screens_are_assigned(prepared, db):
    add(prepared, {"source": factory.SOURCE, "Heron": factory.SYSTEMS["Heron"]}, references=frozenset({"Heron"}))
    heron = System.objects.get(campaign=prepared, name="Heron")
    assert (heron.kind, heron.takes_part) == ("reference", False)
    add(prepared, {"Heron": factory.SYSTEMS["Heron"]})
    heron.refresh_from_db()
    assert (heron.kind, heron.takes_part) == ("system", True)
    campaign = factory.make_campaign(roles=Roles(source_takes_part=False))
    add(campaign, {"source": factory.SOURCE}, source_takes_part=True)
    assert System.objects.get(campaign=campaign, name="source").takes_part


def noop(sentences: list[str]) -> list[str]:
    return [line for text in sentences for line in (f"S {text}", "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0", "")]


@pytest.mark.postgresql
def test_an_m2_file_alone_brings_references_to_a_campaign_with_its_sentences(campaign):
    with pytest.raises(Problems, match=r"gold.m2, line 4: sentence 2 is not the source's"):
        add(campaign, {"gold.m2": noop([factory.SOURCE[0], "Another .", *factory.SOURCE[2:]])})
    add(campaign, {"gold.m2": noop(factory.SOURCE)})
    assert System.objects.get(campaign=campaign, name="gold-0").kind == System.Kind.REFERENCE
    assert System.objects.filter(campaign=campaign, kind=System.Kind.SOURCE).count() == 1


def test_controls_can_be_made_from_the_source(prepared):
    other = ["All words other !", *factory.SOURCE[1:]]
    add(prepared, {"source": factory.SOURCE, "gold": other}, references=frozenset({"gold"}))
    taken = planning.make_controls(prepared)
    control = System.objects.get(campaign=prepared, kind=System.Kind.CONTROL)
    outputs = SystemOutput.objects.filter(system=control).order_by("segment__position")
    assert taken.outputs == len(factory.SOURCE) - 1, "a reference changes every word of the first"
    assert all(output.text != source for output, source in zip(outputs, factory.SOURCE[1:], strict=True))
    others = SystemOutput.objects.exclude(system=control).values("candidate")
    assert not outputs.filter(candidate__in=others).exists()
    with pytest.raises(Refused, match="already has a control"):
        planning.make_controls(prepared)


@pytest.mark.wide
@pytest.mark.postgresql
def test_the_published_outputs_have_5667_distinct_texts_a_sentence(db):
    folder = shared("data/gjg15/outputs")
    files = [UploadedFile(file.name, file.read_bytes()) for file in folder.iterdir()]
    campaign = Campaign.objects.create(slug="gjg15", name="gjg15")
    roles = Roles(source_takes_part=True, empty_line=EmptyLine.OUTPUT)
    taken = storing.store_material(campaign, read_material(files, roles))
    assert (taken.segments, taken.systems, taken.outputs) == (1312, 13, 13 * 1312)
    assert round(storing.distinct_outputs(campaign), 3) == 5.667
