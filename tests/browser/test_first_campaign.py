"""From nothing to an open campaign with controls, a rule, a tutorial and three judges."""

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from judgments.jobs.attempts import run_now
from judgments.judges.exclusion import rule_of
from judgments.judges.rules.statistics import NO_RULE
from judgments.models import Campaign, Invitation, Screen, Upload
from tests import factory
from tests.browser.test_uploads import as_text, choose

TEXTS = {name: lines * 6 for name, lines in {"source": factory.SOURCE, **factory.SYSTEMS}.items()}


@pytest.fixture
def home(page, sign_in, transactional_db, no_worker) -> Page:
    sign_in(User.objects.create_user("olga", is_staff=True))
    page.goto("/")
    return page


@pytest.mark.walk
def test_a_newcomer_needs_eleven_clicks_and_two_typed_fields(home):
    clicks = 0

    def click(name: str, role: str = "button") -> None:
        nonlocal clicks
        clicks += 1
        home.locator("main").get_by_role(role, name=name).first.click()

    click("A new campaign", "link")
    home.get_by_label("Name:", exact=True).fill("My shared task")
    click("Create the campaign")
    choose(home, as_text(TEXTS))
    clicks += 1
    click("Check the files")
    run_now(Upload.objects.get())
    click("Store 4 systems")
    run_now(Upload.objects.get())
    click("Plan and assign screens", "link")
    expect(home.get_by_text("controls among the screens")).to_be_visible()
    click("Assign")
    click("Invite judges", "link")
    home.get_by_label("Judges to invite").fill("ada, ben, cleo")
    click("Make links")
    click("Open the campaign", "link")
    click("Open for judging")
    expect(home.get_by_role("button", name="Close the campaign")).to_be_visible()
    campaign = Campaign.objects.get()
    assert (campaign.slug, campaign.is_open, clicks) == ("my-shared-task", True, 11)
    assert all((campaign.instructions, campaign.consent, campaign.tutorial, campaign.questions))
    assert rule_of(campaign) != NO_RULE
    assert Screen.objects.filter(campaign=campaign, has_control=True).exists()
    assert Invitation.objects.filter(campaign=campaign).count() == 3
