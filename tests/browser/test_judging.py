"""Judging in a real browser: from the link of an invitation to the last screen."""

import pytest
from playwright.sync_api import expect

from judgments import invitations
from judgments.models import Judgment, Rating
from tests import factory


def join(page, campaign) -> None:
    (invitation,) = invitations.invite(campaign, ["dan"])
    page.goto(f"/join/{invitation.token}/")
    page.get_by_role("button", name="Join as a judge").click()
    page.get_by_role("button", name="Begin judging").click()
    page.wait_for_url("**/seats/*/")


def test_a_judge_ranks_every_screen_by_keyboard_alone(page, campaign):
    join(page, campaign)
    for _ in range(5):
        groups = page.get_by_role("group", name="Rank, 1 is best")
        count = groups.count()
        for place in range(count):
            groups.nth(place).get_by_role("radio").first.focus()
            page.keyboard.press("Space")
        page.get_by_role("button", name="Submit and go on").focus()
        with page.expect_navigation():
            page.keyboard.press("Enter")
    expect(page.get_by_text("nothing left for you to judge")).to_be_visible()
    assert Judgment.objects.current().count() == 5


def test_a_judge_rates_with_numbers(page, transactional_db):
    campaign = factory.open_campaign(protocol="rating")
    join(page, campaign)
    scores = page.get_by_role("spinbutton")
    for place in range(scores.count()):
        scores.nth(place).fill(str(100 - place))
    page.get_by_label("Meaning changed").first.check()
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("2 of 3")).to_be_visible()
    assert Rating.objects.get(score=100).meaning_changed


def test_enter_submits_and_never_skips(page, campaign):
    join(page, campaign)
    groups = page.get_by_role("group", name="Rank, 1 is best")
    for place in range(groups.count()):
        groups.nth(place).get_by_role("radio").first.check()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert not Judgment.objects.get().skipped


def test_after_a_skip_without_a_reason_the_screen_can_still_be_answered(page, campaign):
    join(page, campaign)
    with page.expect_navigation():
        page.get_by_role("button", name="Skip this screen").click()
    groups = page.get_by_role("group", name="Rank, 1 is best")
    for place in range(groups.count()):
        groups.nth(place).get_by_role("radio").first.check()
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("2 of 3")).to_be_visible()
    assert not Judgment.objects.get().skipped


def test_a_screen_can_be_skipped_with_a_reason(page, campaign):
    join(page, campaign)
    page.get_by_label("No answer because").select_option("cannot tell")
    page.get_by_role("button", name="Skip this screen").click()
    expect(page.get_by_text("2 of 3")).to_be_visible()
    assert Judgment.objects.get().skip_reason == "cannot tell"


def test_it_works_without_scripts(chromium, live_server, campaign):
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    join(page, campaign)
    groups = page.get_by_role("group", name="Rank, 1 is best")
    for place in range(groups.count()):
        groups.nth(place).get_by_role("radio").first.check()
    page.get_by_role("button", name="Submit and go on").click()
    expect(page.get_by_text("2 of 3")).to_be_visible()
    context.close()


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_is_wider_than_the_window(page, transactional_db, width):
    longest = "Donaudampfschifffahrtsgesellschaftskapitänsmütze" * 3
    lines = [f"{longest} {'word ' * 200}."]
    campaign = factory.open_campaign({"source": lines, "Heron": [f"{lines[0]} !"]})
    page.set_viewport_size({"width": width, "height": 800})
    join(page, campaign)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_sentence_from_right_to_left_runs_so(page, transactional_db):
    campaign = factory.open_campaign({"source": ["هذا بيت كبير ."], "Heron": ["هذا بيتٌ كبير ."]}, language="ar")
    join(page, campaign)
    sentence = page.locator(".source")
    assert sentence.evaluate("element => getComputedStyle(element).direction") == "rtl"
    expect(sentence.locator("xpath=..")).to_have_attribute("lang", "ar")
