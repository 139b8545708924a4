"""Assigning as stored: judges get what the rules chose."""

import pytest

from judgments.assignment import assigning
from judgments.campaigns import states
from judgments.models import Assignment, Batch, Campaign, Screen, Slot
from judgments.rules.errors import Refused
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
