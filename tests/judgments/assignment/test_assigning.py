"""Assigning as stored: judges get what the rules chose."""

import pytest

from judgments.assignment import assigning, planning
from judgments.campaigns import states
from judgments.material import storing
from judgments.material.rules.reading import Roles, read_material
from judgments.models import Assignment, Batch, Campaign, Screen, Slot, System
from judgments.rules.errors import Refused
from judgments.rules.files.text_files import UploadedFile
from tests import factory


def layout(campaign: Campaign) -> list[tuple]:
    """Everything that assigning wrote, by texts instead of keys."""
    assignments = Assignment.objects.filter(campaign=campaign).order_by("batch__number", "round", "position")
    rows = []
    for assignment in assignments.select_related("batch", "screen__segment", "repeats"):
        texts = list(Slot.objects.filter(screen=assignment.screen).values_list("candidate__text", flat=True))
        repeats = assignment.repeats.position if assignment.repeats else None
        place = (assignment.batch.number, assignment.round, assignment.position)
        rows.append((*place, assignment.screen.segment.position, texts, assignment.order, repeats))
    return rows


def test_the_same_seed_assigns_the_same_and_another_seed_does_not(db):
    one, same, other = (factory.open_campaign(seed=seed, redundancy=3) for seed in (1, 1, 2))
    assert layout(one) == layout(same) != layout(other)


@pytest.mark.postgresql
def test_a_complete_plan_assigns_every_screen_in_every_round(db):
    campaign = factory.open_campaign(redundancy=3)
    screens = Screen.objects.filter(campaign=campaign)
    assert screens.count() == 5
    assert [screen.assignment_set.count() for screen in screens] == [3] * 5
    assert Batch.objects.filter(campaign=campaign).count() == 2
    for assignment in Assignment.objects.filter(campaign=campaign):
        assert sorted(assignment.shown_positions()) == list(range(assignment.screen.slot_set.count()))
    with pytest.raises(Refused, match="assigned only once"):
        assigning.assign(campaign)
    states.close_campaign(campaign)
    with pytest.raises(Refused, match="reopen"):
        assigning.assign(campaign)


@pytest.mark.postgresql
def test_repeats_are_assigned_to_the_batch_of_their_original(db):
    campaign = factory.open_campaign(batch_size=6, repeat_share=0.34)
    repeats = Assignment.objects.filter(campaign=campaign).exclude(repeats=None).select_related("repeats")
    assert repeats
    for assignment in repeats:
        assert (assignment.screen, assignment.batch, assignment.round) == (
            assignment.repeats.screen, assignment.repeats.batch, assignment.repeats.round
        )  # fmt: skip
        assert assignment.position > assignment.repeats.position


@pytest.mark.postgresql
def test_controls_stand_with_their_source_on_a_share_of_the_screens(db):
    campaign = factory.make_campaign(roles=Roles(source_takes_part=False), control_share=0.4)
    planning.make_controls(campaign)
    assigning.assign(campaign)
    controlled = Screen.objects.filter(campaign=campaign, has_control=True)
    assert controlled.count() == 2
    for screen in controlled:
        kinds = set(screen.candidates.values_list("systemoutput__system__kind", flat=True))
        assert {System.Kind.CONTROL, System.Kind.SOURCE} <= kinds


def test_references_are_not_shown_unless_they_take_part(db):
    texts = {"source": factory.SOURCE, **factory.SYSTEMS, "ref": [f"{line} !" for line in factory.SOURCE]}
    campaign = factory.open_campaign(texts, Roles(references=frozenset({"ref"})))
    assert not Slot.objects.filter(screen__campaign=campaign, candidate__systemoutput__system__name="ref").exists()


def test_a_sampled_plan_has_the_chosen_number_of_screens_and_can_be_topped_up(db):
    campaign = factory.make_campaign(design="sampled")
    assert assigning.assign(campaign, 12).screens == 12
    before = layout(campaign)
    assert assigning.assign(campaign, 4).screens == 4
    assert layout(campaign)[: len(before)] == before


@pytest.mark.postgresql
def test_sentences_without_a_difference_are_ties_that_nobody_sees(db):
    same = ["All agree ."] * 3
    texts = {"source": [*factory.SOURCE, *same], **{name: [*lines, *same] for name, lines in factory.SYSTEMS.items()}}
    campaign = factory.make_campaign(texts, automatic_ties=True)
    assert assigning.assign(campaign).automatic == 3
    automatic = Screen.objects.filter(campaign=campaign, automatic=True)
    assert all(screen.batch is None and screen.slot_set.count() == 1 for screen in automatic)
    assert not Assignment.objects.filter(screen__in=automatic).exists()


def test_a_rating_campaign_shows_lone_candidates_and_a_sampled_one_what_differs(db):
    texts = {"source": ["All agree ."], "Heron": ["All agree ."]}
    assert assigning.assign(factory.make_campaign(texts, protocol="rating")).screens == 1
    with pytest.raises(Refused, match="No sentence has two different outputs"):
        assigning.assign(factory.make_campaign(texts))
    texts = {"source": [*factory.SOURCE, "Same ."], "Heron": [*factory.SYSTEMS["Heron"], "Same ."]}
    assert assigning.assign(factory.make_campaign(texts, design="sampled")).screens == 5


@pytest.mark.parametrize(("design", "screens"), [("sampled", 0), ("sampled", -5), ("complete", 3)])
def test_a_senseless_number_of_screens_is_refused(db, design, screens):
    with pytest.raises(Refused, match="1 or more"):
        assigning.assign(factory.make_campaign(design=design), screens)


@pytest.mark.postgresql
def test_batches_keep_to_a_domain_where_judges_do(db):
    texts = {"source": factory.SOURCE, **factory.SYSTEMS}
    files = factory.upload(texts)
    sidecar = "\n".join(f"{line}\tdoc {line}\t{'essays' if line % 2 else 'forum'}" for line in range(1, 6))
    files.append(UploadedFile("documents.tsv", sidecar.encode()))
    campaign = Campaign.objects.create(slug="domains", name="Domains", design="complete", one_domain_a_day=True)
    storing.store_material(campaign, read_material(files, Roles()))
    assigning.assign(campaign)
    for batch in Batch.objects.filter(campaign=campaign):
        assert set(batch.screen_set.values_list("segment__document__domain", flat=True)) == {batch.domain}
