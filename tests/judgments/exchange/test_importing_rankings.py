"""Judgments that others collected: checked against the outputs, stored whole, imported once."""

import pytest

from judgments.exchange.importers.joining import ImportedJudgments
from judgments.material import storing
from judgments.material.rules.reading import EmptyLine, Roles, read_material
from judgments.models import Assignment, Campaign, JournalEntry, Judgment, Membership, Placement, Segment, System
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import UploadedFile
from tests import factory
from tests.judgments.exchange.importing import bring_in
from tests.shared_data import shared

XML = """<appraise-results><error-correction-ranking-result>
<ranking-item user="ada" src-id="0" id="7" doc-id="d" duration="00:00:30.500000">
  <translation rank="2" system="source Wren"/><translation rank="1" system="Heron"/>
</ranking-item>
<ranking-item user="ada" src-id="0" id="7" doc-id="d" duration="00:00:20.000000">
  <translation rank="1" system="source Wren"/><translation rank="1" system="Heron"/>
</ranking-item>
<ranking-item user="ben" src-id="1" id="8" doc-id="d" duration="00:00:05.000000" skipped="true"/>
</error-correction-ranking-result></appraise-results>"""
# The second ranking is of the second sentence, and the third sentence was only skipped.
OF_TWO = XML.replace('"1" id="8"', '"2" id="9"').replace('"0" id="7" doc-id="d" duration="00:00:20',
                                                        '"1" id="8" doc-id="d" duration="00:00:20')  # fmt: skip


@pytest.fixture
def prepared(db) -> Campaign:
    return factory.make_campaign()


def bring(campaign: Campaign, text: str, file_format: str = "appraise-xml", **options: bool) -> ImportedJudgments:
    return bring_in(campaign, "judgments", text.encode(), file_format, **options)


def test_rankings_skips_repeats_durations_and_judges_without_an_account_are_kept(prepared):
    brought = bring(prepared, XML)
    assert (brought.added, brought.judges, brought.skipped, brought.subjects, brought.details) == (3, 2, 1, 2, 4)
    assert JournalEntry.objects.filter(campaign=prepared, what="imported 3 rankings from judgments").exists()
    judgments = Judgment.objects.filter(assignment__campaign=prepared).order_by("pk")
    assert list(judgments.values_list("wall_seconds", "skipped")) == [(30.5, False), (20.0, False), (5.0, True)]
    first, second, _ = [judgment.assignment for judgment in judgments]
    assert second.repeats == first
    assert first.screen == second.screen
    assert ranks_of(judgments[0]) == {"He go to school .": 2, "He goes to school .": 1}
    judges = Membership.objects.filter(campaign=prepared, role=Membership.Role.JUDGE)
    assert [(judge.pseudonym, judge.user) for judge in judges] == [("ada", None), ("ben", None)]


def ranks_of(judgment: Judgment) -> dict[str, int]:
    return dict(Placement.objects.filter(judgment=judgment).values_list("candidate__text", "rank"))


@pytest.mark.postgresql
def test_the_same_file_twice_adds_nothing_and_a_longer_one_what_is_new(prepared):
    bring(prepared, XML)
    again = bring(prepared, XML)
    assert (again.added, again.known) == (0, 3)
    assert Assignment.objects.filter(campaign=prepared).count() == 3
    more = XML.replace(
        "</error-correction-ranking-result>",
        '<ranking-item user="ben" src-id="0" id="7" doc-id="d"><translation rank="1" system="Heron"/>'
        '<translation rank="2" system="Wren source"/></ranking-item></error-correction-ranking-result>',
    )
    brought = bring(prepared, more)
    assert (brought.added, brought.known) == (1, 3)
    assignments = Assignment.objects.filter(campaign=prepared, screen__segment__position=0)
    assert assignments.values("screen").distinct().count() == 1


def test_a_campaign_takes_skip_unmatched_once_even_if_it_grows(prepared):
    more = XML.replace('system="Heron"', 'system="Heron Stork"').replace('src-id="1"', 'src-id="9"')
    with pytest.raises(Problems, match="choose to import what fits"):
        bring(prepared, more)
    assert not Judgment.objects.exists()
    brought = bring(prepared, more, skip_unmatched=True)
    assert (brought.added, brought.details, brought.by_judge) == (2, 4, {"ada": 2})
    assert "2 of 3 judgments fit; left out: outputs of Stork (in 2 judgments) and sentence 9" in brought.notes[1]
    assert ranks_of(Judgment.objects.earliest("pk")) == {"He go to school .": 2, "He goes to school .": 1}
    texts = {"source": factory.SOURCE, "Stork": factory.SYSTEMS["Heron"]}
    storing.store_material(prepared, read_material(factory.upload(texts), Roles(source_takes_part=True)))
    again = bring(prepared, more, skip_unmatched=True)
    assert (again.added, again.known) == (0, 2)


def test_a_source_that_was_judged_takes_part_and_this_is_reported(db):
    campaign = factory.make_campaign(roles=Roles(source_takes_part=False))
    assert "source is judged in the file, so it takes part from now on" in bring(campaign, XML).notes
    assert System.objects.get(campaign=campaign, kind=System.Kind.SOURCE).takes_part


def test_tables_of_pairs_and_of_wmt_come_in(prepared):
    pairs = (
        "segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"
        "1,ada,Heron,1,Wren,2,r1\n1,ada,Heron,1,Magpie,3,r1\n1,ada,Wren,2,Magpie,3,r1\n2,ada,Heron,1,Magpie,2,r2\n"
    )
    brought = bring(prepared, pairs, "pairs-csv")
    assert (brought.added, brought.details) == (2, 5)
    first = Judgment.objects.filter(assignment__campaign=prepared).earliest("pk")
    assert sorted(ranks_of(first).values()) == [1, 2, 3]
    wmt = (
        "segmentId,judgeId,system1Id,system1rank,system2Id,system2rank\n"
        "0,ada,test.Heron.en,1,test.Wren.en,2\n0,ben,test.Heron.en,-1,test.Wren.en,-1\n"
    )
    brought = bring(prepared, wmt, "wmt-csv")
    assert (brought.added, brought.skipped) == (2, 1)


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        ('rank="2"', 'rank="40000"', "line 2: has a rank above 20"),
        ('user="ben"', f'user="{"b" * 400}"', "line 8: the judge's name .* is longer than 80 characters"),
        ('user="ben"', 'user="b\u200bn"', "line 8: the judge's name .* invisible character"),
    ],
)
def test_rankings_that_cannot_be_stored_are_reported_with_their_line(prepared, was, now, message):
    with pytest.raises(Problems, match=message):
        bring(prepared, XML.replace(was, now))
    assert not Membership.objects.filter(campaign=prepared).exists()


@pytest.mark.postgresql
def test_without_outputs_systems_are_known_by_name(db):
    campaign = Campaign.objects.create(slug="bare", name="Bare")
    with pytest.raises(Refused, match="Upload them first, or choose to import without texts"):
        bring(campaign, XML)
    bring(campaign, XML, without_texts=True)
    assert list(System.objects.filter(campaign=campaign).values_list("name", flat=True)) == ["Heron", "Wren", "source"]
    assert list(Segment.objects.filter(campaign=campaign).values_list("text", flat=True)) == [None, None]
    assert bring(campaign, XML).added == 0


@pytest.mark.long
def test_the_published_judgments_come_in_with_and_without_outputs(db):
    content = shared("data/gjg15/judgments.xml").read_bytes()
    folder = shared("data/gjg15/outputs")
    texts = [UploadedFile(file.name, file.read_bytes()) for file in folder.iterdir()]
    for files in (texts, []):
        campaign = Campaign.objects.create(slug=f"gjg15-{len(files)}", name="gjg15")
        if files:
            roles = Roles(source_takes_part=True, empty_line=EmptyLine.OUTPUT)
            storing.store_material(campaign, read_material(files, roles))
        brought = bring_in(campaign, "judgments.xml", content, "appraise-xml", without_texts=not files)
        assert brought[:6] == (2319, 0, 8, 13, 663, 10768)
        assert bring_in(campaign, "judgments.xml", content, "appraise-xml")[:2] == (0, 2319)
        assert Placement.objects.filter(judgment__assignment__campaign=campaign).count() == 10768
