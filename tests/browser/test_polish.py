"""A browser that asks for Polish: scripts speak it too."""

import re

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from judgments.campaigns import settings
from judgments.judges import invitations
from tests import factory
from tests.browser.axe import check_with_axe
from tests.browser.entrance import wait_for_next


@pytest.fixture
def language() -> str:
    return "pl-PL"


def join(page, campaign, begins_at: str = "**/assignments/*/") -> None:
    (invitation,) = invitations.invite(campaign, ["dan"])
    page.goto(f"/join/{invitation.token}/")
    page.get_by_role("button", name="Dołącz i oceniaj").click()
    page.get_by_role("button", name="Zacznij oceniać").click()
    page.wait_for_url(begins_at)


@pytest.mark.walk
def test_ranking_speaks_polish_on_the_next_screen_too(page, campaign, faults):
    """That one comes without a page of its own, so the words have to outlive the change."""
    settings.configure(campaign, name="Nazwa, na którą nie ma miejsca")
    join(page, campaign)
    assert page.locator(".bar").bounding_box()["height"] < 60, "one line of tools"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("1")
    expect(page.get_by_text(re.compile("^Uszeregowano 1 z .$"))).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Wersja A nie ma jeszcze pozycji.")).to_be_visible()
    expect(page.get_by_role("button", name="Zmiany")).to_be_visible()
    expect(page.locator(".handle").first).to_have_attribute("title", "Przeciągnij na wybraną pozycję")
    check_with_axe(page)
    for _ in range(page.locator(".candidate").count()):
        page.keyboard.press("1")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_text("2 z 3")).to_be_visible()
    expect(page.get_by_text(re.compile("^Uszeregowano 0 z .$"))).to_be_visible()
    wait_for_next(page)
    Session.objects.all().delete()
    page.keyboard.press("2")
    expect(page.get_by_role("alert")).to_have_text("Sesja się skończyła. Twoje odpowiedzi są tu zachowane.")
    faults[:] = [fault for fault in faults if "Failed to load resource" not in fault]


@pytest.mark.long
@pytest.mark.parametrize("width", [360, 1280])
def test_longer_words_fit(page, transactional_db, width):
    page.set_viewport_size({"width": width, "height": 800})
    for protocol in ("ranking", "rating"):
        page.goto("about:blank")  # which sends no drafts any more
        page.context.clear_cookies()
        join(page, factory.open_campaign(protocol=protocol))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.goto("about:blank")
    page.context.clear_cookies()
    join(page, factory.open_correction(category_list="conll2014"))
    page.keyboard.press("Alt+ArrowRight")
    page.keyboard.type("She")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
