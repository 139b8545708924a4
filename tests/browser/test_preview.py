"""Trying the judging page in a real browser: everything works as for a judge, and nothing stays."""

import pytest
from playwright.sync_api import expect

from judgments.assignment import assigning
from judgments.models import Assignment, Draft, Judgment
from tests import factory


@pytest.mark.walk
@pytest.mark.parametrize("is_assigned", [False, True], ids=["before assigning", "after assigning"])
def test_an_organiser_tries_a_batch_by_keyboard_and_nothing_stays(page, sign_in, transactional_db, is_assigned):
    campaign = factory.make_campaign()
    if is_assigned:
        assigning.assign(campaign)
    sign_in(factory.organiser(campaign, "olga"))
    page.goto(f"/campaigns/{campaign.slug}/organise/")
    page.get_by_role("link", name="Try the judging page").click()
    for number in (1, 2, 3):
        expect(page.get_by_role("banner").get_by_text(f"{number} of 3", exact=True)).to_be_visible()
        expect(page.get_by_text("Preview: nothing is stored.")).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("button", name="Submit and go on")).to_be_in_viewport(ratio=1)
        versions = page.locator(".candidate").count()
        expect(page.get_by_text(f"0 of {versions} ranked")).to_be_visible()  # by the script
        page.keyboard.press("Enter")
        expect(page.get_by_text("Sentence 1 has no rank yet.")).to_be_visible()
        if number == 2:
            page.keyboard.press("s")
            page.get_by_label("Reason for skipping").select_option("I cannot tell")
            page.get_by_role("button", name="Skip this screen").press("Enter")
            continue
        for _ in range(versions):
            page.keyboard.press("1")
        expect(page.get_by_text(f"{versions} of {versions} ranked")).to_be_visible()
        page.keyboard.press("Enter")
    expect(page.get_by_text("The preview is over")).to_be_visible()
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0
    stored = [Draft.objects.all(), Judgment.objects.all(), Assignment.objects.exclude(judge=None)]
    assert not any(rows.exists() for rows in stored)
    page.get_by_role("link", name="Back to the campaign").click()
    page.wait_for_url("**/organise/")
