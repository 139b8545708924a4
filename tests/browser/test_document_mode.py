"""Document mode in a real browser: a document on one page, judged sentence after sentence, stored one by one."""

import pytest
from playwright.sync_api import expect

from judgments.models import Judgment
from tests import factory
from tests.browser.entrance import join
from tests.services.waiting import wait_until

DOCUMENT = ["He go home .", "She have a cat .", "It rain .", "", "They walks ."]
SETTINGS = {"document_mode": True, "redundancy": 1, "batch_size": 4}


def open_documents(**settings):
    texts = {"source": DOCUMENT, "Heron": ["He goes home .", "She has a cat .", "It rains .", "", "They walk ."]}
    return factory.open_campaign(texts, **SETTINGS | settings)


def rank(page) -> None:
    for key in ("1", "2", "Enter"):
        page.keyboard.press(key)


@pytest.mark.walk
def test_a_document_is_judged_on_one_page(page, transactional_db):
    """The order of documents is drawn, so the short one may come first."""
    join(page, open_documents())
    lengths = []
    for _ in range(2):
        screens = page.locator(".screen")
        lengths.append(screens.count())
        address = page.url
        for number in range(screens.count()):
            expect(screens.nth(number)).to_have_class("screen active")
            expect(page.locator("[data-status]:visible")).to_have_text("0 of 2 ranked")
            rank(page)
        page.wait_for_url(lambda url, address=address: url != address)
    assert sorted(lengths) == [1, 3]
    wait_until(lambda: Judgment.objects.current().count() == 4, "four judgments")


def test_an_answer_is_changed_on_the_page(page, transactional_db):
    join(page, open_documents(seed=2))
    while page.locator(".screen").count() == 1:
        address = page.url
        rank(page)
        page.wait_for_url(lambda url, address=address: url != address)
    before = Judgment.objects.count()
    screens = page.locator(".screen")
    rank(page)
    expect(screens.nth(1)).to_have_class("screen active")
    wait_until(lambda: Judgment.objects.count() == before + 1, "a judgment")
    page.keyboard.press("p")
    expect(screens.nth(0)).to_have_class("screen active")
    expect(screens.nth(0).get_by_role("button", name="Go on")).to_be_visible()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(screens.nth(1)).to_have_class("screen active")
    wait_until(lambda: Judgment.objects.filter(revision=2, current=True).exists(), "a revision")
    page.reload()
    expect(screens.nth(0).get_by_role("radio", name="2").first).to_be_checked()


def test_corrections_of_a_document_are_typed_sentence_after_sentence(page, transactional_db):
    join(page, factory.open_correction(DOCUMENT, **SETTINGS | {"seed": 2}))
    for _ in range(4):
        address, text = page.url, page.locator(".screen.active textarea").first
        before = Judgment.objects.count()
        text.fill(f"{text.input_value()} !")
        text.press("Enter")
        wait_until(lambda before=before: Judgment.objects.count() == before + 1, "a judgment")
        if page.locator(".screen:not(.active)").count() == 0:
            page.wait_for_url(lambda url, address=address: url != address)
    assert Judgment.objects.current().count() == 4


@pytest.mark.walk
def test_a_document_is_judged_without_scripts(chromium, live_server, transactional_db):
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    join(page, open_documents())
    for _ in range(4):
        active = page.locator(".screen.active")
        for place in range(2):
            active.get_by_role("group").nth(place).locator("input").first.check(force=True)
        active.get_by_role("button", name="Submit and go on").click()
    assert Judgment.objects.current().count() == 4
    context.close()
