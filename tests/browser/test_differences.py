"""Changing an answer after feedback, in a real browser by keyboard."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from judgments.judging.differences import give_feedback
from judgments.models import Judgment, Membership
from tests import factory
from tests.browser.axe import check_with_axe
from tests.browser.entrance import join
from tests.judgments.judging.opinions import judge_all
from tests.services.waiting import wait_until


@pytest.mark.walk
def test_an_answer_changed_after_feedback_leads_back_to_the_differences(page, transactional_db):
    campaign = factory.open_campaign(redundancy=3, majority_feedback=True)
    join(page, campaign)
    dan = Membership.objects.get(pseudonym="dan")
    judge_all(dan, is_contrary=True)
    for name in ("ada", "ben"):
        judge_all(factory.judge(campaign, name))
    give_feedback(dan)
    page.goto(reverse("differences", args=[campaign.slug]))
    check_with_axe(page)
    page.get_by_role("link", name="Change the answer").first.click()
    expect(page.get_by_text("stored beside your first answer")).to_be_visible()
    page.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Submit and go on").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/differences/")
    wait_until(lambda: Judgment.objects.filter(after_feedback=True).count() == 1, "the changed answer")
