"""Many screens in a real browser: a document on one page, a preview, answers changed after feedback, endurance."""

import pytest
from django.urls import reverse
from playwright.sync_api import CDPSession, Page, expect

from judgments.assignment import assigning
from judgments.judging.differences import give_feedback
from judgments.models import Assignment, Draft, Judgment, Membership
from tests import factory
from tests.browser.axe import check_with_axe
from tests.browser.entrance import join, wait_for_next
from tests.judgments.judging.opinions import judge_all
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


def test_more_screens_are_previewed_with_the_values_as_they_are(page, sign_in, transactional_db):
    campaign = factory.open_campaign(design="sampled", batch_size=2)
    sign_in(factory.organiser(campaign, "olga"))
    page.goto(reverse("screens", args=[campaign.slug]))
    page.get_by_role("button", name="Preview the plan").click()
    expect(page.get_by_role("button", name="Assign 5 screens")).to_be_visible()
    expect(page.get_by_role("button", name="Preview the plan")).to_be_hidden()
    expect(page.get_by_text("Judges are being simulated: waiting for a worker")).to_be_visible()


def test_an_answer_is_changed_on_the_page(page, transactional_db):
    join(page, open_documents(seed=2))
    for _ in range(20):
        if page.locator(".screen").count() > 1:
            break
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


SCREENS = 16
COUNTED = ("Nodes", "JSEventListeners", "Documents")


def sizes(page: Page, chrome: CDPSession) -> dict[str, float]:
    """What the page holds when everything is settled and the garbage is out."""
    wait_for_next(page)
    chrome.send("HeapProfiler.collectGarbage")
    metrics = chrome.send("Performance.getMetrics")["metrics"]
    return {metric["name"]: metric["value"] for metric in metrics if metric["name"] in COUNTED}


@pytest.mark.long
@pytest.mark.parametrize("protocol", ["ranking", "rating"])
def test_a_page_holds_no_more_after_many_screens(page, transactional_db, protocol):
    texts = {name: [f"{name} writes line {line} ." for line in range(SCREENS)] for name in ("source", "Heron", "Wren")}
    join(page, factory.open_campaign(texts, protocol=protocol, redundancy=1, batch_size=SCREENS))
    chrome = page.context.new_cdp_session(page)
    chrome.send("Performance.enable")
    seen = []
    for _ in range(SCREENS - 2):
        expect(page.locator("[data-status]")).to_contain_text("0 of 3")
        expect(page.locator(".candidate").first).to_be_focused()
        assert page.evaluate("scrollY") == 0
        seen.append(sizes(page, chrome))
        before = page.url
        for place in range(3):
            page.keyboard.press("2")
            if protocol == "rating" and place < 2:
                page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        page.wait_for_url(lambda url, before=before: url != before)
    early, late = seen[1:7], seen[-6:]
    for name in COUNTED:
        assert max(size[name] for size in late) <= 1.05 * max(size[name] for size in early), [s[name] for s in seen]


@pytest.mark.walk
def test_an_organiser_tries_a_batch_by_keyboard_and_nothing_stays(page, sign_in, transactional_db):
    campaign = factory.make_campaign()
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
        expect(page.get_by_text("Version A has no rank yet.")).to_be_visible()
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
