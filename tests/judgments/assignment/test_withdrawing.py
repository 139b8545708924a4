"""Screens that nobody has begun are withdrawn, and what judges hold or have answered stays."""

import pytest
from django.urls import reverse

from judgments.actions.judges import ReleaseScreens
from judgments.assignment import assigning, claiming
from judgments.assignment.assigning import Withdrawn, can_be_withdrawn, withdraw
from judgments.campaigns import overview, settings
from judgments.judges import programs
from judgments.judging.submission import save_draft
from judgments.models import Assignment, AssignmentJob, Batch, Campaign, JournalEntry, Membership, Screen, Slot
from judgments.rules.errors import Refused
from tests import factory
from tests.judgments.at_once import at_once

pytestmark = pytest.mark.django_db


def sampled(**otherwise) -> Campaign:
    return factory.open_campaign(design="sampled", batch_size=2, screen_size=2, redundancy=2, **otherwise)


def drawn(campaign: Campaign) -> list[tuple]:
    """What judges would see, without keys."""
    rows = Assignment.objects.filter(campaign=campaign).order_by("batch__number", "round", "position")
    return list(rows.values_list("batch__number", "round", "position", "order", "screen__segment__position"))


def test_everything_is_withdrawn_as_if_nothing_had_been_assigned_and_assigned_again_alike():
    campaign = factory.open_campaign()
    before, assigned = drawn(campaign), overview.progress(campaign)
    assert can_be_withdrawn(campaign) == assigned.screens == 5
    assert withdraw(campaign) == Withdrawn(5, assigned.assignments)
    for model in (Assignment, Screen, Batch, Slot):
        assert not model.objects.exists()
    assert JournalEntry.objects.latest("pk").what == "withdrew 5 screens in 10 assignments that nobody had begun"
    with pytest.raises(Refused, match="No screens are assigned, so"):
        withdraw(campaign)
    settings.configure(campaign, redundancy=1)  # which depended on the screens
    settings.configure(campaign, redundancy=2)
    assigning.assign(campaign)
    assert drawn(campaign) == before


def test_what_judges_hold_have_drafted_or_answered_stays():
    campaign = sampled()
    assigning.assign(campaign, 2)
    batches = list(Batch.objects.filter(campaign=campaign).order_by("number"))
    assert len(batches) > 2
    ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
    factory.answer(claiming.claim_next(ada))
    drafted = claiming.claim_next(ben)
    Assignment.objects.filter(pk=drafted.pk).update(batch=batches[1])
    save_draft(drafted, {"comment": "hm"}, 1.0, set())
    factory.act(ReleaseScreens, ben)
    kept = set(Batch.objects.filter(pk__in=[batches[0].pk, batches[1].pk]))
    answered = list(Assignment.objects.filter(judge=ada).values())
    screens = can_be_withdrawn(campaign)
    assert withdraw(campaign).screens == screens > 0
    assert set(Batch.objects.filter(campaign=campaign)) == kept
    assert list(Assignment.objects.filter(judge=ada).values()) == answered
    assert can_be_withdrawn(campaign) == 0
    assigning.assign(campaign, 4)
    assert can_be_withdrawn(campaign) == 4


def test_what_a_program_or_an_adjudicator_holds_stays_though_their_assignments_have_no_batch():
    campaign = sampled()
    program = factory.program(campaign, "robin")
    (held,) = programs.claim(program, 1)
    factory.answer(held)
    before = can_be_withdrawn(campaign)
    kept = Batch.objects.get(screen=held.screen)
    assert withdraw(campaign).screens == before > 0
    assert set(Batch.objects.filter(campaign=campaign)) == {kept}
    assert Assignment.objects.filter(pk=held.pk).exists()


@pytest.mark.parametrize(
    ("make", "why"),
    [(factory.open_campaign, "shows every output once"), (lambda: sampled(automatic_ties=True), "count as ties")],
)
def test_screens_that_were_drawn_as_a_whole_stay_as_a_whole_once_one_is_begun(make, why):
    campaign = make()
    Screen.objects.create(campaign=campaign, segment=campaign.segment_set.first(), automatic=True)
    claiming.claim_next(factory.judge(campaign, "ada"))
    before = Screen.objects.count()
    with pytest.raises(Refused, match=why):
        withdraw(campaign)
    assert (can_be_withdrawn(campaign), Screen.objects.count()) == (0, before)


def test_a_plan_that_goes_on_while_judging_is_forgotten_with_its_screens():
    campaign = factory.open_campaign()
    Campaign.objects.update(later_screens=9, sentences_offered=3, pilot_batches=1)
    withdraw(campaign)
    campaign.refresh_from_db()
    assert (campaign.later_screens, campaign.sentences_offered, campaign.pilot_batches) == (0, 0, 0)


def test_nothing_is_withdrawn_while_screens_are_being_assigned():
    campaign = factory.open_campaign()
    AssignmentJob.objects.create(campaign=campaign)
    with pytest.raises(Refused, match="being assigned"):
        withdraw(campaign)


def test_an_organiser_withdraws_on_the_page_and_sees_there_that_a_rule_can_exclude_nobody(campaign, olga, browser_of):
    Campaign.objects.update(control_pass_share=0.7, least_controls=30, opened_at=None, state=Campaign.State.DRAFT)
    browser = browser_of(olga)
    page = browser.get(reverse("organise", args=[campaign.slug])).content.decode()
    assert "will exclude nobody: a judge sees at most 0 controls, and the rule needs 30. Lower that number now" in page
    page = browser.get(reverse("screens", args=[campaign.slug])).content.decode()
    assert "Withdraw 5 screens that nobody has begun" in page
    page = browser.post(reverse("withdraw_screens", args=[campaign.slug]), follow=True).content.decode()
    assert "5 screens with 10 assignments were withdrawn" in page
    assert "Withdraw" not in page.replace("withdrawn", "")


@pytest.mark.wide
@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_whoever_claims_at_the_same_moment_keeps_the_screen_or_gets_none():
    for attempt in range(4):
        campaign = factory.open_campaign()
        judge = factory.judge(campaign, f"ada-{attempt}")
        got: list = []

        def take(judge: Membership = judge, got: list = got) -> None:
            got.append(claiming.claim_next(judge))

        def withdraw_it(campaign: Campaign = campaign, got: list = got) -> None:
            try:
                withdraw(campaign)
            except Refused:
                got.append("refused")

        at_once(take, withdraw_it)
        held = Assignment.objects.filter(judge=judge)
        assert held.exists() == ("refused" in got)
        assert Screen.objects.filter(campaign=campaign).exists() == held.exists()
